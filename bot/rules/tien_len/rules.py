"""2 and 9. The rules of Tiến Lên for one set of options; dealing is in hands.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from bot.domain.message_ids import N_
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import LatePolicy, Result, View
from bot.rules.core.legality import CombinationRules, Condition, LegalPlays, must_contain
from bot.rules.core.points import MostPointsWin
from bot.rules.core.sentences import CombinationName, Illegal
from bot.rules.core.trick import Combo
from bot.rules.core.turns import Articles, Turns
from bot.rules.tien_len.groups import COMBINATIONS, OUT_OF_TURN, PACK, Groups, groups
from bot.rules.tien_len.options import Options

FACTS = {
    "starter": N_("{value} leads first."),
    "low": N_("The lowest card dealt is {value}."),
    "out": N_("Already out: {value}."),
    "last": N_("No longer playing, in the last places: {value}."),
}
ARTICLES = Articles(turn="5.1", lead="5.1", choice="5.1")


@dataclass(frozen=True)
class TienLenRules(CombinationRules, MostPointsWin):
    """Tiến Lên under these options. groups: its combinations; turns: how turns pass."""

    options: Options = field(default_factory=Options)
    groups: Groups = field(init=False, compare=False, repr=False)
    turns: Turns = field(init=False, compare=False, repr=False)

    game: ClassVar[str] = "tien_len"
    names: ClassVar[Mapping[str, CombinationName]] = COMBINATIONS
    facts: ClassVar[Mapping[str, str]] = FACTS
    opening: ClassVar[frozenset[str]] = frozenset(("starter", "low"))
    pack: ClassVar[Cards] = PACK
    late_policy: ClassVar[LatePolicy] = "least"
    end_article: ClassVar[str] = "6.1"
    open_pile: ClassVar[bool] = False
    counted: ClassVar[bool] = True
    clockwise: ClassVar[bool] = True  # 2.3 of the source

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", groups(self.options))
        o = self.options
        holds: Literal["trick", "play"] = "trick" if o.after_pass == "out" else "play"
        object.__setattr__(
            self, "turns", Turns(o.players, ARTICLES, step=self.step(1), holds=holds, plays_on=o.play_on == "all")
        )

    def step(self, hand: int) -> int:  # the same in all hands
        """Return 1 if turns pass clockwise, -1 if anticlockwise (O4.1, O4.2)."""
        return 1 if self.options.direction == "clockwise" else -1

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:  # the last dealer is irrelevant
        """Return the winner of the last hand, who leads unless the lowest card decides (O3.1)."""
        return past[-1].order[0]

    # Legal plays

    def plays(self, view: View) -> LegalPlays[Groups]:
        """Return the legal plays of the view's seat; empty if the seat is not asked to play."""
        if not isinstance(view.ask, PlayAsk):
            return LegalPlays(self.groups, (), view.trick.top)
        return self.plays_of(view.hand, view.trick.top, view.must, in_turn=view.ask.limit is None)

    def plays_of(self, hand: Cards, top: Combo | None, must: Card | None, *, in_turn: bool) -> LegalPlays[Groups]:
        """Return the legal plays of a hand on ``top`` (None: as a lead).

        must: a card that the play has to contain.
        """
        asked = ((must_contain(must, "O2.1"),) if must else ()) + (() if in_turn else (_four_pairs,))
        if self.groups.barred(hand):
            asked = (*asked, _not_all(len(hand)))
        return LegalPlays(self.groups, hand, top, asked)

    @property
    def pays_for_all(self) -> bool:
        """Whether a seat that lets the last card of an opponent through pays for all (8.8)."""
        return self.options.one_card_rule == "pay_all" and self.players > 2

    def stuck(self, hand: Cards) -> bool:
        """Tell whether a hand is a single two that may not go out (6.2)."""
        return len(hand) == 1 and self.groups.barred(hand)


def _four_pairs(combo: Combo) -> Illegal | None:
    fits = combo.kind == "double_sequence" and len(combo.cards) >= OUT_OF_TURN
    return None if fits else Illegal("4.7", "Out of turn, you can only play four or more pairs in a row.")


def _not_all(count: int) -> Condition:
    def refused(combo: Combo) -> Illegal | None:
        last = len(combo.cards) == count
        return Illegal("6.2", "You can't go out with {cards}.", cards=combo.cards) if last else None

    return refused
