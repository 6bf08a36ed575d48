"""Guards: checks before a handler, run one after the other.

The dispatcher (`bot/interactions/dispatcher.py`) runs some for each click and form, in the order of `_set_guards` in
`bot/wiring.py`, and others for the handlers and commands that name them. A guard lets a visit pass, raises Refused, or
returns a reply that replaces the answer. Functions of the parts that know tables, access and bans are passed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import Reply
from bot.interactions.flood_limits import UserRateLimit
from bot.interactions.private_replies import Interaction
from bot.interactions.visit import Guard, Visit, Work
from bot.show.hand.selection import question
from bot.show.kit.custom_ids import Press, Verb
from bot.table.core.lobby import check_host
from bot.table.table import Table

LoadTable: TypeAlias = Callable[[TableId], Awaitable[Table]]  # `get` in `bot/table/registry.py`
CheckAccess: TypeAlias = Callable[[Interaction, Table], Awaitable[None]]  # `check` in `bot/members/admission.py`
MayKnowDeals: TypeAlias = Callable[[UserId, TableId], Awaitable[bool]]
ALWAYS = (Verb.LEAVE, Verb.LEAVE_NOW)  # a player may leave a table even without access to the channel
MODERATION_VERBS = (
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
SEALED = N_("You can still play these deals yourself, so this table is hidden from you.")

# For each click and form


def limit_clicks(clicks: UserRateLimit) -> Guard:
    """Refuse clicks faster than a human's."""

    async def guard(visit: Visit) -> None:
        clicks.check(visit.user)

    return guard


def refuse_banned(check_not_banned: Callable[[UserId], None], allowed_verbs: Collection[str]) -> Guard:
    """Refuse banned users, except for the allowed verbs. check_not_banned: raises Refused."""

    async def guard(visit: Visit) -> None:
        if visit.address is None or visit.address.verb not in allowed_verbs:
            check_not_banned(visit.user)

    return guard


def refuse_deleted(check_not_deleted: Callable[[UserId], Awaitable[None]]) -> Guard:
    """Refuse users whose rows are being deleted. check_not_deleted: raises Refused."""

    async def guard(visit: Visit) -> None:
        await check_not_deleted(visit.user)

    return guard


def require_access(load_table: LoadTable, check_access: CheckAccess, may_know_deals: MayKnowDeals) -> Guard:
    """Load the table of a click once, and refuse users without access to its channel or deals."""

    async def guard(visit: Visit) -> None:
        if isinstance(visit.address, Press):
            visit.table = table = await load_table(visit.address.table)
            if visit.address.verb not in ALWAYS:
                await check_access(visit.interaction, table)
            if table.row.duplicate_id is not None:
                await _check_unsealed(visit, may_know_deals)

    return guard


async def _check_unsealed(visit: Visit, may_know_deals: MayKnowDeals) -> None:
    """Raise Refused for a spectator who may still have to play the same deals.

    A moderator's actions are never refused here.
    """
    scene = visit.table.scene(visit.user)
    if visit.button.verb in (*ALWAYS, *MODERATION_VERBS) or scene.stage == "lobby" or scene.seat is not None:
        return
    if not await may_know_deals(visit.user, visit.table.id):
        raise Refused(SEALED)


def record_click(on_click: Callable[[TableId, UserId], None]) -> Guard:
    """Let each visit pass, and call `on_click` with table and user of a click."""

    async def guard(visit: Visit) -> None:
        if isinstance(visit.address, Press):
            on_click(visit.table.id, visit.user)

    return guard


# For the handlers that name them


def require_current_hand(answer_late: Work) -> Guard:
    """Let clicks made for the current hand pass. answer_late: answers older clicks."""

    async def guard(visit: Visit) -> Reply | None:
        at = visit.button.at
        return None if at in (None, visit.table.scene(visit.user).tally.deal) else await answer_late(visit)

    return guard


def require_current_question(answer_late: Work) -> Guard:
    """Let picks for the current question of the hand pass. answer_late: answers older clicks."""
    same_hand = require_current_hand(answer_late)

    async def guard(visit: Visit) -> Reply | None:
        if (instead := await same_hand(visit)) is not None:
            return instead
        return None if visit.button.within == question(visit.table.scene(visit.user)) else await answer_late(visit)

    return guard


def require_access_from_screen(load_table: LoadTable, check_access: CheckAccess) -> Guard:
    """Load the table that a separate screen refers to, and refuse users without access."""

    async def guard(visit: Visit) -> None:
        visit.table = await load_table(visit.browse.table)
        await check_access(visit.interaction, visit.table)

    return guard


async def require_host(visit: Visit) -> None:
    """Refuse everyone but the host of a lobby."""
    await visit.table.check(check_host, visit.user)


def require_permission(refusal: str, *rights: str) -> Guard:
    """Refuse members without one of these permissions, by Discord's names.

    refusal: the message id of the refusal.
    """

    async def guard(visit: Visit) -> None:
        permissions = visit.interaction.permissions
        if not (visit.server and any(getattr(permissions, right) for right in rights)):
            raise Refused(refusal)

    return guard
