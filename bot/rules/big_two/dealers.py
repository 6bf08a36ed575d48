"""5, C3, C4 and C7. The dealer of a hand, the receiver of the first card, and a starter determined by an earlier hand.

Decided from options, ranks and earlier results, without the cards of the hand itself.
"""

from __future__ import annotations

from bot.rules.big_two.groups import Groups
from bot.rules.big_two.options import Options
from bot.rules.big_two.score import loser
from bot.rules.big_two.tables import DECKS
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import Result

STEPS = {"anticlockwise": 1, "clockwise": -1}


def step(options: Options, number: int) -> int:
    """Return 1 if the hand of this number goes anticlockwise, -1 if clockwise (C1)."""
    if options.direction != "alternate":
        return STEPS[options.direction]
    return STEPS[options.alternate_first] * (1 if number % 2 else -1)


def first_seat(options: Options, dealer: int, cut: Card | None, number: int = 1) -> int:
    """Return the seat of the first card: count from the dealer up to the rank of the cut (5.5, C2, C38.1)."""
    ahead = DECKS[options.deck].natural.index(cut.rank) if cut else 1
    return (dealer + step(options, number) * ahead) % options.players


def drawn_dealer(groups: Groups, draws: Cards) -> int:
    """Return the dealer of a new round: the seat that drew the highest card (C7.2)."""
    return max(range(len(draws)), key=lambda seat: groups.power[draws[seat]])


def new_round(options: Options, number: int) -> bool:
    """Tell whether a round begins with the hand of this number (C7.1)."""
    return (number - 1) % options.round_deals == 0


def leader(options: Options, groups: Groups, past: tuple[Result, ...]) -> int | None:
    """Return the starter of the next hand, None if the lowest card decides (C4)."""
    o, number = options, len(past) + 1
    by_card = o.starter == "low_card" or number == 1 or not past[-1].order
    if by_card or (o.starter == "rounds" and new_round(o, number)):
        return None
    return loser(groups, past[-1]) if o.starter == "first_low_then_loser" else past[-1].order[0]


def next_dealer(options: Options, groups: Groups, dealer: int, past: tuple[Result, ...]) -> int:
    """Return the dealer after these hands (5.2, C3); a draw for the deal takes place later, at the deal."""
    o, last = options, past[-1]
    if not last.order:  # C3.3
        return dealer
    if o.dealer == "loser" or o.starter == "first_low_then_loser":
        return loser(groups, last)
    return (dealer + step(o, 1)) % o.players if o.dealer == "rotate" else last.order[0]
