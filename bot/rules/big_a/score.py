"""7.3-7.8 and 8. The sides of a hand, and points and payments from sides and places."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.big_a.declarations import ace
from bot.rules.big_a.options import PLAYERS, Options
from bot.rules.big_a.tables import LONE, LOST_BY_DECLARER, LOST_BY_PARTNER, NOTHING, WON, Row
from bot.rules.core.cards import Cards, Suit
from bot.rules.core.game import Result, Teams
from bot.rules.core.sentences import Gain, Note, Seat
from bot.rules.matches.score import apply_stake, fewest_payments


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
        """Return the leader after a finisher's last play stayed on top (7.3-7.6).

        active: the seats with cards.
        """
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
                return Note("7.7", "You're {seat}'s partner, and everyone knows it.", (who,))
            return Note("2.8", "You have the other {card}: you're {seat}'s secret partner.", (card, who))
        if self.known and self.partner is None:
            return Note("7.7", "You play against {seat}, who's on their own.", (who,))
        if self.known_partner is None:
            return Note("2.8", "You play against {seat} and the player with the other {card}.", (who, card))
        return Note("7.7", "You play against {seat} and {partner}.", (who, ("partner", Seat(self.known_partner))))

    def _role_of_declarer(self) -> Note:
        card = ("card", ace(self.suit))
        if self.partner is None and self.both:
            return Note("2.10", "You're the declarer, on your own against the other four.")
        if self.partner is None:
            return Note("2.13", "You're the declarer with both {card}: you play solo.", (card,))
        if self.known:
            return Note("7.7", "You're the declarer, and {seat} is your partner.", (("seat", Seat(self.partner)),))
        return Note("2.8", "You're the declarer. The player with the other {card} is your partner.", (card,))


@lru_cache(maxsize=256)
def _teams(sides: Sides, seat: int | None) -> Teams:
    sees_both = seat is not None and seat == (sides.declarer if sides.partner is None else sides.partner)
    if sides.known or sees_both:
        return Teams(sides.few, frozenset(range(PLAYERS)) - sides.few)
    return Teams(_seats(sides.declarer), _seats(seat) - {sides.declarer})


def _seats(*seats: int | None) -> frozenset[int]:
    """Return the given seats without None."""
    return frozenset(seat for seat in seats if seat is not None)


LAST = PLAYERS
ROW = N_("Declarer: place {first}, {declarer}. Partner: place {second}, {partner}. Each opponent: {opponent}.")
ALONE = N_("{seat} was the declarer and held both Big Aces.")
ALONE_SHOWN = N_("{seat} was the declarer and showed both Big Aces before the first lead.")
PAIR = N_("{seat} was the declarer, and {partner} the partner.")
PAIR_SHOWN = N_("{seat} was the declarer, and {partner} the partner, shown before the first lead.")
LONE_ROW = N_("Declarer: place {first}, {declarer}. Each opponent: {opponent}.")


def row(declarer: int, partner: int) -> Row:
    """Return the basic row for the places of the declarer and the partner, from 1 (8.2)."""
    places = frozenset({declarer, partner})
    if places in WON:
        return WON[places]
    if partner == LAST and declarer in (2, 3):
        return LOST_BY_PARTNER
    if declarer == LAST and partner in (2, 3):
        return LOST_BY_DECLARER
    return NOTHING


def doubled(basic: Row, options: Options) -> Row:
    """Return the row for a partner shown before the first lead (O5)."""
    declarer, partner, opponent = (2 * value for value in basic)
    if options.revealed_scoring == "doubled_shared":
        declarer = partner = (declarer + partner) // 2
    return declarer, partner, opponent


def lone(place: int, *, both: bool) -> Row:
    """Return the row of a declarer without a partner (8.4)."""
    stake = LONE * (1 + both)
    sign = {1: 1, LAST: -1}.get(place, 0)
    return 4 * stake * sign, 0, -stake * sign


def row_of(sides: Sides, order: tuple[int, ...], options: Options) -> Row:
    """Return the scoring row for seats in the order of their places (8.3)."""
    place = order.index(sides.declarer) + 1
    if sides.partner is None:
        return lone(place, both=sides.both)
    basic = row(place, order.index(sides.partner) + 1)
    return doubled(basic, options) if sides.both else basic


def points(sides: Sides, order: tuple[int, ...], options: Options) -> tuple[int, ...]:
    """Return the points of each seat; the sum is 0 (8.5)."""
    declarer, partner, opponent = row_of(sides, order, options)
    special = {sides.partner: partner, sides.declarer: declarer}
    return tuple(special.get(seat, opponent) for seat in range(PLAYERS))


def result(sides: Sides, order: tuple[int, ...], hands: tuple[Cards, ...], options: Options) -> Result:
    """Return the result of a hand. order: all seats by place."""
    made = points(sides, order, options)
    paid = apply_stake(fewest_payments(made), options.stake) if options.stake else ()
    return Result(order, hands, made, payments=paid, notes=_notes(sides, order, options), declarer=sides.declarer)


def _notes(sides: Sides, order: tuple[int, ...], options: Options) -> tuple[Note, ...]:
    """Return the notes on the sides and on the scoring row."""
    declarer, partner, opponent = map(Gain, row_of(sides, order, options))
    who = ("seat", Seat(sides.declarer))
    amounts = (("declarer", declarer), ("partner", partner), ("opponent", opponent))
    first = ("first", order.index(sides.declarer) + 1)
    if sides.partner is None:
        alone = Note("8.4", ALONE_SHOWN if sides.both else ALONE, (who,))
        return alone, Note("8.4", LONE_ROW, (first, *amounts))
    article = "8.2" if not sides.both else "O5.1" if options.revealed_scoring == "doubled_shared" else "O5.2"
    pair = Note("8.3", PAIR_SHOWN if sides.both else PAIR, (who, ("partner", Seat(sides.partner))))
    second = ("second", order.index(sides.partner) + 1)
    return pair, Note(article, ROW, (first, second, *amounts))
