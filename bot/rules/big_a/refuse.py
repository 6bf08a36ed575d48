"""Why a play is refused, in a sentence with the article that says so.

Knows how to explain; refuses to decide (legality is in plays.py).
"""

from __future__ import annotations

from bot.rules.big_a.groups import ALL, COPIES, FIRST_BOMB, SHORTEST, Groups, same
from bot.rules.big_a.tables import JOKERS, KINDS_OF_SET, SINGLES
from bot.rules.cards import Cards, Rank
from bot.rules.combos import by_rank
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo

EQUAL = "{tried} does not beat {top}: equal cards do not beat each other."
ORDER = {"single": "1.6", "pair": "1.7", "sequence": "3.9", "double_sequence": "3.10"}
HIGHER = {
    "1.6": "{tried} does not beat {top}, which ranks higher.",
    "1.7": "{tried} does not beat {top}, which ranks higher.",
    "3.9": "{tried} does not beat {top}: the sequence that goes up higher wins.",
    "3.10": "{tried} does not beat {top}: the sequence that goes up higher wins.",
}
NO_TRIPLET = "{tried} does not beat {top}: a triplet beats no joker, no single Big Ace and no double sequence."
BIG_ACE = "{tried} does not beat {top}: a single Big Ace takes five of a kind or better."
NO_BOMB = "{tried} does not beat {top}: only a higher bomb beats a bomb, and a set of fours takes one card more."
HIGHER_BOMB = "{tried} does not beat {top}, which is the higher bomb."
JOKER = "{cards}: a joker is played alone or with other jokers, never with other cards."
APART = "{tried} does not go on {top}: that takes the same kind of play, with as many cards, or a bomb."


def not_held(missing: Cards) -> Illegal:
    """Return why cards cannot be played that are not there."""
    return Illegal("6.2", "You do not hold {cards}.", cards=missing)


def not_higher(groups: Groups, tried: Combo, top: Combo) -> Illegal:
    """Return why this combination cannot be put on that one."""
    number = article(groups, tried, top)
    return Illegal(number, _why(number, tried, top), tried=tried, top=top)


def article(groups: Groups, tried: Combo, top: Combo) -> str:
    """Return the article that says whether the one may be put on the other."""
    if groups.captures(tried, top):
        return "5.1"
    if max(tried.level, top.level) < FIRST_BOMB:
        return _of_ordinary(tried, top)
    if tried.level < FIRST_BOMB:
        return "4.16"
    if top.level < FIRST_BOMB:
        return _of_bomb(groups, tried, top)
    if tried.kind != top.kind:
        return _ladder(groups)
    return "4.17" if tried.strength == top.strength else _rank(tried)


def _of_ordinary(tried: Combo, top: Combo) -> str:
    if not same(tried, top):
        return ORDER[tried.kind] if tried.kind == top.kind else "6.2"
    if tried.strength == top.strength:
        return "3.2"
    return ORDER["single" if tried.kind in SINGLES else tried.kind]


def _of_bomb(groups: Groups, bomb: Combo, top: Combo) -> str:
    """4.2-4.5: which bombs beat what."""
    if bomb.kind == "triplet":
        return "4.2" if groups.beats(bomb, top) else "4.3"
    return "4.4" if bomb.kind == "four" else "4.5"


def _rank(bomb: Combo) -> str:
    if bomb.kind in KINDS_OF_SET:
        return "4.6"
    return {"two_jokers": "4.8", "triplet_sequence": "4.9", "fake_eight": "4.10"}.get(bomb.kind, "O3.3")


def _ladder(groups: Groups) -> str:
    return "O3.2" if groups.shape.ladder == "homygames" else "O3.1"


def _why(number: str, tried: Combo, top: Combo) -> str:
    if number in ("3.2", "4.17"):
        return EQUAL
    if number == "4.3":
        return NO_TRIPLET
    if number == "4.4" and top.level < FIRST_BOMB <= tried.level:
        return BIG_ACE
    if top.level >= FIRST_BOMB > tried.level:
        return NO_BOMB
    if top.level >= FIRST_BOMB:
        return HIGHER_BOMB
    return HIGHER.get(number, APART) if same(tried, top) else APART


def no_combination(groups: Groups, tried: Cards) -> Illegal:
    """Return why these cards, weakest first, cannot be played together."""
    counts = {rank: len(group) for rank, group in by_rank(tried).items()}
    if not tried:
        return Illegal("6.2", "Choose the cards you want to play.")
    if any(rank in JOKERS for rank in counts):
        return Illegal("3.7", JOKER, cards=tried)
    if len(tried) == 2:
        return Illegal("3.3", "{cards} is no pair: a pair is two cards of one rank.", cards=tried)
    sizes = set(counts.values())
    if len(counts) == ALL and counts[Rank.ACE] == 2 * min(sizes) and groups.shape.longest == ALL:
        return Illegal("O10.2", "A sequence has thirteen ranks at most here: the ace is not at both ends.")
    if len(sizes) == 1:
        return _not_neighbours(tried, len(counts), sizes.pop())
    return Illegal("3.11", "{cards} cannot be played together.", cards=tried)


def _not_neighbours(tried: Cards, ranks: int, copies: int) -> Illegal:
    """Equally many of each rank, but too few ranks, or not neighbours, or no kind of bomb here."""
    if copies > len(COPIES):
        return Illegal("3.11", "{cards} is no bomb that is played here.", cards=tried)
    if ranks < SHORTEST:
        return Illegal("3.10", "{cards} is too short: a double sequence has three pairs or more.", cards=tried)
    article = "3.6" if copies == 1 else "3.10"
    return Illegal(article, "{cards} cannot be played together: the ranks are not neighbours.", cards=tried)
