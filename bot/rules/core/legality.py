"""What a hand can play at one moment, and why not: legality is told here once, for every game.

To refuse is to check. A play is held, is something and goes on what lies there, and then has to stand whatever else its
game asks; the first of these conditions that fails is what is said. What is offered is found by the same relation.
Refuses to know any game, and the other hands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import chain, islice
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import SUITS, Card, Cards, Suit, lacking
from bot.rules.core.game import Plays, View
from bot.rules.core.patterns import Row
from bot.rules.core.sentences import Illegal
from bot.rules.core.shapes import Table
from bot.rules.core.trick import Combo

Condition: TypeAlias = Callable[[Combo], Illegal | None]


class Combinations(ABC):
    """What can be played together in a game under one choice of its options, what goes on what, and why not.

    steady: whether that stays so for the whole hand, whatever is led.
    """

    steady: ClassVar[bool] = True

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sort, self.power = table.sort, table.power
        self.classify: Callable[[Cards], Combo | None] = table.classify
        self._reached: dict[tuple[str, int, int], Mapping[tuple[str, int], tuple[Row, int]]] = {}
        self.most = {row.key: table.most(row) for row in table.rows}

    # What a game says

    @abstractmethod
    def above(self, row: Row, top: Combo) -> int | None:
        """Return the strength over which a row goes on what lies there: -1 where all of it does, None where nothing."""

    @abstractmethod
    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article that says whether the one may be put on the other."""

    @abstractmethod
    def not_held(self, missing: Cards) -> Illegal:
        """Return why cards cannot be played that are not there."""

    @abstractmethod
    def no_combination(self, tried: Cards) -> Illegal:
        """Return why these cards, weakest first, cannot be played together."""

    @abstractmethod
    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return why this combination cannot be put on that one."""

    # What follows from it

    def lacking(self, hand: Cards, played: Cards) -> Illegal | None:
        """Return why cards cannot be played of which not all are in the hand, or None where they are."""
        missing = lacking(hand, played)
        return self.not_held(missing) if missing else None

    def reach(self, top: Combo) -> Mapping[tuple[str, int], tuple[Row, int]]:
        """Return each row that goes on what lies there, by kind and number of cards, and over which strength."""
        key = top.kind, len(top.cards), top.strength
        found = self._reached.get(key)
        if found is None:
            reached = ((row, self.above(row, top)) for row in self.table.rows)
            found = self._reached[key] = {row.key: (row, least) for row, least in reached if least is not None}
        return found

    @cached_property
    def bombs(self) -> frozenset[str]:
        """The kinds that go on a number of cards that is not their own."""
        highest = [self.table.sample(row) for row in self.table.rows]
        pairs = ((row, top) for row in self.table.rows for top in highest if row.size != len(top.cards))
        return frozenset(row.kind for row, top in pairs if self.above(row, top) is not None)

    def fewest(self, top: Combo) -> int | None:
        """Return how many cards it takes at least to go on this, None where nothing does."""
        ways = self.reach(top).values()
        return min((row.size for row, least in ways if self.most[row.key] > least), default=None)

    def goes_on(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second."""
        found = self.reach(top).get((tried.kind, len(tried.cards)))
        return found is not None and tried.strength > found[1]

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield what a hand, itself weakest first, can play on this, or lead; those of one size weakest first."""
        find, size = self.table.find, len(hand)
        if top is None:
            return chain.from_iterable(self.leads(hand))
        ways = self.reach(top).values()
        if len(ways) == 1:
            [(row, least)] = ways
            return find(row, hand, least)
        return chain.from_iterable(find(row, hand, least) for row, least in ways if row.size <= size)

    def leads(self, hand: Cards) -> Iterator[Iterator[Combo]]:
        """Yield what a hand can lead, each kind in each of its sizes for itself, weakest first."""
        return (self.table.find(row, hand) for row in self.table.rows if row.size <= len(hand))

    def refused(self, tried: Combo, top: Combo | None) -> Illegal | None:
        """Return why a combination may not be put on this, or led, or None where it may."""
        return self.not_higher(tried, top) if top and not self.goes_on(tried, top) else None

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why some cards may not be put on others, or None where they may."""
        first, second = self.classify(tried), self.classify(top)
        if first is None or second is None:
            return self.no_combination(self.sort(top if first else tried))
        return self.refused(first, second)


def containing(must: Card, article: str) -> Condition:
    """Return what is asked of the first play of a hand that has to contain a card, by this article."""

    def refused(combo: Combo) -> Illegal | None:
        missing = must not in combo.cards
        return Illegal(article, "The first play of the hand has to contain {card}.", card=must) if missing else None

    return refused


G = TypeVar("G", bound=Combinations)


@dataclass(slots=True)
class LegalPlays(Plays, Generic[G]):
    """What a hand can play on ``top`` (None: as a lead).

    own: what else the game asks of a play at this moment, in the order of its articles.
    """

    groups: G
    hand: Cards = field(repr=False)
    top: Combo | None
    own: tuple[Condition, ...] = ()

    def __iter__(self) -> Iterator[Combo]:
        found = self.groups.over(self.hand, self.top)
        return (combo for combo in found if self._refusal(combo) is None) if self.own else found

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
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
        """Return what to choose from at a glance: in a lead the weakest play of each kind, else the weakest plays."""
        return self.first(count) if self.top else list(islice(self._weakest_of_each_kind(), count))

    def _weakest_of_each_kind(self) -> Iterator[Combo]:
        """Yield one play of each kind, in its smallest size; single cards are one kind, whatever they are called."""
        told = set[str]()
        for plays in self.groups.leads(self.hand):
            weakest = next((combo for combo in plays if self._refusal(combo) is None), None)
            if weakest and (kind := weakest.kind if weakest.cards[1:] else "") not in told:
                told.add(kind)
                yield weakest

    def _refusal(self, combo: Combo) -> Illegal | None:
        return next((refused for condition in self.own if (refused := condition(combo))), None)


class Combining:
    """Rules under which a combination is the same whenever it is played."""

    groups: Any  # the combinations of the game; each game says which
    passes_itself: ClassVar[bool] = False  # whether an option of the game says if seats pass that cannot go on

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Go to another process as what they are made of: its combinations are made there, once."""
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)  # type: ignore[arg-type]

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination these cards make, or None."""
        found: Combo | None = self.groups.classify(played)
        return found

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why the one may not be put on the other, or None where it may."""
        refused: Illegal | None = self.groups.compare(tried, top)
        return refused

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article that says whether one of two combinations may be put on the other."""
        number: str = self.groups.article(tried, top)
        return number

    def bomb(self, combo: Combo) -> bool:
        """Tell whether it is of a kind that also goes on another number of cards."""
        return combo.kind in self.groups.bombs

    def beyond(self, count: int, top: Combo) -> bool:
        """Tell whether all can see that no hand of so many cards goes on this, and the rules leave it at that."""
        size = len(top.cards)
        if self.passes_itself or (size <= count and top.strength < self.groups.most[top.kind, size]):
            return False
        fewest: int | None = self.groups.fewest(top)
        return fewest is None or count < fewest

    def alike(self, played: Cards) -> tuple[str, ...]:
        """Return which cards these are, whatever their order; only equal ones make no difference."""
        return tuple(sorted(map(str, played)))

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:
        """Return the cards weakest first, or suit by suit with those last that have none."""
        by_power: Cards = self.groups.sort(held)
        order = (*(self.groups.table.suits or SUITS), Suit.NONE)
        return tuple(sorted(by_power, key=lambda card: order.index(card.suit))) if by_suit else by_power


class Climbing(Combining):
    """Rules under which whatever goes on the top may be played, and anything may be led."""

    def plays(self, view: View) -> LegalPlays[Any]:
        """Return the legal plays of the view's seat; none where it is not asked for any."""
        hand = view.hand if isinstance(view.ask, PlayAsk) else ()
        return LegalPlays(self.groups, hand, view.trick.top)
