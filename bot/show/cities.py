"""Where people are, by the names of cities: every zone of the world has one, in every language the bot speaks.

Knows what zones are called, and which one somebody may mean who types a city or a country, or says what time it is.
Refuses to know who is where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Final

from babel import Locale
from babel.core import get_global

from bot.ground.day import zone_of
from bot.show.games import plain
from bot.show.server_choices import zones
from bot.show.words import LANGUAGES, Said, Words

MOST: Final = 25  # that are offered, Discord's limit
# Somewhere for every clock there is, in the order of the day.
EVERYWHERE: Final = (
    "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago",
    "America/Toronto", "America/Halifax", "America/St_Johns", "America/Sao_Paulo", "Atlantic/Azores", "Europe/London",
    "Europe/Berlin", "Africa/Johannesburg", "Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka",
    "Asia/Bangkok", "Asia/Shanghai", "Asia/Manila", "Asia/Tokyo", "Australia/Adelaide", "Australia/Sydney",
    "Pacific/Auckland",
)  # fmt: skip
# Where somebody most likely is whose Discord speaks this.
LIKELY: Final[Mapping[str, str]] = {
    "bg": "Europe/Sofia", "cs": "Europe/Prague", "da": "Europe/Copenhagen", "de": "Europe/Berlin",
    "el": "Europe/Athens", "en-GB": "Europe/London", "es-ES": "Europe/Madrid", "fi": "Europe/Helsinki",
    "fr": "Europe/Paris", "hi": "Asia/Kolkata", "hr": "Europe/Zagreb", "hu": "Europe/Budapest", "id": "Asia/Jakarta",
    "it": "Europe/Rome", "ja": "Asia/Tokyo", "ko": "Asia/Seoul", "lt": "Europe/Vilnius", "nl": "Europe/Amsterdam",
    "no": "Europe/Oslo", "pl": "Europe/Warsaw", "pt-BR": "America/Sao_Paulo", "ro": "Europe/Bucharest",
    "ru": "Europe/Moscow", "sv-SE": "Europe/Stockholm", "th": "Asia/Bangkok", "tr": "Europe/Istanbul",
    "uk": "Europe/Kyiv", "vi": "Asia/Ho_Chi_Minh", "zh-CN": "Asia/Shanghai", "zh-TW": "Asia/Taipei",
}  # fmt: skip


@cache
def _countries() -> Mapping[str, str]:
    """Return the country of each zone, by what IANA says of them."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return {row[2]: row[0] for row in rows}


@cache
def _former() -> Mapping[str, Sequence[str]]:
    """Return the older names of zones, by one of which its city may be known."""
    former: dict[str, list[str]] = {}
    for old, new in get_global("zone_aliases").items():
        former.setdefault(new, []).append(old)
    return former


@cache
def _language(name: str) -> Locale:
    return Locale.parse(name)


@cache
def city(zone: str, language: str) -> Said:
    """Return the city of a zone in a language."""
    known = _language(language).time_zones
    called = (known[name].get("city") for name in (zone, *_former().get(zone, ())) if name in known)
    return Said(next(filter(None, called), zone.rpartition("/")[2].replace("_", " ")))


@cache
def _country(zone: str, language: str) -> str:
    return str(_language(language).territories.get(_countries().get(zone, ""), ""))


@cache
def _names(zone: str) -> tuple[str, ...]:
    """Return what a zone may be called by people: its city and its country in every language, and its own name."""
    said = (name for language in LANGUAGES for name in (city(zone, language), _country(zone, language)))
    return tuple(filter(None, (*map(plain, said), plain(zone))))


def found(typed: str) -> list[str]:
    """Return the zones somebody may mean, those first whose name begins with what is typed."""
    wanted = plain(typed)
    named = [zone for zone in sorted(_countries()) if any(wanted in name for name in _names(zone))]
    named.sort(key=lambda zone: not any(name.startswith(wanted) for name in _names(zone)))
    return named or zones(typed)


def exactly(typed: str) -> str | None:
    """Return the one zone that is meant; None where that is not clear."""
    wanted, there = plain(typed), found(typed)
    same = [zone for zone in there if wanted in _names(zone)]
    return same[0] if len(same) == 1 else there[0] if len(there) == 1 else None


def offered(zone: str, now: datetime, w: Words) -> Said:
    """Return a zone as it is offered: what time it is there, where that is."""
    country = _country(zone, w.locale)
    where = (
        f"{city(zone, w.locale)}, {country}" if country and country != city(zone, w.locale) else city(zone, w.locale)
    )
    return Said(f"{clock(zone, now)} · {where}")


def clock(zone: str, now: datetime) -> Said:
    """Return what the clock on the wall shows there."""
    return Said(f"{now.astimezone(zone_of(zone)):%H:%M}")


def everywhere(locale: str, now: datetime) -> Sequence[str]:
    """Return a zone for every clock there is, the likeliest for a locale of Discord first."""
    likely = LIKELY.get(locale)
    if likely is None:
        return EVERYWHERE
    others = [zone for zone in EVERYWHERE if clock(zone, now) != clock(likely, now)]
    return (likely, *others[: MOST - 1])
