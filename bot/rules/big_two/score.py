"""7. Scoring: the points of a hand in each scheme, and the payments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.big_two.groups import Groups
from bot.rules.big_two.options import BANDS, Options, Table
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note, Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.score import pairwise_payments

Points = tuple[int, ...]
Payments = tuple[tuple[int, int, int], ...]

SPECIAL, TWO, PLAIN = {"quads": -20}, -10, -5  # C37.1, C37.3
STRAIGHT_FLUSH, FOUR_TWOS = -40, -80
WHOLE_HAND = 13  # from this number of cards on all seats pay the same (C28.2)
INDONESIA = ((1, 1), (11, 2), (13, 3))  # C37.5
PAYS_FOR_ALL = N_("{seat} let the last card through and pays for everyone!")
LOSES = N_("{seat} loses this hand.")
SCORES = N_("{seat} gets {points} for {combo}.")


class BigTwoEnding(NamedTuple):
    """A finished hand.

    order: as in Result, never empty. starter: the seat that made the first play. final: the winner's last combination,
    None for a dragon. specials: (seat, combination), played and not beaten. charged: the seat that pays for all (8.4).
    chips: of each seat before this hand, empty without chips.
    """

    options: Options
    groups: Groups
    left: tuple[Cards, ...]
    order: tuple[int, ...]
    starter: int = 0
    final: Combo | None = None
    specials: tuple[tuple[int, Combo], ...] = ()
    charged: int | None = None
    chips: tuple[int, ...] = ()

    @property
    def winner(self) -> int:
        """The first seat that went out."""
        return self.order[0]

    @property
    def losers(self) -> list[int]:
        """The seats except the winner."""
        return [seat for seat in range(len(self.left)) if seat != self.winner]

    def twos(self, held: Iterable[Card]) -> int:
        """Return the number of twos among cards."""
        return sum(card.rank == self.groups.deck.ranks[-1] for card in held)


def score(end: BigTwoEnding) -> Result:
    """Return the result of a hand (C26.3)."""
    points = SCHEMES[end.options.scoring](end)
    notes = _notes(end)
    if end.charged is None:
        return Result(end.order, end.left, points, payments=_paid(end, points), notes=notes)
    charged = sum(points)  # 8.4
    points = tuple(charged if seat == end.charged else 0 for seat in range(len(points)))
    return Result(end.order, end.left, points, payments=_charged(end, points), notes=notes)


def _charged(end: BigTwoEnding, points: Points) -> Payments:
    """8.4: settled like any points, or paid to the winner alone.

    The winner gets the highest points, or the winner's claims by difference.
    """
    assert end.charged is not None
    o = end.options
    if o.settlement == "none" or (o.pay_all_basis == "points" and o.settlement != "difference_banded"):
        return _paid(end, points)
    by_difference = sum(due for _, payee, due in _by_difference(end, points) if payee == end.winner)
    due = by_difference if o.settlement == "difference_banded" else max(points)
    return _in_units(end, points, ((end.charged, end.winner, due),))


def _notes(end: BigTwoEnding) -> tuple[Note, ...]:
    notes = []
    if end.options.scoring == "indonesia":
        notes = [
            Note("C37.1", SCORES, (("seat", Seat(seat)), ("points", _special(end, combo)), ("combo", combo)))
            for seat, combo in end.specials
        ]
    if end.options.scoring == "taiwan_loser":
        notes = [Note("C34.2", LOSES, (("seat", Seat(taiwan_loser(end))),))]
    if end.charged is not None:
        notes.append(Note("8.4", PAYS_FOR_ALL, (("seat", Seat(end.charged)),), decides=True))
    return tuple(notes)


# The scoring schemes (C26.1): the points of every seat


def of_band(bands: Table, count: int) -> int:
    """Return the points a card for this number of cards.

    The last band is open-ended (C27, C42.1).
    """
    return next((points for start, points in reversed(bands) if count >= start), 0)


def _cards(end: BigTwoEnding) -> Points:
    """7.1, C27: points for each remaining card."""
    o = end.options
    bands = BANDS[o.bands] if isinstance(o.bands, str) else o.bands
    if o.settlement == "difference_banded":  # C32.1: bands apply to the difference only
        return tuple(map(len, end.left))

    def plain(seat: int) -> int:
        count = len(end.left[seat])
        most = {"all": 0, "starter_only": count, "starter_below_13": WHOLE_HAND - 1}[o.bands_for]  # C28
        once = seat != end.starter and count <= most
        return count * (1 if once else of_band(bands, count))

    return _doubled(end, plain)


def _card_values(end: BigTwoEnding) -> Points:
    """C33: the remaining cards by their values."""
    o = end.options

    def plain(seat: int) -> int:
        held = end.left[seat]
        doubled = o.value_double_at is not None and len(held) >= o.value_double_at
        return sum(_value(end, card) for card in held) * (1 + doubled)

    return _doubled(end, plain)


def _value(end: BigTwoEnding, held: Card) -> int:
    place, scale = end.groups.deck.ranks.index(held.rank), end.options.value_scale
    if isinstance(scale, tuple):
        return scale[place]
    if scale == "ladder":
        return place + 1
    above = len(end.groups.deck.ranks) - 1 - place
    return {0: 4, 1: 3}.get(above, 2 if held.rank in "JQK" else 1)


def _doubled(end: BigTwoEnding, plain: Callable[[int], int]) -> Points:
    """C29: doubled for each remaining two.

    C30: doubled if the winner's last play was all twos.
    """
    final = end.final.cards if end.options.final_twos_double and end.final else ()
    times = 2 if final and end.twos(final) == len(final) else 1
    twos_double = end.options.two_in_hand_doubles
    return tuple(
        0 if seat == end.winner else plain(seat) * times * (2 ** end.twos(held) if twos_double else 1)
        for seat, held in enumerate(end.left)
    )


def _indonesia(end: BigTwoEnding) -> Points:
    """C37: special combinations, the winner's last play, and the losers' remaining cards."""
    points = [0] * len(end.left)
    for seat, combo in end.specials:
        points[seat] += _special(end, combo)
    if end.final and not (end.options.indonesia_finish == "replace" and (end.winner, end.final) in end.specials):
        points[end.winner] += TWO * end.twos(end.final.cards) or PLAIN
    for seat in end.losers:
        held = end.left[seat]
        points[seat] += (len(held) + 4 * end.twos(held)) * of_band(INDONESIA, len(held))
    return tuple(points)


def _special(end: BigTwoEnding, combo: Combo) -> int:
    """C37.1, C37.2: doubled for the last play of the hand."""
    plain = SPECIAL.get(combo.kind, STRAIGHT_FLUSH)
    if combo.kind == "quads" and end.twos(combo.cards) == 4:
        plain = FOUR_TWOS
    return plain * (1 + (combo == end.final))


def _taiwan(end: BigTwoEnding) -> Points:
    """C34.1: one loser."""
    loser = taiwan_loser(end)
    return tuple(int(seat == loser) for seat in range(len(end.left)))


def taiwan_loser(end: BigTwoEnding) -> int:
    """Return the single loser (C34.2).

    By honour hand, then by two or ace, by number of cards, by highest card.
    """
    honours = {seat: best for seat in end.losers if (best := end.groups.best_honour(end.left[seat]))}
    if honours:
        return max(honours, key=lambda seat: (honours[seat].level, honours[seat].strength))
    big = end.groups.deck.ranks[-2:]

    def rank(seat: int) -> tuple[int, int, int]:
        power = [end.groups.power[card] for card in end.left[seat]]
        top = max((end.groups.power[card] for card in end.left[seat] if card.rank in big), default=-1)
        return top, len(power), max(power, default=-1)

    return max(end.losers, key=rank)


def _pusoy_dos(end: BigTwoEnding) -> Points:
    """C35.1: doubled for each two in the winner's last play."""
    won = 2 ** end.twos(end.final.cards if end.final else ())
    return tuple(won if seat == end.winner else 0 for seat in range(len(end.left)))


def _places(end: BigTwoEnding) -> Points:
    """C36.1: by the order of going out; fewer players take the last entries."""
    worth = end.options.paid_places
    place = {seat: at for at, seat in enumerate(end.order)}
    return tuple(worth[place.get(seat, -1)] for seat in range(len(end.left)))


SCHEMES: Mapping[str, Callable[[BigTwoEnding], Points]] = {
    "cards": _cards,
    "card_values": _card_values,
    "indonesia": _indonesia,
    "taiwan_loser": _taiwan,
    "pusoy_dos": _pusoy_dos,
    "places": _places,
}


# The settlements (C26.2): the payments between seats


def _paid(end: BigTwoEnding, points: Points) -> Payments:
    """Return (payer, payee, amount) in units; empty without a stake (7.5, C46)."""
    return _in_units(end, points, SETTLEMENTS[end.options.settlement](end, points))


def _in_units(end: BigTwoEnding, points: Points, owed: Payments) -> Payments:
    """C44.6, C46: multiplied by the stake, and limited to the available chips."""
    stake = end.options.stake
    ways = ((payer, payee, due) if due > 0 else (payee, payer, -due) for payer, payee, due in owed)
    dues = tuple((payer, payee, due * stake) for payer, payee, due in ways if due * stake)
    return _from_chips(end, points, dues) if end.chips else dues


def _by_difference(end: BigTwoEnding, _: Points) -> Payments:
    """C32: by the difference in cards, and the band of that difference."""
    counts = [len(held) for held in end.left]
    pairs = ((a, b, counts[a] - counts[b]) for a, b in permutations(range(len(counts)), 2))
    return tuple((a, b, more * of_band(end.options.diff_bands, more)) for a, b, more in pairs if more > 0)


def _from_chips(end: BigTwoEnding, points: Points, dues: Payments) -> Payments:
    """C44.6: payments are limited to the payer's chips.

    The seat with the best score is paid first.
    """
    purse, paid, sign = list(end.chips), [], -1 if end.options.positive else 1
    for payer, payee, due in sorted(dues, key=lambda debt: (sign * points[debt[1]], debt[1])):
        amount = min(due, purse[payer])
        purse[payer] -= amount
        if amount:
            paid.append((payer, payee, amount))
    return tuple(paid)


SETTLEMENTS: Mapping[str, Callable[[BigTwoEnding, Points], Payments]] = {
    "pairwise": lambda end, points: pairwise_payments(points, positive=end.options.positive),
    "winner_only": lambda end, points: tuple((seat, end.winner, points[seat]) for seat in end.losers),
    "difference_banded": _by_difference,
    "loser_pays": lambda end, _: ((taiwan_loser(end), end.winner, 1),),
    "none": lambda _end, _points: (),
}


def loser(groups: Groups, result: Result) -> int:
    """Return the loser of a hand (C5).

    The last seat out; without a complete order the seat with most cards, in a tie the one with the poorest combination.
    """
    if len(result.order) == len(result.left):
        return result.order[-1]
    others = [seat for seat in range(len(result.left)) if seat != result.order[0]]
    most = max(len(result.left[seat]) for seat in others)
    tied = [seat for seat in others if len(result.left[seat]) == most]

    def poverty(seat: int) -> tuple[int, int, int]:
        best = groups.largest(result.left[seat])
        return len(best.cards), best.level, best.strength

    return min(tied, key=poverty) if len(tied) > 1 else tied[0]
