# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""Processes that think for house players: although they die and hang, every seat gets an action."""

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
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT

LONG_DURATIONS = PoolDurations(thinking=60, grace=60, patience=120)  # no timeout before a search ends by itself
SHORT_DURATIONS = PoolDurations(thinking=0.02, grace=3, patience=WAIT_LIMIT)
TOO_SHORT_DURATIONS = PoolDurations(thinking=0.02, grace=0.9, patience=1)  # too short for a second process
Open: TypeAlias = Callable[..., MovePool]
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


@pytest.fixture
async def make_pool() -> AsyncIterator[Open]:
    """A function that creates pools, which are closed at the end."""
    made = list[MovePool]()

    def make(times: PoolDurations, most: int = 1) -> MovePool:
        made.append(MovePool(most, times))
        return made[-1]

    yield make
    for pool in made:
        await pool.close()
        assert not pool.all


def view_with(cards: int = 13, preset: str = "pagat") -> View:
    """Return a seat's view with this many cards and a turn."""
    game = GAMES["big_two"].rules(preset).deal(SeededRandom("thinkers"), 0)
    while len((view := game.view(min(game.awaited))).hand) > cards or not view.plays:
        action = plain.plain_action(view)
        assert action
        game = game.act(min(game.awaited), action)
    return view


def pids(pool: MovePool) -> list[int]:
    """Return the ids of the processes."""
    return [worker.process.pid for worker in pool.all]


def is_alive(pid: int) -> bool:
    """Whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def wait_until_gone(pid: int) -> None:
    """Wait until a process no longer exists."""
    async with asyncio.timeout(WAIT_LIMIT):
        while is_alive(pid):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)


async def warm_up(pool: MovePool) -> int:
    """Send a request; return the id of the only process."""
    await pool.choose(MoveRequest(view_with(4), Level.MEDIUM, "warm"))
    [pid] = pids(pool)
    return pid


async def test_the_pool_chooses_what_the_level_chooses_with_the_same_seed(make_pool: Open) -> None:
    """Also if the hidden hands behind the same view differ."""
    pool, view = make_pool(LONG_DURATIONS), view_with(5)
    assert view.seat is not None
    elsewhere = view.rules.imagine(view, Random(1)).view(view.seat)
    for level in (Level.MEDIUM, Level.HARD):
        asked, due = MoveRequest(view, level, "dice"), house_action(level, view, Random("dice"))
        assert await pool.choose(asked) == await pool.choose(asked._replace(view=elsewhere)) == due


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_view_is_unchanged_and_small(name: str) -> None:
    for preset in GAMES[name].presets:
        game = GAMES[name].rules(preset).deal(SeededRandom(preset), 0)
        view = game.view(min(game.awaited))
        sent = pickle.dumps(view)
        assert pickle.loads(sent) == view
        assert len(sent) < 4096


async def test_easy_players_need_no_process(make_pool: Open) -> None:
    pool, view = make_pool(SHORT_DURATIONS), view_with()
    assert await pool.choose(MoveRequest(view)) == plain.plain_action(view)
    assert await pool.choose(MoveRequest(view, Level.EASY, "x")) == house_action(Level.EASY, view, Random("x"))
    assert not pool.all


@pytest.mark.posix("sends a process a signal")
async def test_another_process_takes_over_from_a_killed_or_hanging_one(
    make_pool: Open, caplog: pytest.LogCaptureFixture
) -> None:
    pool, view = make_pool(SHORT_DURATIONS), view_with()
    pid = await warm_up(pool)
    os.kill(pid, signal.SIGKILL)
    assert await choose_hard(pool, view)
    assert pid not in pids(pool)
    [pid] = pids(pool)
    os.kill(pid, signal.SIGSTOP)
    asyncio.get_running_loop().call_later(0.1, os.kill, pid, signal.SIGKILL)  # during a request
    assert await choose_hard(pool, view)
    assert pid not in pids(pool)
    assert caplog.text.count("another one does") == 2
    assert "does not answer" not in caplog.text
    [pid] = pids(pool)
    os.kill(pid, signal.SIGSTOP)
    assert await choose_hard(pool, view)
    assert "does not answer" in caplog.text
    assert "played plainly" not in caplog.text
    await wait_until_gone(pid)


@pytest.mark.posix("sends a process a signal")
async def test_a_plain_action_is_used_if_no_process_answers_in_time(
    make_pool: Open, caplog: pytest.LogCaptureFixture
) -> None:
    pool, view = make_pool(TOO_SHORT_DURATIONS), view_with()
    os.kill(await warm_up_despite_timeouts(pool), signal.SIGSTOP)
    assert await pool.choose(MoveRequest(view, Level.HARD, "x")) == plain.plain_action(view)
    assert "played plainly" in caplog.text


async def warm_up_despite_timeouts(pool: MovePool) -> int:
    """Send requests until a process has answered in time; return its id."""
    while not pool.all:
        await pool.choose(MoveRequest(view_with(4), Level.MEDIUM, "warm"))
    return pids(pool)[0]


async def test_2_6_a_plain_action_is_used_if_the_time_is_too_short(make_pool: Open) -> None:
    pool, view = make_pool(LONG_DURATIONS), view_with()
    await warm_up(pool)
    for seconds in (0.0, 0.01):
        asked = MoveRequest(view, Level.HARD, "x", seconds)
        assert await asyncio.wait_for(pool.choose(asked), WAIT_LIMIT / 2) == plain.plain_action(view), (
            "LONG_DURATIONS would allow more"
        )


@pytest.mark.posix("sends a process a signal")
async def test_2_6_a_process_that_answered_too_late_serves_the_next_request(make_pool: Open) -> None:
    pool, view = make_pool(LONG_DURATIONS), view_with(5)
    pid = await warm_up(pool)
    os.kill(pid, signal.SIGSTOP)
    assert await pool.choose(MoveRequest(view, Level.HARD, "x", 0.2)) == plain.plain_action(view)
    assert await pool.choose(MoveRequest(view, Level.HARD, "y", 0.2)) == plain.plain_action(view), "without waiting"
    os.kill(pid, signal.SIGCONT)
    assert await choose_hard(pool, view) == house_action(Level.HARD, view, Random("x"))
    assert pids(pool) == [pid]


async def test_2_6_a_search_ends_in_time_with_the_best_action_so_far(make_pool: Open) -> None:
    view, few_worlds = view_with(12), replace(LONG_DURATIONS, least=0, back=30)
    first = house_action(Level.HARD, view, Random("y"), lambda: True)
    others = (
        plain.plain_action(view),
        house_action(Level.MEDIUM, view, Random("y")),
        house_action(Level.HARD, view, Random("y")),
    )
    assert first not in others, "the choice after one world"
    assert await make_pool(few_worlds).choose(MoveRequest(view, Level.HARD, "y", 2 * few_worlds.back)) == first
    assert await InThreadMoveChooser().choose(MoveRequest(view, Level.HARD, "y", 0)) == first


async def test_an_idle_process_ends(make_pool: Open) -> None:
    pool = make_pool(replace(SHORT_DURATIONS, idle=1))
    await wait_until_gone(await warm_up(pool))
    assert not pool.all
    assert await choose_hard(pool, view_with())


async def test_few_processes_answer_many_requests_by_thinking_shorter(make_pool: Open) -> None:
    pool, view = make_pool(PoolDurations(thinking=0.4, grace=5, patience=60), most=2), view_with()
    await warm_up(pool)
    found = await asyncio.gather(*(pool.choose(MoveRequest(view, Level.HARD, str(n))) for n in range(10)))
    assert all(found)
    assert len(pool.all) == 2
    assert {house_action(Level.MEDIUM, view, Random(str(n))) for n in range(10)} & {*found}, (
        "most requests are answered like those of a medium player"
    )


async def test_evaluations_run_in_workers_beside_house_players_with_the_same_result(make_pool: Open) -> None:
    """Hints and reviews are computed by workers, independently of the load by house players."""
    pool, view = make_pool(LONG_DURATIONS), view_with(5)
    worst = Play(view.plays.first(1)[0].cards)
    workers = Workers(1)
    thinking = asyncio.create_task(pool.choose(MoveRequest(view, Level.HARD, "x")))
    assert await workers.run("ann", evaluate, view, worst) == evaluate(view, worst)
    assert await thinking == house_action(Level.HARD, view, Random("x"))
    assert len(pool.all) == 1
    workers.stop()
    await workers.ended()


async def test_a_plain_action_is_used_for_an_invalid_request(
    make_pool: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pool, view = make_pool(SHORT_DURATIONS), view_with()
    pid = await warm_up(pool)
    monkeypatch.setattr("bot.ai_pool.pool.search_move", abs)  # fails in the process
    assert await pool.choose(MoveRequest(view, Level.HARD, "x")) == plain.plain_action(view)
    assert "does not know what to do" in caplog.text
    assert pid


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
async def test_a_process_has_no_token_in_its_environment_low_priority_and_little_memory(
    make_pool: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a-secret")
    pool = make_pool(SHORT_DURATIONS)
    pid = await warm_up(pool)
    assert b"a-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getpriority(os.PRIO_PROCESS, pid) == 10
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert resident < 150 * 1024  # KiB


async def choose_hard(pool: MovePool, view: View) -> Action | None:
    """Return the choice of a hard player."""
    return await pool.choose(MoveRequest(view, Level.HARD, "x"))
