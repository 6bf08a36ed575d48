"""Several bots share Discord's shards: whatever becomes of one, nothing is lost and the others go on in time.

Their clocks are five seconds apart. Leases run out by themselves in the long trials alone; else time passes for them
where a test says so, so that nobody loses one on a slow machine.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import pytest

from tests.kill.database_file import KeptTable
from tests.restart.crowd import add_board
from tests.shards.trial import AS_EVER, LIMIT, ROOM, SHORT, Trial, trial
from tests.standin import BotProcess, Channel, Interaction, Message, User

TABLES, KILLS = int(os.environ.get("SOAK_TABLES", "300")), int(os.environ.get("SOAK_KILLS", "40"))
STOPS = int(os.environ.get("SOAK_STOPS", "30"))


SEVERAL_WAITS = pytest.mark.timeout(8 * LIMIT)


@SEVERAL_WAITS
async def test_bots_are_killed_and_stopped_and_every_table_goes_on() -> None:
    async with trial(tables=3, answers=3.0) as here:
        await here.begin()
        for kill in (True, False):
            await asyncio.sleep(here.rng.uniform(0, 0.5))  # any moment
            await here.ended(kill=kill)
        await here.world.until(lambda: here.scene.ledger.acknowledged > 6, LIMIT)
        await here.stop()
        print(f"\n{here}")
        await here.check()


@pytest.mark.soak
async def test_shards_of_bots_that_are_killed_again_and_again() -> None:
    slow = partial(trial, lease=15.0, part=AS_EVER, gap=5.25, room=ROOM / 4, speed=5.0, answers=10.0)
    async with slow(TABLES, shards=6) as here:
        await here.begin()
        for _ in range(KILLS):
            await asyncio.sleep(here.rng.uniform(0.5, 3))
            await here.ended(kill=here.rng.random() < 0.8)
            print(f"{len(here.moved)}: {here.moved[-1][0]:.1f} s of {here.moved[-1][1]:.1f}", flush=True)
        await here.stop()
        print(f"\n{here}")
        await here.check()
        here.check_rates()


@pytest.mark.soak
@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("bots", [1, 2, 3])
async def test_shards_of_one_bot_or_more_that_end_again_and_again(bots: int, *, kill: bool) -> None:
    async with trial(30, shards=6, bots=bots, lease=SHORT, part=AS_EVER, gap=0.5, answers=10.0) as here:
        await here.begin()
        for _ in range(STOPS):
            await asyncio.sleep(here.rng.uniform(0.5, 2))
            await here.ended(kill=kill)
            print(f"{len(here.moved)}: {here.moved[-1][0]:.1f} s of {here.moved[-1][1]:.1f}", flush=True)
        await here.stop()
        print(f"\n{here}")
        await here.check()
        here.check_rates()
        assert not [line for bot in here.bots for line in bot.troubles], here.logged()


async def wakes(here: Trial, bot: BotProcess) -> None:
    """Let a bot go on that has hung until others took its place."""
    os.kill(bot.pid, signal.SIGCONT)
    await here.world.until(lambda: here.again == 1, LIMIT)
    assert "others have taken its place" in bot.output
    await here.all_move()
    await here.stop()
    await here.check()


@SEVERAL_WAITS
async def test_a_bot_that_hung_wakes_and_writes_nothing() -> None:
    async with trial(tables=3, answers=3.0) as here:
        await here.begin()
        bot = here.one_of_them()
        os.kill(bot.pid, signal.SIGSTOP)
        await here.hours_pass(bot)
        await here.all_move()  # whom it has heard wait for it
        await wakes(here, bot)


@pytest.mark.soak
async def test_shards_of_a_bot_that_hung_for_a_minute() -> None:
    async with trial(tables=60, shards=6, lease=SHORT, part=AS_EVER, gap=0.5, answers=10.0) as here:
        await here.begin()
        bot = here.one_of_them()
        os.kill(bot.pid, signal.SIGSTOP)
        await here.all_move()
        await asyncio.sleep(18 * SHORT)
        await wakes(here, bot)


async def away(here: Trial, seconds: float = 0.0) -> None:
    """Let the database be away for so long that all leases run out; all bots go on."""
    await here.begin()
    await here.all_move()
    await here.stop()
    hands = [await here.hand_of(number) for number in list(here.games)[:6]]
    await here.kept.away()
    for told in await asyncio.gather(*(here.act(*hand) for hand in hands)):
        assert told.ephemeral
        assert any("nothing has been done" in message.text for message in told.messages), here.output()
    await asyncio.sleep(seconds)
    if not seconds:
        await here.hours_pass(*here.bots)
    await here.world.until(lambda: all("lease cannot be renewed" in bot.output for bot in here.bots), LIMIT)
    await here.kept.back()
    if not seconds:
        await here.hours_pass(*here.bots)  # so that they do not wait until they try again
    await here.all_renewed()
    here.play()
    await here.all_move()
    await here.stop()
    assert here.again == 0, "nobody was taken for gone"
    await here.check()


@SEVERAL_WAITS
async def test_the_database_is_away_for_longer_than_a_lease() -> None:
    async with trial(tables=3, part=6) as here:
        await away(here)


@pytest.mark.soak
async def test_shards_while_the_database_is_away_for_half_a_minute() -> None:
    async with trial(60, shards=6, lease=SHORT, part=AS_EVER, gap=0.5) as here:
        await away(here, 30.0)


@SEVERAL_WAITS
async def test_what_is_asked_in_direct_messages_is_done_whichever_bot_has_the_table() -> None:
    async with trial(tables=2, shards=2, bots=2) as here:
        for bot in here.bots:
            await bot.begin()
        await here.shared_out()
        await what_is_clicked_there_is_done(here)
        here.play()
        await here.all_move()
        await who_deletes_their_data_there_sits_nowhere_any_more(here)
        await here.check()


async def what_is_clicked_there_is_done(here: Trial) -> None:
    for number, game in here.games.items():
        before = await here.kept.table(number)
        (user,) = [user for user in game.people if user.id in before.awaited]
        direct = add_board(here.world, here.world.dm(user), number, here.world.snowflakes.next())
        told = await here.act(*await here.hand_of(number, direct))
        assert told.error is None
        after = await here.kept.table(number)
        assert after.ply > before.ply
    assert not await here.kept.handed(), "what gives a right to answer does not stay"


async def who_deletes_their_data_there_sits_nowhere_any_more(here: Trial) -> None:
    gone = [game.people[0] for game in here.games.values()]  # tables of all shards, asked for by the first
    for user in gone:
        data = await here.scene.told(here.world.slash(user, here.world.dm(user), "my data"))
        (shown,) = data.messages
        for label in ("Delete everything", "Yes, delete everything"):
            await here.scene.told(here.world.click(user, shown, label))
        await here.world.until(partial(reads, shown, "Deleted"), LIMIT)
    await here.all_move()
    assert [await here.kept.seats_of(user.id) for user in gone] == [0] * len(gone)


def reads(message: Message, text: str) -> bool:
    """Tell whether a message says this by now."""
    return text in message.text


# Lobbies that are started as soon as a player is connected again


@dataclass(repr=False)
class Lobby:
    """A lobby with its host. heard: texts of their hand, each time it was opened after the start."""

    here: Trial
    host: User
    channel: Channel
    number: int = 0
    heard: list[str] = field(default_factory=list)

    async def open(self) -> None:
        """Open it."""
        while not self.number:
            await self.here.scene.told(self.here.world.slash(self.host, self.channel, "deal", hands=1))
            found = (await self.here.kept.all()).found
            self.number = next((table.id for table in found if table.host == self.host.id), 0)

    async def start(self) -> None:
        """Press Play now until the match has begun, in one go with who looks at the table; then open the hand."""
        while (table := await self.here.kept.table(self.number)).phase == "lobby":
            both = self.press(table, "Play now"), self.type("hand")
            await asyncio.gather(*both, return_exceptions=True)
            await asyncio.sleep(0.02)
        while len(self.heard) < 3:
            with suppress(LookupError, TimeoutError):
                told = await self.type("hand")
                self.heard += [told.ephemeral.text] if told.ephemeral else []

    async def press(self, table: KeptTable, label: str) -> Interaction:
        board = self.here.world.channels[table.home].messages[table.message or 0]
        return await self.here.scene.told(self.here.world.click(self.host, board, label))

    async def type(self, command: str) -> Interaction:
        asked = self.here.world.slash(self.host, self.channel, command, table=self.number)
        return await self.here.scene.told(asked)


@pytest.mark.soak
async def test_shards_whose_lobbies_are_started_as_soon_as_somebody_is_connected() -> None:
    async with trial(tables=0, shards=6, lease=SHORT, part=AS_EVER, gap=0.5, answers=10.0) as here:
        await here.begin()
        lobbies = [
            Lobby(here, here.world.add_user(f"host {number}", guild), here.world.add_channel(f"room {number}", guild))
            for number, guild in enumerate([*here.world.guilds.values()] * 4)
        ]
        for lobby in lobbies:
            await lobby.open()
        bot = here.one_of_them()
        here.down.append(bot)
        await bot.kill9()
        async with asyncio.timeout(120):
            await asyncio.gather(*(lobby.start() for lobby in lobbies))
        dead = [lobby.number for lobby in lobbies if any("dealt yet" in said for said in lobby.heard)]
        assert dead == [], here.output()
        await here.check()


# Shards that change hands while all are well


@SEVERAL_WAITS
async def test_shards_go_to_a_bot_that_starts_and_from_one_that_is_to_go_and_no_click_is_lost() -> None:
    async with trial(tables=3) as here:
        late = here.bots.pop()
        await here.begin()
        await here.all_move()
        here.bots.append(late)
        await late.begin()
        await here.shared_out()
        await here.all_move()
        bot = here.one_of_them()
        here.down.append(bot)
        os.kill(bot.pid, signal.SIGUSR1)
        assert await asyncio.wait_for(bot.wait(), LIMIT) == 0, here.output()
        assert "Other processes took over" in bot.output
        assert sorted(here.sessions()) == [1, 2]
        await here.all_move()
        await here.stop()
        assert not here.scene.unanswered, here.output()
        assert here.again == 0
        await here.check()
