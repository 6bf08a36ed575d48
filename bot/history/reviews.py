"""Reviews of finished matches and single hands: decisions evaluated by workers."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from bot.ai.levels import Evaluation, evaluate
from bot.ai.plain import plain_action
from bot.domain.ids import TableId
from bot.history.replays import MatchReplay
from bot.rules.core.asks import Action, Choose
from bot.rules.core.game import View
from bot.rules.matches.replay import Deal
from bot.rules.matches.review import (
    Candidate,
    ReviewedHand,
    ReviewFinding,
    best_findings,
    candidates,
    deciding_hand,
    hands_to_review,
    turning_points,
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
        mistakes, whole = await _find_mistakes(turn, doubtful)
        shown = best_findings([*found, *mistakes])
        if whole:
            self._known[replay.row.id] = shown
        if len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)
        return shown


async def _scan_match(turn: WorkerTurn, replay: MatchReplay) -> tuple[list[ReviewFinding], list[Candidate]]:
    """Return the findings without evaluation, and the most doubtful decisions.

    Both are empty without a finished hand.
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
    """Return the mistakes among these decisions, and whether every evaluation succeeded.

    The same answer to the same question of a hand is one mistake, however often the seat was asked.
    """
    found, whole = dict[object, ReviewFinding](), True
    for candidate in sorted(doubtful, key=lambda each: (each.hand, each.step)):
        evaluation = await evaluate_decision(turn, candidate.view, candidate.done)
        whole &= evaluation is not None
        if evaluation and evaluation.best and evaluation.is_mistake:
            finding = candidate.finding(evaluation.best, evaluation.loss)
            found.setdefault(_identity(finding), finding)
    return list(found.values()), whole


def _identity(finding: ReviewFinding) -> object:
    """Return a key of a decision, equal for repeated answers to one question."""
    if not isinstance(finding.done, Choose):
        return finding.step, finding.seat
    return finding.hand, finding.seat, finding.done, finding.best


def scan_hand(
    number: int,
    deal: Deal,
    persons: tuple[bool, ...],
    deciding: bool,  # as in `ReviewedHand`
) -> tuple[list[ReviewFinding], list[Candidate]]:
    """Return the findings of a hand without evaluation, and its most doubtful decisions."""
    hand = ReviewedHand(number, deal.snapshots(), persons, deciding)
    return turning_points(hand), _promising(each for each in candidates(hand, plain_action) if each.is_doubtful)


def _promising(doubtful: Iterable[Candidate]) -> list[Candidate]:
    return sorted(doubtful, key=lambda candidate: candidate.rank)[:MAX_EVALUATED]


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
MAX_TURNS: Final = 24  # evaluated per hand, doubtful ones first: a seat seldom has more
HAND_CACHE_SIZE: Final = 100  # hands


class WantedHand(NamedTuple):
    """A hand to review. number: from 1. seat, over: as in `ReviewedHand`."""

    number: int
    seat: int | None
    over: bool


ReviewKey: TypeAlias = tuple[TableId, WantedHand]


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
        key = replay.row.id, WantedHand(number, seat, over=not replay.is_running)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        return await self._searching.do(key, partial(self._search, replay, key, turn))

    async def _search(self, replay: MatchReplay, key: ReviewKey, turn: WorkerTurn) -> tuple[ReviewFinding, ...]:
        doubtful = await _decisions_to_evaluate(turn, replay, key[1])
        mistakes, whole = await _find_mistakes(turn, doubtful)
        best = sorted(mistakes, key=lambda finding: -(finding.gain or 0.0))[:MAX_MOMENTS]
        found = tuple(sorted(best, key=lambda finding: finding.step))
        if whole:
            self._known[key] = found
        if len(self._known) > HAND_CACHE_SIZE:
            self._known.popitem(last=False)
        return found


async def _decisions_to_evaluate(turn: WorkerTurn, replay: MatchReplay, wanted: WantedHand) -> list[Candidate]:
    """Return the decisions of people in a hand that deserve an evaluation.

    Empty for an unfinished hand or a table without hints.
    """
    await replay.reach(replay.playback.length)
    deals = {opening.number: deal for deal, opening in enumerate(replay.playback.openings)}  # without abandoned deals
    if replay.playback.empty or wanted.number not in deals or not has_hints(replay.row):
        return []
    deal, persons = await replay.deal(deals[wanted.number]), await replay.persons(deals[wanted.number])
    return await turn.call(decisions_to_evaluate, deal, persons, wanted)


def decisions_to_evaluate(deal: Deal, persons: tuple[bool, ...], wanted: WantedHand) -> list[Candidate]:
    """Return the decisions of a hand to evaluate.

    First those that a review of the match evaluates, then the latest.
    """
    number, seat, over = wanted
    hand = ReviewedHand(number, deal.snapshots(), persons, deciding=True, seat=seat, over=over)
    return sorted(candidates(hand, plain_action), key=_evaluated_first)[:MAX_TURNS]


def _evaluated_first(candidate: Candidate) -> tuple[float, ...]:
    return (0, *candidate.rank) if candidate.is_doubtful else (1, -candidate.step)
