"""Several bots share Discord's shards: when one fails, no move is lost and the others continue in time.

The clocks of the bots are five seconds apart. Leases expire by themselves only in the long trials; the other tests age
them explicitly, so that no bot loses its lease on a slow machine.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import pytest

from tests.kill.database_file import StoredTable
from tests.restart.live_tables import add_board
from tests.shards.trial import DEFAULT_RENEWALS, PAUSE_PER_TABLE, SHORT_LEASE, WAIT_LIMIT, ShardTrial, shard_trial
from tests.standin import BotProcess, Channel, Interaction, Message, User

TABLES, KILLS = int(os.environ.get("SOAK_TABLES", "300")), int(os.environ.get("SOAK_KILLS", "40"))
STOPS = int(os.environ.get("SOAK_STOPS", "30"))


LONG_TIMEOUT = pytest.mark.timeout(8 * WAIT_LIMIT)


@LONG_TIMEOUT
async def test_every_table_continues_after_bots_are_killed_and_stopped() -> None:
    async with shard_trial(tables=3, answer_within=3.0) as here:
        await here.start()
        for kill in (True, False):
            await asyncio.sleep(here.rng.uniform(0, 0.5))  # any moment
            await here.end_one_bot(kill=kill)
        await here.world.until(lambda: here.scene.ledger.acknowledged > 6, WAIT_LIMIT)
        await here.stop_play()
        print(f"\n{here}")
        await here.check_bots()


@pytest.mark.soak
async def test_no_move_is_lost_while_bots_are_killed_and_stopped_repeatedly() -> None:
    slow = partial(
        shard_trial,
        lease=15.0,
        renewals=DEFAULT_RENEWALS,
        identify_interval=5.25,
        pause_per_table=PAUSE_PER_TABLE / 4,
        speed=5.0,
        answer_within=10.0,
    )
    async with slow(TABLES, shards=6) as here:
        await here.start()
        for _ in range(KILLS):
            await asyncio.sleep(here.rng.uniform(0.5, 3))
            await here.end_one_bot(kill=here.rng.random() < 0.8)
            print(f"{len(here.recoveries)}: {here.recoveries[-1][0]:.1f} s of {here.recoveries[-1][1]:.1f}", flush=True)
        await here.stop_play()
        print(f"\n{here}")
        await here.check_bots()
        here.check_rates()


@pytest.mark.soak
@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("bots", [1, 2, 3])
async def test_no_move_is_lost_while_one_to_three_bots_end_repeatedly(bots: int, *, kill: bool) -> None:
    async with shard_trial(
        30, shards=6, bots=bots, lease=SHORT_LEASE, renewals=DEFAULT_RENEWALS, identify_interval=0.5, answer_within=10.0
    ) as here:
        await here.start()
        for _ in range(STOPS):
            await asyncio.sleep(here.rng.uniform(0.5, 2))
            await here.end_one_bot(kill=kill)
            print(f"{len(here.recoveries)}: {here.recoveries[-1][0]:.1f} s of {here.recoveries[-1][1]:.1f}", flush=True)
        await here.stop_play()
        print(f"\n{here}")
        await here.check_bots()
        here.check_rates()
        assert not [line for bot in here.bots for line in bot.troubles], here.notable_logs()


async def resume_hung_bot(here: ShardTrial, bot: BotProcess) -> None:
    """Resume a suspended bot whose shards others have taken; check that it restarts and all tables move."""
    os.kill(bot.pid, signal.SIGCONT)
    await here.world.until(lambda: here.restarts == 1, WAIT_LIMIT)
    assert "others have taken its place" in bot.output
    await here.await_moves()
    await here.stop_play()
    await here.check_bots()


@LONG_TIMEOUT
async def test_a_bot_that_hung_until_its_lease_expired_writes_nothing() -> None:
    async with shard_trial(tables=3, answer_within=3.0) as here:
        await here.start()
        bot = here.pick_bot()
        os.kill(bot.pid, signal.SIGSTOP)
        await here.expire_leases(bot)
        await here.await_moves()  # players whose clicks the bot received wait for it
        await resume_hung_bot(here, bot)


@pytest.mark.soak
async def test_a_bot_that_hung_for_a_minute_writes_nothing() -> None:
    async with shard_trial(
        tables=60, shards=6, lease=SHORT_LEASE, renewals=DEFAULT_RENEWALS, identify_interval=0.5, answer_within=10.0
    ) as here:
        await here.start()
        bot = here.pick_bot()
        os.kill(bot.pid, signal.SIGSTOP)
        await here.await_moves()
        await asyncio.sleep(18 * SHORT_LEASE)
        await resume_hung_bot(here, bot)


async def run_outage(here: ShardTrial, seconds: float = 0.0) -> None:
    """Make the database unreachable until all leases expire; check that all bots continue.

    seconds: of the outage; 0 to expire the leases explicitly.
    """
    await here.start()
    await here.await_moves()
    await here.stop_play()
    hands = [await here.open_hand(number) for number in list(here.games)[:6]]
    await here.database.block_connections()
    for answer in await asyncio.gather(*(here.press_move(*hand) for hand in hands)):
        assert answer.ephemeral
        assert any("nothing has been done" in message.text for message in answer.messages), here.output()
    await asyncio.sleep(seconds)
    if not seconds:
        await here.expire_leases(*here.bots)
    await here.world.until(lambda: all("lease cannot be renewed" in bot.output for bot in here.bots), WAIT_LIMIT)
    await here.database.allow_connections()
    if not seconds:
        await here.expire_leases(*here.bots)  # so that the bots retry at once
    await here.await_renewed_leases()
    here.start_play()
    await here.await_moves()
    await here.stop_play()
    assert here.restarts == 0, "no bot was declared dead"
    await here.check_bots()


@LONG_TIMEOUT
async def test_all_bots_continue_after_the_database_was_unreachable_for_longer_than_a_lease() -> None:
    async with shard_trial(tables=3, renewals=6) as here:
        await run_outage(here)


@pytest.mark.soak
async def test_all_bots_continue_after_the_database_was_unreachable_for_half_a_minute() -> None:
    async with shard_trial(60, shards=6, lease=SHORT_LEASE, renewals=DEFAULT_RENEWALS, identify_interval=0.5) as here:
        await run_outage(here, 30.0)


@LONG_TIMEOUT
async def test_requests_in_direct_messages_reach_the_bot_that_has_the_table() -> None:
    async with shard_trial(tables=2, shards=2, bots=2) as here:
        for bot in here.bots:
            await bot.begin()
        await here.await_balance()
        await check_clicks_in_direct_messages(here)
        here.start_play()
        await here.await_moves()
        await check_data_deletion_in_direct_messages(here)
        await here.check_bots()


async def check_clicks_in_direct_messages(here: ShardTrial) -> None:
    for number, game in here.games.items():
        before = await here.database.table(number)
        (user,) = [user for user in game.people if user.id in before.awaited]
        direct = add_board(here.world, here.world.dm(user), number, here.world.snowflakes.next())
        answer = await here.press_move(*await here.open_hand(number, direct))
        assert answer.error is None
        after = await here.database.table(number)
        assert after.ply > before.ply
    assert not await here.database.count_pending_messages(), "no message with an interaction token may remain stored"


async def check_data_deletion_in_direct_messages(here: ShardTrial) -> None:
    gone = [game.people[0] for game in here.games.values()]  # at tables of all shards
    for user in gone:
        data = await here.scene.await_answer(here.world.slash(user, here.world.dm(user), "my data"))
        (shown,) = data.messages
        for label in ("Delete everything", "Yes, delete everything"):
            await here.scene.await_answer(here.world.click(user, shown, label))
        await here.world.until(partial(has_text, shown, "Deleted"), WAIT_LIMIT)
    await here.await_moves()
    assert [await here.database.count_seats(user.id) for user in gone] == [0] * len(gone)


def has_text(message: Message, text: str) -> bool:
    """Whether a message contains this text by now."""
    return text in message.text


# Lobbies that are started as soon as their shard is connected again


@dataclass(repr=False)
class Lobby:
    """A lobby and its host. hand_texts: of the host's hand, at each opening after the start."""

    here: ShardTrial
    host: User
    channel: Channel
    number: int = 0
    hand_texts: list[str] = field(default_factory=list)

    async def open(self) -> None:
        """Open the lobby; try again until a bot accepts the command."""
        while not self.number:
            await self.here.scene.await_answer(self.here.world.slash(self.host, self.channel, "deal", hands=1))
            found = (await self.here.database.snapshot()).stored
            self.number = next((table.id for table in found if table.host == self.host.id), 0)

    async def start(self) -> None:
        """Press Play now and open the hand at the same time until the match has begun; then open the hand."""
        while (table := await self.here.database.table(self.number)).phase == "lobby":
            both = self.press(table, "Play now"), self.type("hand")
            await asyncio.gather(*both, return_exceptions=True)
            await asyncio.sleep(0.02)
        while len(self.hand_texts) < 3:
            with suppress(LookupError, TimeoutError):
                answer = await self.type("hand")
                self.hand_texts += [answer.ephemeral.text] if answer.ephemeral else []

    async def press(self, table: StoredTable, label: str) -> Interaction:
        board = self.here.world.channels[table.home].messages[table.message or 0]
        return await self.here.scene.await_answer(self.here.world.click(self.host, board, label))

    async def type(self, command: str) -> Interaction:
        asked = self.here.world.slash(self.host, self.channel, command, table=self.number)
        return await self.here.scene.await_answer(asked)


@pytest.mark.soak
async def test_lobbies_can_be_started_as_soon_as_their_shard_is_connected_again() -> None:
    async with shard_trial(
        tables=0, shards=6, lease=SHORT_LEASE, renewals=DEFAULT_RENEWALS, identify_interval=0.5, answer_within=10.0
    ) as here:
        await here.start()
        lobbies = [
            Lobby(here, here.world.add_user(f"host {number}", guild), here.world.add_channel(f"room {number}", guild))
            for number, guild in enumerate([*here.world.guilds.values()] * 4)
        ]
        for lobby in lobbies:
            await lobby.open()
        bot = here.pick_bot()
        here.stopped_bots.append(bot)
        await bot.kill9()
        async with asyncio.timeout(120):
            await asyncio.gather(*(lobby.start() for lobby in lobbies))
        dead = [lobby.number for lobby in lobbies if any("dealt yet" in said for said in lobby.hand_texts)]
        assert dead == [], here.output()
        await here.check_bots()


# Shards that move between healthy bots


@LONG_TIMEOUT
async def test_no_click_is_lost_while_shards_move_to_a_new_bot_and_from_a_leaving_one() -> None:
    async with shard_trial(tables=3) as here:
        late = here.bots.pop()
        await here.start()
        await here.await_moves()
        here.bots.append(late)
        await late.begin()
        await here.await_balance()
        await here.await_moves()
        bot = here.pick_bot()
        here.stopped_bots.append(bot)
        os.kill(bot.pid, signal.SIGUSR1)
        assert await asyncio.wait_for(bot.wait(), WAIT_LIMIT) == 0, here.output()
        assert "Other processes have taken over" in bot.output
        assert sorted(here.session_counts()) == [1, 2]
        await here.await_moves()
        await here.stop_play()
        assert not here.scene.unanswered, here.output()
        assert here.restarts == 0
        await here.check_bots()
