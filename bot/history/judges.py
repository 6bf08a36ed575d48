"""Who may not judge a finished match: all who sat there at any time, be it for a while or under another name.

A substitute has played in it as well. Of a person whose data was deleted since, nothing is kept that would tell whether
they did, so they judge no match from before that in which a player has no name any more. Refuses to know who manages
a server.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.ground.ids import TableId, UserId
from bot.ground.refused import Refused
from bot.ground.results import Finished, Sitting
from bot.store.erasing import NAMELESS
from bot.store.rows import TableRow

NO_MATCH = "There is no such finished match here."
PLAYED = "You played in this match, so somebody else who manages this server has to do that."
DATA_DELETED = (
    "What was kept about you was deleted after this match had begun, so I can't tell whether you played in it. "
    "Somebody else who manages this server has to do that."
)


class JudgeStore(Protocol):
    """What is asked of a store about finished matches. Every call may raise StoreError."""

    async def head(self, table: TableId) -> tuple[TableRow, int] | None:
        """Return a table without its steps, and how many those are."""
        ...

    async def sittings(self, table: TableId) -> tuple[Sitting, ...]:
        """Return who acted for which seat from which ply on."""
        ...

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return when all that was kept about a person was deleted last."""
        ...


async def check_judge(store: JudgeStore, match: Finished, user: UserId) -> None:
    """Raise Refused for a person who sat in a match at any time, or of whom that cannot be known."""
    found, sat = await store.head(match.table), await store.sittings(match.table)
    if found is None:
        raise Refused(NO_MATCH)
    if user in {one.user for one in match.outcome.standings} | {one.user for one in sat}:
        raise Refused(PLAYED)
    gone = await store.forgotten(user)
    if gone is not None and gone >= found[0].created and _has_nameless_player(match, sat):
        raise Refused(DATA_DELETED)


def _has_nameless_player(match: Finished, sat: tuple[Sitting, ...]) -> bool:
    """Tell whether a person sat in a match whose data was deleted since."""
    if any(one.user is None and not one.house for one in sat):
        return True
    return any(one.user is None and one.name.startswith(NAMELESS) for one in match.outcome.standings)
