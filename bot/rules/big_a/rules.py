"""1 and 9. The rules of Big A for one set of options; dealing is in hands.py."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Self, TypeVar

from bot.rules.big_a.declarations import ace
from bot.rules.big_a.groups import Groups, groups
from bot.rules.big_a.options import PLAYERS, Options
from bot.rules.big_a.tables import ALL, COMBINATIONS, FACTS, BigAPatternOptions
from bot.rules.core.cards import Cards, Suit, double_pack
from bot.rules.core.game import Drawn, LatePolicy, Result
from bot.rules.core.legality import ClimbingRules
from bot.rules.core.points import MostPointsWin
from bot.rules.core.sentences import CombinationName
from bot.rules.variants.registration import VERSION

T = TypeVar("T", bound="BigARules")


@dataclass(frozen=True)
class BigARules(ClimbingRules, MostPointsWin):
    """Big A under these options.

    big: the suit of the Big Aces, once declared. paired: whether two Big Aces are a bomb. version: of the rules for the
    draw (see versions).
    """

    options: Options = field(default_factory=Options)
    big: Suit | None = None
    paired: bool = True
    version: int = VERSION
    groups: Groups = field(init=False, compare=False, repr=False)

    game: ClassVar[str] = "big_a"
    names: ClassVar[Mapping[str, CombinationName]] = COMBINATIONS
    facts: ClassVar[Mapping[str, str]] = FACTS
    opening: ClassVar[frozenset[str]] = frozenset(("redealt", "unseen"))
    drawn: ClassVar[Mapping[str, Drawn]] = {"declarer": "declarer", "shown": "detail"}
    end_article: ClassVar[str] = "7.9"
    open_pile: ClassVar[bool] = False
    has_auto_pass_option: ClassVar[bool] = True  # O16.1

    def __post_init__(self) -> None:
        o = self.options
        shape = BigAPatternOptions(
            o.bomb_ladder, ALL + o.ace_to_ace_sequence, o.fours_capture_max, self.big, self.paired
        )
        object.__setattr__(self, "groups", groups(shape))

    @property
    def players(self) -> int:
        """The number of seats (1.1)."""
        return PLAYERS

    @property
    def pack(self) -> Cards:
        """Every card of both packs (1.2)."""
        return double_pack()

    @property
    def counted(self) -> bool:
        """Whether the number of cards in each hand is public (O15)."""
        return self.options.show_hand_counts

    @property
    def late_policy(self) -> LatePolicy:
        """The treatment of a late seat (O17)."""
        return self.options.on_timeout

    @property
    def big_aces(self) -> Cards:
        """Both Big Aces of a hand."""
        return (ace(self.big),) * 2 if self.big else ()

    def in_force(self, big: Suit) -> Self:
        """Return these rules for a hand with this Big suit (1.5)."""
        known: Self = _in_force(type(self), self.options, big, paired=True)
        return known

    def unpaired(self) -> Self:
        """Return these rules for a seat whose two Big Aces are an ordinary pair (O9.2)."""
        assert self.big
        known: Self = _in_force(type(self), self.options, self.big, paired=False)
        return known

    # 2. The draw

    def first_dealer(self, rng: random.Random) -> int:
        """Return the first seat to draw in the first hand (O2)."""
        drawn = rng.randrange(PLAYERS)
        return drawn if self.options.first_starter == "random" else self.options.first_seat - 1

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        """Return the first seat to draw after these hands (O1)."""
        last = past[-1]
        match self.options.next_starter:
            case "first_out":
                return last.order[0]
            case "declarer":
                return dealer if last.declarer is None else last.declarer
            case "rotate":
                return (dealer + 1) % PLAYERS
        return dealer

    # Equal plays

    def alike(self, played: Cards) -> tuple[str, ...]:
        """Return the ranks, with Big Aces distinct: suits are otherwise irrelevant (1.4)."""
        return tuple(sorted("A*" if self.groups.is_big(card) else str(card.rank) for card in played))


@lru_cache(maxsize=64)
def _in_force(rules: type[T], options: Options, big: Suit, *, paired: bool) -> T:
    return rules(options, big, paired)
