"""The paced queue, in simulated time: the newest state wins, drawn when its turn has come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random

import discord
import pytest

from bot.delivery.outbox.discord_limits import LimitResponse, Rate, RateLimiter, Rates, channel, place_of, threads
from bot.delivery.outbox.write_queue import AT_ONCE, LATER, USUAL, Write, WriteQueue
from tests.support.virtual_time import in_virtual_time

HERE = channel(1)
FAST = Rates(total=1000.0, place=Rate(4, 0.05), old=Rate(2, 0.06), gap=0.0, margin=0.0)


class Sent(list[str]):
    """What was sent, in order."""

    def note(self, what: str) -> Callable[[], Awaitable[None]]:
        """Return what sends this."""

        async def send() -> None:
            self.append(what)

        return send


def queue(rates: Rates | None = FAST) -> WriteQueue:
    return WriteQueue(RateLimiter(rates, Random(1), now()), now)


def now() -> float:
    """Return the simulated time."""
    return asyncio.get_running_loop().time()


async def sent_all(sent: Sent, count: int) -> None:
    """Wait until so much is sent."""
    async with asyncio.timeout(60):
        while len(sent) < count:  # noqa: ASYNC110 - nobody could set an event
            await asyncio.sleep(0.005)


@in_virtual_time
async def test_the_newer_of_two_writes_with_one_key_is_sent() -> None:
    sent, line, state = Sent(), queue(), ["old"]

    async def draw() -> None:
        sent.append(state[0])

    for number in range(4):  # as many as may be sent now
        line.put(Write(number, HERE, sent.note("before")))
    line.put(Write("board", HERE, sent.note("an older one")))
    line.put(Write("board", HERE, draw))
    state[0] = "new"
    await sent_all(sent, 5)
    assert sent == ["before"] * 4 + ["new"]


@in_virtual_time
async def test_urgent_writes_go_first_without_starving_others() -> None:
    sent, line = Sent(), queue()
    for number in range(4):
        line.put(Write(number, HERE, sent.note("before"), patience=AT_ONCE))
    line.put(Write("sweep", HERE, sent.note("sweep"), patience=LATER))
    line.put(Write("a", HERE, sent.note("a"), patience=USUAL))
    line.put(Write("b", HERE, sent.note("b"), patience=USUAL))
    line.put(Write("c", HERE, sent.note("c"), patience=AT_ONCE))
    await asyncio.sleep(0.01)
    line.prioritize("b")
    await sent_all(sent, 8)
    assert sent[4:] == ["c", "b", "a", "sweep"]


@in_virtual_time
async def test_a_full_channel_does_not_delay_others() -> None:
    sent, line = Sent(), queue(Rates(total=1000.0, place=Rate(1, 60.0), gap=0.0, margin=0.0))
    for number in range(3):
        line.put(Write(number, channel(number % 2), sent.note(str(number))))
    await sent_all(sent, 2)
    await asyncio.sleep(0.02)
    assert sent == ["0", "1"]
    line.stop()


@in_virtual_time
async def test_results_and_errors_of_writes_reach_the_caller() -> None:
    line = queue()

    async def found() -> int:
        return 7

    async def lost() -> int:
        raise ConnectionResetError

    assert await line.do(HERE, found) == 7
    with pytest.raises(ConnectionResetError):
        await line.do(HERE, lost)


@in_virtual_time
async def test_a_stopped_queue_sends_nothing_and_releases_waiters() -> None:
    sent, line = Sent(), queue(Rates(place=Rate(1, 60.0)))
    line.put(Write("first", HERE, sent.note("first")))
    waiting = asyncio.create_task(line.do(HERE, sent.note("second")))
    await sent_all(sent, 1)
    line.stop()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    line.put(Write("third", HERE, sent.note("third")))
    with pytest.raises(asyncio.CancelledError):
        await line.do(HERE, sent.note("fourth"))
    await line.settled()
    assert sent == ["first"]


@in_virtual_time
async def test_a_failing_write_does_not_stop_the_queue(caplog: pytest.LogCaptureFixture) -> None:
    sent, line = Sent(), queue()

    async def broken() -> None:
        raise ValueError("nobody thought of that")

    line.put(Write("broken", HERE, broken))
    line.put(Write("whole", HERE, sent.note("whole")))
    await sent_all(sent, 1)
    assert "could not be written" in caplog.text


class Counting(RateLimiter):
    """Counts how often it is asked."""

    asked = 0

    def free_at(self, place: str, *, old: bool = False, rate: Rate | None = None) -> float:
        self.asked += 1
        return super().free_at(place, old=old, rate=rate)


@in_virtual_time
async def test_a_thousand_waiting_writes_are_cheap() -> None:
    limits = Counting(Rates(total=1e6, place=Rate(4, 0.001), gap=0.0, margin=0.0), Random(1), now())
    sent, line = Sent(), WriteQueue(limits, now)
    for number in range(1000):
        line.put(Write(number, channel(number % 500), partial(asyncio.sleep, 0), patience=LATER))
    line.put(Write("last", HERE, sent.note("last"), patience=1e6))
    await sent_all(sent, 1)
    assert limits.asked < 10_000, "a few times for each, not for each as often as there are others"


@in_virtual_time
async def test_a_long_thread_limit_does_not_block_messages() -> None:
    sent, limits = Sent(), RateLimiter(FAST, Random(1), now())
    line = WriteQueue(limits, now)
    limits.record_response(LimitResponse(place_of("/channels/1/messages/2/threads"), 429, retry_after=219.0), now())
    line.put(Write("board", HERE, sent.note("board")))
    line.put(Write("thread", threads(1), sent.note("thread")))
    await sent_all(sent, 1)
    await asyncio.sleep(0.02)
    assert sent == ["board"]
    line.stop()


@in_virtual_time
async def test_users_never_wait_out_a_long_rate_limit() -> None:
    sent, limits = Sent(), RateLimiter(FAST, Random(1), now())
    line, hears = WriteQueue(limits, now), asyncio.Event()

    async def limited() -> None:
        await hears.wait()
        limits.record_response(LimitResponse(HERE, 429, retry_after=219.0), now())
        raise discord.RateLimited(219.0)

    waiting = [asyncio.create_task(line.do(HERE, work, in_person=True)) for work in (limited, sent.note("second"))]
    background = asyncio.create_task(line.do(HERE, sent.note("third")))
    await asyncio.sleep(0.02)
    hears.set()
    async with asyncio.timeout(60):
        errors = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(error) for error in errors] == [discord.RateLimited] * 2
    assert not background.done(), "what nobody waits for waits for its turn"
    line.stop()
    with pytest.raises(asyncio.CancelledError):
        await background


@in_virtual_time
async def test_long_limited_writes_are_queued_again_unless_superseded() -> None:
    sent, line = Sent(), queue()

    def limited(what: str) -> Callable[[], Awaitable[None]]:
        tries = iter((True, False))

        async def send() -> None:
            if next(tries):
                raise discord.RateLimited(0.02)
            sent.append(what)

        return send

    line.put(Write("one", HERE, limited("one")))
    line.queue_after_pause(channel(2), limited("two"), 0.01)
    await sent_all(sent, 2)
    assert sorted(sent) == ["one", "two"]
