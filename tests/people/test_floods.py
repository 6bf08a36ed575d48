"""Who asks for too much at once is told so kindly; all others, and later requests, are answered."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import TableId
from bot.interactions.dispatcher import MAX_AUTOCOMPLETIONS, MAX_TYPING_USERS
from bot.interactions.flood_limits import CLICKS, COMMANDS, KEYSTROKES, MOVES, OPENINGS
from bot.interactions.visit import Visit
from bot.members.requests import CALLS
from bot.table.core.commands import CloseLobby
from tests.people.test_inviting import invite
from tests.support.loop_gaps import MAX_BUSY_SECONDS, record_busy_seconds
from tests.support.message_text import private_reply
from tests.support.world import World

TRY_AGAIN = "Try again in a second"
STRANGE_MOVES = ("3d " * 1330, "3d" * 2000, "小王" * 2000, "9" * 4000, "é\u0301" * 2000, "joker " * 660, "((" * 2000)
CODES = ("B2:pagat+" + "x=1+" * 990, "B2:pagat+target=" + "9" * 3900, "B2:" + "pagat+" * 600)


async def test_commands_and_clicks_are_limited_per_second(here: World) -> None:
    table = await here.start_table()
    here.pulse.at += 1
    here.pulse.hurried = True
    said = [(await here.slash("ann", "desk")).text for _ in range(COMMANDS + 1)]
    assert [TRY_AGAIN in text for text in said] == [False] * COMMANDS + [True]
    assert TRY_AGAIN not in (await here.slash("ben", "desk")).text
    here.pulse.at += 1
    assert TRY_AGAIN not in (await here.slash("ann", "desk")).text
    here.pulse.at += 1
    shown = [private_reply(await here.open_hand("ann", table)).text for _ in range(CLICKS + 1)]
    assert [TRY_AGAIN in text for text in shown] == [False] * CLICKS + [True]
    here.pulse.at += 1
    assert TRY_AGAIN not in private_reply(await here.open_hand("ann", table)).text


async def test_opening_tables_in_a_loop_is_refused(here: World) -> None:
    for number in range(1, OPENINGS.most + 1):
        await here.slash("ann", "deal")
        await (await here.parts.tables.get(TableId(number))).do(CloseLobby(here.ann.id))
    before = here.requests("POST", "/channels/*/messages")
    assert (await here.slash("ann", "deal")).text.startswith("That's 6 tables in ten minutes.")
    assert here.requests("POST", "/channels/*/messages") == before
    await here.open_table("ben")
    await here.advance(minutes=10)
    assert not (await here.slash("ann", "deal", pace="none")).text


async def test_1_2_a_table_that_is_refused_does_not_count_as_opened(here: World) -> None:
    tables = [await here.open_table() for _ in range(OPENINGS.most - 1)]
    for _ in range(OPENINGS.most):
        here.pulse.at += 1
        assert "Start or close one first." in (await here.slash("ann", "deal")).text
    await here.press("ann", tables[0], "Close this table")
    assert not (await here.slash("ann", "deal", pace="none")).text


async def test_a_rematch_counts_as_an_opened_table(here: World) -> None:
    table = await here.finish_instantly("ben")
    for _ in range(OPENINGS.most - 2):
        await here.parts.store.limits.take(OPENINGS, here.ann.id)
    await here.press("ann", table, "Rematch")
    (lobby,) = await here.parts.store.tables.open_tables()
    await here.press("ann", await here.parts.tables.get(lobby), "Close this table")
    assert "Stay at one of them, or open another" in private_reply(await here.press("ann", table, "Rematch")).text


async def test_moving_a_table_is_limited_and_refused_moves_do_not_count(here: World) -> None:
    table, other = await here.open_table("ann"), here.guild.create_text_channel("other")
    said = []
    for _ in range(MOVES.most + 1):
        here_already = await here.slash("ann", "table move", table=table.id)
        assert here_already.text == "This table is already here."
    for at in range(MOVES.most + 1):
        where = (other, here.channel)[at % 2]
        said.append((await here.slash("ann", "table move", where, table=table.id)).text)
    assert said[-1].startswith("This table has moved 3 times in ten minutes.")
    assert [text for text in said if "ten minutes" in text] == said[-1:]
    assert table.row.home == other.id
    await here.advance(minutes=10)
    assert not (await here.slash("ann", "table move", table=table.id)).text
    assert table.row.home == here.channel.id


async def test_1_2_deleting_data_resets_no_limit(here: World) -> None:
    for _ in range(CALLS.most):
        table = await here.open_table()
        await invite(here, table, here.people["ben"])
        await here.press("ann", table, "Close this table")
    for _ in range(OPENINGS.most):
        await here.parts.store.limits.take(OPENINGS, here.ann.id)
    here.pulse.at += 1
    here.pulse.hurried = True
    for _ in range(COMMANDS):
        await here.slash("ann", "desk")
    await here.parts.retention.forget_person(here.ann.id)
    await here.settle()
    assert TRY_AGAIN in (await here.slash("ann", "desk")).text
    here.pulse.at += 1
    assert "Stay at one of them, or open another" in (await here.slash("ann", "deal")).text
    table = await here.open_table("ann")
    assert "You've pinged people for 3 tables today" in private_reply(await here.press("ann", table, "Invite")).text
    other = await here.open_table("cleo")
    await here.parts.retention.forget_person(here.people["ben"].id)
    await here.settle()
    assert (
        "they're at the table already, can't see this"
        in private_reply(await invite(here, other, here.people["ben"], by="cleo")).text
    )


async def test_only_the_latest_input_is_autocompleted(here: World) -> None:
    done: list[str] = []

    async def completing(name: str, user: int) -> None:
        typing: Any = SimpleNamespace(type=discord.InteractionType.autocomplete, user=SimpleNamespace(id=user))
        assert await here.bot.tree.interaction_check(typing)
        await asyncio.sleep(0)
        done.append(name)

    tasks = [("3", 1), ("3d", 1), ("another person", 2), ("3d 4d", 1)]
    await asyncio.gather(*(completing(*each) for each in tasks), return_exceptions=True)
    assert done == ["another person", "3d 4d"]


@pytest.mark.rotates(4)
@pytest.mark.parametrize("code", ["B2:pagat", "BA:std", "AB:std", "LA:std+players=3"])
async def test_no_input_blocks_the_event_loop(here: World, code: str) -> None:
    table = await here.start_table(rules=code, pace="none")
    with record_busy_seconds() as made:
        for typed in STRANGE_MOVES:
            assert private_reply(await here.ann.slash(here.channel, "turn", move=typed, table=table.id)).text
            await here.ann.autocomplete(here.channel, "turn", "move", typed)
            await here.ann.slash(here.channel, "learn compare", first=typed[:100], second=typed[:100], table=table.id)
        for typed in (*STRANGE_MOVES, *CODES):
            await here.people["ben"].slash(here.channel, "deal", rules=typed)
        await here.ann.autocomplete(here.channel, "turn", "move", "")
        await here.open_hand("ann", table)
    print(f"\nat most {max(made):,} calls in one go")
    assert max(made) < MAX_BUSY_SECONDS


async def test_1_3_fast_typing_is_autocompleted_at_the_next_pause(here: World) -> None:
    here.pulse.hurried = True
    done: list[str] = []

    async def typed(name: str, user: int) -> None:
        typing: Any = SimpleNamespace(type=discord.InteractionType.autocomplete, user=SimpleNamespace(id=user))
        assert await here.bot.tree.interaction_check(typing)
        done.append(name)

    tasks, quickly = list[asyncio.Task[None]](), [("3", 1)] * KEYSTROKES
    for name, user in (*quickly, ("3d", 1), ("3d 4", 1), ("another person", 2)):
        tasks.append(asyncio.create_task(typed(name, user)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert done == [*(name for name, _ in quickly), "another person"]
    *_, superseded, last, _ = tasks
    assert superseded.cancelled()
    assert not last.done(), "what was typed last is looked for after a pause"
    last.cancel()


async def test_1_3_concurrent_autocompletions_and_their_queue_are_limited(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatcher, go, begun = here.parts.dispatcher, asyncio.Event(), list[Visit]()
    typing: Any = SimpleNamespace(
        namespace=(), locale="en-US", user=SimpleNamespace(id=1), response=SimpleNamespace(is_done=lambda: False)
    )

    async def work(visit: Visit) -> list[str]:
        begun.append(visit)
        await go.wait()
        return ["3d"]

    waiting = [asyncio.create_task(dispatcher.autocomplete(typing, "", work)) for _ in range(MAX_TYPING_USERS)]
    await asyncio.sleep(0)
    assert len(begun) == MAX_AUTOCOMPLETIONS
    assert await dispatcher.autocomplete(typing, "", work) == []
    go.set()
    assert await asyncio.gather(*waiting) == [["3d"]] * MAX_TYPING_USERS
    assert await dispatcher.autocomplete(typing, "", work) == ["3d"]
    monkeypatch.setattr("bot.interactions.visit.FIRST_RESPONSE_LIMIT", -1.0)
    begun.clear()
    assert await dispatcher.autocomplete(typing, "", work) == []
    assert not begun, "what Discord does not wait for any more is not looked for"
