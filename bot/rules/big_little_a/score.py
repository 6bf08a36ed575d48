"""8. Penalty points for remaining cards and for the little-a trick."""

from __future__ import annotations

from typing import NamedTuple

from bot.rules.big_little_a.groups import BIG_A, JOKER, LITTLE_A, NUMBERS, in_order
from bot.rules.big_little_a.options import Options
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note, Seat
from bot.rules.matches.score import apply_stake, pairwise_payments


class Pile(NamedTuple):
    """The little-a trick in front of its taker (6.9)."""

    seat: int
    cards: Cards


def penalty_in_hand(held: Card, options: Options) -> int:
    """Return the penalty for a card in a hand (8.1, O9.1-O9.3)."""
    prices = {
        JOKER: options.joker_in_hand_points,
        LITTLE_A: options.little_a_in_hand_points,
        BIG_A: options.big_a_in_hand_points,
    }
    return prices.get(held) if held in prices else NUMBERS[held]  # type: ignore[return-value]


def penalty_in_pile(held: Card, options: Options) -> int:
    """Return the penalty for a card in the little-a trick (8.2, O9.4)."""
    return {JOKER: options.joker_in_pile_points, LITTLE_A: 0}.get(held, NUMBERS.get(held, 0))


def of_pile(pile: Pile, options: Options) -> int:
    """Return the penalty of the taker of the little-a trick."""
    return sum(penalty_in_pile(held, options) for held in pile.cards)


def result(hands: tuple[Cards, ...], pile: Pile | None, unused: Cards, options: Options) -> Result:
    """Return the result of a hand: fewest points first. unused: the undealt cards."""
    points = [sum(penalty_in_hand(held, options) for held in hand) for hand in hands]
    notes = []
    if pile:
        cost = of_pile(pile, options)
        points[pile.seat] += cost
        values = (("seat", Seat(pile.seat)), ("cards", pile.cards), ("points", cost))
        notes.append(Note("8.2", "{seat} took the little a: {points} penalty points ({cards}).", values))
    if unused and options.unused_cards == "shown_after_deal":
        notes.append(Note("O8.2", "Nobody was dealt {cards}.", (("cards", in_order(unused)),)))
    order = sorted(range(len(hands)), key=lambda seat: (points[seat], seat))
    paid = apply_stake(pairwise_payments(points), options.stake)
    return Result(tuple(order), hands, tuple(points), payments=paid, notes=tuple(notes), by_points=True)
