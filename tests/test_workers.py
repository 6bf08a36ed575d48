# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""Worker processes: each person has one piece of work under way, none starves the others, and a stop ends them all."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

import pytest

from bot.domain.refusals import Refused
from bot.history.exports import verify_export
from bot.history.reviews import decisions_to_evaluate, scan_hand
from bot.runtime.process_pool import CallFailed, Pool
from bot.runtime.workers import (
    GIVEN_UP,
    MANY_WAITING,
    MAX_PEOPLE,
    MAX_PEOPLE_OF_SERVER,
    NOT_NOW,
    STILL_WORKING,
    Workers,
)
from bot.table.transcripts import replay_transcript
from tests.standin.realm import LIMIT, SEVERAL_WAITS
from tests.support.threads import ThreadWorkers

Open: TypeAlias = Callable[..., Workers]
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    """Open workers, and end them."""
    made = list[Workers]()

    def make(*how: Any) -> Workers:
        made.append(Workers(1, *how))
        return made[-1]

    yield make
    for workers in made:
        workers.stop()
        await workers.ended()


def held(go: Event) -> str:
    """Wait until something happens elsewhere in this process."""
    assert go.wait(LIMIT)
    return "done"


async def begun(workers: Workers, person: object, go: Event, **how: Any) -> asyncio.Task[str]:
    """Have one waiting, or at work."""
    task = asyncio.create_task(workers.run(person, held, go, **how))
    await turns()
    return task


async def turns() -> None:
    """Let every task have some turns."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_person_has_one_piece_of_work_under_way_and_the_next_is_refused_in_a_sentence(opened: Open) -> None:
    workers, go = opened(ThreadWorkers()), Event()
    first, other = await begun(workers, "ann", go), await begun(workers, "ben", go)
    with pytest.raises(Refused, match="still working") as refused:
        await workers.run("ann", held, go)
    assert refused.value.sentence == STILL_WORKING
    go.set()
    assert await first == await other == "done"
    assert await workers.run("ann", held, go) == "done", "there is nothing left of the first"


async def test_where_many_wait_no_more_are_taken(opened: Open) -> None:
    workers, go = opened(ThreadWorkers()), Event()
    waiting = [await begun(workers, number, go) for number in range(MAX_PEOPLE)]
    with pytest.raises(Refused) as refused:
        await workers.run("one more", held, go)
    assert refused.value.sentence == MANY_WAITING
    go.set()
    assert set(await asyncio.gather(*waiting)) == {"done"}


async def test_the_people_of_one_server_leave_room_for_all_others(opened: Open) -> None:
    workers, go = opened(ThreadWorkers()), Event()
    crowd = [await begun(workers, number, go, server="theirs") for number in range(MAX_PEOPLE_OF_SERVER)]
    with pytest.raises(Refused) as refused:
        await workers.run("one more of theirs", held, go, server="theirs")
    assert refused.value.sentence == MANY_WAITING
    others = [await begun(workers, "ann", go, server="ours"), await begun(workers, "ben", go)]
    go.set()
    assert set(await asyncio.gather(*crowd, *others)) == {"done"}
    assert await workers.run("one more of theirs", held, go, server="theirs") == "done"


async def test_work_of_which_nobody_hears_any_more_is_dropped_before_it_begins(opened: Open) -> None:
    workers, go = opened(ThreadWorkers()), Event()
    first = await begun(workers, "ann", go)
    late = await begun(workers, "ben", go, wanted=lambda: False)
    superseded = await begun(workers, "cleo", go)
    superseded.cancel()
    again = await begun(workers, "cleo", go)
    go.set()
    with pytest.raises(Refused) as refused:
        await late
    assert refused.value.sentence == GIVEN_UP
    assert await first == await again == "done"
    assert superseded.cancelled()


async def test_whoever_does_not_wait_for_work_that_runs_has_it_under_way_all_the_same(opened: Open) -> None:
    """Or a person who cancels again and again would have any number."""
    workers, go = opened(ThreadWorkers()), Event()
    task = await begun(workers, "ann", go)
    task.cancel()
    await asyncio.sleep(0)
    with pytest.raises(Refused):
        await workers.run("ann", held, go)
    go.set()
    await workers.call(held, go)
    assert await workers.run("ann", held, go) == "done"


async def test_several_calls_are_one_piece_of_work_and_let_others_in_between(opened: Open) -> None:
    workers, order = opened(ThreadWorkers()), list[str]()

    async def many() -> None:
        async with workers.turn("ann") as turn:
            for number in range(3):
                order.append(f"ann {await turn.call(abs, -number)}")

    async def one() -> None:
        order.append(f"ben {await workers.run('ben', abs, -1)}")

    await asyncio.gather(many(), one())
    assert order.index("ben 1") < order.index("ann 2")


async def test_what_a_table_needs_waits_for_no_work_of_people(opened: Open) -> None:
    """A long match that a player goes on with is played out first: their click waits for it."""
    workers, go = opened(ThreadWorkers()), Event()
    waiting = [await begun(workers, person, go) for person in ("ann", "ben", "cleo")]
    async with asyncio.timeout(LIMIT):
        assert await workers.call_for_table(abs, -1) == 1
    assert not any(task.done() for task in waiting)
    go.set()
    await asyncio.gather(*waiting)


async def test_an_error_of_a_function_comes_back_with_its_traceback_and_the_process_serves_on(opened: Open) -> None:
    workers = opened()
    with pytest.raises(CallFailed, match="invalid literal for int"):
        await workers.run("ann", int, "nonsense")
    first = await workers.run("ann", os.getpid)
    assert first == await workers.call(os.getpid) != os.getpid()


@pytest.mark.posix("sends a process a signal")
async def test_where_a_process_ends_another_does_its_work(opened: Open, caplog: pytest.LogCaptureFixture) -> None:
    workers = opened()
    os.kill(await workers.call(os.getpid), signal.SIGKILL)
    assert await workers.run("ann", abs, -1) == 1
    assert "another one takes over" in caplog.text


async def test_where_the_system_starts_no_process_a_person_reads_a_sentence(
    opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    workers = opened()
    with monkeypatch.context() as without:
        without.setattr(sys, "executable", str(tmp_path / "missing"))
        with pytest.raises(Refused) as refused:
            await workers.run("ann", abs, -1)
    assert refused.value.sentence == NOT_NOW
    assert await workers.run("ann", abs, -1) == 1


@pytest.mark.posix("sends a process a signal")
async def test_a_process_that_hangs_is_killed(
    opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    workers = opened()
    pid = await workers.call(os.getpid)
    monkeypatch.setattr("bot.runtime.workers.MAX_CALL_SECONDS", 0.1)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(Refused) as refused:
        await workers.run("ann", abs, -1)
    assert refused.value.sentence == GIVEN_UP
    assert "took too long for abs" in caplog.text


@pytest.mark.posix("sends a process a signal")
async def test_a_stop_ends_whatever_is_under_way(opened: Open) -> None:
    workers = opened()
    pid = await workers.call(os.getpid)
    running = asyncio.create_task(workers.run("ann", signal.pause))
    waiting = asyncio.create_task(workers.run("ben", abs, -1))
    await turns()
    workers.stop()
    async with asyncio.timeout(LIMIT):
        await workers.ended()
        await asyncio.wait({running, waiting})
    assert running.cancelled()
    assert waiting.cancelled()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
async def test_a_worker_is_told_no_secret_and_stands_back(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a-secret")
    workers = opened()
    pid = await workers.call(os.getpid)
    assert b"a-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getpriority(os.PRIO_PROCESS, pid) == 15


async def test_an_idle_process_ends() -> None:
    pool = Pool(nice=0, idle=0.05)
    await pool.call(LIMIT, abs, -1)
    [child] = pool.all
    async with asyncio.timeout(LIMIT):
        await child.process.wait()
    assert not pool.all
    await pool.close()


async def test_of_several_idle_processes_that_have_ended_none_is_called() -> None:
    """Where memory runs out all are killed at once: otherwise as many calls would fail as processes died."""
    pool = Pool(nice=0)
    await asyncio.gather(*(pool.call(LIMIT, time.sleep, 0.1) for _ in range(3)))
    children = tuple(pool.all)
    for child in children:
        child.process.kill()
        await child.process.wait()
    assert await pool.call(LIMIT, abs, -1) == 1
    assert pool.all.isdisjoint(children)
    await pool.close()


@pytest.mark.posix("a shell")
async def test_nothing_is_left_open_of_a_process_that_was_killed_whoever_still_holds_its_output() -> None:
    pool = Pool(nice=0)
    await pool.call(LIMIT, os.system, "sleep 2 &")
    (child,) = pool.all
    child.kill()
    while child.process.returncode is None:  # noqa: ASYNC110 - nobody could set an event
        await asyncio.sleep(0.01)
    await pool.close()
    assert child.process._transport.is_closing()  # type: ignore[attr-defined]


async def test_a_worker_loads_no_database_for_what_it_is_asked(opened: Open) -> None:
    workers = opened()
    for function in (replay_transcript, decisions_to_evaluate, scan_hand, verify_export):
        assert not await workers.call(eval, "'sqlalchemy' in __import__('sys').modules", {"loaded": function})
