"""8. Payments for places or cards, chops, remaining cards, and seats without a play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note, Seat
from bot.rules.core.trick import Combo, Trick
from bot.rules.matches.score import apply_stake, nets_of
from bot.rules.tien_len.groups import ALL, LINE, ON_TURN, PACK, POWER, RED, TWOS, Groups, in_a_row
from bot.rules.tien_len.options import Options

Hands: TypeAlias = tuple[Cards, ...]
Order: TypeAlias = tuple[int, ...]
Paid: TypeAlias = tuple[int, int, int, Note | None]  # payer, payee, units, and the note on the payment

AT_ONCE, NOT_PLAYED, FOUR, THREE_PAIRS = 4, 3, 4, 3  # units (8.2-8.5)
PLACES = {4: ((3, 0, 2), (2, 1, 1)), 3: ((2, 0, 2),), 2: ((1, 0, 1),)}  # O13.1: payer, payee, units; places from 0
CHOPPED = N_("{seat} pays {other} for the chop of {cards}: {units}.")
ROTTEN = N_("{seat} pays {other} for {cards} left in hand: {units}.")
FROZEN = N_("{seat} never played a card and pays {other} for that: {units}.")
FOR_ALL = N_("{seat} let {other}'s last card through and pays for everyone: {units}.")
DOUBLED = Note("O13.4", "The winner went out with just {card} and is paid double.", (("card", PACK[0]),))


class TienLenEnding(NamedTuple):
    """A finished hand.

    left: the cards of each seat. order: the seats by place. idle: the frozen seats. charged: by the seat that went out,
    the seat that pays for all (8.8). doubled: whether the winner is paid double (O13.4).
    """

    left: Hands
    order: Order
    idle: Order = ()
    charged: Mapping[int, int] = {}  # never mutated
    doubled: bool = False


def result(groups: Groups, ended: TienLenEnding, tricks: Iterable[Trick], said: Iterable[Note] = ()) -> Result:
    """Return the result of a hand.

    tricks: with their chops to pay; said: notes on other events.
    """
    options, winner = groups.options, ended.order[0]
    frozen = (_noted("8.4", FROZEN, seat, winner, units=NOT_PLAYED) for seat in ended.idle)
    owed = [*_for_the_end(ended, options), *_for_what_is_left(ended.left, ended.order, options), *frozen]
    chops = _for_chops(tricks, groups) if options.chop_pay else ()
    paid = [*chops, *_charged(owed, ended.charged)]
    notes = (*said, *([DOUBLED] if ended.doubled else []), *(note for *_, note in paid if note))
    points = nets_of((payment[:3] for payment in paid), len(ended.left))
    owing = apply_stake((payment[:3] for payment in paid), options.stake)
    return Result(ended.order, ended.left, points, payments=owing, notes=notes, apart=True)


def is_doubled(options: Options, last: Combo | None) -> bool:
    """Tell whether the winner is paid double.

    last: the play with which the winner went out, if any (O13.4).
    """
    return options.last_three_doubles and last is not None and last.cards == PACK[:1]


def _charged(owed: list[Paid], charged: Mapping[int, int]) -> Iterator[Paid]:
    """8.8: yield the payments, with all payments to some seats made by a single seat.

    charged: the paying seat, by the paid one.
    """
    yield from (payment for payment in owed if payment[1] not in charged)
    for payee, payer in charged.items():
        if units := sum(payment[2] for payment in owed if payment[1] == payee):
            yield _noted("8.8", FOR_ALL, payer, payee, units=units, decides=True)


def at_once(winner: int, hands: Hands, note: Note, options: Options) -> Result:
    """Return the result of a hand won at once: the losers share the last place (7.2, 8.5)."""
    others = [seat for seat in range(len(hands)) if seat != winner]
    paid = [(seat, winner, AT_ONCE) for seat in others]
    return Result(
        (winner, *others), hands, nets_of(paid, len(hands)), payments=apply_stake(paid, options.stake), notes=(note,)
    )


def _noted(
    article: str, sentence: str, payer: int, payee: int, *, units: int, cards: Cards = (), decides: bool = False
) -> Paid:
    values = (("seat", Seat(payer)), ("other", Seat(payee)), ("cards", cards), ("units", units))
    return payer, payee, units, Note(article, sentence, values, decides)


def _for_the_end(ended: TienLenEnding, options: Options) -> Iterator[Paid]:
    """O13: by places, by remaining cards, or a fixed amount; double for the winner if earned."""
    winner = ended.order[0]
    for payer, payee, units in _plain_end(ended, options):
        yield payer, payee, units * (2 if ended.doubled and payee == winner else 1), None


def _plain_end(ended: TienLenEnding, options: Options) -> Iterator[tuple[int, int, int]]:
    order = ended.order
    match options.scoring:
        case "places":
            return ((order[payer], order[payee], units) for payer, payee, units in PLACES[len(order)])
        case "winner":
            return ((seat, order[0], options.winner_units) for seat in order[1:])
    counts = ((seat, len(ended.left[seat])) for seat in order[1:])
    return ((seat, order[0], count * (1 + (count >= 10) + (count >= 13))) for seat, count in counts)


def _for_chops(tricks: Iterable[Trick], groups: Groups) -> Iterator[Paid]:
    """8.2, O16.1: yield the payments for chops; only chops follow a chop in a trick.

    The last chopped seat pays for all, or each for its own.
    """
    for trick in tricks:
        plays = [(move.seat, move.combo) for move in trick.moves if move.combo]
        chops = [(one, other) for one, other in pairwise(plays) if other[1].kind in groups.chopping]
        if groups.options.chop_chain == "each":
            for (payer, chopped), (payee, _) in chops:
                yield _noted("O16.1", CHOPPED, payer, payee, units=worth(chopped), cards=chopped.cards)
        elif chops:
            cards = tuple(held for (_, chopped), _ in chops for held in chopped.cards)
            units = sum(worth(chopped) for (_, chopped), _ in chops)
            yield _noted("8.2", CHOPPED, plays[-2][0], plays[-1][0], units=units, cards=cards)


def worth(combo: Combo) -> int:
    """Return the units for a chopped play (8.2)."""
    long = combo.kind == "four" or len(combo.cards) > ON_TURN
    return FOUR if long else THREE_PAIRS if combo.kind == "double_sequence" else of_twos(combo.cards)


def of_twos(held: Cards) -> int:
    """Return the units for the twos among cards."""
    return sum(2 if card.suit in RED else 1 for card in held if POWER[card] >= TWOS)


def _for_what_is_left(left: Hands, order: Order, options: Options) -> Iterator[Paid]:
    """8.3: yield the last seat's payment to the seat before it.

    O14.1: if the first to go out ends the hand, each seat pays the winner.
    """
    ended = options.play_on == "first"
    payers, payee, article = (order[1:], order[0], "O14.1") if ended else (order[-1:], order[-2], "8.3")
    for seat in payers if options.rotten else ():
        units, cards = rotten(left[seat], runs=options.double_sequences)
        if units:
            yield _noted(article, ROTTEN, seat, payee, units=units, cards=cards)


def rotten(hand: Cards, *, runs: bool) -> tuple[int, Cards]:
    """Return the units to pay for the remaining cards, and those cards.

    runs: whether double sequences exist (8.3).
    """
    counts = Counter(POWER[held] // 4 for held in hand)
    fours = [rank for rank in LINE if counts[rank] == 4]
    long = [part for part in in_a_row([rank for rank in LINE if counts[rank] in (2, 3)]) if runs and len(part) > 2]
    counted = {ALL[-1], *fours, *chain.from_iterable(long)}
    cards = tuple(held for held in hand if POWER[held] // 4 in counted)
    return of_twos(hand) + FOUR * len(fours) + THREE_PAIRS * len(long), cards
