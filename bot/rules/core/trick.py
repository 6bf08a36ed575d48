"""Combinations in play, and the trick: the pile, the top play's owner, the passes since.

Independent of which combination beats which.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.rules.core.cards import Card, Cards, write


class Combo(NamedTuple):
    """A legal combination of cards: its kind and strength.

    kind: the game's key for the kind, also in its ``names``. head: the card that identifies it among its kind. cards:
    weakest first. level and strength: compared in this order between combinations that can meet.
    """

    kind: str
    head: Card
    cards: Cards
    level: int
    strength: int

    def __str__(self) -> str:
        return f"{self.kind} {write(self.cards)}"


class Move(NamedTuple):
    """One step of a trick.

    A play, a pass (no combo, nothing taken), or taking up the trick (no combo, taken).

    taken: the cards that the seat took from the pile.
    """

    seat: int
    combo: Combo | None
    taken: Cards = ()


class Trick(NamedTuple):
    """The moves since the last lead, oldest first.

    top: the highest play; owner: its seat. passes: the number of passes since the last play, or since all seats were
    asked again. since: the number of first moves whose passes are void.
    """

    moves: tuple[Move, ...] = ()
    top: Combo | None = None
    owner: int | None = None
    passes: int = 0
    since: int = 0

    @property
    def cards(self) -> Cards:
        """Every card lying in the trick, in order of play, without those taken from the pile."""
        lying = list[Card]()
        for _, combo, taken in self.moves:
            if combo is not None:
                lying += combo.cards
            for held in taken:
                lying.remove(held)
        return tuple(lying)

    def played(self, seat: int, combo: Combo, taken: Cards = ()) -> Trick:
        """Return the trick with this play on top.

        taken: the cards that the play takes from the pile.
        """
        return Trick((*self.moves, Move(seat, combo, taken)), combo, seat, 0, self.since)

    def laid(self, seat: int, combo: Combo) -> Trick:
        """Return the trick with this play added below the top play."""
        return Trick((*self.moves, Move(seat, combo)), self.top, self.owner, 0, self.since)

    def taken_up(self) -> Trick:
        """Return the trick after the owner took all its cards."""
        assert self.owner is not None
        return Trick((*self.moves, Move(self.owner, None, self.cards)), self.top, self.owner, self.passes, self.since)

    def passed(self, seat: int) -> Trick:
        """Return the trick with one more pass since the last play."""
        return Trick((*self.moves, Move(seat, None)), self.top, self.owner, self.passes + 1, self.since)

    def asked_again(self) -> Trick:
        """Return the trick with all passes void: every seat is asked once more."""
        return self._replace(passes=0, since=len(self.moves))


EMPTY = Trick()
