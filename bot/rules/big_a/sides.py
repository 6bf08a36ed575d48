"""2.8, 2.13, 7.3-7.8. The sides of a hand, and their public part."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bot.rules.big_a.draw import ace
from bot.rules.big_a.options import PLAYERS
from bot.rules.core.cards import Suit
from bot.rules.core.game import Teams
from bot.rules.core.sentences import Note, Seat


class Sides(NamedTuple):
    """The declarer's side and its public part.

    partner: the seat dealt the other Big Ace, None if the declarer holds both. both: whether both Big Aces were shown
    before the first lead. known: whether the partner, or the lack of a partner, is public.
    """

    declarer: int
    suit: Suit
    partner: int | None
    both: bool = False
    known: bool = False

    def __repr__(self) -> str:
        """Return the public sides only, to keep a secret partner out of logs."""
        return f"<Sides declarer={self.declarer} known={self.known_partner}>"

    @property
    def few(self) -> frozenset[int]:
        """The declarer, with the partner, if any."""
        return _seats(self.declarer, self.partner)

    @property
    def known_partner(self) -> int | None:
        """The partner, if public."""
        return self.partner if self.known else None

    def together(self, active: frozenset[int]) -> bool:
        """Tell whether these seats are on one side (7.9)."""
        return active <= self.few or active.isdisjoint(self.few)

    def teams(self, seat: int | None) -> Teams:
        """Return the sides known to this seat; with None, the public sides (2.8, 2.13)."""
        return _teams(self, seat)

    def lead_after(self, finisher: int, active: frozenset[int]) -> int:
        """Return the leader after a finisher's last play stayed on top (7.3-7.6). active: the seats with cards."""
        if finisher == self.declarer and self.known_partner in active:
            barred = active - {self.partner}
        elif finisher == self.declarer:
            barred = frozenset()
        elif finisher == self.known_partner:
            barred = active - {self.declarer}
        else:
            barred = _seats(self.declarer, self.known_partner)
        ahead = ((finisher + step) % PLAYERS for step in range(1, PLAYERS))
        return next(seat for seat in ahead if seat in active and seat not in barred)

    def role(self, seat: int) -> Note:
        """Return the note to a seat about its side."""
        card, who = ("card", ace(self.suit)), ("seat", Seat(self.declarer))
        if seat == self.declarer:
            return self._role_of_declarer()
        if seat == self.partner:
            if self.known:
                return Note("7.7", "You are the partner of {seat}, and everybody knows it.", (who,))
            return Note("2.8", "You hold the other {card}: you are the secret partner of {seat}.", (card, who))
        if self.known and self.partner is None:
            return Note("7.7", "You play against {seat}, who is alone.", (who,))
        if self.known_partner is None:
            return Note("2.8", "You play against {seat}, and against whoever has the other {card}.", (who, card))
        return Note("7.7", "You play against {seat} and {partner}.", (who, ("partner", Seat(self.known_partner))))

    def _role_of_declarer(self) -> Note:
        card = ("card", ace(self.suit))
        if self.partner is None and self.both:
            return Note("2.10", "You are the declarer and play alone against the four others.")
        if self.partner is None:
            return Note("2.13", "You are the declarer and hold both {card}: you play alone.", (card,))
        if self.known:
            return Note("7.7", "You are the declarer, and {seat} is your partner.", (("seat", Seat(self.partner)),))
        return Note("2.8", "You are the declarer. Whoever has the other {card} is your partner.", (card,))


@lru_cache(maxsize=256)
def _teams(sides: Sides, seat: int | None) -> Teams:
    sees_both = seat is not None and seat == (sides.declarer if sides.partner is None else sides.partner)
    if sides.known or sees_both:
        return Teams(sides.few, frozenset(range(PLAYERS)) - sides.few)
    return Teams(_seats(sides.declarer), _seats(seat) - {sides.declarer})


def _seats(*seats: int | None) -> frozenset[int]:
    """Return the given seats without None."""
    return frozenset(seat for seat in seats if seat is not None)
