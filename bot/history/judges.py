"""Eligibility to judge a finished match.

Every person with a seat at any time is excluded, substitutes too. After a deletion of a person's data nothing shows
whether the person played. Such a person judges no earlier match with a nameless player. Manager permissions live
elsewhere.
"""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.results import FinishedMatch, Sitting
from bot.store.engine.erasures import NAMELESS
from bot.store.store import Store

NO_MATCH = N_("There's no such finished match here.")
PLAYED = N_("You played in this match, so someone else who manages this server has to do that.")
DATA_DELETED = N_(
    "Your data was deleted after this match started, so I can't tell whether you played in it. Someone "
    "else who manages this server has to do that."
)


async def check_judge(store: Store, match: FinishedMatch, user: UserId) -> None:
    """Raise Refused for a person with a past seat in the match, or an unknown history."""
    found, sat = await store.tables.head(match.table), await store.results.sittings(match.table)
    if found is None:
        raise Refused(NO_MATCH)
    if user in {one.user for one in match.outcome.standings} | {one.user for one in sat}:
        raise Refused(PLAYED)
    gone = await store.deletions.forgotten(user)
    if gone is not None and gone >= found[0].created and _has_nameless_player(match, sat):
        raise Refused(DATA_DELETED)


def _has_nameless_player(match: FinishedMatch, sat: tuple[Sitting, ...]) -> bool:
    """Tell whether a player's data was deleted after the match."""
    if any(one.user is None and not one.house for one in sat):
        return True
    return any(one.user is None and one.name.startswith(NAMELESS) for one in match.outcome.standings)
