"""Expensive work for a visit: one piece of work per user at a time, including its queries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.interactions.replies import Reply
from bot.interactions.visit import Visit, Work
from bot.runtime.workers import Workers, WorkerTurn


@asynccontextmanager
async def enter_expensive_turn(workers: Workers, visit: Visit) -> AsyncIterator[WorkerTurn]:
    """Enter the user's turn for expensive work, unless the visit has entered it. Raises Refused as `turn` does."""
    if visit.turn is not None:
        yield visit.turn
        return
    async with workers.turn(visit.user, visit.is_awaited) as visit.turn:
        yield visit.turn
    visit.turn = None


def as_expensive(workers: Workers, work: Work) -> Work:
    """Return a handler that runs within the user's turn for expensive work."""

    async def done(visit: Visit) -> Reply:
        async with enter_expensive_turn(workers, visit):
            return await work(visit)

    return done
