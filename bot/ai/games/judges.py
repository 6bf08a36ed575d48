"""What seats think of combinations in imagined worlds, by what one of them sees, game by game.

Asks the readable player of the game how likely each combination is to stay on top. Knows one View. Refuses to know how
a world goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bot.ai.engine.codes import Codes, bits
from bot.ai.engine.plans import Judge, Manner
from bot.ai.games import a_bao, big_a, tien_len
from bot.ai.games.packing import PACKED
from bot.rules.core.game import Teams, View


def _manner(taste: Any, **more: float) -> Manner:
    """Return the manner of a taste."""
    return Manner(**{name: getattr(taste, name) for name in Manner._fields if hasattr(taste, name)} | more)


class Mind(NamedTuple):
    """How a seat thinks that has no allies, or some. reading: of a view; manner: of the seats of a world."""

    reading: Callable[[View], Any]
    manner: Manner


def _a_bao(taste: a_bao.Taste) -> Mind:
    return Mind(lambda view: a_bao.ABaoReading.of(view, None, taste), _manner(taste))


BIG_A = Mind(big_a.BigAReading.of, _manner(big_a.TASTE, sure=0.7, worth=0.7, threat=1.0, helping=1.0))
TIEN_LEN = Mind(tien_len.TienLenReading.of, _manner(tien_len.TASTE, keeping=1.0))
MINDS: Mapping[str, tuple[Mind, Mind]] = {
    "a_bao": (_a_bao(a_bao.ALONE), _a_bao(a_bao.TOGETHER)),
    "big_a": (BIG_A, BIG_A),
    "tien_len": (TIEN_LEN, TIEN_LEN),
}


def _judge(codes: Codes, view: View, mind: Mind) -> Judge:
    reading, known = mind.reading(view), dict[tuple[str, int, int], float]()
    for key, sample in codes.samples.items():
        known[key] = reading.standing(sample)
    return Judge(codes, [known[key] for key in codes.keys], mind.manner)


class Judges:
    """What all seats think, as the seat of a view sees it: itself, and the others by whether they have allies."""

    def __init__(self, view: View) -> None:
        self._view, self.codes = view, PACKED[view.rules.game].codes(view.rules)
        self._known: dict[tuple[bool, bool], Judge] = {}

    @property
    def of_anybody(self) -> Judge:
        """What somebody thinks of whose cards nothing is known, and who has no allies."""
        return self.of(((self._view.seat or 0) + 1) % len(self._view.counts), 0)

    def of(self, seat: int, allies: int) -> Judge:
        """Return what a seat with these allies, given as bits, thinks."""
        key = seat == self._view.seat, bool(allies)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._made(seat, allies)
        return found

    def _made(self, seat: int, allies: int) -> Judge:
        view = self._view
        side = Teams(frozenset(bits(allies | 1 << seat)), frozenset())
        hand = view.hand if seat == view.seat else ()
        there = replace(view, seat=seat, hand=hand, own_teams=side)
        return _judge(self.codes, there, MINDS[view.rules.game][bool(allies)])
