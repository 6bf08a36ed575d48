"""Playing style: counts over hands and matches, and the figures derived from their sums.

Public information only: combinations of several cards that a seat played and took tricks with, its bombs, its last lead
before going out first, its remaining cards. Independent of any game and of wording. Counts are stored beside
achievements, whose codes contain no colon; achievements.py holds the version of both. Tricks shuffled back into the
stock are no longer known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.rules.core.game import Public
from bot.rules.core.trick import Trick
from bot.rules.matches.achievements import FULL_HAND, FinishedHand, bombs_on_plays

# The prefixes of codes; the kind of the combination follows the first three.
PLAYED, TOOK, WAY_OUT, BOMBS, HANDS, LEFT, ONCE = "play:", "take:", "out:", "bombs:", "hands:", "left:", "once:"
FEW_PLAYS, FEW_HANDS, FEW_WINS = 5, 5, 3  # minimum counts for a meaningful figure


class StyleCount(NamedTuple):
    """A count for a seat. times: from 1."""

    seat: int
    code: str
    times: int = 1


def hand_counts(view: Public) -> Counter[tuple[int, str]]:
    """Return the counts of each seat in a finished hand, by seat and code."""
    order = view.result.order if view.result else ()
    ended = FinishedHand(view, 0, order[0] if order else None)
    found = Counter[tuple[int, str]]()
    for counted in COUNTS:
        for count in counted(ended):
            found[count.seat, count.code] += count.times
    return found


def _plays(ended: FinishedHand) -> Iterator[StyleCount]:
    for seat, combo, _ in ended.plays:
        if combo and len(combo.cards) > 1:
            yield StyleCount(seat, PLAYED + combo.kind)


def _taken(ended: FinishedHand) -> Iterator[StyleCount]:
    """Count the top combination of each trick for its owner."""
    for trick in ended.tricks:
        if trick.owner is not None and trick.top and len(trick.top.cards) > 1:
            yield StyleCount(trick.owner, TOOK + trick.top.kind)


def _bombs(ended: FinishedHand) -> Iterator[StyleCount]:
    return (StyleCount(move.seat, BOMBS) for move, _ in bombs_on_plays(ended))


def _ends(ended: FinishedHand) -> Iterator[StyleCount]:
    left = ended.view.result.left if ended.view.result else ()
    for seat, held in enumerate(left):
        yield StyleCount(seat, HANDS)
        if held:
            yield StyleCount(seat, LEFT, len(held))


def _out(ended: FinishedHand) -> list[int]:
    return [seat for seat, held in enumerate(ended.view.result.left) if not held] if ended.view.result else []


def _way_out(ended: FinishedHand) -> Iterator[StyleCount]:
    """Count the last lead of the seat that went out first."""
    if ended.first in _out(ended):
        leads = [trick.moves[0] for trick in ended.tricks if trick.moves[0].seat == ended.first]
        if leads and leads[-1].combo:
            yield StyleCount(leads[-1].seat, WAY_OUT + leads[-1].combo.kind)


def _once(ended: FinishedHand) -> Iterator[StyleCount]:
    """Count the seats that played a whole hand of cards within one trick."""
    for seat in _out(ended):
        sizes = [_size(trick, seat) for trick in ended.tricks]
        if sum(map(bool, sizes)) == 1 and sum(sizes) >= FULL_HAND:
            yield StyleCount(seat, ONCE)


def _size(trick: Trick, seat: int) -> int:
    return sum(len(move.combo.cards) for move in trick.moves if move.seat == seat and move.combo)


COUNTS: Final = (_plays, _taken, _bombs, _ends, _way_out, _once)  # each yields the counts of one hand


@dataclass(frozen=True, slots=True)
class Style:
    """A player's style in a game, from the sums of the counts."""

    counts: Mapping[str, int]

    @property
    def favourite(self) -> str:
        """The kind of combination played most often; empty with too few plays or in a tie."""
        return _most({kind: times for kind, times in self._by_kind(PLAYED).items() if times >= FEW_PLAYS})

    @property
    def best(self) -> tuple[str, int, int] | None:
        """The kind that takes the trick most often when played, with its tricks and plays.

        None if no kind stands out.
        """
        took = self._by_kind(TOOK)
        tried = {kind: times for kind, times in self._by_kind(PLAYED).items() if times >= FEW_PLAYS}
        kind = _most({kind: took.get(kind, 0) / times for kind, times in tried.items()}) if len(tried) > 1 else ""
        return (kind, took[kind], tried[kind]) if kind else None

    @property
    def way_out(self) -> tuple[str, int, int] | None:
        """The most frequent last lead before going out first, with its number and the total.

        None if no lead stands out.
        """
        leads = self._by_kind(WAY_OUT)
        kind = _most(leads) if sum(leads.values()) >= FEW_WINS else ""
        return (kind, leads[kind], sum(leads.values())) if kind else None

    @property
    def left(self) -> float | None:
        """The average number of remaining cards at the end of a hand; None after too few hands."""
        hands = self.counts.get(HANDS, 0)
        return self.counts.get(LEFT, 0) / hands if hands >= FEW_HANDS else None

    def _by_kind(self, what: str) -> dict[str, int]:
        return {code.removeprefix(what): times for code, times in self.counts.items() if code.startswith(what)}


def _most(found: Mapping[str, float]) -> str:
    """Return the key with the highest number; empty in a tie."""
    most = max(found.values(), default=0)
    first = [kind for kind, number in found.items() if number == most]
    return first[0] if len(first) == 1 else ""
