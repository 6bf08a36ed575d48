"""How seats played a hand, as counts that add up over hands and matches, and what the sums say of somebody.

Knows what everybody saw: which combinations of several cards a seat played and took tricks with, its bombs, what it led
last before it went out first, the cards it held in the end. Refuses to know any game, and words. Counts are kept beside
deeds, whose codes have no colon; achievements.py has the version of both. Where tricks went back into the stock,
what was in them is not known any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.rules.core.game import Public
from bot.rules.core.trick import Trick
from bot.rules.matches.achievements import DEALT, bombed
from bot.rules.matches.feats import Ended

# What is counted; of the first three with the kind of the combination behind it.
PLAYED, TOOK, LED, BOMBS, HANDS, LEFT, ONCE = "play:", "take:", "out:", "bombs:", "hands:", "left:", "once:"
FEW_PLAYS, FEW_HANDS, FEW_WINS = 5, 5, 3  # below which they say nothing


class Count(NamedTuple):
    """Something that a seat did; a part of what is counted. times: from 1."""

    seat: int
    code: str
    times: int = 1


def of_hand(view: Public) -> Counter[tuple[int, str]]:
    """Return how each seat played a hand that has ended, by seat and code."""
    order = view.result.order if view.result else ()
    ended = Ended(view, 0, order[0] if order else None)
    found = Counter[tuple[int, str]]()
    for counts in (_plays, _tricks, _bombs, _ends, _way_out, _once):
        for count in counts(ended):
            found[count.seat, count.code] += count.times
    return found


def _plays(ended: Ended) -> Iterator[Count]:
    for seat, combo, _ in ended.plays:
        if combo and len(combo.cards) > 1:
            yield Count(seat, PLAYED + combo.kind)


def _tricks(ended: Ended) -> Iterator[Count]:
    """Give what was on top of each trick when it ended, or the hand did."""
    for trick in (*ended.view.tricks, ended.view.trick):
        if trick.owner is not None and trick.top and len(trick.top.cards) > 1:
            yield Count(trick.owner, TOOK + trick.top.kind)


def _bombs(ended: Ended) -> Iterator[Count]:
    return (Count(move.seat, BOMBS) for move, _ in bombed(ended))


def _ends(ended: Ended) -> Iterator[Count]:
    left = ended.view.result.left if ended.view.result else ()
    for seat, held in enumerate(left):
        yield Count(seat, HANDS)
        if held:
            yield Count(seat, LEFT, len(held))


def _out(ended: Ended) -> list[int]:
    """Return who went out."""
    return [seat for seat, held in enumerate(ended.view.result.left) if not held] if ended.view.result else []


def _way_out(ended: Ended) -> Iterator[Count]:
    """Give what whoever went out first had led last."""
    if ended.first in _out(ended):
        leads = [trick.moves[0] for trick in _played(ended) if trick.moves[0].seat == ended.first]
        if leads and leads[-1].combo:
            yield Count(leads[-1].seat, LED + leads[-1].combo.kind)


def _once(ended: Ended) -> Iterator[Count]:
    """Give who played a whole hand of cards within one trick."""
    for seat in _out(ended):
        sizes = [_size(trick, seat) for trick in _played(ended)]
        if sum(map(bool, sizes)) == 1 and sum(sizes) >= DEALT:
            yield Count(seat, ONCE)


def _size(trick: Trick, seat: int) -> int:
    return sum(len(move.combo.cards) for move in trick.moves if move.seat == seat and move.combo)


def _played(ended: Ended) -> list[Trick]:
    return [trick for trick in (*ended.view.tricks, ended.view.trick) if trick.moves]


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays a game, by the sums of their counts."""

    counts: Mapping[str, int]

    @property
    def favourite(self) -> str:
        """The kind of combination they play most; empty where it is too early to say, or several are."""
        return _most({kind: times for kind, times in self._by_kind(PLAYED).items() if times >= FEW_PLAYS})

    @property
    def best(self) -> tuple[str, int, int] | None:
        """Which of several kinds takes the trick most often when they play it: how often it did, and was played."""
        took = self._by_kind(TOOK)
        tried = {kind: times for kind, times in self._by_kind(PLAYED).items() if times >= FEW_PLAYS}
        kind = _most({kind: took.get(kind, 0) / times for kind, times in tried.items()}) if len(tried) > 1 else ""
        return (kind, took[kind], tried[kind]) if kind else None

    @property
    def way_out(self) -> tuple[str, int, int] | None:
        """What they lead last before they go out first, most of all: how often, and of how many times in all."""
        leads = self._by_kind(LED)
        kind = _most(leads) if sum(leads.values()) >= FEW_WINS else ""
        return (kind, leads[kind], sum(leads.values())) if kind else None

    @property
    def left(self) -> float | None:
        """How many cards they have left on average when a hand ends."""
        hands = self.counts.get(HANDS, 0)
        return self.counts.get(LEFT, 0) / hands if hands >= FEW_HANDS else None

    def _by_kind(self, what: str) -> dict[str, int]:
        return {code.removeprefix(what): times for code, times in self.counts.items() if code.startswith(what)}


def _most(found: Mapping[str, float]) -> str:
    """Return what has the highest number; empty where nothing has it alone."""
    most = max(found.values(), default=0)
    first = [kind for kind, number in found.items() if number == most]
    return first[0] if len(first) == 1 else ""
