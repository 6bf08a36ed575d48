"""What takes long has a price: a person has one piece of work under way, and the next is refused in a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

import pytest
import pytest_asyncio

from bot.domain.ids import TableId
from bot.runtime.process_pool import ChildHung
from bot.runtime.workers import GIVEN_UP, MANY_WAITING, MAX_PEOPLE, STILL_WORKING
from bot.show.kit.custom_ids import Browse
from bot.show.matches.replay import CLOSELY, LOOK_BACK, LOOK_CLOSELY
from bot.show.matches.replay_menu import FILE, PLAY_ON
from bot.show.people.own_data import MATCHES
from bot.show.people.profile import CARD, PROFILE
from bot.show.server.standings import BY, PAGE
from bot.show.table.achievements import MEDALS
from tests.interactions.clicks import send_click
from tests.people.test_practice import practice_table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SETTLE_TIMEOUT, SHORT_HANDS, World, world
from tests.test_workers import wait_for

CostlyRequest: TypeAlias = Callable[[World], Awaitable[ParsedMessage]]


def by_command(name: str, **options: Any) -> CostlyRequest:
    """Ask by a command."""

    async def ask(here: World) -> ParsedMessage:
        return await here.slash("ann", name, **options)

    return ask


def by_click(verb: str, *args: object, values: tuple[str, ...] | None = None) -> CostlyRequest:
    """Ask by a click."""

    async def ask(here: World) -> ParsedMessage:
        desk = await here.ann.slash(here.channel, "desk")
        assert desk.response
        address = str(Browse.to(verb, *args))
        return private_reply(await send_click(here, here.ann, desk.response.message, address, values))

    return ask


async def request_hint(here: World) -> ParsedMessage:
    """Ask for a hint in another match."""
    hand = await here.open_hand("ann", await here.parts.tables.get(TableId(2)))
    return private_reply(await here.press_on("ann", hand, "Hint"))


COSTLY: dict[str, CostlyRequest] = {
    "verify": by_command("matches verify"),
    "export": by_command("matches export"),
    "export many": by_command("matches export", which="mine"),
    "export everywhere": by_command("matches export", which="everywhere"),
    "a match as a file": by_click(FILE, 1),
    "all one's matches": by_click(MATCHES),
    "look back": by_click(LOOK_BACK, 1),
    "look closely": by_click(LOOK_CLOSELY, 1, 1),
    "look closely at another hand": by_click(CLOSELY, 1, values=("1",)),
    "play on": by_click(PLAY_ON, 1, 5, ""),
    "a hint": request_hint,
    "standings": by_command("standings"),
    "a page of the standings": by_click(PAGE, "wins", "big_two", 0, "all"),
    "another order of the standings": by_click(BY, "big_two", "all", values=("reliability",)),
    "a profile": by_command("my profile"),
    "another game of a profile": by_click(PROFILE, 1, values=("big_two",)),
    "a card": by_click(CARD, 1, "big_two"),
    "achievements": by_click(MEDALS, 1, "big_two"),
}


@pytest_asyncio.fixture(loop_scope="function")
async def played(tmp_path: Path) -> AsyncIterator[World]:
    """A world in which a match has been played to its end."""
    async with world(tmp_path, deal=SHORT_HANDS) as here:
        await here.play_hand(await here.start_table("ben", hands=1, pace="live hints"))
        await here.start_table(hands=1, pace="none hints")
        yield here


async def test_1_3_costly_work_is_refused_while_busy_when_the_queue_is_full_or_after_a_timeout(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played.parts.workers.turn(played.ann.id):
        for name, ask in COSTLY.items():
            assert STILL_WORKING in (await ask(played)).text, name
        assert STILL_WORKING not in (await played.slash("ben", "matches verify")).text, "others are served"
    assert STILL_WORKING not in (await played.slash("ann", "matches verify")).text, "as is who has no work under way"
    async with AsyncExitStack() as stack:
        for other in range(MAX_PEOPLE):
            await stack.enter_async_context(played.parts.workers.turn(other))
        for name, ask in COSTLY.items():
            assert MANY_WAITING in (await ask(played)).text, name
    monkeypatch.setattr("bot.interactions.visit.FIRST_RESPONSE_LIMIT", -1.0)  # Discord takes no answer any more
    monkeypatch.setattr("bot.interactions.visit.ANSWERED", -1.0)
    for name, ask in COSTLY.items():
        assert GIVEN_UP in (await ask(played)).text, name


async def test_1_3_dealing_a_hand_from_a_long_match_counts_as_costly_work_each_time(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time it is written and played out again, as by *Play on from here*."""
    monkeypatch.setattr("cogs.contests.practice.MIN_FOR_WORKER", 5)
    await by_click(PLAY_ON, 1, 5, "")(played)
    table = await practice_table(played, "ann")
    desk = await played.ann.slash(played.channel, "desk")
    async with played.parts.workers.turn(played.ann.id):
        for verb in ("same_cards", "undo"):
            refused = await played.forge(played.ann, desk, f"bg:{table.id}:{verb}")
            assert STILL_WORKING in private_reply(refused).text, verb
    again = await played.forge(played.ann, desk, f"bg:{table.id}:same_cards")
    assert "Practice: " in private_reply(again).text


async def test_1_3_resuming_a_long_match_has_priority_over_requested_work(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever clicks at a table that is not in memory waits until its match is played out."""
    monkeypatch.setattr("bot.table.fact_lookup.MIN_FOR_WORKER", 1)
    table, go = await played.parts.tables.get(TableId(1)), Event()
    played.parts.tables.drop(lambda row: row.id == table.id)
    workers = played.parts.workers
    greedy = [asyncio.create_task(workers.run(number, wait_for, go)) for number in range(MAX_PEOPLE)]
    await asyncio.sleep(0)
    try:
        async with asyncio.timeout(SETTLE_TIMEOUT):
            again = await played.parts.tables.get(table.id)
        assert again.match == table.match
        assert not any(task.done() for task in greedy)
    finally:
        go.set()
        await asyncio.gather(*greedy)


async def test_1_3_a_table_is_kept_in_memory_if_no_worker_can_replay_its_match(
    played: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Put out of memory it would be there twice, each with house players that act."""
    table = await played.parts.tables.get(TableId(2))
    match = table.match

    async def hangs(*_: Any) -> None:
        raise ChildHung("does not answer")

    with monkeypatch.context() as patched:
        patched.setattr("bot.table.fact_lookup.MIN_FOR_WORKER", 0)
        patched.setattr(played.parts.workers._caller, "call", hangs)
        table.adopt(replace(table.state, match=None))  # as where another process has written what happened there
        await played.parts.tables.reread()
    assert table.id in played.parts.tables
    assert "Table 2 reads again at its next touch" in caplog.text
    caplog.clear()
    await table.reread()
    assert (await played.parts.tables.get(table.id)).match == table.match == match
