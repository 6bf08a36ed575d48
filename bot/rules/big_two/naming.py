"""4.1-4.14 and C8-C17. What cards are, under any options.

Knows the combinations of Big Two and how high each is among its kind. Refuses to know which kind beats which.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from bot.rules.big_two.tables import DECKS, LADDERS, SEVEN, Ranks, straights
from bot.rules.cards import Card, Cards, Rank, Suit
from bot.rules.combos import by_rank, by_suit
from bot.rules.trick import Combo

Spec = tuple[int, int]  # number of cards, and place on the ladder


class Run(NamedTuple):
    """A straight that there is. place: its level, from 0. rising: its ranks, that of the deciding suit last (4.8)."""

    ranks: Ranks
    place: int
    rising: Ranks
    royal: bool


class Shape(NamedTuple):
    """The options that decide which combinations there are and what beats what; their meaning is theirs (C8-C19)."""

    deck: str
    suit_order: str
    triples: bool
    flushes: bool
    quads_form: str
    sf_form: str
    bare_suited_run: str
    straight_scheme: str
    promoted_two_decides: bool
    flush_rank: str
    five_order: str
    full_house_beats_straight: bool
    honours_beat: str


def _specs(o: Shape) -> Iterator[tuple[str, Spec]]:
    """Yield the kinds there are, singles first (4.1, 4.5, C11-C14, C17)."""
    yield from {"single": (1, 0), "pair": (2, 0)}.items()
    if o.triples:
        yield "triple", (3, 0)
    if o.quads_form != "kicker":
        yield "quads_bare", (4, 0)
    absent = {"flush": not o.flushes, "quads": o.quads_form == "bare"}
    for level, plain in enumerate(LADDERS[o.five_order][0]):
        if not absent.get(plain):
            name = SEVEN.get(plain, plain) if o.sf_form == "plus_two" else plain
            yield name, (7 if name in SEVEN.values() else 5, level)


class Naming:
    """What any cards are under one choice of the options, told once and remembered.

    power: the place of each card among all (2.4). specs: the kinds there are.
    """

    def __init__(self, options: Shape) -> None:
        self.options = options
        self.deck = DECKS[options.deck]
        self._width = len(self.deck.ranks)
        self._suit = {Suit(letter): at for at, letter in enumerate(options.suit_order)}
        self._place = {rank: at for at, rank in enumerate(self.deck.ranks)}
        self.power = {held: self._place[held.rank] * 4 + self._suit[held.suit] for held in self.deck.cards}
        self.specs = dict(_specs(options))
        self._levels = self._in_levels()
        self._run = {frozenset(run.ranks): run for level in self._levels for run in level}
        # What cards are, in any order, or None; never two things (4.19). A pack makes fewer than 20,000 plays (4.18).
        self.classify = lru_cache(maxsize=1 << 15)(self._classify)
        self.runs = cache(self._runs)
        self.singles = {held: Combo("single", held, (held,), 0, self.power[held]) for held in self.power}

    def _in_levels(self) -> tuple[tuple[Run, ...], ...]:
        """4.7-4.8, C9: the straights from low to high."""
        levels, promoted = straights(self.deck, self.options.straight_scheme), self.options.promoted_two_decides
        ace, two = self.deck.natural[:2]
        top = (*self.deck.natural[-4:], ace)
        highest = levels.index((top,))

        def as_run(run: Ranks, place: int) -> Run:
            by_two = two in run and (len(levels[place]) > 1 or (promoted and place > highest))
            decider = two if by_two else run[-1]
            return Run(run, place, (*(rank for rank in run if rank != decider), decider), run == top)

        return tuple(tuple(as_run(run, place) for run in level) for place, level in enumerate(levels))

    def _classify(self, played: Cards) -> Combo | None:
        """Answer ``classify``: what these cards are, in any order, or None."""
        return self._named(self.sort(played)) if len(set(played)) == len(played) else None

    def sort(self, held: Cards) -> Cards:
        """Return the cards weakest first (2.4)."""
        return tuple(sorted(held, key=self.power.__getitem__))

    def _named(self, held: Cards) -> Combo | None:  # noqa: PLR0911  # a table of cases
        match len(held), len({each.rank for each in held}):
            case 1, _:
                return self.singles[held[0]]
            case 2, 1:
                return Combo("pair", held[-1], held, 0, self.power[held[-1]])
            case 3, 1:
                return self._made("triple", held[-1], held, self.rank(held[-1]))
            case 4, 1:
                return self._made("quads_bare", held[-1], held, self.rank(held[-1]))
            case 5, 2:
                return self._set_of_five(held)
            case 5, 5:
                return self._run_or_flush(held)
            case 7, _:
                return self._seven(held)
        return None

    def _made(self, name: str, head: Card, held: Cards, strength: int) -> Combo | None:
        """Return the combination where these options have that kind."""
        spec = self.specs.get(name)
        return None if spec is None else Combo(name, head, held, spec[1], strength)

    def _set_of_five(self, held: Cards) -> Combo | None:
        """A full house or four of a kind: five cards of two ranks are always one of them (4.11, 4.12)."""
        most, fewest = sorted(by_rank(held).values(), key=len, reverse=True)
        name = "quads" if len(most) == 4 else "full_house"
        return self._made(name, most[-1], most + fewest, self.rank(most[-1]))

    def _run_or_flush(self, held: Cards) -> Combo | None:
        """A straight, a flush, both, or nothing (4.6-4.10, 4.13, C17.4)."""
        suited = len({each.suit for each in held}) == 1
        run = self._run.get(frozenset(each.rank for each in held))
        if run is None:
            return self._flush(held) if suited else None
        if suited and self.options.sf_form == "five":
            return self._suited(run, held)
        if suited and self.options.bare_suited_run == "illegal":
            return None
        if suited and self.options.flushes:
            return self._flush(held)
        ordered = in_order(held, run)
        return self._made("straight", ordered[-1], ordered, self._run_strength(run, held))

    def _flush(self, held: Cards) -> Combo | None:
        """4.10, C10: the suit first, the top card first, or all ranks from the top; held is weakest first."""
        top, suit = held[-1], self._suit[held[0].suit]
        match self.options.flush_rank:
            case "suit_first":
                strength = suit * self._width + self.rank(top)
            case "top_card":
                strength = self.power[top]
            case "all_ranks":
                strength = suit + 4 * sum(self.rank(each) * self._width**at for at, each in enumerate(held))
        return self._made("flush", top, held, strength)

    def _suited(self, run: Run, held: Cards, extras: Cards = ()) -> Combo | None:
        """A straight flush, or a royal one where that is a kind of its own (4.13, C11.4, C17.2)."""
        ordered = in_order(held, run)
        royal = run.royal and self.options.five_order != "standard"
        name = "royal_flush" if royal else "straight_flush"
        name = SEVEN[name] if self.options.sf_form == "plus_two" else name
        return self._made(name, ordered[-1], ordered + extras, self._run_strength(run, held))

    def _seven(self, held: Cards) -> Combo | None:
        """C17.1, C17.2: the best straight flush among seven cards, with the two others."""
        if self.options.sf_form != "plus_two" or not (suits := self.long_suits(held)):
            return None
        within = by_rank(suits[0])
        found = [run for level in self.runs(frozenset(within)) for run in level]
        if not found:
            return None
        royal_first = self.options.five_order != "standard"
        best = max(found, key=lambda run: (royal_first and run.royal, run.place))
        five = tuple(within[rank][0] for rank in best.ranks)
        return self._suited(best, five, tuple(each for each in held if each not in five))

    def _run_strength(self, run: Run, held: Cards) -> int:
        decider = next(each for each in held if each.rank == run.rising[-1])
        return run.place * 4 + self._suit[decider.suit]

    def rank(self, held: Card) -> int:
        """Return the place of a card's rank, from 0 for the lowest (2.2)."""
        return self._place[held.rank]

    def high(self, five: Cards) -> int:
        """Return how high a straight is, from its cards."""
        return self._run_strength(self._run[frozenset(each.rank for each in five)], five)

    def long_suits(self, hand: Cards) -> list[Cards]:
        """Return the hand's suits of five cards and more, lowest suit first."""
        suits = by_suit(hand)
        return [suits[suit] for suit in self._suit if suit in suits and len(suits[suit]) >= 5]

    def _runs(self, held: frozenset[Rank]) -> tuple[tuple[Run, ...], ...]:
        """Return the straights that can be made of these ranks, level by level upward."""
        found = (tuple(run for run in level if held.issuperset(run.ranks)) for level in self._levels)
        return tuple(level for level in found if level)

    def by_two(self, sequence: Combo) -> bool:
        """Tell whether the two decides between straights of the same ranks (C9.9, C9.11)."""
        run = self._run[frozenset(each.rank for each in sequence.cards)]
        return run.rising != run.ranks


def in_order(held: Cards, run: Run) -> Cards:
    """Return the cards of a straight from the bottom of the sequence to its top."""
    return tuple(sorted(held, key=lambda each: run.ranks.index(each.rank)))
