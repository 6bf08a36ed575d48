"""Who may come in: the guards at the door, asked one after the other about every click and every form.

Each lets a visit pass, raises Refused, or returns what is said instead. Refuses to know what a table is: it is handed
what finds one, and what looks at it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from bot.door.flood import Often
from bot.door.private import Interaction
from bot.door.reply import Reply
from bot.door.visit import Visit
from bot.ground.ids import TableId, UserId
from bot.show.ids import Press, Verb

T = TypeVar("T")
Guard: TypeAlias = Callable[[Visit], Awaitable[Reply | None]]
ALWAYS = (Verb.LEAVE, Verb.LEAVE_NOW)  # whoever sits at a table may leave it, though they may not see it any more


def not_too_often(clicks: Often) -> Guard:
    """Let nobody click faster than one can by hand."""

    async def guard(visit: Visit) -> None:
        clicks.check(visit.user)

    return guard


def admitted(get: Callable[[TableId], Awaitable[T]], check: Callable[[Interaction, T], Awaitable[None]]) -> Guard:
    """Let those click about a table who may see it. get: finds a table; check: raises Refused for who may not."""

    async def guard(visit: Visit) -> None:
        if isinstance(visit.address, Press) and visit.address.verb not in ALWAYS:
            await check(visit.interaction, await get(visit.address.table))

    return guard


def noted(acted: Callable[[TableId, UserId], None]) -> Guard:
    """Let pass whoever comes, and tell who has clicked at which table. acted: is told."""

    async def guard(visit: Visit) -> None:
        if isinstance(visit.address, Press):
            acted(visit.address.table, visit.user)

    return guard
