"""Why a play is refused, in a sentence with the article that says so.

Knows how to explain; refuses to decide (legality is in plays.py).
"""

from __future__ import annotations

from bot.rules.big_little_a.tables import HIGHEST, JOKER, MEAN, MOST_JOKERS
from bot.rules.cards import Cards
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo


def not_held(missing: Cards, *, a_round: bool) -> Illegal:
    """Return why cards cannot be played that are not there."""
    return Illegal("6.2" if a_round else "3.1", "You do not hold {cards}.", cards=missing)


def in_a_round(played: Cards) -> Illegal | None:
    """Return why this cannot be played in an A round, or None (6.2-6.4)."""
    if any(held in MEAN for held in played):
        return Illegal("6.4", "An A card cannot be played in an A round that another has led.")
    if len(played) != 1:
        return Illegal("6.2", "In an A round everybody plays one card, not {count}.", count=len(played))
    return None


def no_set(tried: Cards) -> Illegal:
    """Return why these cards, weakest first, cannot be played together."""
    if not tried:
        return Illegal("3.1", "Choose the cards you want to play.")
    if any(held in MEAN for held in tried):
        if JOKER in tried:
            return Illegal("4.4", "A joker never stands for an A card, which is played alone.")
        return Illegal("5.7", "An A card is played alone, and only to lead a round.")
    if len(tried) > MOST_JOKERS and set(tried) == {JOKER}:
        return Illegal("1.2", "There are only four jokers.")
    if set(tried) == {JOKER}:
        return Illegal("O6.3", "Only one joker can be played without a number here.")
    return Illegal(
        "3.1", "{cards} cannot be played together: only cards of one rank can, with or without jokers.", cards=tried
    )


def named_first(tried: Combo, top: Combo) -> Illegal:
    """Return why it cannot be told whether this goes on bare jokers."""
    return Illegal("O6.2", "Whether {tried} beats {top} depends on the number that was named for them.",
                   tried=tried, top=top)  # fmt: skip


def not_led(tried: Combo) -> Illegal:
    """Return why an A card cannot be put on anything."""
    return Illegal("5.7", "{tried} can only be led: it never goes on anything.", tried=tried)


def not_higher(tried: Combo, top: Combo) -> Illegal:
    """Return why this set cannot be put on that one."""
    if tried.head in MEAN:
        return not_led(tried)
    number = article(tried, top)
    if number == "3.3":
        sentence = "{tried} does not go on {top}: this round is played with as many cards as were led."
        return Illegal(number, sentence, tried=tried, top=top)
    if number == "4.2":
        return Illegal(number, "{tried} does not beat {top}: nothing is higher than a fourteen.", tried=tried, top=top)
    return Illegal(number, "{tried} does not beat {top}: to raise takes a higher rank.", tried=tried, top=top)


def article(tried: Combo, top: Combo) -> str:
    """Return the article that says whether the one may be put on the other."""
    if top.head in MEAN:
        return "6.4" if tried.head in MEAN else "6.1"
    if tried.head in MEAN:
        return "5.7"
    if len(tried.cards) != len(top.cards):
        return "3.3"
    return "4.2" if top.strength == HIGHEST else "3.2"
