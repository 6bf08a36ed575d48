"""What a hand of Big Two can play at one moment.

Knows a hand, what lies there and what limits it. Refuses to know the other hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.rules.big_two import refuse
from bot.rules.cards import Card, Cards, lacking
from bot.rules.game import Plays
from bot.rules.sentences import Illegal, Note
from bot.rules.trick import Combo

if TYPE_CHECKING:
    from bot.rules.big_two.rules import BigTwo

HIGHEST = Note("C22.2", "The next player has one card: play your highest card, or more than one card.")
OUT_OF_TURN = Note("C16.1", "It is not your turn, but an honour hand may come in now.")


@dataclass(slots=True)
class BigTwoPlays(Plays):
    """What a hand can play on ``top`` (None: as a lead), containing the card ``must`` if one is given.

    limit: HIGHEST where the next player has one card (C22.2), OUT_OF_TURN where it is not the hand's turn (C16).
    """

    rules: BigTwo
    hand: Cards = field(repr=False)
    top: Combo | None
    must: Card | None
    limit: Note | None = None

    def __iter__(self) -> Iterator[Combo]:
        found = self.rules.groups.over(self.hand, self.top)
        if self.must is None and self.limit is None and not self.rules.stuck(self.hand):
            return found
        return (combo for combo in found if self._refusal(combo) is None)

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        if missing := lacking(self.hand, played):
            raise refuse.not_held(self.hand, missing)
        groups = self.rules.groups
        combo = groups.classify(played)
        if combo is None:
            raise refuse.no_combination(groups, groups.sort(played))
        if self.top is not None and not groups.beats(combo, self.top):
            raise refuse.not_higher(groups, combo, self.top)
        if refused := self._refusal(combo):
            raise refused
        return combo

    def _refusal(self, combo: Combo) -> Illegal | None:
        """Return why a combination that beats what lies there may not be played all the same, or None."""
        if self.must is not None and self.must not in combo.cards:
            return Illegal("6.1", "The first play of the hand has to contain {card}.", card=self.must)
        if self.limit == OUT_OF_TURN and not self.rules.groups.honour(combo):
            return Illegal("C16.1", "Out of turn only an honour hand may be played.")
        if len(combo.cards) > 1:
            return None
        if self.limit == HIGHEST and combo.head != self.hand[-1]:
            return Illegal(HIGHEST.article, HIGHEST.sentence)
        if self.rules.stuck(self.hand):
            article = "C23.1" if self.rules.options.last_card_ban == "highest_two" else "C23.2"
            return Illegal(article, "You may not go out with {card} alone.", card=combo.head)
        return None
