"""The preferences of a user, and whether two users have blocked each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bot.domain.chairs import Level

# In the channel, by direct message, both, or once a day; "thread" is for users with closed direct messages.
NoticeChannel: TypeAlias = Literal["here", "direct", "both", "digest", "thread"]
NOTICE_CHANNELS: Final[tuple[NoticeChannel, ...]] = ("here", "direct", "both", "digest", "thread")
# A colour for each suit, or red and black; "" for no choice, which means four. "untold" is no choice either, of a user
# who has seen two colours in earlier releases and has not been told yet.
SuitColours: TypeAlias = Literal["", "untold", "four", "two"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """A user's preferences.

    by_suit: sort cards by suit. mirror: send the hand by direct message on each turn. locale: the chosen language as a
    Discord locale. uninvited: accept no invitations. suit_colours: the colours of suits; text_only: cards as text;
    large: also show the hand large. confirm: a play takes a second tap. shares_day: players at the same slow table may
    see the user's sleeping hours; asked_day: the user was asked for them. notices: where to send notices of waiting
    slow tables. everywhere: matches also count for the leaderboard over all servers. unlisted: hide the user on all
    leaderboards. level: the strength of house players the user seats.
    """

    by_suit: bool = False
    mirror: bool = False
    locale: str = ""
    uninvited: bool = False
    suit_colours: SuitColours = ""
    text_only: bool = False
    large: bool = False
    confirm: bool = False
    shares_day: bool = False
    asked_day: bool = False
    notices: NoticeChannel = "here"
    everywhere: bool = False
    unlisted: bool = False
    level: Level = Level.EASY

    @property
    def notice_channel(self) -> NoticeChannel:
        """Where to send notices; a user with hands by direct message gets notices there as well."""
        return "direct" if self.mirror and self.notices == "here" else self.notices


BlockState: TypeAlias = Literal["no", "own", "theirs"]  # not blocked, blocked by the user, blocked by the other only
