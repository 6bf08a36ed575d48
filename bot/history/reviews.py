"""Reviews of finished matches: the turning points, searched hand by hand by workers, and cached.

A quick house player proposes candidates; the evaluation behind hints confirms them. The search criteria and access
rights live elsewhere.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from bot.ai.plain import choose
from bot.domain.ids import TableId
from bot.history.evaluations import evaluate_decision
from bot.history.replays import MatchReplay
from bot.rules.core.actions import Pass, Play
from bot.rules.matches.replay import Deal
from bot.rules.matches.review import (
    Candidate,
    ReviewedHand,
    ReviewFinding,
    best_findings,
    candidates,
    deciding_hand,
    hands_to_review,
    search,
)
from bot.runtime.single_flight import SingleFlight
from bot.runtime.workers import WorkerTurn

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
    """Return the findings without evaluation, and the best candidates; nothing without a finished hand."""
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
