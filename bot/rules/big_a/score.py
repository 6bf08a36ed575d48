"""8. Scoring: points and payments from the sides and places of a hand."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.big_a.options import PLAYERS, Options
from bot.rules.big_a.sides import Sides
from bot.rules.big_a.tables import LONE, LOST_BY_DECLARER, LOST_BY_PARTNER, NOTHING, WON, Row
from bot.rules.core.cards import Cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Gain, Note, Seat
from bot.rules.matches.payments import apply_stake, fewest_payments

LAST = PLAYERS
ROW = N_("Places {first} and {second}: declarer {declarer}, partner {partner}, each opponent {opponent}.")
ALONE = N_("{seat} was the declarer and held both Big Aces.")
ALONE_SHOWN = N_("{seat} was the declarer and showed both Big Aces before the first lead.")
PAIR = N_("{seat} was the declarer, and {partner} the partner.")
PAIR_SHOWN = N_("{seat} was the declarer, and {partner} the partner, shown before the first lead.")
LONE_ROW = N_("Place {first}: declarer {declarer}, each opponent {opponent}.")


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
