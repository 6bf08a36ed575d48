"""What the others may hold in The Big and the Little A, by the cards that are nowhere to be seen.

Knows one View: what is unseen, what is known of each hand and how large it is. Refuses to guess what anybody would
rather do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod
from typing import NamedTuple

from bot.ai.engine.odds import at_least
from bot.rules.big_little_a.tables import HIGHEST, JOKER, MEAN, NUMBERS, POWER
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen

TOP = len(NUMBERS)
JOKERS = POWER[JOKER]


class Rival(NamedTuple):
    """Another hand. known: its cards that were seen, by power; room: how many others; plain: all but A cards."""

    known: Mapping[int, int]
    room: int
    plain: int
    cards: int


class Rivals:
    """The other hands, and with which chance each can do what. share: of what it may hold, that it would play.

    jokers: the same for sets that take a joker.
    """

    def __init__(self, view: View, share: float, jokers: float) -> None:
        self._share, self._jokers = share, jokers
        hidden = unseen(view) - Counter(dict(view.facts).get("middle", ()))
        loose = Counter(POWER[held] for held in hidden.elements())
        self._loose = [loose[power] for power in range(JOKERS + 1)]
        self._total = loose.total()
        self.seats = {seat: _rival(view, seat) for seat in range(len(view.counts)) if seat != view.seat}
        self._over: dict[tuple[object, int], list[float]] = {}
        self._unbeaten: dict[tuple[int, tuple[int, ...]], list[float]] = {}

    def _holds(self, rival: Rival, power: int, count: int) -> float:
        return at_least(count - rival.known.get(power, 0), self._loose[power], rival.room, self._total)

    def over(self, seat: int, size: int) -> list[float]:
        """Return the chance, for each strength from 0 to 14, that this seat beats a set of that size with it."""
        rival = self.seats[seat]
        alike = (rival.room, rival.plain) if not rival.known else seat
        found = self._over.get((alike, size))
        if found is None:
            found = self._over[alike, size] = self._beaten(rival, size)
        return found

    def _beaten(self, rival: Rival, size: int) -> list[float]:
        if rival.plain < size:
            return [0.0] * (HIGHEST + 1)
        joker = self._jokers * self._holds(rival, JOKERS, 1)
        missed = 1 - joker if size == 1 else 1.0
        found = [0.0, 1 - missed]
        for power in range(TOP, 0, -1):
            all_of_them = self._holds(rival, power, size)
            with_joker = joker * (self._holds(rival, power, size - 1) - all_of_them) if size > 1 else 0.0
            missed *= 1 - self._share * all_of_them - with_joker
            found.append(1 - missed)
        return found[::-1]

    def unbeaten(self, size: int, strength: int, seats: tuple[int, ...]) -> float:
        """Return the chance that none of these seats beats such a set."""
        found = self._unbeaten.get((size, seats))
        if found is None:
            by_seat = [self.over(seat, size) for seat in seats]
            found = [prod(1 - chances[at] for chances in by_seat) for at in range(HIGHEST + 1)]
            self._unbeaten[size, seats] = found
        return found[strength]

    def ducks(self, seat: int, strength: int) -> float:
        """Return the chance that a seat can stay at or below this in an A round, or has nothing to play."""
        rival = self.seats[seat]
        if not rival.plain or any(rival.known.get(power) for power in (*range(1, strength + 1), JOKERS)):
            return 1.0
        low = sum(self._loose[1 : strength + 1]) + self._loose[JOKERS]
        return at_least(1, low, rival.room, self._total)


def _rival(view: View, seat: int) -> Rival:
    known = Counter(POWER[held] for owner, held in view.known if owner == seat)
    mean = sum(known[POWER[held]] for held in MEAN)
    count = view.counts[seat]
    return Rival(known, count - known.total(), count - mean, count)
