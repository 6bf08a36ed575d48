"""8. Settling: who pays whom, for places or cards, for chops, for what is left, and for not having played.

Knows how a hand ended and what lay in its tricks. Refuses to know how it came about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import TypeAlias

from bot.rules.cards import Cards
from bot.rules.game import Result
from bot.rules.score import nets_of
from bot.rules.sentences import Note, Seat
from bot.rules.tien_len.groups import ALL, LINE, ON_TURN, POWER, RED, TWOS, Groups, in_a_row
from bot.rules.tien_len.options import Options
from bot.rules.trick import Combo, Trick

Hands: TypeAlias = tuple[Cards, ...]
Order: TypeAlias = tuple[int, ...]
Paid: TypeAlias = tuple[int, int, int, Note | None]  # who pays whom how many units, and what is said of it

AT_ONCE, NOT_PLAYED, FOUR, THREE_PAIRS = 4, 3, 4, 3  # units (8.2-8.5)
PLACES = {4: ((3, 0, 2), (2, 1, 1)), 3: ((2, 0, 2),), 2: ((1, 0, 1),)}  # O13.1: which place pays which, and how much
CHOPPED = "{seat} pays {other} for the chop of {cards}: {units}."
ROTTEN = "{seat} pays {other} for {cards}, left in hand: {units}."
FROZEN = "{seat} has not played a card and pays {other} for that: {units}."


def result(groups: Groups, left: Hands, order: Order, tricks: Iterable[Trick], idle: Order, said: list[Note]) -> Result:
    """Return how a hand ended. order: the seats by place; idle: who is frozen; said: what else is told of it."""
    options, frozen = groups.options, (_noted("8.4", FROZEN, seat, order[0], NOT_PLAYED) for seat in idle)
    chops = _for_chops(tricks, groups.chopping) if options.chop_pay else ()
    paid = [*_for_the_end(left, order, options), *chops, *_for_what_is_left(left, order, options), *frozen]
    notes = (*said, *(note for *_, note in paid if note))
    points = nets_of((payment[:3] for payment in paid), len(left))
    return Result(order, left, points, (), notes, apart=True)


def at_once(winner: int, hands: Hands, note: Note) -> Result:
    """Return how a hand ended that was won at once: all others share the last place (7.2, 8.5)."""
    others = [seat for seat in range(len(hands)) if seat != winner]
    points = nets_of(((seat, winner, AT_ONCE) for seat in others), len(hands))
    return Result((winner, *others), hands, points, (), (note,))


def _noted(article: str, sentence: str, payer: int, payee: int, units: int, cards: Cards = ()) -> Paid:
    values = (("seat", Seat(payer)), ("other", Seat(payee)), ("cards", cards), ("units", units))
    return payer, payee, units, Note(article, sentence, values)


def _for_the_end(left: Hands, order: Order, options: Options) -> Iterator[Paid]:
    """O13: by places, or by the cards left."""
    if options.scoring == "places":
        return ((order[payer], order[payee], units, None) for payer, payee, units in PLACES[len(order)])
    counts = ((seat, len(left[seat])) for seat in order[1:])
    return ((seat, order[0], count * (1 + (count >= 10) + (count >= 13)), None) for seat, count in counts)


def _for_chops(tricks: Iterable[Trick], chopping: tuple[str, ...]) -> Iterator[Paid]:
    """8.2: in a trick, after a chop only chops follow; the last one chopped pays for all that were."""
    for trick in tricks:
        plays = [(move.seat, move.combo) for move in trick.moves if move.combo]
        chopped = [one for (_, one), (_, other) in pairwise(plays) if other.kind in chopping]
        if chopped:
            cards = tuple(held for combo in chopped for held in combo.cards)
            yield _noted("8.2", CHOPPED, plays[-2][0], plays[-1][0], sum(map(worth, chopped)), cards)


def worth(combo: Combo) -> int:
    """Return what a play is worth that is chopped (8.2)."""
    long = combo.kind == "four" or len(combo.cards) > ON_TURN
    return FOUR if long else THREE_PAIRS if combo.kind == "double_sequence" else of_twos(combo.cards)


def of_twos(held: Cards) -> int:
    """Return what the twos among cards are worth."""
    return sum(2 if card.suit in RED else 1 for card in held if POWER[card] >= TWOS)


def _for_what_is_left(left: Hands, order: Order, options: Options) -> Iterator[Paid]:
    """8.3: the last pays the seat before, and where the first ends the hand everybody pays the winner."""
    payers, payee = (order[1:], order[0]) if options.play_on == "first" else (order[-1:], order[-2])
    for seat in payers if options.rotten else ():
        units, cards = rotten(left[seat], runs=options.double_sequences)
        if units:
            yield _noted("8.3", ROTTEN, seat, payee, units, cards)


def rotten(hand: Cards, *, runs: bool) -> tuple[int, Cards]:
    """Return what has to be paid for in a hand, and those cards. runs: whether there are double sequences (8.3)."""
    counts = Counter(POWER[held] // 4 for held in hand)
    fours = [rank for rank in LINE if counts[rank] == 4]
    long = [part for part in in_a_row([rank for rank in LINE if counts[rank] in (2, 3)]) if runs and len(part) > 2]
    counted = {ALL[-1], *fours, *chain.from_iterable(long)}
    cards = tuple(held for held in hand if POWER[held] // 4 in counted)
    return of_twos(hand) + FOUR * len(fours) + THREE_PAIRS * len(long), cards
