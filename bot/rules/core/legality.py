"""The legal plays of a hand and the reasons for refusals, once for every game.

A play must be held, form a combination, beat the top, and meet the game's further conditions, in this order; the first
failing condition is the reason given. Suggestions come from the same relation. Independent of games and other hands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import chain, islice
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import SUITS, Card, Cards, Suit, missing_cards
from bot.rules.core.game import Plays, View
from bot.rules.core.patterns import CombinationRow
from bot.rules.core.sentences import Illegal
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import Combo

Condition: TypeAlias = Callable[[Combo], Illegal | None]


class Combinations(ABC):
    """The combinations of a game under its options, which one beats which, and refusals.

    is_constant: whether the relation stays the same for the whole hand, independent of the lead.
    """

    is_constant: ClassVar[bool] = True

    def __init__(self, table: CombinationTable) -> None:
        self.table = table
        self.sort, self.power = table.sort, table.power
        self.classify: Callable[[Cards], Combo | None] = table.classify
        self._reached: dict[tuple[str, int, int], Mapping[tuple[str, int], tuple[CombinationRow, int]]] = {}
        self.most = {row.key: table.most(row) for row in table.rows}

    # For each game to implement

    @abstractmethod
    def above(self, row: CombinationRow, top: Combo) -> int | None:
        """Return the strength that a row must exceed to beat the top.

        -1 if every pattern does, None if none does.
        """

    @abstractmethod
    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""

    @abstractmethod
    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""

    @abstractmethod
    def no_combination(self, tried: Cards) -> Illegal:
        """Return the refusal of cards, weakest first, that make no combination."""

    @abstractmethod
    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return the refusal of a combination that does not beat the top."""

    # Derived

    def lacking(self, hand: Cards, played: Cards) -> Illegal | None:
        """Return the refusal of cards missing from the hand, None if the hand contains all cards."""
        missing = missing_cards(hand, played)
        return self.not_held(missing) if missing else None

    def reach(self, top: Combo) -> Mapping[tuple[str, int], tuple[CombinationRow, int]]:
        """Return each row that can beat the top, with the strength it must exceed.

        The keys are kind and number of cards.
        """
        key = top.kind, len(top.cards), top.strength
        found = self._reached.get(key)
        if found is None:
            reached = ((row, self.above(row, top)) for row in self.table.rows)
            found = self._reached[key] = {row.key: (row, least) for row, least in reached if least is not None}
        return found

    @cached_property
    def bombs(self) -> frozenset[str]:
        """The kinds that beat combinations with another number of cards."""
        highest = [self.table.sample(row) for row in self.table.rows]
        pairs = ((row, top) for row in self.table.rows for top in highest if row.size != len(top.cards))
        return frozenset(row.kind for row, top in pairs if self.above(row, top) is not None)

    def captures(self, tried: Combo, top: Combo) -> bool:  # in most games none does
        """Tell whether a combination takes the top without beating it."""
        return False

    def fewest(self, top: Combo) -> int | None:
        """Return the minimum number of cards that can beat the top, None if no combination can."""
        ways = self.reach(top).values()
        return min((row.size for row, least in ways if self.most[row.key] > least), default=None)

    def can_follow(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first combination may be played on the second."""
        found = self.reach(top).get((tried.kind, len(tried.cards)))
        return found is not None and tried.strength > found[1]

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield the plays of a sorted hand on the top, weakest first within each size.

        top: None for the leads.
        """
        find, size = self.table.find, len(hand)
        if top is None:
            return chain.from_iterable(self.leads(hand))
        ways = self.reach(top).values()
        if len(ways) == 1:
            [(row, least)] = ways
            return find(row, hand, least)
        return chain.from_iterable(find(row, hand, least) for row, least in ways if row.size <= size)

    def leads(self, hand: Cards) -> Iterator[Iterator[Combo]]:
        """Yield the possible leads of a hand: each kind in each size separately, weakest first."""
        return (self.table.find(row, hand) for row in self.table.rows if row.size <= len(hand))

    def refused(self, tried: Combo, top: Combo | None) -> Illegal | None:
        """Return the refusal of a combination on this top, or as a lead; None if legal."""
        return self.not_higher(tried, top) if top and not self.can_follow(tried, top) else None

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return the reason why one set of cards does not beat another, None if it does."""
        first, second = self.classify(tried), self.classify(top)
        if first is None or second is None:
            return self.no_combination(self.sort(top if first else tried))
        return self.refused(first, second)


def must_contain(must: Card, article: str) -> Condition:
    """Return the condition that the first play of a hand contains a card, by this article."""

    def refused(combo: Combo) -> Illegal | None:
        missing = must not in combo.cards
        return Illegal(article, "The first play of the hand must include {card}.", card=must) if missing else None

    return refused


G = TypeVar("G", bound=Combinations)


@dataclass(slots=True)
class LegalPlays(Plays, Generic[G]):
    """The legal plays of a hand on ``top`` (None: as a lead).

    own: the game's further conditions on a play at this moment, in the order of its articles.
    """

    groups: G
    hand: Cards = field(repr=False)
    top: Combo | None
    own: tuple[Condition, ...] = ()

    def __iter__(self) -> Iterator[Combo]:
        found = self.groups.over(self.hand, self.top)
        return (combo for combo in found if self._refusal(combo) is None) if self.own else found

    def verify(self, played: Cards) -> Combo:
        """Return the combination that these cards make.

        Raises Illegal with the article that forbids the play.
        """
        if refused := self.groups.lacking(self.hand, played):
            raise refused
        combo = self.groups.classify(played)
        if combo is None:
            raise self.groups.no_combination(self.groups.sort(played))
        refused = self.groups.refused(combo, self.top)
        if refused or (self.own and (refused := self._refusal(combo))):
            raise refused
        return combo

    def ready(self, count: int) -> list[Combo]:
        """Return suggestions: the weakest play of each kind for a lead, else the weakest plays."""
        return self.first(count) if self.top else list(islice(self._weakest_of_each_kind(), count))

    def _weakest_of_each_kind(self) -> Iterator[Combo]:
        """Yield one play of each kind, in its smallest size; single cards count as one kind."""
        told = set[str]()
        for plays in self.groups.leads(self.hand):
            weakest = next((combo for combo in plays if self._refusal(combo) is None), None)
            if weakest and (kind := weakest.kind if weakest.cards[1:] else "") not in told:
                told.add(kind)
                yield weakest

    def _refusal(self, combo: Combo) -> Illegal | None:
        return next((refused for condition in self.own if (refused := condition(combo))), None)


class CombinationRules:
    """Rules in which cards make the same combination at every moment."""

    groups: Any  # the combinations of the game; set by each game
    has_auto_pass_option: ClassVar[bool] = False  # whether an option of the game controls automatic passes
    calls_tricks_rounds: ClassVar[bool] = False
    may_pass: ClassVar[bool] = True

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Pickle as the constructor's arguments: the other process builds its combinations once."""
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)  # type: ignore[arg-type]

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination that these cards make, or None."""
        found: Combo | None = self.groups.classify(played)
        return found

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return the reason why one set of cards does not beat another, None if it does."""
        refused: Illegal | None = self.groups.compare(tried, top)
        return refused

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""
        number: str = self.groups.article(tried, top)
        return number

    def bomb(self, combo: Combo) -> bool:
        """Tell whether a combination's kind also beats combinations with another number of cards."""
        return combo.kind in self.groups.bombs

    def captures(self, tried: Combo, top: Combo) -> bool:
        """Tell whether a combination takes the top without beating it."""
        taken: bool = self.groups.captures(tried, top)
        return taken

    def is_provably_unbeatable(self, count: int, top: Combo) -> bool:
        """Tell whether public information proves that ``count`` cards cannot beat the top.

        Always False in rules with automatic passes, which skip such a hand themselves.
        """
        size = len(top.cards)
        if self.has_auto_pass_option or (size <= count and top.strength < self.groups.most[top.kind, size]):
            return False
        fewest: int | None = self.groups.fewest(top)
        return fewest is None or count < fewest

    def alike(self, played: Cards) -> tuple[str, ...]:
        """Return the names of the cards in sorted order: only equal cards are interchangeable."""
        return tuple(sorted(map(str, played)))

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:
        """Return the cards weakest first, or suit by suit with suitless cards last."""
        by_power: Cards = self.groups.sort(held)
        order = (*(self.groups.table.suits or SUITS), Suit.NONE)
        return tuple(sorted(by_power, key=lambda card: order.index(card.suit))) if by_suit else by_power


class ClimbingRules(CombinationRules):
    """Rules in which any combination may be led and a following play has to beat the top."""

    def plays(self, view: View) -> LegalPlays[Any]:
        """Return the legal plays of the view's seat; empty if the seat is not asked to play."""
        hand = view.hand if isinstance(view.ask, PlayAsk) else ()
        return LegalPlays(self.groups, hand, view.trick.top)
