"""Reviews of finished matches: each is made once, when somebody asks for it, hand by hand and off the event loop.

Knows which hands are looked at: the one that decided the match, and the last ones. Refuses to look at a hand that was
not played to its end, and to know how a review is shown.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from bot.ground.ids import TableId
from bot.rules.review import Finding, Review, deciding, missed, review, turned
from bot.table.films import Reel
from bot.table.house_seats import wish

HANDS: Final = 12  # of a match that are looked at, for house players think about each turn: 15 to 40 ms a hand
KEPT: Final = 50  # reviews


class Reviews:
    """The reviews that were asked for last. One is made at a time: house players think for it."""

    def __init__(self) -> None:
        self._made: OrderedDict[TableId, Review] = OrderedDict()
        self._busy = asyncio.Lock()

    async def of(self, reel: Reel) -> Review:
        """Return what is worth another look in a finished match. Raises StoreError."""
        table = reel.row.id
        async with self._busy:
            if table not in self._made:
                self._made[table] = await _made(reel)
            self._made.move_to_end(table)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            return self._made[table]


async def _made(reel: Reel) -> Review:
    """Look at some hands of a match."""
    await reel.reach(reel.film.length)
    openings = reel.film.openings
    if reel.film.empty:
        return Review((), ())
    last = await reel.shot(reel.film.last)
    decided = deciding([*(opening.match for opening in openings[1:]), last.match])
    found = list[Finding]()
    for deal in sorted({decided, *range(len(openings))[-HANDS + 1 :]}):
        found += await _of_hand(reel, deal, decided=deal == decided)
    return review(found)


async def _of_hand(reel: Reel, deal: int, *, decided: bool) -> list[Finding]:
    """Return what is worth another look in a hand; nothing of one that was thrown in."""
    shots, by = await reel.shots(deal), await reel.by(deal)
    if all(shot.match.game.result is None for shot in shots):
        return []
    done = [one for one, who in zip((one for shot in shots for one in shot.done), by, strict=False) if who == "person"]
    found = await asyncio.to_thread(lambda: list(missed(done, wish, decided=decided)))
    ahead = turned(shots) if decided else None
    return [ahead, *found] if ahead else found
