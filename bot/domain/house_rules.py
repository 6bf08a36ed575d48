"""House rules saved under a name, and the default rules of a channel.

Owners, and differences from a preset. The meaning of options and the storage live elsewhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from bot.domain.ids import ChannelId, GuildId, UserId

Scope: TypeAlias = Literal["person", "server"]


HOUSE_RULES_EACH = 25  # the most house rules of one owner: the most options of a select


def name_key(name: str) -> str:
    """Return a name in the form used for comparison.

    Independent of case and Unicode form, so "Café" equals "CAFÉ".
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of house rules: a user, who has them on every server, or a server.

    id: the Discord id of either.
    """

    scope: Scope
    id: UserId | GuildId


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Rules saved under a name.

    options: differences from the preset, as read from JSON, with lists instead of tuples. by: the user who saved them.
    """

    owner: Owner
    name: str
    game: str
    preset: str
    options: Mapping[str, Any]
    by: UserId
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayedRules:
    """The rules of a match. options: as in HouseRules."""

    game: str
    preset: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelDefault:
    """The default rules of a channel: a copy, which outlives the house rules copied.

    name: of the copied house rules, empty for a preset or ad-hoc changes to one. options: as in HouseRules. by: the
    user who set the default.
    """

    guild: GuildId
    channel: ChannelId
    name: str
    game: str
    preset: str
    options: Mapping[str, Any]
    by: UserId
    at: datetime
