"""How far the sandbox's time can be moved on, for whoever does not want to wait for tomorrow.

Knows choices and calendars. Refuses to know how time is moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import LOCALTZ

MANILA = ZoneInfo("Asia/Manila")
MORNING = time(8)


def tomorrow_morning(now: datetime) -> timedelta:
    """Return how long it is until it is morning in Manila on the next day there."""
    there = now.astimezone(MANILA)
    return datetime.combine(there.date() + timedelta(days=1), MORNING, MANILA) - there


LATER: Mapping[str, tuple[str, Callable[[datetime], timedelta]]] = {
    "hour": ("An hour later", lambda _now: timedelta(hours=1)),
    "day": ("A day later", lambda _now: timedelta(days=1)),
    "morning": ("Tomorrow morning in Manila", tomorrow_morning),
}


def choices(now: datetime) -> list[tuple[str, str]]:
    """Return what time it is on this machine's clock, and what it can be instead, each with its key."""
    return [("now", f"{now.astimezone(LOCALTZ):%a %H:%M}"), *((key, name) for key, (name, _) in LATER.items())]
