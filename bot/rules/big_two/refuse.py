"""Why a play is refused, in a sentence with the article that says so under these options.

Knows how to explain; refuses to decide (legality is in plays.py).
"""

from __future__ import annotations

from bot.rules.big_two.groups import Groups
from bot.rules.big_two.tables import APART, HONOURS, LADDERS, SCHEMES
from bot.rules.cards import Cards, Rank
from bot.rules.combos import by_rank
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo

FLUSHES = {"suit_first": "4.10", "top_card": "C10.2", "all_ranks": "C10.3"}
SIMPLE = {"single": "4.2", "pair": "4.3", "triple": "4.4", "quads_bare": "C14.2", "full_house": "4.11", "quads": "4.12"}
ROYAL = {"royal_flush", "royal_plus_two"}
HIGHER_SEQUENCE = "{tried} does not beat {top}: the higher sequence wins."
SUIT_OF_TWO = "{tried} does not beat {top}: the suit of the two decides."
KIND = "{tried} does not beat {top}, which is of a higher kind."
APART_SENTENCE = "{tried} and {top} do not beat each other here."
WHY = {
    "4.2": "{tried} does not beat {top}: the rank decides, then the suit.",
    "4.3": "{tried} does not beat {top}: the rank decides, then the highest suit of the pair.",
    "4.4": "{tried} does not beat {top}: the rank decides.",
    "4.8": "{tried} does not beat {top}: in equal sequences the suit of the top card decides.",
    "4.10": "{tried} does not beat {top}: suits come first here, then the highest card.",
    "4.11": "{tried} does not beat {top}: the rank of the three decides.",
    "4.12": "{tried} does not beat {top}: the rank of the four decides.",
    "4.13": "{tried} does not beat {top}: the higher sequence wins, then the suit.",
    "4.15": "{tried} does not go on {top}: that takes as many cards, {needed} and not {count}.",
    "C9.9": SUIT_OF_TWO,
    "C9.11": SUIT_OF_TWO,
    "C10.2": "{tried} does not beat {top}: the highest card comes first here, then the suit.",
    "C10.3": "{tried} does not beat {top}: the ranks are compared from the top down, then the suit.",
    "C14.2": "Four of a kind by itself meets only its like: {tried} does not beat {top}.",
    "C15.2": "{tried} does not beat {top}: an honour hand is beaten only by a higher one.",
    "C15.3": "{tried} does not go on {top}: only an honour hand goes on another number of cards.",
    "C17.2": "{tried} does not beat {top}: only the straight flush in it counts.",
    "C19.1": APART_SENTENCE,
}


def article(groups: Groups, tried: Combo, top: Combo) -> str:
    """Return the article that decides between two combinations."""
    o = groups.options
    if tried.kind == top.kind:
        return _of_a_kind(groups, tried, top)
    if not o.full_house_beats_straight and {tried.kind, top.kind} == APART:
        return "C19.1"
    if "quads_bare" in (tried.kind, top.kind):
        return "C14.2"
    if len(tried.cards) == len(top.cards):
        return _of_kinds(groups, tried, top)
    if o.honours_beat != "any":
        return "4.15"
    return "C15.2" if groups.honour(top) else "C15.1" if groups.honour(tried) else "C15.3"


def _of_kinds(groups: Groups, tried: Combo, top: Combo) -> str:
    """4.16, C11: a royal flush, or what changes places with it, has an order of its own."""
    order, kinds = groups.options.five_order, {tried.kind, top.kind}
    apart = kinds & ROYAL or (order == "royal_only_beats_quads" and kinds <= HONOURS)
    return LADDERS[order][1] if apart else "4.16"


def _of_a_kind(groups: Groups, tried: Combo, top: Combo) -> str:
    o = groups.options
    match tried.kind:
        case "flush":
            return FLUSHES[o.flush_rank]
        case "royal_flush":
            return LADDERS[o.five_order][1]
        case "sf_plus_two" | "royal_plus_two":
            return "C17.2"
        case "straight" | "straight_flush":
            return _of_sequences(groups, tried, top)
    return SIMPLE[tried.kind]


def _of_sequences(groups: Groups, tried: Combo, top: Combo) -> str:
    """4.7-4.8 and C9: another level, or the same and then the suit of the card that decides."""
    scheme = SCHEMES[groups.options.straight_scheme][1]
    if tried.strength // 4 != top.strength // 4:
        return scheme if tried.kind == "straight" or scheme != "4.7" else "4.13"
    if groups.by_two(tried):
        return "C9.9" if scheme == "C9.9" else "C9.11"
    return "4.8" if tried.kind == "straight" else "4.13"


def not_higher(groups: Groups, tried: Combo, top: Combo) -> Illegal:
    """Return why this combination cannot be put on that one."""
    number = article(groups, tried, top)
    sentence = WHY.get(number, HIGHER_SEQUENCE if tried.kind == top.kind else KIND)
    if number == "C9.9" and tried.strength // 4 != top.strength // 4:
        sentence = HIGHER_SEQUENCE
    return Illegal(number, sentence, tried=tried, top=top, needed=len(top.cards), count=len(tried.cards))


def not_held(hand: Cards, missing: Cards) -> Illegal:
    """Return why cards cannot be played that are not there, or not twice."""
    if set(missing) <= set(hand):
        return Illegal("2.4", "There is only one {cards} in the pack.", cards=missing)
    return Illegal("6.3", "You do not hold {cards}.", cards=missing)


def no_combination(groups: Groups, tried: Cards) -> Illegal:  # noqa: PLR0911  # a table of cases
    """Return why these cards, weakest first, cannot be played together."""
    o, sizes = groups.options, sorted(map(len, by_rank(tried).values()), reverse=True)
    if not tried:
        return Illegal("6.3", "Choose the cards you want to play.")
    if len(set(tried)) < len(tried):
        return Illegal(
            "2.4",
            "There is only one {cards} in the pack.",
            cards=tuple(sorted({each for each in tried if tried.count(each) > 1}, key=str)),
        )
    match len(tried):
        case 2:
            return Illegal("4.3", "{cards} is no pair: a pair is two cards of one rank.", cards=tried)
        case 3 if sizes == [3]:
            return Illegal("C12.1", "Three of a kind is not played by itself here.")
        case 3:
            article = "4.4" if o.triples else "4.17"
            return Illegal(article, "{cards} is no triple: a triple is three cards of one rank.", cards=tried)
        case 4 if sizes == [4]:
            return Illegal("4.12", "Four of a kind needs a fifth card with it.")
        case 4 if o.quads_form != "kicker":
            return Illegal("C14.1", "{cards} is no four of a kind.", cards=tried)
        case 5:
            return _no_five(groups, tried, sizes)
        case 7 if o.sf_form == "plus_two":
            return Illegal(
                "C17.1", "There is no straight flush in {cards}: seven cards are one with any two more.", cards=tried
            )
    return Illegal("4.1", "{count} cards are no combination here.", count=len(tried))


def _no_five(groups: Groups, tried: Cards, sizes: list[int]) -> Illegal:  # noqa: PLR0911  # a table of cases
    if sizes[0] == 4:
        return Illegal("C14.3", "Four of a kind is played without a fifth card here.")
    if sizes[0] == 3:
        return Illegal("4.17", "Three of a kind with two cards that are no pair cannot be played.")
    if sizes[0] == 2:
        return Illegal("4.17", "{cards} cannot be played: pairs go two cards at a time.", cards=tried)
    ranks = frozenset(each.rank for each in tried)
    if groups.runs(ranks):
        return Illegal("C17.8", "A straight flush is played with two more cards here.")
    if len({each.suit for each in tried}) == 1:
        return Illegal("C13.1", "There are no flushes here.")
    if _wraps(groups, ranks):
        return Illegal("4.9", "{cards} is no straight here.", cards=tried)
    return Illegal("4.5", "{cards} is neither a straight nor a flush nor another five-card combination.", cards=tried)


def _wraps(groups: Groups, ranks: frozenset[Rank]) -> bool:
    """Tell whether five ranks are neighbours if the natural order is bent into a circle."""
    circle = groups.deck.natural * 2
    return any(frozenset(circle[at : at + 5]) == ranks for at in range(len(groups.deck.natural)))
