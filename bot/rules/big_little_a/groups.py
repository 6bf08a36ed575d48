"""1, 3, 4 and 6. The deck, the combinations, and which combination beats which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from bot.domain.message_ids import N_
from bot.rules.core.cards import Card, Cards, card, number_pack
from bot.rules.core.legality import Combinations, Condition
from bot.rules.core.patterns import CombinationRow, Pattern, pattern, sets
from bot.rules.core.sentences import CombinationName, Illegal
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import Combo

PACK: Cards = number_pack()
NUMBERS: Mapping[Card, int] = {card(f"{number}n"): number for number in range(1, 14)}
JOKER, LITTLE_A, BIG_A = card("JK"), card("LA"), card("BA")
A_CARDS = (LITTLE_A, BIG_A)  # the A cards, in the order of their entry into play
DEALT: Cards = tuple(held for held in PACK if held not in A_CARDS)
# For each number of players: cards dealt to each seat, and undealt cards (1.3).
DEAL: Mapping[int, tuple[int, int]] = {
    3: (13, 69),
    4: (13, 56),
    5: (13, 43),
    6: (13, 30),
    7: (13, 17),
    8: (13, 4),
    9: (12, 0),
}
HIGHEST, LOWEST = 14, 1  # strength of a single joker in a normal round (4.2), and in an A round (4.3)
NOUGHT = 0  # strength of an A card in its round (6.1)
POWER: Mapping[Card, int] = {**NUMBERS, JOKER: 14, LITTLE_A: 15, BIG_A: 16}  # the sorted order of a hand
MOST_JOKERS = 4

SETS = ("single", "pair", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank}"), N_("singles"), N_("one {rank}")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("two {rank}s")),
    "three": CombinationName(N_("three {rank}s"), N_("threes of a kind"), N_("three {rank}s")),
    "four": CombinationName(N_("four {rank}s"), N_("fours of a kind"), N_("four {rank}s")),
    "five": CombinationName(N_("five {rank}s"), N_("fives of a kind"), N_("five {rank}s")),
    "six": CombinationName(N_("six {rank}s"), N_("sixes of a kind"), N_("six {rank}s")),
    "seven": CombinationName(N_("seven {rank}s"), N_("sevens of a kind"), N_("seven {rank}s")),
    "eight": CombinationName(N_("eight {rank}s"), N_("eights of a kind"), N_("eight {rank}s")),
    "nine": CombinationName(N_("nine {rank}s"), N_("nines of a kind"), N_("nine {rank}s")),
    "ten": CombinationName(N_("ten {rank}s"), N_("tens of a kind"), N_("ten {rank}s")),
    "eleven": CombinationName(N_("eleven {rank}s"), N_("elevens of a kind"), N_("eleven {rank}s")),
    "twelve": CombinationName(N_("twelve {rank}s"), N_("twelves of a kind"), N_("twelve {rank}s")),
    "joker": CombinationName(N_("a joker"), N_("single jokers")),
    "jokers": CombinationName(N_("a set of jokers"), N_("sets of jokers"), N_("set of jokers")),
    "jokers_as": CombinationName(
        N_("a set of jokers as {rank}s"), N_("jokers as other cards"), N_("jokers as {rank}s"), N_("jokers as {rank}s")
    ),
    "little_a": CombinationName(N_("the little a"), N_("the little a")),
    "big_a": CombinationName(N_("the Big A"), N_("the Big A")),
}


ALONE = {JOKER: "joker", LITTLE_A: "little_a", BIG_A: "big_a"}
BARRED = N_("{card} was taken last round, so you can't lead it yet.")


def rows(*, bare: bool) -> Iterator[CombinationRow]:
    """Yield every kind of play, smaller sizes first.

    bare: whether several jokers may be played alone (O6).
    """
    for size, kind in enumerate(SETS, 1):
        yield CombinationRow(kind, 0, _with_jokers(size))
        if size == 1:
            yield from (CombinationRow(name, 0, sets((POWER[held],), 1)) for held, name in ALONE.items())
        elif bare and size <= MOST_JOKERS:
            yield CombinationRow("jokers", 0, sets((HIGHEST,), size))


def _with_jokers(size: int) -> list[Pattern]:
    """4.1: the sets of a number in one size, fewer jokers first.

    At least one card of a set is no joker.
    """
    most = min(MOST_JOKERS, size - 1)
    return [
        pattern((slot,) * (size - jokers) + (HIGHEST,) * jokers, slot, head=0)
        for slot in NUMBERS.values()
        for jokers in range(most + 1)
    ]


class Groups(Combinations):
    """The combinations of a normal round. jokers: the option for several jokers alone (O6)."""

    is_constant = False  # the lead of an A card begins a round with other rules

    def __init__(self, jokers: str) -> None:
        super().__init__(CombinationTable(rows(bare=jokers != "single_only"), POWER, POWER, single=False))
        self.jokers = jokers

    def above(self, row: CombinationRow, top: Combo) -> int | None:
        """Return the strength that a row must exceed to beat the top (3.3, 5.7).

        None for another number of cards, and for A cards.
        """
        fits = row.size == len(top.cards) and row.kind not in (ALONE[LITTLE_A], ALONE[BIG_A])
        return top.strength if fits else None

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why one play does not beat another in either kind of round, None if it does."""
        if top and set(top) <= set(A_CARDS):
            return in_a_round(tried)
        first, second = self.classify(tried), self.classify(top)
        if first and second and second.kind == "jokers" and self.jokers == "declared":
            sentence = N_("Whether {tried} beats {top} depends on the number named for it.")
            return Illegal("O6.2", sentence, tried=first, top=second)
        return super().compare(tried, top)

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""
        if top.head in A_CARDS:
            return "6.4" if tried.head in A_CARDS else "6.1"
        if tried.head in A_CARDS:
            return "5.7"
        if len(tried.cards) != len(top.cards):
            return "3.3"
        return "4.2" if top.strength == HIGHEST else "3.2"

    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""
        return Illegal("3.1", "You don't have {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return the refusal of cards, weakest first, that make no combination."""
        if not tried:
            return Illegal("3.1", "Pick the cards you want to play.")
        if any(held in A_CARDS for held in tried):
            if JOKER in tried:
                return Illegal("4.4", "A joker can't stand for an A card, which is played on its own.")
            return Illegal("5.7", "An A card is played on its own, and only to lead a round.")
        if tried.count(JOKER) > MOST_JOKERS:
            return Illegal("1.2", "There are only four jokers.")
        if set(tried) == {JOKER}:
            return Illegal("O6.3", "Only one joker can be played without a number here.")
        sentence = N_("{cards} can't be played together: only cards of the same rank can, with or without jokers.")
        return Illegal("3.1", sentence, cards=tried)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return the refusal of a set that does not beat the top."""
        if tried.head in A_CARDS:
            return Illegal("5.7", "You can only lead {tried}: it never beats anything.", tried=tried)
        number = self.article(tried, top)
        if number == "3.3":
            sentence = N_("{tried} doesn't beat {top}: this round needs as many cards as were led.")
        elif number == "4.2":
            sentence = N_("{tried} doesn't beat {top}: nothing is higher than a fourteen.")
        else:
            sentence = N_("{tried} doesn't beat {top}: you need a higher rank.")
        return Illegal(number, sentence, tried=tried, top=top)


class ARound(Groups):
    """The plays of a round led with an A card: any single card, higher or lower (6.2, 6.3)."""

    def __init__(self, jokers: str) -> None:
        super().__init__(jokers)
        self.classify = lambda played: laid(played[0]) if len(played) == 1 else None

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:  # whatever the top
        """Yield the playable cards of a hand, lowest first: every card except A cards (6.2-6.4)."""
        plain = dict.fromkeys(held for held in self.sort(hand) if held not in A_CARDS)
        return iter(sorted(map(laid, plain), key=lambda combo: combo.strength))

    def leads(self, hand: Cards) -> Iterator[Iterator[Combo]]:
        """Yield the playable cards as a single kind."""
        yield self.over(hand, None)

    def refused(self, tried: Combo, top: Combo | None) -> Illegal | None:  # whatever the top
        """Return the refusal of a card, None if legal."""
        return in_a_round(tried.cards)

    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""
        return Illegal("6.2", "You don't have {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return the refusal of anything but one playable card."""
        refused = in_a_round(tried)
        assert refused
        return refused


def in_a_round(played: Cards) -> Illegal | None:
    """Return the reason why cards cannot be played in an A round, or None (6.2-6.4)."""
    if any(held in A_CARDS for held in played):
        return Illegal("6.4", "You can't play an A card in an A-round someone else led.")
    if len(played) != 1:
        return Illegal("6.2", "In an A-round, everyone plays one card, not {count}.", count=len(played))
    return None


def free_to_lead(barred: Cards) -> tuple[Condition, ...]:
    """Return the conditions on a lead while these A cards are barred (5.8)."""

    def refused(combo: Combo) -> Illegal | None:
        return Illegal("5.8", BARRED, card=combo.head) if combo.head in barred else None

    return (refused,) if barred else ()


def laid(held: Card) -> Combo:
    """Return the combination of a card in an A round (6.1, 4.3)."""
    strength = NOUGHT if held in A_CARDS else LOWEST if held is JOKER else POWER[held]
    return Combo(ALONE.get(held, "single"), held, (held,), 0, strength)


def named(jokers: Cards, rank: Card) -> Combo:
    """Return several jokers with the declared rank.

    The joker itself means the highest rank (O6.2).
    """
    kind = "jokers" if rank is JOKER else "jokers_as"
    return Combo(kind, rank, jokers, 0, POWER[rank])


def in_order(held: Cards) -> Cards:
    """Return the cards weakest first."""
    return tuple(sorted(held, key=POWER.__getitem__))


@lru_cache(maxsize=8)
def groups(jokers: str, *, a_round: bool = False) -> Groups:
    """Return the combinations of one kind of round, by the option for several jokers; cached."""
    return ARound(jokers) if a_round else Groups(jokers)
