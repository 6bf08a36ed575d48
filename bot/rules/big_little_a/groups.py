"""3, 4 and 6. What cards are together, what goes on what, and in which words a play is refused.

A play stands here for all plays of the same cards, for equal cards are the same. Knows the options of the jokers, and
the two kinds of rounds. Refuses to know whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.rules.big_little_a.tables import (
    BIG_A,
    HIGHEST,
    JOKER,
    LITTLE_A,
    LOWEST,
    MEAN,
    MOST_JOKERS,
    NOUGHT,
    NUMBERS,
    POWER,
    SETS,
)
from bot.rules.core.cards import Card, Cards
from bot.rules.core.legality import Combinations, Condition
from bot.rules.core.patterns import Pattern, Row, pattern, sets
from bot.rules.core.sentences import Illegal
from bot.rules.core.shapes import Table
from bot.rules.core.trick import Combo

ALONE = {JOKER: "joker", LITTLE_A: "little_a", BIG_A: "big_a"}
BARRED = "{card} was taken in the round before, so it cannot be led yet."


def rows(*, bare: bool) -> Iterator[Row]:
    """Yield every kind of play, a few cards before many. bare: whether several jokers go alone (O6)."""
    for size, kind in enumerate(SETS, 1):
        yield Row(kind, 0, _with_jokers(size))
        if size == 1:
            yield from (Row(name, 0, sets((POWER[held],), 1)) for held, name in ALONE.items())
        elif bare and size <= MOST_JOKERS:
            yield Row("jokers", 0, sets((HIGHEST,), size))


def _with_jokers(size: int) -> list[Pattern]:
    """4.1: so many of a number, of which jokers may be all but one; few jokers before many."""
    most = min(MOST_JOKERS, size - 1)
    return [
        pattern((slot,) * (size - jokers) + (HIGHEST,) * jokers, slot, head=0)
        for slot in NUMBERS.values()
        for jokers in range(most + 1)
    ]


class Groups(Combinations):
    """What cards are in a normal round. jokers: the option that says what several alone are (O6)."""

    steady = False  # an A card that is led begins a round of another kind

    def __init__(self, jokers: str) -> None:
        super().__init__(Table(rows(bare=jokers != "single_only"), POWER, POWER, single=False))
        self.jokers = jokers

    def above(self, row: Row, top: Combo) -> int | None:
        """Return the strength over which a row goes on what lies there: as many cards, but no A card (3.3, 5.7)."""
        fits = row.size == len(top.cards) and row.kind not in (ALONE[LITTLE_A], ALONE[BIG_A])
        return top.strength if fits else None

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why some cards may not be put on others, whatever kind of round these make, or None."""
        if top and set(top) <= set(MEAN):
            return in_a_round(tried)
        first, second = self.classify(tried), self.classify(top)
        if first and second and second.kind == "jokers" and self.jokers == "declared":
            sentence = "Whether {tried} beats {top} depends on the number that was named for them."
            return Illegal("O6.2", sentence, tried=first, top=second)
        return super().compare(tried, top)

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article that says whether the one may be put on the other."""
        if top.head in MEAN:
            return "6.4" if tried.head in MEAN else "6.1"
        if tried.head in MEAN:
            return "5.7"
        if len(tried.cards) != len(top.cards):
            return "3.3"
        return "4.2" if top.strength == HIGHEST else "3.2"

    def not_held(self, missing: Cards) -> Illegal:
        """Return why cards cannot be played that are not there."""
        return Illegal("3.1", "You do not hold {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return why these cards, weakest first, cannot be played together."""
        if not tried:
            return Illegal("3.1", "Choose the cards you want to play.")
        if any(held in MEAN for held in tried):
            if JOKER in tried:
                return Illegal("4.4", "A joker never stands for an A card, which is played alone.")
            return Illegal("5.7", "An A card is played alone, and only to lead a round.")
        if tried.count(JOKER) > MOST_JOKERS:
            return Illegal("1.2", "There are only four jokers.")
        if set(tried) == {JOKER}:
            return Illegal("O6.3", "Only one joker can be played without a number here.")
        sentence = "{cards} cannot be played together: only cards of one rank can, with or without jokers."
        return Illegal("3.1", sentence, cards=tried)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return why this set cannot be put on that one."""
        if tried.head in MEAN:
            return Illegal("5.7", "{tried} can only be led: it never goes on anything.", tried=tried)
        number = self.article(tried, top)
        if number == "3.3":
            sentence = "{tried} does not go on {top}: this round is played with as many cards as were led."
        elif number == "4.2":
            sentence = "{tried} does not beat {top}: nothing is higher than a fourteen."
        else:
            sentence = "{tried} does not beat {top}: to raise takes a higher rank."
        return Illegal(number, sentence, tried=tried, top=top)


class ARound(Groups):
    """What cards are in a round led with an A card: one goes on anything, whether it is higher or not (6.2, 6.3)."""

    def __init__(self, jokers: str) -> None:
        super().__init__(jokers)
        self.classify = lambda played: laid(played[0]) if len(played) == 1 else None

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:  # it makes no difference
        """Yield what a hand can play, lowest first: any card but an A card (6.2-6.4)."""
        plain = dict.fromkeys(held for held in self.sort(hand) if held not in MEAN)
        return iter(sorted(map(laid, plain), key=lambda combo: combo.strength))

    def leads(self, hand: Cards) -> Iterator[Iterator[Combo]]:
        """Yield what a hand can play first, which is of one kind."""
        yield self.over(hand, None)

    def refused(self, tried: Combo, top: Combo | None) -> Illegal | None:  # it makes no difference
        """Return why a card may not be played, or None where it may."""
        return in_a_round(tried.cards)

    def not_held(self, missing: Cards) -> Illegal:
        """Return why cards cannot be played that are not there."""
        return Illegal("6.2", "You do not hold {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return why these are not the one card that is asked for."""
        refused = in_a_round(tried)
        assert refused
        return refused


def in_a_round(played: Cards) -> Illegal | None:
    """Return why this cannot be played in an A round, or None (6.2-6.4)."""
    if any(held in MEAN for held in played):
        return Illegal("6.4", "An A card cannot be played in an A round that another has led.")
    if len(played) != 1:
        return Illegal("6.2", "In an A round everybody plays one card, not {count}.", count=len(played))
    return None


def free_to_lead(barred: Cards) -> tuple[Condition, ...]:
    """Return what is asked of a play where A cards cannot be led yet (5.8)."""

    def refused(combo: Combo) -> Illegal | None:
        return Illegal("5.8", BARRED, card=combo.head) if combo.head in barred else None

    return (refused,) if barred else ()


def laid(held: Card) -> Combo:
    """Return what a card is in an A round (6.1, 4.3)."""
    strength = NOUGHT if held in MEAN else LOWEST if held is JOKER else POWER[held]
    return Combo(ALONE.get(held, "single"), held, (held,), 0, strength)


def named(jokers: Cards, rank: Card) -> Combo:
    """Return bare jokers as what the player says (O6.2); the joker itself stands for the highest."""
    kind = "jokers" if rank is JOKER else "jokers_as"
    return Combo(kind, rank, jokers, 0, POWER[rank])


def in_order(held: Cards) -> Cards:
    """Return the cards weakest first."""
    return tuple(sorted(held, key=POWER.__getitem__))


@lru_cache(maxsize=8)
def groups(jokers: str, *, a_round: bool = False) -> Groups:
    """Return what cards are in one kind of round, by the option of bare jokers; made once."""
    return ARound(jokers) if a_round else Groups(jokers)
