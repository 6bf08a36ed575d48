"""Combinations that are played, and a trick: what lies on the pile, who played, who passed since, when it ends.

Knows order and succession; refuses to know what beats what.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.rules.core.cards import Card, Cards, write


class Combo(NamedTuple):
    """A legal combination of cards: what it is and how high.

    kind: the game's name for it, a key of its ``names``. head: the card that tells it from others of its kind.
    cards: weakest first. level and strength: compared in this order between combinations that can meet.
    """

    kind: str
    head: Card
    cards: Cards
    level: int
    strength: int

    def __str__(self) -> str:
        return f"{self.kind} {write(self.cards)}"


class Move(NamedTuple):
    """One step of a trick: what a seat played, or None where it passed.

    taken: what it took from the pile for that; without a play it took up the whole trick.
    """

    seat: int
    combo: Combo | None
    taken: Cards = ()


class Trick(NamedTuple):
    """The moves since the last lead, oldest first.

    top: the highest play among them; owner: whose it is. passes: since the last play, or since all were asked again.
    since: of how many of the moves the passes are void.
    """

    moves: tuple[Move, ...] = ()
    top: Combo | None = None
    owner: int | None = None
    passes: int = 0
    since: int = 0

    @property
    def cards(self) -> Cards:
        """Every card that lies in this trick, in the order it was played; those that were taken do not."""
        lying = list[Card]()
        for _, combo, taken in self.moves:
            if combo is not None:
                lying += combo.cards
            for held in taken:
                lying.remove(held)
        return tuple(lying)

    def played(self, seat: int, combo: Combo, taken: Cards = ()) -> Trick:
        """Return the trick with this play on top. taken: the cards that it takes from the pile."""
        return Trick((*self.moves, Move(seat, combo, taken)), combo, seat, 0, self.since)

    def laid(self, seat: int, combo: Combo) -> Trick:
        """Return the trick with this play in it, under what is on top."""
        return Trick((*self.moves, Move(seat, combo)), self.top, self.owner, 0, self.since)

    def taken_up(self) -> Trick:
        """Return the trick with all its cards taken by the owner."""
        assert self.owner is not None
        return Trick((*self.moves, Move(self.owner, None, self.cards)), self.top, self.owner, self.passes, self.since)

    def passed(self, seat: int) -> Trick:
        """Return the trick with one more pass since the last play."""
        return Trick((*self.moves, Move(seat, None)), self.top, self.owner, self.passes + 1, self.since)

    def asked_again(self) -> Trick:
        """Return the trick with all passes void, so that everybody is asked once more."""
        return self._replace(passes=0, since=len(self.moves))


EMPTY = Trick()
