"""Why a play is refused, in a sentence with the article that says so.

Knows how to explain; refuses to decide (legality is in plays.py).
"""

from __future__ import annotations

from bot.rules.a_bao.groups import FIRST_BOMB, FOURS, Groups, same
from bot.rules.cards import Cards, Rank
from bot.rules.combos import by_rank
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo

OF_KIND = {"single": "6.1", "pair": "6.2", "sequence": "6.3", "double_sequence": "6.4"}
EQUAL = "{tried} does not beat {top}: equal cards do not beat each other."
HIGHER = "{tried} does not beat {top}, which ranks higher."
APART = "{tried} does not go on {top}: that takes the same kind of play, with as many cards, or a bomb."
NO_BOMB = "{tried} does not beat {top}: only a higher bomb beats a bomb."
FOUR = "{tried} does not beat {top}: four of a kind is higher than any triplet."


def not_held(missing: Cards) -> Illegal:
    """Return why cards cannot be played that are not there."""
    return Illegal("7.2", "You do not hold {cards}.", cards=missing)


def not_higher(groups: Groups, tried: Combo, top: Combo) -> Illegal:
    """Return why this combination cannot be put on that one."""
    return Illegal(article(groups, tried, top), _why(tried, top), tried=tried, top=top)


def article(groups: Groups, tried: Combo, top: Combo) -> str:
    """Return the article that says whether the one may be put on the other."""
    for combo in (tried, top):
        if combo.kind == "top_three":
            return "O3.2" if groups.deck.top_three is Rank.ACE else "O12.2"
    if tried.level >= FIRST_BOMB or top.level >= FIRST_BOMB:
        return "6.6" if FOURS in (tried.level, top.level) else "6.5"
    return OF_KIND[tried.kind] if same(tried, top) else "6.11"


def _why(tried: Combo, top: Combo) -> str:
    if top.level >= FIRST_BOMB > tried.level:
        return NO_BOMB
    if top.level == FOURS > tried.level >= FIRST_BOMB:
        return FOUR
    if tried.level < FIRST_BOMB and not same(tried, top):
        return APART
    return EQUAL if tried.strength == top.strength else HIGHER


def no_combination(_groups: Groups, tried: Cards) -> Illegal:
    """Return why these cards, weakest first, cannot be played together."""
    counts = {rank: len(group) for rank, group in by_rank(tried).items()}
    if not tried:
        return Illegal("7.2", "Choose the cards you want to play.")
    if len(tried) == 2:
        return Illegal("6.2", "{cards} is no pair: a pair is two cards of one rank.", cards=tried)
    copies = set(counts.values())
    if copies not in ({1}, {2}):
        return Illegal("6.10", "{cards} cannot be played together.", cards=tried)
    if Rank.ACE in counts:
        return Illegal("6.8", "{cards} cannot be played together: there are no aces in sequences.", cards=tried)
    if {Rank.SEVEN, Rank.NINE} <= counts.keys():
        return Illegal("6.7", "{cards} cannot be played together: seven and nine are not neighbours.", cards=tried)
    number = OF_KIND["sequence" if copies == {1} else "double_sequence"]
    return Illegal(number, "{cards} cannot be played together: the ranks are not neighbours.", cards=tried)
