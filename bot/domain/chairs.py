"""A chair at a table: whose it is, and who acts for them. Refuses to know how people come to sit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from bot.domain.ids import UserId
from bot.domain.level import Level
from bot.domain.pace import DAILY, DAY, HOUR, LIVE, NO_CLOCK, RELAXED, Pace

# Why a person does not play on a seat that is theirs: left by their own will or gone from the server, out by the clock,
# or removed by a moderator.
Away: TypeAlias = Literal["", "left", "late", "removed"]
# Who has said that somebody else may take a seat: whoever sits there, or a moderator.
Offered: TypeAlias = Literal["", "owner", "moderator"]
# What somebody asks all who play to agree to, or agrees to: to end the match, to pause it, to deal the hand again, to
# call all of it off, to go on at another pace, or to end it with themselves in the last place; what others say to that
# is "granted".
Vote: TypeAlias = Literal[
    "",
    "end",
    "pause",
    "again",
    "cancel",
    "concede",
    "granted",
    "to_live",
    "to_relaxed_8h",
    "to_relaxed",
    "to_daily",
    "to_daily_12h",
    "to_none",
]
PACES: Final[Mapping[Vote, Pace]] = {
    "to_live": LIVE,
    "to_relaxed_8h": Pace("relaxed", 8 * HOUR),
    "to_relaxed": RELAXED,
    "to_daily": DAILY,
    "to_daily_12h": Pace("daily", 12 * HOUR, 4 * DAY),
    "to_none": NO_CLOCK,
}
UNDOING: Final[frozenset[Vote]] = frozenset({"again", "cancel"})  # after which what was played does not count


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits where.

    user: the person who has the seat, None for a house player's own. house: a house player acts for it now. misses:
    deadlines missed in a row. agreed: the edition of the table that the person has agreed to in the lobby, 0 for none.
    away: why a house player acts for a person. vote: what the person would like that takes all who play; as long as all
    have agreed to a pause, that they are not back yet. unwanted: what they have asked for of late that somebody did not
    want, a word each; refused: when that last was. orders: what the person has said beforehand in this hand, as it
    is kept, a line each; known to nobody else. owner: the person who began here, where somebody else, the user, sits in
    for them; owner_name: what that person is called, "" where nobody sits in. offered: who lets others take the seat.
    quick: after how many actions the person has said that they would play on live, or, as a negative number, has sat
    down in the middle of a match; 0 for neither. mark: a keyed hash of the person who sat here until their data was
    deleted; the store drops it with the end of the match. level: how well a house player plays whose own seat this is.
    """

    seat: int
    user: UserId | None
    name: str
    house: bool = False
    misses: int = 0
    agreed: int = 0
    away: Away = ""
    vote: Vote = ""
    unwanted: str = ""
    refused: datetime | None = None
    orders: str = field(default="", repr=False)
    owner: UserId | None = None
    owner_name: str = ""
    offered: Offered = ""
    quick: int = 0
    mark: str = field(default="", compare=False)
    level: Level = Level.PLAIN

    @property
    def left(self) -> bool:
        """Whether a person began here for whom somebody else acts: the result stays with that person.

        A person whose data was deleted is nobody any more, but has left all the same.
        """
        return bool(self.owner_name) or (self.house and (self.user is not None or self.away != ""))

    @property
    def gone(self) -> bool:
        """Whether that person went away and has no say any more in what becomes of the match; who was late has one."""
        return self.house and self.away in ("left", "removed")

    @property
    def unheard(self) -> bool:
        """Whether the match counts for a person who has no say in it: who went away, or has a substitute."""
        return self.gone or bool(self.owner_name)


def at_pace(before: Pace, vote: Vote) -> Pace:
    """Return the pace that is asked for; what else was agreed to about time stays so."""
    asked = PACES[vote]
    return replace(before, kind=asked.kind, move=asked.move, reserve=asked.reserve)
