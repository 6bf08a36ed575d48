"""Reviews of finished matches and single hands: decisions evaluated by workers."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.ai.levels import Evaluation, evaluate
from bot.ai.plain import choose
from bot.domain.ids import TableId
from bot.history.replays import MatchReplay
from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.game import View
from bot.rules.core.sentences import Seat
from bot.rules.matches.replay import Deal
from bot.rules.matches.review import (
    Candidate,
    ReviewedHand,
    ReviewFinding,
    best_findings,
    candidates,
    deciding_hand,
    fewest_opponent_cards,
    hands_to_review,
    has_choice,
    search,
)
from bot.runtime.process_pool import CallFailed
from bot.runtime.tasks import SingleFlight
from bot.runtime.workers import WorkerTurn
from bot.table.core.eligibility import has_hints

CACHE_SIZE: Final = 100  # matches, with a few findings each
MAX_EVALUATED: Final = 12  # candidates per match, some tenths of a second each


class Reviews:
    """A cache of the latest match reviews."""

    def __init__(self) -> None:
        self._known: OrderedDict[TableId, tuple[ReviewFinding, ...]] = OrderedDict()
        self._searching = SingleFlight[tuple[ReviewFinding, ...]]("review of table")

    async def of(self, replay: MatchReplay, turn: WorkerTurn) -> tuple[ReviewFinding, ...]:
        """Return the findings of a match, best first; nothing without a finished hand.

        turn: the caller's turn at the workers. Raises Refused, StoreError.
        """
        table = replay.row.id
        if table in self._known:
            self._known.move_to_end(table)
            return self._known[table]
        return await self._searching.do(table, partial(self._search, replay, turn))

    async def _search(self, replay: MatchReplay, turn: WorkerTurn) -> tuple[ReviewFinding, ...]:
        found, doubtful = await _scan_match(turn, replay)
        told, whole = await _find_mistakes(turn, doubtful)
        shown = best_findings([*found, *told])
        if whole:
            self._known[replay.row.id] = shown
        if len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)
        return shown


async def _scan_match(turn: WorkerTurn, replay: MatchReplay) -> tuple[list[ReviewFinding], list[Candidate]]:
    """Return the findings without evaluation, and the best candidates.

    Nothing without a finished hand.
    """
    found, doubtful = list[ReviewFinding](), list[Candidate]()
    await replay.reach(replay.playback.length)
    if replay.playback.empty:
        return found, doubtful
    match = (await replay.snapshot(replay.playback.last)).match
    deals = {opening.number: deal for deal, opening in enumerate(replay.playback.openings)}  # without abandoned deals
    first = deciding_hand(match)
    for number in hands_to_review(match):
        deal, persons = await replay.deal(deals[number]), await replay.persons(deals[number])
        more, others = await turn.call(scan_hand, number, deal, persons, number == first)
        found += more
        doubtful = _promising([*doubtful, *others])
    return found, doubtful


async def _find_mistakes(turn: WorkerTurn, doubtful: Sequence[Candidate]) -> tuple[list[ReviewFinding], bool]:
    """Return the candidates confirmed as mistakes, and whether every evaluation succeeded."""
    found, whole = list[ReviewFinding](), True
    for candidate in doubtful:
        evaluation = await evaluate_decision(turn, candidate.view, candidate.done)
        whole &= evaluation is not None
        if evaluation and evaluation.is_mistake and isinstance(evaluation.best, Play | Pass):
            found.append(candidate._replace(answer=evaluation.best).finding)
    return found, whole


def scan_hand(
    number: int,
    deal: Deal,
    persons: tuple[bool, ...],
    deciding: bool,  # as in `Hand`
) -> tuple[list[ReviewFinding], list[Candidate]]:
    """Return the findings of a hand without evaluation, and its most promising candidates."""
    hand = ReviewedHand(number, deal.snapshots(), persons, deciding)
    return search(hand), _promising(candidates(hand, choose))


def _promising(doubtful: Iterable[Candidate]) -> list[Candidate]:
    return sorted(doubtful, key=lambda candidate: candidate.finding.rank)[:MAX_EVALUATED]


log = logging.getLogger(__name__)


async def evaluate_decision(turn: WorkerTurn, view: View, done: Action) -> Evaluation | None:
    """Return the evaluation of an action with this view; log a failure and return None.

    Raises Refused.
    """
    try:
        return await turn.call(evaluate, view, done)
    except CallFailed:
        log.exception("A decision in %s cannot be evaluated.", view.rules.game)
        return None


MAX_MOMENTS: Final = 3  # moments
MAX_TURNS: Final = 24  # evaluated per hand, the latest ones: a seat seldom has more
HAND_CACHE_SIZE: Final = 100  # hands
ReviewKey: TypeAlias = tuple[TableId, int, int | None]  # table, hand, and the reviewed seat


class SeatDecision(NamedTuple):
    """A seat's decision at a step, with the seat's view."""

    step: int
    seat: Seat
    view: View
    action: Action


class HandReviews:
    """A cache of the latest hand reviews."""

    def __init__(self) -> None:
        self._known: OrderedDict[ReviewKey, tuple[ReviewFinding, ...]] = OrderedDict()
        self._searching = SingleFlight[tuple[ReviewFinding, ...]]("close look at hand")

    async def of(
        self, replay: MatchReplay, number: int, seat: int | None, turn: WorkerTurn
    ) -> tuple[ReviewFinding, ...]:
        """Return up to three mistakes in a hand, in order of play; nothing for a missing hand.

        number: from 1. seat: the reviewed seat, None for all persons. turn: the caller's turn at the workers. Raises
        Refused, StoreError.
        """
        key = replay.row.id, number, seat
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        return await self._searching.do(key, partial(self._search, replay, key, turn))

    async def _search(self, replay: MatchReplay, key: ReviewKey, turn: WorkerTurn) -> tuple[ReviewFinding, ...]:
        found, whole = await _find_hand_mistakes(turn, replay, *key[1:])
        if whole:
            self._known[key] = found
        if len(self._known) > HAND_CACHE_SIZE:
            self._known.popitem(last=False)
        return found


async def _find_hand_mistakes(
    turn: WorkerTurn, replay: MatchReplay, number: int, seat: int | None
) -> tuple[tuple[ReviewFinding, ...], bool]:
    """Return the mistakes, and whether every evaluation succeeded."""
    found, whole = list[ReviewFinding](), True
    for decided in await _load_decisions(turn, replay, number, seat):
        evaluation = await evaluate_decision(turn, decided.view, decided.action)
        whole &= evaluation is not None
        if evaluation and evaluation.is_mistake:
            found.append(_finding(number, decided, evaluation))
    best = sorted(found, key=lambda finding: finding.rank)[:MAX_MOMENTS]
    return tuple(sorted(best, key=lambda finding: finding.step)), whole


def _finding(number: int, decided: SeatDecision, evaluation: Evaluation) -> ReviewFinding:
    view = decided.view
    combo = view.plays.verify(evaluation.best.cards) if isinstance(evaluation.best, Play) else None
    rank = -(evaluation.loss or 0.0), fewest_opponent_cards(view)
    return ReviewFinding("strong", number, decided.step, decided.seat, combo=combo, rank=rank, gain=evaluation.loss)


async def _load_decisions(turn: WorkerTurn, replay: MatchReplay, number: int, seat: int | None) -> list[SeatDecision]:
    """Return the persons' decisions in a hand.

    Nothing for an unfinished hand or a table without hints.
    """
    await replay.reach(replay.playback.length)
    deals = {opening.number: deal for deal, opening in enumerate(replay.playback.openings)}  # without abandoned deals
    if replay.playback.empty or number not in deals or not has_hints(replay.row):
        return []
    return await turn.call(last_decisions, await replay.deal(deals[number]), await replay.persons(deals[number]), seat)


def last_decisions(deal: Deal, persons: tuple[bool, ...], seat: int | None) -> list[SeatDecision]:
    """Return the latest decisions of all persons in a deal, or of one seat."""
    every = (done for snapshot in deal.snapshots() for done in snapshot.done)
    turns = [done for done, person in zip(every, persons, strict=False) if person and has_choice(done)]
    own = [done for done in turns if seat is None or done.seat == seat][-MAX_TURNS:]
    return [SeatDecision(done.before.moment, done.seat, done.before.view(done.seat), done.action) for done in own]
