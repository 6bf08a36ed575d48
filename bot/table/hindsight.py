"""What the best house player would have done in a hand that is over, turn by turn, and what it expected of that.

Asks whoever thinks, one turn after the other and not for long, and keeps what came of it. Refuses to know who may see
it, and what the others held: each turn is looked at as its seat saw it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from time import monotonic

from bot.ground.ids import TableId
from bot.ground.level import Level
from bot.house.levels import Weighed, at
from bot.rules.actions import Pass, Play
from bot.rules.asks import PlayAsk
from bot.rules.film import Done
from bot.rules.game import View
from bot.rules.review import Finding, alike, nearest
from bot.table.fair import gives_hints
from bot.table.films import Reel
from bot.table.house_seats import dice
from bot.table.thought import Thinking, Thought

SECONDS = 9.5  # for a hand; the last turn may take a little longer
MOST = 3  # moments
LEAST = 0.5  # points: less is hardly worth a word
KEPT = 100  # hands


class Hindsight:
    """The hands that were looked at last, one of them at a time. thinking: who thinks."""

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        self._known: OrderedDict[tuple[TableId, int, int | None], tuple[Finding, ...]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def of(self, reel: Reel, number: int, seat: int | None) -> tuple[Finding, ...]:
        """Return up to three moments of a hand, from 1, in their order; nothing where there is no such hand.

        seat: whose turns, None for those of all people. Raises StoreError.
        """
        key = reel.row.id, number, seat
        async with self._lock:
            if key not in self._known:
                self._known[key] = await self._found(reel, number, seat)
            self._known.move_to_end(key)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
            return self._known[key]

    async def _found(self, reel: Reel, number: int, seat: int | None) -> tuple[Finding, ...]:
        ends, found = monotonic() + SECONDS, list[Finding]()
        for done in await _turns(reel, number, seat):
            view = done.before.game.view(done.seat)
            if monotonic() >= ends:
                break
            if isinstance(view.ask, PlayAsk) and view.plays:
                found += await self._other(reel, number, done, view)
        best = sorted(found, key=lambda finding: finding.rank)[:MOST]
        return tuple(sorted(best, key=lambda finding: finding.step))

    async def _other(self, reel: Reel, number: int, done: Done, view: View) -> Iterator[Finding]:
        """Give the turn where a house player would have done something better."""
        step = done.before.moment
        thought = Thought(view, at(Level.STRONG, view.rules), dice(reel.row.seed, done.seat, step))
        weighed = await self._thinking.weigh(thought, done.action)
        return iter([_finding(number, done, view, weighed)] if weighed and _better(view, weighed, done) else [])


def _better(view: View, weighed: Weighed, done: Done) -> bool:
    other = isinstance(weighed.action, Play | Pass) and not alike(view, weighed.action, done.action)
    return other and (weighed.gain is None or weighed.gain >= LEAST)


def _finding(number: int, done: Done, view: View, weighed: Weighed) -> Finding:
    combo = view.plays.verify(weighed.action.cards) if isinstance(weighed.action, Play) else None
    rank = -(weighed.gain or 0.0), nearest(view)
    return Finding("strong", number, done.before.moment, done.seat, combo=combo, rank=rank, gain=weighed.gain)


async def _turns(reel: Reel, number: int, seat: int | None) -> list[Done]:
    """Return what people did in a hand; nothing where it was not played to its end, or the table gives no hints."""
    await reel.reach(reel.film.length)
    deals = {opening.number: deal for deal, opening in enumerate(reel.film.openings)}  # not what was thrown in
    if reel.film.empty or number not in deals or not gives_hints(reel.row):
        return []
    shots, persons = await reel.shots(deals[number]), await reel.persons(deals[number])
    every = (done for shot in shots for done in shot.done)
    turns = [done for done, person in zip(every, persons, strict=False) if person]
    return [done for done in turns if seat is None or done.seat == seat]
