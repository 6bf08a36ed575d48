"""O12. How far a draw has come: what is drawn, shown, answered and said beforehand.

Refuses to know what comes of any answer, and who is asked next.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bot.rules.big_a.draw import Declaration, Stack
from bot.rules.big_a.options import PLAYERS
from bot.rules.big_a.rules import BigARules
from bot.rules.core.cards import Cards
from bot.rules.core.sentences import Note

Kind: TypeAlias = Literal["round", "last", "reveal"]
Codes: TypeAlias = tuple[str, ...]


class Drawn(NamedTuple):
    """A hand while its cards are drawn. drawn: how many cards are, the last five face down until they are picked up.

    kind: of the window that is open. given: what each seat has answered in it. standing: what each has said
    beforehand. told: each seat's own notes. redealt: the face-down cards of the deals that counted for nothing, as far
    as they were shown. fresh: whether something was shown just now. sealed: answers that nobody else knows of.
    """

    rules: BigARules
    stack: Stack
    luck: int
    drawn: int = 0
    kind: Kind = "round"
    declaration: Declaration = Declaration()
    given: tuple[Codes, ...] = ((),) * PLAYERS
    standing: tuple[Codes, ...] = ((),) * PLAYERS
    told: tuple[tuple[Note, ...], ...] = ((),) * PLAYERS
    redealt: tuple[Cards, ...] = ()
    fresh: bool = False
    sealed: int = 0

    def __repr__(self) -> str:
        """Say how far the draw has come; no card, for this may stand in a log."""
        return f"<BigADraw drawn={self.drawn} kind={self.kind}>"
