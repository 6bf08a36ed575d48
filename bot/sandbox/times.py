"""The choices for moving the sandbox's time forward."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import LOCALTZ

MANILA = ZoneInfo("Asia/Manila")
MORNING = time(8)


def tomorrow_morning(now: datetime) -> timedelta:
    """Return the time until the next day's morning in Manila."""
    there = now.astimezone(MANILA)
    return datetime.combine(there.date() + timedelta(days=1), MORNING, MANILA) - there


LATER: Mapping[str, tuple[str, Callable[[datetime], timedelta]]] = {
    "hour": ("An hour later", lambda _now: timedelta(hours=1)),
    "day": ("A day later", lambda _now: timedelta(days=1)),
    "morning": ("Tomorrow morning in Manila", tomorrow_morning),
}


def choices(now: datetime) -> list[tuple[str, str]]:
    """Return the current local time and the choices, each with its key."""
    return [("now", f"{now.astimezone(LOCALTZ):%a %H:%M}"), *((key, name) for key, (name, _) in LATER.items())]
