"""What the owner of a server has chosen for it: one frozen value with a default for everything.

Knows what can be chosen and what that means for a moment, a game or a pace. Refuses to know who may choose, where it
is kept and how it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, Self

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.pace import KINDS, MINUTE, Kind, Pace
from bot.domain.seasons import Kind as SeasonKind
from bot.domain.working_hours import zone_of


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What holds on one server."""

    language: str | None = None  # of boards, as Discord writes it (zh-CN); None for the server's own
    games: tuple[str, ...] = ()  # those that are offered; empty for all of them
    channels: tuple[ChannelId, ...] = ()  # where tables may be opened, with their threads; empty for everywhere
    slow: bool = True  # whether there are tables that are not live
    stakes: bool = False
    leaderboard: bool = True
    hidden_count: bool = False  # whether matches in channels hidden from @everyone count for the leaderboard
    mirror: bool = True  # whether hands come by direct message, for those who want that
    threads: bool = True  # whether matches may have threads of their own
    pictures: bool = True  # whether boards show the table as a picture
    pace: Kind = "live"  # of a table for which nobody says one
    opener: int | None = None  # the role that may open tables; None for everybody
    moderator: int | None = None  # the role that moderates tables, beside those whom Discord lets manage messages
    lobbies: int = 20  # how many may be open at once on the server
    lobbies_each: int = 5  # and of one person
    quiet: tuple[int, int] | None = None  # the hours, from and to, in which calls and direct messages make no sound
    zone: str | None = None  # by whose clock these are (Asia/Taipei)
    season: SeasonKind = "none"  # how long people are ranked anew
    forget_plays: bool = False  # whether what was played in finished matches is kept for a year only

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        """Return the settings out of what :attr:`chosen` gave, lists for tuples; names no longer known are left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: _whole(value) for name, value in kept.items() if name in known})

    @property
    def chosen(self) -> dict[str, Any]:
        """What differs from the defaults, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def offers(self, game: str) -> bool:
        """Tell whether a game is played here."""
        return not self.games or game in self.games

    def paces(self) -> tuple[Kind, ...]:
        """Return how fast tables may be here."""
        return KINDS if self.slow else ("live",)

    def usual_pace(self) -> Pace:
        """Return the pace of a table for which nobody says one."""
        return Pace(self.pace if self.pace in self.paces() else "live")

    def quiet_at(self, now: datetime) -> bool:
        """Tell whether nobody is to be pinged at this moment (aware)."""
        if self.quiet is None or self.zone is None:
            return False
        begin, end = self.quiet
        hour = now.astimezone(zone_of(self.zone)).hour
        return begin <= hour < end if begin < end else hour >= begin or hour < end

    def loud_at(self, now: datetime) -> datetime:
        """Return the first moment from now on at which people may be pinged."""
        while self.quiet_at(now):
            now = (now + MINUTE).replace(second=0, microsecond=0)
        return now


PLAIN: Final = ServerSettings()


def _whole(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Somebody chose something for a server. value: as JSON has it, None for nothing. by: the user; at: when."""

    guild: GuildId
    name: str
    value: Any
    by: UserId
    at: datetime
