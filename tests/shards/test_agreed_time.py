"""The time on which several processes agree: no process records an effect before its cause."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from bot.runtime.store_address import DatabaseServer
from bot.sharding.handover import AgreedTime
from bot.store.postgres.connection import SETTINGS
from tests.shards.test_membership import database, process  # noqa: F401  # a fixture

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(repr=False)
class Machine:
    """A machine other than the database server. clock_error: seconds ahead. elapsed: seconds since noon."""

    clock_error: float = 0.0
    elapsed: float = 0.0

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.elapsed + self.clock_error)

    def database_time(self) -> datetime:
        """The time by the clock of the database."""
        return NOON + timedelta(seconds=self.elapsed)

    def ask(self, agreed: AgreedTime, request_delay: float = 0.0, response_delay: float = 0.0) -> None:
        """Ask the database for the time. Delays in seconds: until the database reads its clock, and from then on."""
        asked = self.elapsed
        self.elapsed += request_delay
        answer = self.database_time()
        self.elapsed += response_delay
        agreed.agree(answer, asked, self.elapsed)


@pytest.mark.parametrize("clock_error", [0.0, 0.3, -0.3, 5.0, -5.0])
@pytest.mark.parametrize(("request_delay", "response_delay"), [(0.0, 0.0), (0.4, 0.0), (0.0, 0.65), (0.2, 0.2)])
def test_the_agreed_time_is_never_behind_and_ahead_by_at_most_the_request_delay(
    clock_error: float, request_delay: float, response_delay: float
) -> None:
    machine = Machine(clock_error)
    agreed = AgreedTime(machine.now, lambda: machine.elapsed)
    for _ in range(3):
        machine.ask(agreed, request_delay, response_delay)
        machine.elapsed += 5
        assert timedelta() <= agreed() - machine.database_time() <= timedelta(seconds=request_delay)


def test_a_faster_answer_improves_the_agreed_time_and_a_slower_one_changes_nothing() -> None:
    machine = Machine(clock_error=2.0)
    agreed = AgreedTime(machine.now, lambda: machine.elapsed)
    ahead = []
    for request_delay, response_delay in ((0.5, 0.1), (0.125, 0.0), (3.0, 3.0), (0.25, 0.25)):
        machine.ask(agreed, request_delay, response_delay)
        ahead.append((agreed() - machine.database_time()).total_seconds())
    assert ahead == [0.5, 0.125, 0.125, 0.125]


def test_the_agreed_time_follows_a_corrected_clock() -> None:
    machine = Machine(clock_error=2.0)
    agreed = AgreedTime(machine.now, lambda: machine.elapsed)
    machine.ask(agreed)
    machine.clock_error = -3.0
    machine.ask(agreed, request_delay=0.25)
    assert agreed() - machine.database_time() == timedelta(seconds=0.25)


async def test_a_slow_lease_renewal_does_not_make_the_agreed_time_older(
    database: DatabaseServer,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SETTINGS, "lock_timeout", "0")
    async with process(database) as ann:
        other = await asyncpg.connect(database.reveal())
        await other.execute("BEGIN; LOCK TABLE bigger_processes.shards")
        renewing = asyncio.create_task(ann.membership.renew())
        await wait_for_blocked_lock(other)
        waited = time.monotonic()
        await other.execute("COMMIT")
        await renewing
        await other.close()
        assert ann.recorder.state
        assert ann.recorder.state.asked < ann.recorder.state.answered < waited  # contract: in this order


async def wait_for_blocked_lock(other: asyncpg.Connection) -> None:
    """Wait until another connection waits for the lock on the shards."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'bigger_processes.shards'::regclass"
    async with asyncio.timeout(60):
        while not await other.fetchval(waiting):  # noqa: ASYNC110  # no event
            await asyncio.sleep(0.01)
