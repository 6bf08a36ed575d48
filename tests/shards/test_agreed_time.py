"""The time of several processes: no process notes a time before its cause."""

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
    """A machine beside the database's. wrong: seconds by which its clock is ahead. passed: seconds since noon."""

    wrong: float = 0.0
    passed: float = 0.0

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.passed + self.wrong)

    def right(self) -> datetime:
        """The time by the clock of the database."""
        return NOON + timedelta(seconds=self.passed)

    def ask(self, agreed: AgreedTime, there: float = 0.0, back: float = 0.0) -> None:
        """Ask for the time. there, back: seconds until the database hears that, and until its answer is used."""
        asked = self.passed
        self.passed += there
        told = self.right()
        self.passed += back
        agreed.agree(told, asked, self.passed)


@pytest.mark.parametrize("wrong", [0.0, 0.3, -0.3, 5.0, -5.0])
@pytest.mark.parametrize(("there", "back"), [(0.0, 0.0), (0.4, 0.0), (0.0, 0.65), (0.2, 0.2)])
def test_the_time_is_never_behind_and_ahead_at_most_by_what_the_question_took(
    wrong: float, there: float, back: float
) -> None:
    machine = Machine(wrong)
    agreed = AgreedTime(machine.now, lambda: machine.passed)
    for _ in range(3):
        machine.ask(agreed, there, back)
        machine.passed += 5
        assert timedelta() <= agreed() - machine.right() <= timedelta(seconds=there)


def test_a_quicker_answer_makes_the_time_closer_and_a_slow_one_changes_nothing() -> None:
    machine = Machine(wrong=2.0)
    agreed = AgreedTime(machine.now, lambda: machine.passed)
    ahead = []
    for there, back in ((0.5, 0.1), (0.125, 0.0), (3.0, 3.0), (0.25, 0.25)):
        machine.ask(agreed, there, back)
        ahead.append((agreed() - machine.right()).total_seconds())
    assert ahead == [0.5, 0.125, 0.125, 0.125]


def test_a_clock_that_is_put_right_is_followed() -> None:
    machine = Machine(wrong=2.0)
    agreed = AgreedTime(machine.now, lambda: machine.passed)
    machine.ask(agreed)
    machine.wrong = -3.0
    machine.ask(agreed, there=0.25)
    assert agreed() - machine.right() == timedelta(seconds=0.25)


async def test_how_long_the_rest_of_a_lease_takes_does_not_make_the_time_older(
    database: DatabaseServer,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SETTINGS, "lock_timeout", "0")
    async with process(database) as ann:
        other = await asyncpg.connect(database.reveal())
        await other.execute("BEGIN; LOCK TABLE bigger_processes.shards")
        renewing = asyncio.create_task(ann.membership.renew())
        await until_it_waits(other)
        waited = time.monotonic()
        await other.execute("COMMIT")
        await renewing
        await other.close()
        assert ann.heard.last
        assert ann.heard.last.asked < ann.heard.last.answered < waited  # contract: in this order


async def until_it_waits(other: asyncpg.Connection) -> None:
    """Wait until another task waits for a lock held here."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'bigger_processes.shards'::regclass"
    async with asyncio.timeout(60):
        while not await other.fetchval(waiting):  # noqa: ASYNC110  # the server tells nobody
            await asyncio.sleep(0.01)
