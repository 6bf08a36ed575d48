"""Who may come in: the guards at the door, asked one after the other.

Some are asked about every click and every form, others only where a handler or a command wants them. Each lets a visit
pass, raises Refused, or returns what is said instead. Refuses to know what is done behind the door, and how a table is
found or looked at: it is handed what does that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from bot.domain.ids import TableId, UserId
from bot.domain.refusals import Refused
from bot.interactions.flood_limits import Often
from bot.interactions.private_replies import Interaction
from bot.interactions.replies import Reply
from bot.interactions.visit import Guard, Visit, Work
from bot.show.hand.selection import question
from bot.show.kit.custom_ids import Press, Verb
from bot.table.core.lobby import check_host
from bot.table.table import Table

Find: TypeAlias = Callable[[TableId], Awaitable[Table]]
Check: TypeAlias = Callable[[Interaction, Table], Awaitable[None]]  # raises Refused for who may not see a table
MayKnow: TypeAlias = Callable[[UserId, TableId], Awaitable[bool]]  # whether somebody may know the deals of a table
ALWAYS = (Verb.LEAVE, Verb.LEAVE_NOW)  # whoever sits at a table may leave it, though they may not see it any more
LOOKING_AFTER = (
    Verb.MENU,
    Verb.PAUSE,
    Verb.RESUME,
    Verb.REDRAW,
    Verb.END,
    Verb.END_NOW,
    Verb.CALL_OFF,
    Verb.CALL_OFF_NOW,
    Verb.EXPEL,
    Verb.OFFER_FOR,
    Verb.SIT_IN,
)
SEALED = "You could still play these deals at a table of your own, so nothing of this one is shown to you."

# About every click and every form


def not_too_often(clicks: Often) -> Guard:
    """Let nobody click faster than one can by hand."""

    async def guard(visit: Visit) -> None:
        clicks.check(visit.user)

    return guard


def served(check: Callable[[UserId], None], always: Collection[str]) -> Guard:
    """Let those pass who are served. check: raises Refused for others. always: the verbs of what nobody is denied."""

    async def guard(visit: Visit) -> None:
        if visit.address is None or visit.address.verb not in always:
            check(visit.user)

    return guard


def not_deleted(check: Callable[[UserId], Awaitable[None]]) -> Guard:
    """Let those pass of whom no rows are being deleted. check: raises Refused for others."""

    async def guard(visit: Visit) -> None:
        await check(visit.user)

    return guard


def admitted(find: Find, check: Check, may_know: MayKnow) -> Guard:
    """Find the table that a click is about, once, and let those pass who may see it, and what is shown of it there."""

    async def guard(visit: Visit) -> None:
        if isinstance(visit.address, Press):
            visit.table = table = await find(visit.address.table)
            if visit.address.verb not in ALWAYS:
                await check(visit.interaction, table)
            if table.row.duplicate_id is not None:
                await _check_unsealed(visit, may_know)

    return guard


async def _check_unsealed(visit: Visit, may_know: MayKnow) -> None:
    """Raise Refused for who looks from outside at deals they may yet have to play; not for who looks after a table."""
    scene = visit.table.scene(visit.user)
    if visit.button.verb in (*ALWAYS, *LOOKING_AFTER) or scene.stage == "lobby" or scene.seat is not None:
        return
    if not await may_know(visit.user, visit.table.id):
        raise Refused(SEALED)


def noted(acted: Callable[[TableId, UserId], None]) -> Guard:
    """Let pass whoever comes, and tell who has clicked at which table. acted: is told."""

    async def guard(visit: Visit) -> None:
        if isinstance(visit.address, Press):
            acted(visit.table.id, visit.user)

    return guard


# Where they are wanted


def of_this_hand(late: Work) -> Guard:
    """Let pass what was made for the hand that is played now. late: answers whoever clicks what is older."""

    async def guard(visit: Visit) -> Reply | None:
        at = visit.button.at
        return None if at in (None, visit.table.scene(visit.user).tally.deal) else await late(visit)

    return guard


def of_this_question(late: Work) -> Guard:
    """Let pass what picks cards for what is asked now in this hand. late: answers whoever clicks what is older."""
    same_hand = of_this_hand(late)

    async def guard(visit: Visit) -> Reply | None:
        if (instead := await same_hand(visit)) is not None:
            return instead
        return None if visit.button.within == question(visit.table.scene(visit.user)) else await late(visit)

    return guard


def beside(find: Find, check: Check) -> Guard:
    """Find the table that a screen beside its own names first, and let those pass who may see it."""

    async def guard(visit: Visit) -> None:
        visit.table = await find(visit.browse.table)
        await check(visit.interaction, visit.table)

    return guard


async def hosting(visit: Visit) -> None:
    """Let the host of a lobby pass, and nobody else."""
    await visit.table.check(check_host, visit.user)


def with_right(no: str, *rights: str) -> Guard:
    """Let those pass on a server who have one of these rights there, named as Discord names them. no: to the others."""

    async def guard(visit: Visit) -> None:
        held = visit.interaction.permissions
        if not (visit.server and any(getattr(held, right) for right in rights)):
            raise Refused(no)

    return guard
