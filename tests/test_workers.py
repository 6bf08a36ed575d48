# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""Worker processes: one running call per person, fair turns for all people, and an end of all at a stop."""

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
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT
from tests.support.threads import ThreadWorkers

Open: TypeAlias = Callable[..., Workers]
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


@pytest.fixture
async def make_workers() -> AsyncIterator[Open]:
    """A function that creates workers, which are stopped at the end."""
    made = list[Workers]()

    def make(*how: Any) -> Workers:
        made.append(Workers(1, *how))
        return made[-1]

    yield make
    for workers in made:
        workers.stop()
        await workers.ended()


def wait_for(go: Event) -> str:
    """Wait for an event of this process; return "done"."""
    assert go.wait(WAIT_LIMIT)
    return "done"


async def submit(workers: Workers, person: object, go: Event, **how: Any) -> asyncio.Task[str]:
    """Submit a call of this person that runs until the event is set."""
    task = asyncio.create_task(workers.run(person, wait_for, go, **how))
    await run_pending_tasks()
    return task


async def run_pending_tasks() -> None:
    """Let all tasks run for some iterations of the loop."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_second_call_of_a_person_is_refused_while_the_first_one_runs(make_workers: Open) -> None:
    workers, go = make_workers(ThreadWorkers()), Event()
    first, other = await submit(workers, "ann", go), await submit(workers, "ben", go)
    with pytest.raises(Refused, match="still working") as refused:
        await workers.run("ann", wait_for, go)
    assert refused.value.sentence == STILL_WORKING
    go.set()
    assert await first == await other == "done"
    assert await workers.run("ann", wait_for, go) == "done", "the first call is forgotten"


async def test_further_calls_are_refused_while_many_people_wait(make_workers: Open) -> None:
    workers, go = make_workers(ThreadWorkers()), Event()
    waiting = [await submit(workers, number, go) for number in range(MAX_PEOPLE)]
    with pytest.raises(Refused) as refused:
        await workers.run("one more", wait_for, go)
    assert refused.value.sentence == MANY_WAITING
    go.set()
    assert set(await asyncio.gather(*waiting)) == {"done"}


async def test_the_people_of_one_server_leave_room_for_all_others(make_workers: Open) -> None:
    workers, go = make_workers(ThreadWorkers()), Event()
    assert MAX_PEOPLE // 2 < MAX_PEOPLE_OF_SERVER < MAX_PEOPLE, "a bot with one server loses few places"
    crowd = [await submit(workers, number, go, server="theirs") for number in range(MAX_PEOPLE_OF_SERVER)]
    with pytest.raises(Refused) as refused:
        await workers.run("one more of theirs", wait_for, go, server="theirs")
    assert refused.value.sentence == MANY_WAITING
    others = [await submit(workers, "ann", go, server="ours"), await submit(workers, "ben", go)]
    go.set()
    assert set(await asyncio.gather(*crowd, *others)) == {"done"}
    assert await workers.run("one more of theirs", wait_for, go, server="theirs") == "done"


async def test_a_waiting_call_that_is_no_longer_wanted_is_dropped(make_workers: Open) -> None:
    workers, go = make_workers(ThreadWorkers()), Event()
    first = await submit(workers, "ann", go)
    late = await submit(workers, "ben", go, wanted=lambda: False)
    superseded = await submit(workers, "cleo", go)
    superseded.cancel()
    again = await submit(workers, "cleo", go)
    go.set()
    with pytest.raises(Refused) as refused:
        await late
    assert refused.value.sentence == GIVEN_UP
    assert await first == await again == "done"
    assert superseded.cancelled()


async def test_a_canceled_call_that_runs_still_counts_for_its_person(make_workers: Open) -> None:
    """Otherwise a person could run any number of calls by canceling them."""
    workers, go = make_workers(ThreadWorkers()), Event()
    task = await submit(workers, "ann", go)
    task.cancel()
    await asyncio.sleep(0)
    with pytest.raises(Refused):
        await workers.run("ann", wait_for, go)
    go.set()
    await workers.call(wait_for, go)
    assert await workers.run("ann", wait_for, go) == "done"


async def test_calls_of_one_turn_alternate_with_those_of_other_people(make_workers: Open) -> None:
    workers, order = make_workers(ThreadWorkers()), list[str]()

    async def many() -> None:
        async with workers.turn("ann") as turn:
            for number in range(3):
                order.append(f"ann {await turn.call(abs, -number)}")

    async def one() -> None:
        order.append(f"ben {await workers.run('ben', abs, -1)}")

    await asyncio.gather(many(), one())
    assert order.index("ben 1") < order.index("ann 2")


async def test_calls_for_tables_do_not_wait_for_those_of_people(make_workers: Open) -> None:
    """Loading a long match replays its record in a worker while a click waits."""
    workers, go = make_workers(ThreadWorkers()), Event()
    waiting = [await submit(workers, person, go) for person in ("ann", "ben", "cleo")]
    async with asyncio.timeout(WAIT_LIMIT):
        assert await workers.call_for_table(abs, -1) == 1
    assert not any(task.done() for task in waiting)
    go.set()
    await asyncio.gather(*waiting)


async def test_an_error_of_a_call_is_raised_to_the_caller_and_the_process_continues(make_workers: Open) -> None:
    workers = make_workers()
    with pytest.raises(CallFailed, match="invalid literal for int"):
        await workers.run("ann", int, "nonsense")
    first = await workers.run("ann", os.getpid)
    assert first == await workers.call(os.getpid) != os.getpid()


@pytest.mark.posix("sends a process a signal")
async def test_a_new_process_takes_over_the_calls_of_a_killed_one(
    make_workers: Open, caplog: pytest.LogCaptureFixture
) -> None:
    workers = make_workers()
    os.kill(await workers.call(os.getpid), signal.SIGKILL)
    assert await workers.run("ann", abs, -1) == 1
    assert "another one takes over" in caplog.text


async def test_a_call_is_refused_with_a_sentence_if_no_process_can_be_started(
    make_workers: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    workers = make_workers()
    with monkeypatch.context() as without:
        without.setattr(sys, "executable", str(tmp_path / "missing"))
        with pytest.raises(Refused) as refused:
            await workers.run("ann", abs, -1)
    assert refused.value.sentence == NOT_NOW
    assert await workers.run("ann", abs, -1) == 1


@pytest.mark.posix("sends a process a signal")
async def test_a_process_that_hangs_is_killed_and_its_call_refused(
    make_workers: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    workers = make_workers()
    pid = await workers.call(os.getpid)
    monkeypatch.setattr("bot.runtime.workers.MAX_CALL_SECONDS", 0.1)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(Refused) as refused:
        await workers.run("ann", abs, -1)
    assert refused.value.sentence == GIVEN_UP
    assert "took too long for abs" in caplog.text


@pytest.mark.posix("sends a process a signal")
async def test_stopping_cancels_running_and_waiting_calls(make_workers: Open) -> None:
    workers = make_workers()
    pid = await workers.call(os.getpid)
    running = asyncio.create_task(workers.run("ann", signal.pause))
    waiting = asyncio.create_task(workers.run("ben", abs, -1))
    await run_pending_tasks()
    workers.stop()
    async with asyncio.timeout(WAIT_LIMIT):
        await workers.ended()
        await asyncio.wait({running, waiting})
    assert running.cancelled()
    assert waiting.cancelled()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
async def test_a_worker_has_no_token_in_its_environment_and_low_priority(
    make_workers: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a-secret")
    workers = make_workers()
    pid = await workers.call(os.getpid)
    assert b"a-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getpriority(os.PRIO_PROCESS, pid) == 15


async def test_an_idle_worker_process_ends() -> None:
    pool = Pool(nice=0, idle=0.05)
    await pool.call(WAIT_LIMIT, abs, -1)
    [child] = pool.all
    async with asyncio.timeout(WAIT_LIMIT):
        await child.process.wait()
    assert not pool.all
    await pool.close()


async def test_no_call_goes_to_a_killed_idle_process() -> None:
    """When memory runs out the system kills all processes at once: each would otherwise fail one call."""
    pool = Pool(nice=0)
    await asyncio.gather(*(pool.call(WAIT_LIMIT, time.sleep, 0.1) for _ in range(3)))
    children = tuple(pool.all)
    for child in children:
        child.process.kill()
        await child.process.wait()
    assert await pool.call(WAIT_LIMIT, abs, -1) == 1
    assert pool.all.isdisjoint(children)
    await pool.close()


@pytest.mark.posix("a shell")
async def test_the_pipes_of_a_killed_process_are_closed_even_if_its_children_hold_them() -> None:
    pool = Pool(nice=0)
    await pool.call(WAIT_LIMIT, os.system, "sleep 2 &")
    (child,) = pool.all
    child.kill()
    while child.process.returncode is None:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)
    await pool.close()
    assert child.process._transport.is_closing()  # type: ignore[attr-defined]


async def test_a_worker_does_not_load_the_database_modules(make_workers: Open) -> None:
    workers = make_workers()
    for function in (replay_transcript, decisions_to_evaluate, scan_hand, verify_export):
        assert not await workers.call(eval, "'sqlalchemy' in __import__('sys').modules", {"loaded": function})
