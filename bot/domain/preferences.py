"""The preferences of a person, and whether two people have chosen not to play with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bot.domain.level import Level

# At the table, by direct message, or once a day; in a private thread is whose direct messages are closed.
Notices: TypeAlias = Literal["here", "direct", "both", "digest", "thread"]
NOTICES: Final[tuple[Notices, ...]] = ("here", "direct", "both", "digest", "thread")


@dataclass(frozen=True, slots=True)
class Habits:
    """What a person has chosen for themselves.

    by_suit: how cards are sorted. mirror: the hand comes by direct message when it is their turn. locale: their
    language when they chose that, as Discord writes it. uninvited: they want no invitations. four_colours: each suit
    has a colour of its own; text_only: cards are text; large: the hand is shown large as well. confirm: a play takes a
    second tap. shares_day: those with whom they sit at a slow table may see when they sleep; asked_day: they have been
    asked when they do. notices: where they want to hear that a slow table waits for them. everywhere: their matches
    count over all servers too. unlisted: others see them on no ladder. level: how well house players play whom they
    seat.
    """

    by_suit: bool = False
    mirror: bool = False
    locale: str = ""
    uninvited: bool = False
    four_colours: bool = False
    text_only: bool = False
    large: bool = False
    confirm: bool = False
    shares_day: bool = False
    asked_day: bool = False
    notices: Notices = "here"
    everywhere: bool = False
    unlisted: bool = False
    level: Level = Level.KIND

    @property
    def hears(self) -> Notices:
        """Where they want to hear of it; who gets their hands directly does not want to be called aloud."""
        return "direct" if self.mirror and self.notices == "here" else self.notices


Apart: TypeAlias = Literal["no", "own", "theirs"]  # by nobody's choice, by one's own, only by that of the other
