"""Where people are, by the names of cities: every zone of the world has one, in every language the bot speaks.

Knows what zones are called, and which one a person may mean who types a city, a country or an offset from UTC. The
names are those of data/places, which bot.show.typed.place_table has made. Refuses to know who is where.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, filterfalse
from typing import Final, NamedTuple

from babel import Locale
from babel.core import get_global

from bot.domain.working_hours import zone_of
from bot.paths import DATA
from bot.show.kit.words import Said, Words

FOLDER: Final = DATA / "places"
MOST: Final = 25  # that are offered, Discord's limit
# Somewhere for every clock there is, in the order of the day.
EVERYWHERE: Final = (
    "Pacific/Honolulu",
    "America/Anchorage",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/Toronto",
    "America/Halifax",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Atlantic/Azores",
    "Europe/London",
    "Europe/Berlin",
    "Africa/Johannesburg",
    "Europe/Moscow",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Dhaka",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Manila",
    "Asia/Tokyo",
    "Australia/Adelaide",
    "Australia/Sydney",
    "Pacific/Auckland",
)
# Where somebody most likely is whose Discord speaks this.
LIKELY: Final[Mapping[str, str]] = {
    "bg": "Europe/Sofia",
    "cs": "Europe/Prague",
    "da": "Europe/Copenhagen",
    "de": "Europe/Berlin",
    "el": "Europe/Athens",
    "en-GB": "Europe/London",
    "es-ES": "Europe/Madrid",
    "fi": "Europe/Helsinki",
    "fr": "Europe/Paris",
    "hi": "Asia/Kolkata",
    "hr": "Europe/Zagreb",
    "hu": "Europe/Budapest",
    "id": "Asia/Jakarta",
    "it": "Europe/Rome",
    "ja": "Asia/Tokyo",
    "ko": "Asia/Seoul",
    "lt": "Europe/Vilnius",
    "nl": "Europe/Amsterdam",
    "no": "Europe/Oslo",
    "pl": "Europe/Warsaw",
    "pt-BR": "America/Sao_Paulo",
    "ro": "Europe/Bucharest",
    "ru": "Europe/Moscow",
    "sv-SE": "Europe/Stockholm",
    "th": "Asia/Bangkok",
    "tr": "Europe/Istanbul",
    "uk": "Europe/Kyiv",
    "vi": "Asia/Ho_Chi_Minh",
    "zh-CN": "Asia/Shanghai",
    "zh-TW": "Asia/Taipei",
}
WRITTEN: Final = str.maketrans({"臺": "台", "đ": "d", "ł": "l", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe"})
OFFSET: Final = re.compile(r"(?:utc|gmt)?\s*([+−-])\s*(\d{1,2})(?::?([0-5]\d))?|utc|gmt")
WHOLE_HOURS: Final = range(-12, 15)  # of the zones Etc/GMT, whose names have the sign the other way round
ETC: Final = "Etc/GMT"
HOUR: Final = timedelta(hours=1)
WITHIN: Final = 6  # how near a name is that has the letters within a word
APART: Final = "PZSC"  # categories of characters that stand between words
ASCII_APART: Final = {at: " " for at in range(128) if unicodedata.category(chr(at))[0] in APART}


class Place(NamedTuple):
    """A place of the table. key: a zone, or a country by its two letters. city: one that is no zone's, or "".

    names: folded, each between bars, the usual one first.
    """

    key: str
    city: str
    names: str


class Gazetteer:
    """All places, to be searched as one text. rows: key, city, and names joined by bars."""

    def __init__(self, rows: Sequence[tuple[str, str, str]]) -> None:
        self._keys = [(key, city) for key, city, _ in rows]
        lines = [f"|{names}|" for _, _, names in rows]
        self._ends = list(accumulate(len(line) + 1 for line in lines))
        self._text = "\n".join(lines)

    def having(self, letters: str) -> Iterator[Place]:
        """Yield the places in whose names these letters stand, in their order."""
        at = self._text.find(letters)
        while at >= 0:
            row = bisect(self._ends, at)
            start = self._ends[row - 1] if row else 0
            yield Place(*self._keys[row], self._text[start : self._ends[row] - 1])
            at = self._text.find(letters, self._ends[row])


def folded(name: str) -> str:
    """Return a name as names are compared: without case, accents and marks, its words apart by a space."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    if letters.isascii():
        return " ".join(letters.translate(ASCII_APART).split())
    bare = filterfalse(unicodedata.combining, letters)
    apart = "".join(" " if unicodedata.category(one)[0] in APART else one for one in bare)
    return " ".join(unicodedata.normalize("NFC", apart).translate(WRITTEN).split())


@cache
def zone_countries() -> Mapping[str, str]:
    """Return the country of each zone, by what IANA says of them."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return {row[2]: row[0] for row in rows}


@cache
def former() -> Mapping[str, Sequence[str]]:
    """Return the older names of zones, by one of which its city may be known."""
    names: dict[str, list[str]] = {}
    for old, new in get_global("zone_aliases").items():
        names.setdefault(new, []).append(old)
    return names


@cache
def _language(name: str) -> Locale:
    return Locale.parse(name)


@cache
def city(zone: str, language: str) -> Said:
    """Return the city of a zone in a language, or how far it is ahead of UTC."""
    if zone.startswith(ETC):
        return Said(f"UTC{-int(zone.removeprefix(ETC)):+}".replace("-", "\u2212"))
    known = _language(language).time_zones
    called = (known[name].get("city") for name in (zone, *former().get(zone, ())) if name in known)
    return Said(next(filter(None, called), zone.rpartition("/")[2].replace("_", " ")))


@cache
def _country(zone: str, language: str) -> str:
    return str(_language(language).territories.get(zone_countries().get(zone, ""), ""))


# What people type


@cache
def _rows() -> Sequence[tuple[str, str, str]]:
    """Return the table, and the zones that are newer than it; the largest cities come first."""
    lines = (FOLDER / "places.tsv").read_text("utf-8").splitlines()
    rows = [(key, city, names) for key, city, names in (line.split("\t") for line in lines)]
    known = {key for key, _, _ in rows}
    return (*((zone, "", folded(zone)) for zone in zone_countries() if zone not in known), *rows)


@cache
def _places() -> Gazetteer:
    return Gazetteer(_rows())


@cache
def _places_run_together() -> Gazetteer:
    return Gazetteer([(key, city, names.replace(" ", "")) for key, city, names in _rows()])


@cache
def _largest_first() -> Sequence[str]:
    """Return all zones in the order of their largest cities."""
    return tuple(dict.fromkeys((*(key for key, city, _ in _rows() if city), *zone_countries())))


@cache
def _zones_of() -> Mapping[str, Sequence[str]]:
    """Return the zones of each country, those with the largest cities first, and of each zone itself."""
    zones: dict[str, list[str]] = {}
    for zone in _largest_first():
        zones.setdefault(zone_countries()[zone], []).append(zone)
    return zones | {zone: [zone] for zone in _largest_first()}


def found(typed: str, now: datetime) -> dict[str, str]:
    """Return the zones that a person may mean, with the city that is so called, "" where the zone itself is.

    First what is so called, then names that begin with these words, have these words, and begin with these letters.
    Letters within a word count only where nothing else fits. now: when an offset holds.
    """
    if (zones := offset(typed, now)) is not None:
        return dict.fromkeys(zones, "")
    wanted = folded(typed)
    if not wanted:
        return {} if typed.strip() else dict.fromkeys(_largest_first(), "")
    hits = _hits(wanted, _places()) or _hits(wanted.replace(" ", ""), _places_run_together())
    if any(level < WITHIN for level, _ in hits):
        hits = [hit for hit in hits if hit[0] < WITHIN]
    hits.sort(key=lambda hit: (hit[0], bool(hit[1].city)))
    zones_first: dict[str, str] = {}
    for _, place in hits:
        for zone in _zones_of()[place.key]:
            zones_first.setdefault(zone, place.city)
    return zones_first


def _hits(wanted: str, places: Gazetteer) -> list[tuple[int, Place]]:
    """Return the places with such a name, and how near each is, 0 being the name itself."""
    forms = (f"|{wanted}|", f"|{wanted} ", f" {wanted}|", f" {wanted} ", f"|{wanted}", f" {wanted}", wanted)
    return [
        (next(level for level, form in enumerate(forms) if form in place.names), place)
        for place in places.having(wanted)
    ]


def exactly(typed: str, now: datetime) -> str | None:
    """Return the one zone that is meant; None where that is not clear.

    A country, and the city that a zone is called after, comes before other cities of its name, and the usual name of a
    city before its further ones.
    """
    if typed.strip() in {*zone_countries(), *map(_whole, WHOLE_HOURS)}:
        return typed.strip()
    if (zones := offset(typed, now)) is not None:
        return zones[0] if len(zones) == 1 else None
    wanted = folded(typed)
    exact, name = list(_places().having(f"|{wanted}|")), f"|{wanted}|"
    if not exact and wanted:
        name = name.replace(" ", "")
        exact = list(_places_run_together().having(name))
    own, usual = (
        [place for place in exact if not place.city],
        [place for place in exact if place.names.startswith(name)],
    )
    meant = {zone for place in own or usual or exact for zone in _zones_of()[place.key]} or found(typed, now)
    return next(iter(meant)) if len(meant) == 1 else None


def offset(typed: str, now: datetime) -> list[str] | None:
    """Return the zones of ``UTC+8`` or ``UTC+5:30``, none where no clock shows that; None for what is no offset.

    An offset with part of an hour names no zone of its own: then every zone whose clocks show this offset now.
    """
    match = OFFSET.fullmatch(unicodedata.normalize("NFKC", typed).strip().casefold())
    if match is None:
        return None
    sign, hours, minutes = match[1] or "+", int(match[2] or 0), int(match[3] or 0)
    ahead = timedelta(hours=hours, minutes=minutes) * (1 if sign == "+" else -1)
    if not minutes:
        return [_whole(hours if sign == "+" else -hours)] if ahead // HOUR in WHOLE_HOURS else []
    return _ahead_on(now.date()).get(ahead, [])


@lru_cache(maxsize=2)
def _ahead_on(day: date) -> Mapping[timedelta | None, list[str]]:
    """Return the zones by how far they are ahead of UTC at noon of a day, which takes a tenth of a second."""
    noon, zones = datetime.combine(day, time(12), UTC), dict[timedelta | None, list[str]]()
    for zone in _largest_first():
        zones.setdefault(noon.astimezone(zone_of(zone)).utcoffset(), []).append(zone)
    return zones


def _whole(hours: int) -> str:
    """Return the zone that is so many hours ahead of UTC; in its name the sign is the other way round."""
    return f"Etc/GMT{-hours:+}" if hours else "UTC"


def offered(zone: str, now: datetime, w: Words, called: str = "") -> Said:
    """Return a zone as it is offered: what time it is there, where that is. called: another city of that zone."""
    own, country = city(zone, w.locale), _country(zone, w.locale)
    where = f"{own}, {country}" if country and country != own else own
    return Said(f"{clock(zone, now)} · {f'{called} ({where})' if called else where}")


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
