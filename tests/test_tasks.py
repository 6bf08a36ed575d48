"""Tasks: errors are logged at once, with a subject, and never left to the collector."""

from __future__ import annotations

import ast
import asyncio
import gc
import logging

import pytest

from bot.runtime.tasks import RunningTasks, start_awaited, start_task
from tests.test_arrows import ROOT, SOURCES

STARTERS = {"create_task", "ensure_future"}
HERE = "bot/runtime/tasks.py"
SANDBOX = "bot/sandbox/"  # no part of the bot: it knows nothing of ours, and runs on one's own machine


async def fail() -> None:
    raise ValueError("what now?")


async def collected() -> None:
    """Collect the youngest garbage only: a full collection over all tests takes a second."""
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect(1)


def test_every_task_is_started_where_its_error_is_retrieved() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in SOURCES
        if any(starter in (source := path.read_text("utf-8")) for starter in STARTERS)
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in STARTERS
    ]
    assert [where for where in found if not where.startswith((HERE, SANDBOX))] == []


async def test_an_error_that_ends_a_task_is_logged_once_by_its_name(caplog: pytest.LogCaptureFixture) -> None:
    start_task(fail(), "counting cards")
    begun = RunningTasks()
    begun.begin(fail())
    await collected()
    assert [record.getMessage() for record in caplog.records] == [
        "A task failed: counting cards",
        "A task failed: fail",
    ]
    assert all(record.exc_info and "what now?" in str(record.exc_info[1]) for record in caplog.records)
    assert not begun.busy


async def test_errors_of_awaited_or_abandoned_calls_are_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(ValueError, match="what now"):
        await start_awaited(fail())
    waiting = asyncio.create_task(shielded())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    await collected()
    assert caplog.records == []


async def shielded() -> None:
    await asyncio.shield(start_awaited(fail_later()))


async def fail_later() -> None:
    await asyncio.sleep(0)
    await fail()


async def test_a_cancelled_task_is_not_an_error(caplog: pytest.LogCaptureFixture) -> None:
    begun = RunningTasks()
    begun.begin(asyncio.sleep(60))
    with caplog.at_level(logging.DEBUG, "bot"):
        begun.stop()
        await begun.ended()
        await collected()
    assert caplog.records == []
