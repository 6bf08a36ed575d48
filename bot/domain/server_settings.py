"""The settings of a server: one frozen value with defaults.

Contains the possible settings and their meaning for a moment, a game or a pace. Permission to change them, their
storage and display live elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, Self

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.pace import MINUTE, PACE_KINDS, Pace, PaceKind
from bot.domain.seasons import SeasonKind
from bot.domain.working_hours import zone_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of one server."""

    language: str | None = None  # language of boards as a Discord locale (zh-CN); None for the server's
    games: tuple[str, ...] = ()  # games on offer; empty for all
    channels: tuple[ChannelId, ...] = ()  # where tables may be opened, threads included; empty for everywhere
    slow: bool = True  # whether slow tables are allowed
    stakes: bool = False
    leaderboard: bool = True
    hidden_count: bool = False  # whether matches in channels hidden from @everyone count for the leaderboard
    mirror: bool = True  # whether players may get hands by direct message
    threads: bool = True  # whether matches may have separate threads
    pictures: bool = True  # whether boards show the table as a picture
    reactions: bool = True  # whether players may show reactions on boards
    pace: PaceKind = "live"  # the default pace of tables
    opener: int | None = None  # the role that may open tables; None for everyone
    moderator: int | None = None  # the role that moderates tables, in addition to members with Manage Messages
    lobbies: int = 20  # the most open lobbies on the server
    lobbies_each: int = 5  # the most open lobbies of one user
    quiet: tuple[int, int] | None = None  # quiet hours, from and to: pings and direct messages make no sound
    zone: str | None = None  # the time zone of the quiet hours (Asia/Taipei)
    season: SeasonKind = "none"  # the length of seasons
    forget_plays: bool = False  # whether records of finished matches are deleted after a year

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        """Return the settings from :attr:`chosen`, with lists for tuples.

        Unknown names are ignored.
        """
        known = {field.name for field in fields(cls)}
        return cls(**{name: _whole(value) for name, value in kept.items() if name in known})

    @property
    def chosen(self) -> dict[str, Any]:
        """The differences from the defaults, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def offers(self, game: str) -> bool:
        """Tell whether a game is on offer on the server."""
        return not self.games or game in self.games

    def paces(self) -> tuple[PaceKind, ...]:
        """Return the permitted kinds of pace."""
        return PACE_KINDS if self.slow else ("live",)

    def usual_pace(self) -> Pace:
        """Return the default pace of tables."""
        return Pace(self.pace if self.pace in self.paces() else "live")

    def is_quiet_at(self, now: datetime) -> bool:
        """Tell whether a time is within the quiet hours. now: aware."""
        if self.quiet is None or self.zone is None:
            return False
        begin, end = self.quiet
        hour = now.astimezone(zone_of(self.zone)).hour
        return begin <= hour < end if begin < end else hour >= begin or hour < end

    def quiet_until(self, now: datetime) -> datetime:
        """Return the earliest time from now on outside of the quiet hours."""
        while self.is_quiet_at(now):
            now = (now + MINUTE).replace(second=0, microsecond=0)
        return now


DEFAULT_SETTINGS: Final = ServerSettings()


def _whole(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChange:
    """A change of a server's setting.

    value: as JSON, None for the default. by: the user; at: the time.
    """

    guild: GuildId
    name: str
    value: Any
    by: UserId
    at: datetime
