"""The state of a hand in progress: the cards, the tricks, the progress."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from bot.rules.big_two.dealt import Dealt, HandProgress, KnownCard
from bot.rules.big_two.precaution import Breach
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note
from bot.rules.core.trick import EMPTY, Trick


class BigTwoState(NamedTuple):
    """A hand in progress. hands: each seat's cards, weakest first. turn: the seat on turn. stock: undealt cards."""

    rules: BigTwoRules
    dealt: Dealt
    hands: tuple[Cards, ...]
    turn: int
    must: Card | None
    progress: HandProgress
    stock: Cards = ()
    shown: tuple[KnownCard, ...] = ()
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    breach: Breach | None = None
    result: Result | None = None

    def __repr__(self) -> str:
        """Return the progress of the hand, without the cards held, to keep them out of logs."""
        return f"<BigTwoGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    @property
    def dealer(self) -> int:
        """The dealer."""
        return self.dealt.dealer

    @property
    def hidden_cards(self) -> Cards:
        """The stock, with the extra card until a seat takes it."""
        waiting = self.dealt.extra is not None and self.progress.taker is None
        return (*self.stock, *((self.dealt.extra,) if waiting and self.dealt.extra else ()))

    def heard(self, seat: int) -> HandProgress:
        """Return the progress after a seat acted on its private notes."""
        private_notes = self.progress.private_notes
        if not private_notes or not private_notes[seat]:
            return self.progress
        return self.progress._replace(private_notes=(*private_notes[:seat], (), *private_notes[seat + 1 :]))

    def telling(self, notes: dict[int, Note], **changes: Any) -> Self:
        """Return the game with private notes added, and with other changes of its progress."""
        kept = self.progress.private_notes or ((),) * len(self.hands)
        private_notes = tuple((*old, notes[seat]) if seat in notes else old for seat, old in enumerate(kept))
        return self._replace(progress=self.progress._replace(private_notes=private_notes, **changes))
