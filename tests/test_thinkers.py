# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""Processes that think for house players: they come and go, die and hang, and every seat is played all the same."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from bot.ai import plain
from bot.ai.levels import evaluate, house_action
from bot.ai_pool.moves import InThreadMoveChooser, MoveRequest
from bot.ai_pool.pool import MovePool, PoolDurations
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.core.asks import Action, Play
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import View
from bot.runtime.workers import Workers
from tests.standin.realm import LIMIT, SEVERAL_WAITS

LEISURE = PoolDurations(thinking=60, grace=60, patience=120)  # for one that comes to an end by itself
HASTE = PoolDurations(thinking=0.02, grace=3, patience=LIMIT)
LOST = PoolDurations(thinking=0.02, grace=0.9, patience=1)  # too short for a second one
Open: TypeAlias = Callable[..., MovePool]
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    """Make processes that think, and end them."""
    made = list[MovePool]()

    def make(times: PoolDurations, most: int = 1) -> MovePool:
        made.append(MovePool(most, times))
        return made[-1]

    yield make
    for thinkers in made:
        await thinkers.close()
        assert not thinkers.all


def a_view(cards: int = 13, preset: str = "pagat") -> View:
    """Return a seat's view with this many cards and a turn."""
    game = GAMES["big_two"].rules(preset).deal(SeededRandom("thinkers"), 0)
    while len((view := game.view(min(game.awaited))).hand) > cards or not view.plays:
        action = plain.plain_action(view)
        assert action
        game = game.act(min(game.awaited), action)
    return view


def pids(thinkers: MovePool) -> list[int]:
    """The numbers of the processes."""
    return [thinker.process.pid for thinker in thinkers.all]


def alive(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def gone(pid: int) -> None:
    """Wait until a process is there no more."""
    async with asyncio.timeout(LIMIT):
        while alive(pid):  # noqa: ASYNC110 - nobody could set an event
            await asyncio.sleep(0.01)


async def warm(thinkers: MovePool) -> int:
    """Have something thought about; return the number of the process that did."""
    await thinkers.choose(MoveRequest(a_view(4), Level.MEDIUM, "warm"))
    [pid] = pids(thinkers)
    return pid


async def test_what_comes_out_is_what_the_level_says_for_the_same_dice(opened: Open) -> None:
    """Also where other hands lie behind the same view."""
    thinkers, view = opened(LEISURE), a_view(5)
    assert view.seat is not None
    elsewhere = view.rules.imagine(view, Random(1)).view(view.seat)
    for level in (Level.MEDIUM, Level.HARD):
        asked, due = MoveRequest(view, level, "dice"), house_action(level, view, Random("dice"))
        assert await thinkers.choose(asked) == await thinkers.choose(asked._replace(view=elsewhere)) == due


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_may_know_comes_through_a_pipe_unchanged_and_is_small(name: str) -> None:
    for preset in GAMES[name].presets:
        game = GAMES[name].rules(preset).deal(SeededRandom(preset), 0)
        view = game.view(min(game.awaited))
        sent = pickle.dumps(view)
        assert pickle.loads(sent) == view
        assert len(sent) < 4096


async def test_nobody_is_started_for_easy_players(opened: Open) -> None:
    thinkers, view = opened(HASTE), a_view()
    assert await thinkers.choose(MoveRequest(view)) == plain.plain_action(view)
    assert await thinkers.choose(MoveRequest(view, Level.EASY, "x")) == house_action(Level.EASY, view, Random("x"))
    assert not thinkers.all


@pytest.mark.posix("sends a process a signal")
async def test_where_one_is_killed_or_hangs_another_thinks(opened: Open, caplog: pytest.LogCaptureFixture) -> None:
    thinkers, view = opened(HASTE), a_view()
    pid = await warm(thinkers)
    os.kill(pid, signal.SIGKILL)
    assert await done(thinkers, view)
    assert pid not in pids(thinkers)
    [pid] = pids(thinkers)
    os.kill(pid, signal.SIGSTOP)
    asyncio.get_running_loop().call_later(0.1, os.kill, pid, signal.SIGKILL)  # in the middle of a thought
    assert await done(thinkers, view)
    assert pid not in pids(thinkers)
    assert caplog.text.count("another one does") == 2
    assert "does not answer" not in caplog.text
    [pid] = pids(thinkers)
    os.kill(pid, signal.SIGSTOP)
    assert await done(thinkers, view)
    assert "does not answer" in caplog.text
    assert "played plainly" not in caplog.text
    await gone(pid)


@pytest.mark.posix("sends a process a signal")
async def test_where_nobody_answers_in_time_the_seat_is_played_plainly(
    opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    thinkers, view = opened(LOST), a_view()
    os.kill(await warm_or_not(thinkers), signal.SIGSTOP)
    assert await thinkers.choose(MoveRequest(view, Level.HARD, "x")) == plain.plain_action(view)
    assert "played plainly" in caplog.text


async def warm_or_not(thinkers: MovePool) -> int:
    """Think until a worker is warm; return its number."""
    while not thinkers.all:
        await thinkers.choose(MoveRequest(a_view(4), Level.MEDIUM, "warm"))
    return pids(thinkers)[0]


async def test_2_6_an_answer_that_would_be_too_late_is_a_plain_one(opened: Open) -> None:
    thinkers, view = opened(LEISURE), a_view()
    await warm(thinkers)
    for seconds in (0.0, 0.01):
        asked = MoveRequest(view, Level.HARD, "x", seconds)
        assert await asyncio.wait_for(thinkers.choose(asked), LIMIT / 2) == plain.plain_action(view), "LEISURE has more"


@pytest.mark.posix("sends a process a signal")
async def test_2_6_a_process_that_is_too_late_is_there_for_the_next_thought(opened: Open) -> None:
    thinkers, view = opened(LEISURE), a_view(5)
    pid = await warm(thinkers)
    os.kill(pid, signal.SIGSTOP)
    assert await thinkers.choose(MoveRequest(view, Level.HARD, "x", 0.2)) == plain.plain_action(view)
    assert await thinkers.choose(MoveRequest(view, Level.HARD, "y", 0.2)) == plain.plain_action(view), (
        "and nobody waits in vain"
    )
    os.kill(pid, signal.SIGCONT)
    assert await done(thinkers, view) == house_action(Level.HARD, view, Random("x"))
    assert pids(thinkers) == [pid]


async def test_2_6_thinking_ends_in_time_with_the_best_found_by_then(opened: Open) -> None:
    view, hardly = a_view(12), replace(LEISURE, least=0, back=30)
    first = house_action(Level.HARD, view, Random("y"), lambda: True)
    others = (
        plain.plain_action(view),
        house_action(Level.MEDIUM, view, Random("y")),
        house_action(Level.HARD, view, Random("y")),
    )
    assert first not in others, "it is what one world says"
    assert await opened(hardly).choose(MoveRequest(view, Level.HARD, "y", 2 * hardly.back)) == first
    assert await InThreadMoveChooser().choose(MoveRequest(view, Level.HARD, "y", 0)) == first


async def test_one_without_anything_to_do_ends(opened: Open) -> None:
    thinkers = opened(replace(HASTE, idle=1))
    await gone(await warm(thinkers))
    assert not thinkers.all
    assert await done(thinkers, a_view())


async def test_many_are_answered_by_few_who_think_shorter(opened: Open) -> None:
    thinkers, view = opened(PoolDurations(thinking=0.4, grace=5, patience=60), most=2), a_view()
    await warm(thinkers)
    found = await asyncio.gather(*(thinkers.choose(MoveRequest(view, Level.HARD, str(n))) for n in range(10)))
    assert all(found)
    assert len(thinkers.all) == 2
    assert {house_action(Level.MEDIUM, view, Random(str(n))) for n in range(10)} & {*found}, "most play as good ones do"


async def test_evaluations_take_no_time_from_those_who_play_and_are_the_same_in_every_process(opened: Open) -> None:
    """Hints and reviews are asked at other times, under another load: workers make them, whatever house players do."""
    thinkers, view = opened(LEISURE), a_view(5)
    worst = Play(view.plays.first(1)[0].cards)
    workers = Workers(1)
    thinking = asyncio.create_task(thinkers.choose(MoveRequest(view, Level.HARD, "x")))
    assert await workers.run("ann", evaluate, view, worst) == evaluate(view, worst)
    assert await thinking == house_action(Level.HARD, view, Random("x"))
    assert len(thinkers.all) == 1
    workers.stop()
    await workers.ended()


async def test_what_cannot_be_thought_about_is_played_plainly(
    opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinkers, view = opened(HASTE), a_view()
    pid = await warm(thinkers)
    monkeypatch.setattr("bot.ai_pool.pool.search_move", abs)  # fails in the process
    assert await thinkers.choose(MoveRequest(view, Level.HARD, "x")) == plain.plain_action(view)
    assert "does not know what to do" in caplog.text
    assert pid


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
async def test_none_of_them_is_told_a_secret_and_all_stand_back(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a-secret")
    thinkers = opened(HASTE)
    pid = await warm(thinkers)
    assert b"a-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getpriority(os.PRIO_PROCESS, pid) == 10
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert resident < 150 * 1024  # KiB


async def done(thinkers: MovePool, view: View) -> Action | None:
    """What a strong player does."""
    return await thinkers.choose(MoveRequest(view, Level.HARD, "x"))
