"""Single-flight: one piece of work for a key, shared by all callers, not cancelled by any of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.runtime.tasks import SingleFlight


class Work:
    """Work that ends when it is let. begun: how often it has begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.go_on = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(self) -> int:
        """Return how often this has begun."""
        self.begun += 1
        number = self.begun
        await self.go_on.wait()
        if self.error:
            raise self.error
        return number


@pytest.fixture
async def work() -> AsyncIterator[Work]:
    """Give work, and let it end at last."""
    made = Work()
    yield made
    made.go_on.set()


async def beat() -> None:
    """Run every task as far as possible."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_all_who_ask_for_a_key_share_one_piece_of_work(work: Work) -> None:
    flights = SingleFlight[int]("test")
    callers = [asyncio.create_task(flights.do(key, work)) for key in "aab"]
    await beat()
    assert work.begun == 2
    work.go_on.set()
    assert await asyncio.gather(*callers) == [1, 1, 2]
    assert await flights.do("a", work) == 3, "the key is free again"


async def test_a_cancelled_caller_does_not_cancel_shared_work(work: Work) -> None:
    flights = SingleFlight[int]("test")
    first, second = (asyncio.create_task(flights.do("a", work)) for _ in range(2))
    await beat()
    first.cancel()
    await beat()
    third = asyncio.create_task(flights.do("a", work))
    await beat()
    work.go_on.set()
    assert (await second, await third, work.begun) == (1, 1, 1)
    assert first.cancelled()


async def test_an_error_reaches_all_who_wait_and_is_not_kept(work: Work, caplog: pytest.LogCaptureFixture) -> None:
    flights = SingleFlight[int]("test")
    work.error = ValueError("no")
    callers = [asyncio.create_task(flights.do("a", work)) for _ in range(2)]
    await beat()
    work.go_on.set()
    assert [type(error) for error in await asyncio.gather(*callers, return_exceptions=True)] == [ValueError] * 2
    assert not caplog.records
    work.error = None
    assert await flights.do("a", work) == 2


async def test_abandoned_work_still_logs_its_error(work: Work, caplog: pytest.LogCaptureFixture) -> None:
    flights = SingleFlight[int]("test")
    work.error = ValueError("no")
    caller = asyncio.create_task(flights.do("a", work))
    await beat()
    caller.cancel()
    await beat()
    work.go_on.set()
    await flights.settled()
    await beat()
    (record,) = caplog.records
    assert (record.levelno, record.exc_info and record.exc_info[1]) == (logging.ERROR, work.error)


async def test_restarted_work_runs_once_after_the_call_for_all_callers(work: Work) -> None:
    flights = SingleFlight[int]("test")
    first = asyncio.create_task(flights.do_anew("a", work))
    await beat()
    later = [asyncio.create_task(flights.do_anew("a", work)) for _ in range(3)]
    await beat()
    assert work.begun == 1
    work.go_on.set()
    assert (await first, await asyncio.gather(*later)) == (1, [2, 2, 2])
