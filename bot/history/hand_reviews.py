"""What the best house player would have done in a hand that is over, turn by turn, and what it expected of that.

Workers evaluate one turn after the other as a hint does, and what came of it is kept. Refuses to know who may see it,
and what the others held: each turn is looked at as its seat saw it.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.ground.ids import TableId
from bot.ground.single_flight import SingleFlight
from bot.ground.workers import Turn
from bot.history.evaluations import evaluate_decision
from bot.history.replays import MatchReplay
from bot.house.evaluation import Evaluation
from bot.rules.actions import Action, Play
from bot.rules.film import Deal
from bot.rules.game import View
from bot.rules.review import Finding, decides, nearest
from bot.rules.sentences import Seat
from bot.table.core.fair import has_hints

MAX_MOMENTS: Final = 3  # moments
MAX_TURNS: Final = 24  # of a hand that are evaluated, the last ones: one seat hardly ever has more
CACHE_SIZE: Final = 100  # hands
ReviewKey: TypeAlias = tuple[TableId, int, int | None]  # the hand, and whose turns


class SeatDecision(NamedTuple):
    """What a seat decided at a step, and what it knew."""

    step: int
    seat: Seat
    view: View
    action: Action


class HandReviews:
    """The hands that were looked at last."""

    def __init__(self) -> None:
        self._known: OrderedDict[ReviewKey, tuple[Finding, ...]] = OrderedDict()
        self._searching = SingleFlight[tuple[Finding, ...]]("close look at hand")

    async def of(self, replay: MatchReplay, number: int, seat: int | None, turn: Turn) -> tuple[Finding, ...]:
        """Return up to three moments of a hand, from 1, in their order; nothing where there is no such hand.

        seat: whose turns, None for those of all people. turn: the work of whoever asks. Raises Refused, StoreError.
        """
        key = replay.row.id, number, seat
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        return await self._searching.do(key, partial(self._search, replay, key, turn))

    async def _search(self, replay: MatchReplay, key: ReviewKey, turn: Turn) -> tuple[Finding, ...]:
        found, whole = await _find_mistakes(turn, replay, *key[1:])
        if whole:
            self._known[key] = found
        if len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)
        return found


async def _find_mistakes(
    turn: Turn, replay: MatchReplay, number: int, seat: int | None
) -> tuple[tuple[Finding, ...], bool]:
    """Return the moments, and whether each turn could be evaluated."""
    found, whole = list[Finding](), True
    for decided in await _load_decisions(turn, replay, number, seat):
        evaluation = await evaluate_decision(turn, decided.view, decided.action)
        whole &= evaluation is not None
        if evaluation and evaluation.is_mistake:
            found.append(_finding(number, decided, evaluation))
    best = sorted(found, key=lambda finding: finding.rank)[:MAX_MOMENTS]
    return tuple(sorted(best, key=lambda finding: finding.step)), whole


def _finding(number: int, decided: SeatDecision, evaluation: Evaluation) -> Finding:
    view = decided.view
    combo = view.plays.verify(evaluation.best.cards) if isinstance(evaluation.best, Play) else None
    rank = -(evaluation.loss or 0.0), nearest(view)
    return Finding("strong", number, decided.step, decided.seat, combo=combo, rank=rank, gain=evaluation.loss)


async def _load_decisions(turn: Turn, replay: MatchReplay, number: int, seat: int | None) -> list[SeatDecision]:
    """Return what people decided in a hand; nothing where it was not played to its end, or the table gives no hints."""
    await replay.reach(replay.film.length)
    deals = {opening.number: deal for deal, opening in enumerate(replay.film.openings)}  # not what was thrown in
    if replay.film.empty or number not in deals or not has_hints(replay.row):
        return []
    return await turn.call(last_decisions, await replay.deal(deals[number]), await replay.persons(deals[number]), seat)


def last_decisions(deal: Deal, persons: tuple[bool, ...], seat: int | None) -> list[SeatDecision]:
    """Return the last decisions of people in a deal, or those of one seat."""
    every = (done for shot in deal.shots() for done in shot.done)
    turns = [done for done, person in zip(every, persons, strict=False) if person and decides(done)]
    own = [done for done in turns if seat is None or done.seat == seat][-MAX_TURNS:]
    return [SeatDecision(done.before.moment, done.seat, done.before.view(done.seat), done.action) for done in own]
