"""What costs much and is asked for by a visit: one piece of work of a person at a time, reading what it needs included.

Refuses to know what is worked out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.interactions.replies import Reply
from bot.interactions.visit import Visit, Work
from bot.runtime.workers import Turn, Workers


@asynccontextmanager
async def priced(workers: Workers, visit: Visit) -> AsyncIterator[Turn]:
    """Begin the one piece of work of whoever comes, unless this visit has begun it. Raises Refused as `turn` does."""
    if visit.turn is not None:
        yield visit.turn
        return
    async with workers.turn(visit.user, visit.is_awaited) as visit.turn:
        yield visit.turn
    visit.turn = None


def costly(workers: Workers, work: Work) -> Work:
    """Return work that is done as the one piece of work of whoever comes."""

    async def done(visit: Visit) -> Reply:
        async with priced(workers, visit):
            return await work(visit)

    return done
