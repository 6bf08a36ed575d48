"""What the best house player would have done in a hand that is over, turn by turn, and what it expected of that.

Evaluates one turn after the other as a hint does, and keeps what came of it. Refuses to know who may see it, and what
the others held: each turn is looked at as its seat saw it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from bot.ground.ids import TableId
from bot.house.evaluation import Evaluation
from bot.rules.actions import Play
from bot.rules.film import Done
from bot.rules.game import View
from bot.rules.review import Finding, decides, nearest
from bot.table.fair import gives_hints
from bot.table.films import Reel
from bot.table.thought import Thinking

MOST: Final = 3  # moments
MAX_TURNS: Final = 24  # of a hand that are evaluated, the last ones: one seat hardly ever has more
KEPT: Final = 100  # hands


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
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            found, whole = await self._found(reel, number, seat)
            if whole:
                self._known[key] = found
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
            return found

    async def _found(self, reel: Reel, number: int, seat: int | None) -> tuple[tuple[Finding, ...], bool]:
        """Return the moments, and whether each turn could be evaluated."""
        found, whole = list[Finding](), True
        for done in (await _turns(reel, number, seat))[-MAX_TURNS:]:
            view = done.before.view(done.seat)
            evaluation = await self._thinking.evaluate(view, done.action)
            whole &= evaluation is not None
            if evaluation and evaluation.is_mistake:
                found.append(_finding(number, done, view, evaluation))
        best = sorted(found, key=lambda finding: finding.rank)[:MOST]
        return tuple(sorted(best, key=lambda finding: finding.step)), whole


def _finding(number: int, done: Done, view: View, evaluation: Evaluation) -> Finding:
    combo = view.plays.verify(evaluation.best.cards) if isinstance(evaluation.best, Play) else None
    rank = -(evaluation.loss or 0.0), nearest(view)
    return Finding("strong", number, done.before.moment, done.seat, combo=combo, rank=rank, gain=evaluation.loss)


async def _turns(reel: Reel, number: int, seat: int | None) -> list[Done]:
    """Return what people decided in a hand; nothing where it was not played to its end, or the table gives no hints."""
    await reel.reach(reel.film.length)
    deals = {opening.number: deal for deal, opening in enumerate(reel.film.openings)}  # not what was thrown in
    if reel.film.empty or number not in deals or not gives_hints(reel.row):
        return []
    shots, persons = await reel.shots(deals[number]), await reel.persons(deals[number])
    every = (done for shot in shots for done in shot.done)
    turns = [done for done, person in zip(every, persons, strict=False) if person and decides(done)]
    return [done for done in turns if seat is None or done.seat == seat]
