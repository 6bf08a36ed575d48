"""The last change of what people agree to in a lobby."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.domain.ids import UserId
from bot.domain.pace import Pace


@dataclass(frozen=True, slots=True)
class Revision:
    """The last change of what people agree to in a lobby: who made it, when, and what held before it."""

    by: UserId
    name: str
    at: datetime
    preset: str
    options: Mapping[str, Any]
    pace: Pace
