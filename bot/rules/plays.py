"""What a hand can play at one moment, in a game whose combinations are fixed once its options are.

Knows a hand and what lies there, and asks the game's combinations. Refuses to know the other hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from bot.rules.asks import PlayAsk
from bot.rules.cards import Cards, lacking
from bot.rules.game import Plays, View
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo


class Combinations(Protocol):
    """Every combination there is under one choice of options."""

    def sort(self, held: Cards) -> Cards:
        """Return the cards weakest first."""
        ...

    def classify(self, played: Cards) -> Combo | None:
        """Return what these cards are, or None."""
        ...

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield what the hand can play on this, or lead."""
        ...

    def goes_on(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second."""
        ...


G = TypeVar("G", bound=Combinations)
G_contra = TypeVar("G_contra", bound=Combinations, contravariant=True)


class Reasons(Protocol[G_contra]):
    """Why cards are nothing, or not high enough: a module of a game."""

    def article(self, groups: G_contra, tried: Combo, top: Combo) -> str:
        """Return the article that says whether the one may be put on the other."""
        ...

    def no_combination(self, groups: G_contra, tried: Cards) -> Illegal:
        """Return why these cards, weakest first, cannot be played together."""
        ...

    def not_higher(self, groups: G_contra, tried: Combo, top: Combo) -> Illegal:
        """Return why this combination cannot be put on that one."""
        ...


class Refusals(Reasons[G_contra], Protocol[G_contra]):
    """All the sentences in which a play is refused."""

    def not_held(self, missing: Cards) -> Illegal:
        """Return why cards cannot be played that are not there."""
        ...


@dataclass(slots=True)
class GroupPlays(Plays, Generic[G]):
    """What a hand can play on ``top`` (None: as a lead). why: how what it cannot play is refused."""

    groups: G
    why: Refusals[G]
    hand: Cards = field(repr=False)
    top: Combo | None

    def __iter__(self) -> Iterator[Combo]:
        return self.groups.over(self.hand, self.top)

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        if missing := lacking(self.hand, played):
            raise self.why.not_held(missing)
        combo = self.groups.classify(played)
        if combo is None:
            raise self.why.no_combination(self.groups, self.groups.sort(played))
        if self.top and not self.groups.goes_on(combo, self.top):
            raise self.why.not_higher(self.groups, combo, self.top)
        return combo


class Combining:
    """Rules under which a combination is the same whenever it is played. why: the module in which they refuse."""

    groups: Any
    why: ClassVar[Reasons[Any]]

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination these cards make, or None."""
        found: Combo | None = self.groups.classify(played)
        return found

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why the one may not be put on the other, or None where it may."""
        first, second = (self.groups.classify(each) for each in (tried, top))
        if first is None or second is None:
            return self.why.no_combination(self.groups, self.groups.sort(top if first else tried))
        return None if self.groups.goes_on(first, second) else self.why.not_higher(self.groups, first, second)

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article that says whether one of two combinations may be put on the other."""
        return self.why.article(self.groups, tried, top)


class Climbing(Combining):
    """Rules under which whatever goes on the top may be played, and anything may be led."""

    why: ClassVar[Refusals[Any]]

    def plays(self, view: View) -> GroupPlays[Any]:
        """Return the legal plays of the view's seat; none where it is not asked for any."""
        hand = view.hand if isinstance(view.ask, PlayAsk) else ()
        return GroupPlays(self.groups, self.why, hand, view.trick.top)
