"""What is worth another look in finished matches: searched hand by hand, off the event loop, and kept.

Knows which house player is asked, and which hands are looked through. Refuses to know what is found in them, and who
may see it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from bot.ground.ids import TableId
from bot.house.plain import choose
from bot.rules.review import Finding, Hand, best, decided, looked_at, search
from bot.table.films import Reel

KEPT = 100  # matches, each with a few findings


class Reviews:
    """The matches that were looked back at last, one of them being searched at a time."""

    def __init__(self) -> None:
        self._known: OrderedDict[TableId, tuple[Finding, ...]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def of(self, reel: Reel) -> tuple[Finding, ...]:
        """Return what is worth another look, the best first; nothing where no hand is over. Raises StoreError."""
        table = reel.row.id
        async with self._lock:
            if table not in self._known:
                self._known[table] = await _searched(reel)
            self._known.move_to_end(table)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
            return self._known[table]


async def _searched(reel: Reel) -> tuple[Finding, ...]:
    await reel.reach(reel.film.length)
    if reel.film.empty:
        return ()
    match = (await reel.shot(reel.film.last)).match
    deals = {opening.number: deal for deal, opening in enumerate(reel.film.openings)}  # not what was thrown in
    found, first = list[Finding](), decided(match)
    for number in looked_at(match):
        hand = Hand(number, await reel.shots(deals[number]), await reel.persons(deals[number]), number == first)
        found += await asyncio.to_thread(search, hand, choose)
    return best(found)
