"""1, 2 and 9. The rules of The Big and the Little A for one set of options.

Dealing is in hands.py.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Self, TypeVar

from bot.rules.big_little_a.groups import COMBINATIONS, PACK, Groups, free_to_lead, groups, in_order
from bot.rules.big_little_a.options import Options
from bot.rules.big_little_a.state import DRAWN, FACTS
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Cards
from bot.rules.core.game import Drawn, LatePolicy, Result, View
from bot.rules.core.legality import CombinationRules, LegalPlays
from bot.rules.core.points import Dealing, totals_of
from bot.rules.core.sentences import CombinationName, Illegal
from bot.rules.core.turns import Articles, Turns

T = TypeVar("T", bound="BigLittleARules")
ARTICLES = Articles(turn="3.2", lead="3.1", choice="3.2")


@dataclass(frozen=True)
class BigLittleARules(CombinationRules, Dealing):
    """The Big and the Little A under these options.

    a_round: whether the round was led with an A card. groups: the combinations in this kind of round.
    """

    options: Options = field(default_factory=Options)
    a_round: bool = False
    groups: Groups = field(init=False, compare=False, repr=False)

    game: ClassVar[str] = "big_little_a"
    names: ClassVar[Mapping[str, CombinationName]] = COMBINATIONS
    facts: ClassVar[Mapping[str, str]] = FACTS
    opening: ClassVar[frozenset[str]] = frozenset(("starter",))
    drawn: ClassVar[Mapping[str, Drawn]] = DRAWN
    end_article: ClassVar[str] = "7.1"
    open_pile: ClassVar[bool] = False
    has_auto_pass_option: ClassVar[bool] = True  # O11.1
    calls_tricks_rounds: ClassVar[bool] = True  # 3.1
    counted: ClassVar[bool] = True
    clockwise: ClassVar[bool] = True  # 1.6
    target: ClassVar[int | None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", groups(self.options.joker_only_sets, a_round=self.a_round))

    @property
    def pack(self) -> Cards:
        """The 110 cards (1.2)."""
        return PACK

    @property
    def may_pass(self) -> bool:  # type: ignore[override]
        """Whether a seat may pass in this kind of round (6.1)."""
        return not self.a_round

    @property
    def turns(self) -> Turns:
        """How turns pass in this kind of round (3.2-3.5, 6.2, O7)."""
        return _turns(self.players, self.a_round, self.options.round_mode)

    @property
    def late_policy(self) -> LatePolicy:
        """The treatment of a late seat (O10)."""
        return self.options.on_timeout

    def in_a_round(self) -> Self:
        """Return these rules for a round led with an A card (4.3, 6)."""
        known: Self = _in_a_round(type(self), self.options)
        return known

    # 1 and 2. The deal and the first lead

    def first_dealer(self, rng: random.Random) -> int:
        """Return the dealer of the first hand: the seat before the leader (O5)."""
        drawn = rng.randrange(self.players)
        return (
            drawn
            if self.options.first_starter == "random_dealer_left"
            else (self.options.first_seat - 2) % self.players
        )

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        """Return the dealer after these hands: the seat before the leader (O3, O4.1)."""
        before, tied, last = (dealer + 1) % self.players, self.most(past), past[-1].points
        starter = max(tied, key=lambda seat: (last[seat], -((seat - before - 1) % self.players)))
        return (starter - 1) % self.players

    def most(self, past: tuple[Result, ...]) -> list[int]:
        """Return the seats with the most penalty points, in total or in the last hand (O3)."""
        totals = self.ranking(past) if self.options.next_starter == "most_total" else past[-1].points
        return [seat for seat, points in enumerate(totals) if points == max(totals)]

    # Legal plays

    def plays(self, view: View) -> LegalPlays[Groups]:
        """Return the legal plays of the view's seat; empty if the seat is not asked to play."""
        if not isinstance(view.ask, PlayAsk):
            return LegalPlays(self.groups, (), view.trick.top)
        return LegalPlays(self.groups, view.hand, view.trick.top, free_to_lead(view.ask.barred))

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why one play does not beat another in either kind of round, None if it does."""
        return groups(self.options.joker_only_sets).compare(tried, top)

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:  # cards without suits
        """Return the cards weakest first."""
        return in_order(held)

    # 9. The match

    @property
    def hands(self) -> int:
        """The number of hands in the match (O2)."""
        return self.options.hands_per_match

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat, lowest best: fewest penalty points win (9.2)."""
        return totals_of(results, self.players)

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands (O2)."""
        return len(results) >= self.options.hands_per_match


@lru_cache(maxsize=64)
def _turns(players: int, a_round: bool, mode: str) -> Turns:
    articles = Articles(turn="6.2", lead="3.1", choice="6.2") if a_round else ARTICLES
    return Turns(players, articles, holds="once" if a_round or mode == "one_turn_each" else "play")


@lru_cache(maxsize=64)
def _in_a_round(rules: type[T], options: Options) -> T:
    return rules(options, a_round=True)
