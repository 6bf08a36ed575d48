"""1, 2 and 9. The rules of Tàihé A Bāo for one set of options; dealing is in hands.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bot.rules.a_bao.groups import COMBINATIONS, Groups, deck, groups
from bot.rules.a_bao.options import Options
from bot.rules.a_bao.state import FACTS
from bot.rules.core.cards import SUITS, Cards, Suit
from bot.rules.core.game import Drawn, LatePolicy, Result
from bot.rules.core.legality import ClimbingRules
from bot.rules.core.points import MostPointsWin
from bot.rules.core.sentences import CombinationName


@dataclass(frozen=True)
class ABaoRules(ClimbingRules, MostPointsWin):
    """Tàihé A Bāo under these options. groups: the combinations of its pack."""

    options: Options = field(default_factory=Options)
    groups: Groups = field(init=False, compare=False, repr=False)

    game: ClassVar[str] = "a_bao"
    names: ClassVar[Mapping[str, CombinationName]] = COMBINATIONS
    facts: ClassVar[Mapping[str, str]] = FACTS
    opening: ClassVar[frozenset[str]] = frozenset(("starter", "bound", "thrown", "passed", "called"))
    drawn: ClassVar[Mapping[str, Drawn]] = {"declarer": "declarer"}
    suits: ClassVar[tuple[Suit, ...]] = SUITS
    end_article: ClassVar[str] = "7.6"
    open_pile: ClassVar[bool] = False
    has_auto_pass_option: ClassVar[bool] = True  # O16.1
    counted: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", groups(deck(self.options)))

    @property
    def pack(self) -> Cards:
        """Every card of the pack, weakest first (1.2)."""
        return self.groups.deck.cards

    @property
    def late_policy(self) -> LatePolicy:
        """The treatment of a late seat (O15)."""
        return self.options.on_timeout

    # 2 and 3. The deal and the starter

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        """Return the starter after these hands, unless the four of hearts decides (O5.1, O5.2)."""
        declarer = past[-1].declarer
        if declarer is None:
            return dealer
        return declarer if past[-1].points[declarer] > 0 else (declarer + 1) % self.players

    # Equal plays

    def alike(self, played: Cards) -> tuple[str, ...]:
        """Return the ranks: suits are irrelevant in play (1.4)."""
        return tuple(sorted(str(card.rank) for card in played))
