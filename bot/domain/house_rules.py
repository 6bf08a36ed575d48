"""House rules under a name, and what is played in a channel where nothing else is said.

Knows whose they are and what differs from a preset. Refuses to know what an option means, and where they are kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from bot.domain.ids import ChannelId, GuildId, UserId

Scope: TypeAlias = Literal["person", "server"]


HOUSE_RULES_EACH = 25  # most house rules of one owner: as many as a select shows


def folded(name: str) -> str:
    """Return a name as it is compared: however its letters are written, "Café" and "CAFÉ" are one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose house rules: a person's, who has them on every server, or a server's. id: Discord's number of either."""

    scope: Scope
    id: UserId | GuildId


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Rules kept under a name.

    options: what differs from the preset, as JSON gives it back, with lists for tuples. by: the user who saved them.
    """

    owner: Owner
    name: str
    game: str
    preset: str
    options: Mapping[str, Any]
    by: UserId
    at: datetime


@dataclass(frozen=True, slots=True)
class Played:
    """By which rules a match was played. options: as in HouseRules."""

    game: str
    preset: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChannelDefault:
    """What is played in a channel where nothing else is said: a copy, which outlives the house rules it was made from.

    name: of those house rules, empty where it is a preset or somebody's changes to one. options: as in HouseRules.
    by: the user who set it.
    """

    guild: GuildId
    channel: ChannelId
    name: str
    game: str
    preset: str
    options: Mapping[str, Any]
    by: UserId
    at: datetime
