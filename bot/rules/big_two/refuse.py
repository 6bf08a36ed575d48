"""Why a play is refused, in a sentence with its article.

Knows how to explain; refuses to decide (legality is in play.py).
"""

from __future__ import annotations

from bot.rules.cards import Cards, Rank
from bot.rules.combos import by_rank
from bot.rules.game import Combo, Illegal

WHY_NOT_HIGHER = {
    "single": ("4.2", "{tried} does not beat {top}: the rank decides, then the suit."),
    "pair": ("4.3", "{tried} does not beat {top}: the rank decides, then the highest suit of the pair."),
    "triple": ("4.4", "{tried} does not beat {top}: the rank decides."),
    "straight": ("4.8", "{tried} does not beat {top}: the higher sequence wins, then the suit of its top card."),
    "flush": ("4.10", "{tried} does not beat {top}: the suit decides first, then the highest card."),
    "full_house": ("4.11", "{tried} does not beat {top}: the rank of the three decides."),
    "quads": ("4.12", "{tried} does not beat {top}: the rank of the four decides."),
    "straight_flush": ("4.13", "{tried} does not beat {top}: the higher sequence wins, then the suit."),
}


def not_held(hand: Cards, missing: Cards) -> Illegal:
    """Return why cards cannot be played that are not there, or not twice."""
    if set(missing) <= set(hand):
        return Illegal("2.1", "There is only one {cards} in the pack.", cards=missing)
    return Illegal("6.3", "You do not hold {cards}.", cards=missing)


def not_higher(tried: Combo, top: Combo) -> Illegal:
    """Return why this combination cannot be put on that one."""
    if len(tried.cards) != len(top.cards):
        sentence = "{top} lies there, so it takes as many cards: {needed}, not {count}."
        return Illegal("4.15", sentence, top=top, needed=len(top.cards), count=len(tried.cards))
    if tried.level < top.level:
        return Illegal("4.16", "{tried} does not beat {top}, which is of a higher kind.", tried=tried, top=top)
    article, sentence = WHY_NOT_HIGHER[tried.kind]
    return Illegal(article, sentence, tried=tried, top=top)


def no_combination(tried: Cards) -> Illegal:
    """Return why these cards, weakest first, cannot be played together."""
    sizes = sorted(map(len, by_rank(tried).values()), reverse=True)
    match len(tried):
        case 0:
            return Illegal("6.3", "Choose the cards you want to play.")
        case 2:
            return Illegal("4.3", "{cards} is no pair: a pair is two cards of one rank.", cards=tried)
        case 3:
            return Illegal("4.4", "{cards} is no triple: a triple is three cards of one rank.", cards=tried)
        case 4 if sizes == [4]:
            return Illegal("4.12", "Four of a kind needs a fifth card with it.")
        case 5:
            return _no_five(tried, sizes)
    return Illegal("4.1", "Only one, two, three or five cards can be played together, not {count}.", count=len(tried))


def _no_five(tried: Cards, sizes: list[int]) -> Illegal:
    if sizes[0] == 3:
        return Illegal("4.17", "Three of a kind with two cards that are no pair cannot be played.")
    if sizes[0] == 2:
        return Illegal("4.17", "{cards} cannot be played: pairs go two cards at a time.", cards=tried)
    ranks = {each.rank for each in tried}
    if _wraps(ranks):
        return Illegal("4.9", "{cards} is no straight: a sequence does not run round the corner.", cards=tried)
    return Illegal("4.5", "{cards} is neither a straight nor a flush nor another five-card combination.", cards=tried)


def _wraps(ranks: set[Rank]) -> bool:
    """Tell whether five ranks are neighbours only if the order A 2 3 ... K is bent into a circle."""
    circle = "A23456789TJQK" * 2
    return any(set(circle[at : at + 5]) == ranks for at in range(13))
