"""O12. The state of a draw: cards drawn and shown, answers and standing orders."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bot.rules.big_a.draw import Declaration, Stack
from bot.rules.big_a.options import PLAYERS
from bot.rules.big_a.rules import BigARules
from bot.rules.core.cards import Cards
from bot.rules.core.sentences import Note

WindowKind: TypeAlias = Literal["round", "last", "reveal"]
Codes: TypeAlias = tuple[str, ...]


class DrawState(NamedTuple):
    """A hand while its cards are drawn. drawn: the number of cards drawn; the last five are face down until picked up.

    kind: of the open window. given: the answers in the window, by seat. standing: the standing orders, by seat. told:
    private notes, by seat. redealt: the face-down cards of void deals, if shown. fresh: whether an ace was shown at the
    last step. sealed: the number of secret answers.
    """

    rules: BigARules
    stack: Stack
    luck: int
    drawn: int = 0
    kind: WindowKind = "round"
    declaration: Declaration = Declaration()
    given: tuple[Codes, ...] = ((),) * PLAYERS
    standing: tuple[Codes, ...] = ((),) * PLAYERS
    private_notes: tuple[tuple[Note, ...], ...] = ((),) * PLAYERS
    redealt: tuple[Cards, ...] = ()
    fresh: bool = False
    sealed: int = 0

    def __repr__(self) -> str:
        """Return the progress of the draw, without cards, to keep them out of logs."""
        return f"<BigADraw drawn={self.drawn} kind={self.kind}>"
