"""What people type of where they are: countries, cities and offsets, in many languages, and nothing is guessed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel import Locale

from bot.domain.working_hours import zone_of
from bot.show.typed import cities
from bot.show.typed.cities import FOLDER, exactly, folded, found, zone_countries
from bot.show.typed.place_table import write
from tests.support.languages import CODES

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        ("马尼拉", "Asia/Manila"),
        ("馬尼拉", "Asia/Manila"),
        ("ho chi minh city", "Asia/Ho_Chi_Minh"),
        ("Kolkata", "Asia/Kolkata"),
        ("加尔各答", "Asia/Kolkata"),
        ("Kyiv", "Europe/Kyiv"),
        ("Kiev", "Europe/Kyiv"),
        ("São Paulo", "America/Sao_Paulo"),
        ("sao paulo", "America/Sao_Paulo"),
        ("saopaulo", "America/Sao_Paulo"),
        ("Asia/Taipei", "Asia/Taipei"),
        ("new york", "America/New_York"),
        ("newyork", "America/New_York"),
        ("US/Eastern", "America/New_York"),
        ("Saigon", "Asia/Ho_Chi_Minh"),
        ("London", "Europe/London"),
        # countries by their codes and short names
        ("UK", "Europe/London"),
        ("UAE", "Asia/Dubai"),
        ("HK", "Asia/Hong_Kong"),
        ("PH", "Asia/Manila"),
        ("IND", "Asia/Kolkata"),
        ("Korea", "Asia/Seoul"),
        ("Holland", "Europe/Amsterdam"),
        ("Việt Nam", "Asia/Ho_Chi_Minh"),
        ("日本", "Asia/Tokyo"),
        ("印度", "Asia/Kolkata"),
        ("英國", "Europe/London"),
        # either way of writing
        ("臺北", "Asia/Taipei"),
        ("台北", "Asia/Taipei"),
        ("臺中", "Asia/Taipei"),
        ("台中", "Asia/Taipei"),
        # cities without a zone of their own
        ("Mumbai", "Asia/Kolkata"),
        ("Bombay", "Asia/Kolkata"),
        ("मुंबई", "Asia/Kolkata"),
        ("孟买", "Asia/Kolkata"),
        ("Delhi", "Asia/Kolkata"),
        ("Beijing", "Asia/Shanghai"),
        ("北京", "Asia/Shanghai"),
        ("深圳", "Asia/Shanghai"),
        ("舊金山", "America/Los_Angeles"),
        ("Seattle", "America/Los_Angeles"),
        ("Đà Nẵng", "Asia/Ho_Chi_Minh"),
        ("da nang", "Asia/Ho_Chi_Minh"),
        ("München", "Europe/Berlin"),
        ("Łódź", "Europe/Warsaw"),
        ("lodz", "Europe/Warsaw"),
        ("Санкт-Петербург", "Europe/Moscow"),
        ("大阪", "Asia/Tokyo"),
        ("부산", "Asia/Seoul"),
        ("القاهرة", "Africa/Cairo"),
        # offsets
        ("utc+8", "Etc/GMT-8"),
        ("UTC +8", "Etc/GMT-8"),
        ("ＵＴＣ＋８", "Etc/GMT-8"),
        ("GMT+08:00", "Etc/GMT-8"),
        ("-3", "Etc/GMT+3"),
        ("UTC−3", "Etc/GMT+3"),
        ("UTC+14", "Etc/GMT-14"),
        ("UTC", "UTC"),
        ("UTC+5:45", "Asia/Kathmandu"),
        ("Etc/GMT-8", "Etc/GMT-8"),
    ],
)
def test_typed_places_are_recognized(typed: str, zone: str) -> None:
    assert exactly(typed, NOW) == zone


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Tokyo, Japan", "Asia/Tokyo"),
        ("Hanoi, Vietnam", "Asia/Bangkok"),
        ("東京、日本", "Asia/Tokyo"),
        ("San Jose, Costa Rica", "America/Costa_Rica"),
        ("Paris, Texas", "America/Chicago"),
        ("Paris, Japan", None),
        ("Paris, France", "Europe/Paris"),
        ("Jerusalem, Israel", "Asia/Jerusalem"),
        ("New York, New York", "America/New_York"),
        ("Los Angeles, CA", "America/Los_Angeles"),
        ("Toronto, CA", "America/Toronto"),
        ("Chicago, IL", "America/Chicago"),
        ("Melbourne, VIC", "Australia/Melbourne"),
        ("Seattle, WA", "America/Los_Angeles"),
        ("London, Ontario", "America/Toronto"),
        ("London, England", "Europe/London"),
        ("San Jose, CA", "America/Los_Angeles"),
        ("Portland, Oregon", "America/Los_Angeles"),
        ("Portland, Maine", None),
        ("Mumbai, Maharashtra", "Asia/Kolkata"),
        ("Springfield, Nowhere", None),
        ("Atlantis, Nowhere", None),
        ("SGT", "Asia/Singapore"),
        ("JST", "Asia/Tokyo"),
        ("jst", "Asia/Tokyo"),
        ("PKT", "Asia/Karachi"),
    ],
)
def test_a_city_in_a_country_and_the_name_of_a_clock(typed: str, zone: str | None) -> None:
    assert exactly(typed, NOW) == zone


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("PST", ["America/Los_Angeles", "Asia/Manila"]),
        ("IST", ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]),
        ("MST", ["America/Phoenix"]),
        ("ICT", ["Asia/Bangkok", "Asia/Ho_Chi_Minh", "America/Chicago"]),
        ("USA", ["America/New_York", "America/Los_Angeles", "America/Chicago"]),
        ("San Jose", ["America/Los_Angeles", "America/Costa_Rica"]),
        ("Hyderabad", ["Asia/Kolkata", "Asia/Karachi"]),
        ("UTC+5:30", ["Asia/Kolkata", "Asia/Colombo"]),
        ("new z", ["Pacific/Auckland", "Pacific/Chatham"]),
    ],
)
def test_ambiguous_places_are_asked_back(typed: str, first: list[str]) -> None:
    assert exactly(typed, NOW) is None
    assert list(found(typed, NOW))[: len(first)] == first


@pytest.mark.parametrize(
    "typed",
    ["Atlantis", "UTC+99", "UTC-13", "UTC+5:31", "../../etc/passwd", "-", "|", "🇹🇼", "\ud800", "9" * 5000, "+" * 99],
)
def test_unknown_places_are_not_found(typed: str) -> None:
    assert (exactly(typed, NOW), found(typed, NOW)) == (None, {})


def test_whole_words_precede_substrings() -> None:
    assert "Africa/Lusaka" not in found("USA", NOW)
    assert "Africa/Kinshasa" in found("inshas", NOW), "where nothing else fits, letters within a word count"
    assert len(found("", NOW)) == len(zone_countries())


@pytest.mark.parametrize("language", CODES)
def test_each_zone_is_found_by_its_city_and_its_country(language: str) -> None:
    locale, zones = Locale.parse(language), defaultdict[str, set[str]](set)
    for zone, country in zone_countries().items():
        city = locale.time_zones.get(zone, {}).get("city", zone.rpartition("/")[2].replace("_", " "))
        for name in (city, locale.territories[country]):
            zones[name].add(zone)
    assert unfound(zones) == {}


def test_each_zone_is_found_by_the_code_of_its_country() -> None:
    zones = defaultdict[str, set[str]](set)
    for zone, country in zone_countries().items():
        zones[country].add(zone)
    assert unfound(zones) == {}


def unfound(zones: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the missing zones among the results of typed texts."""
    return {typed: missing for typed, wanted in zones.items() if (missing := wanted - found(typed, NOW).keys())}


def test_the_table_of_places_covers_exactly_the_zones() -> None:
    rows = [line.split("\t") for line in (FOLDER / "places.tsv").read_text("utf-8").splitlines()]
    assert {key for key, _, _ in rows if "/" in key} <= {*zone_countries()}
    assert {key for key, city, _ in rows if not city} >= {*zone_countries().values()}
    assert all(names and folded(names.replace("|", " ")) == names.replace("|", " ") for _, _, names in rows)
    assert len(rows) > 6000


def test_a_zone_missing_from_the_table_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = (cities._rows, cities._places, cities._largest_first, cities._zones_of)
    kept = (FOLDER / "places.tsv").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "places.tsv").write_text("".join(row for row in kept if "Coyhaique" not in row), encoding="utf-8")
    with monkeypatch.context() as here:
        here.setattr(cities, "FOLDER", tmp_path)
        for cached in caches:
            cached.cache_clear()
        assert exactly("coyhaique", NOW) == exactly("america coyhaique", NOW) == "America/Coyhaique"
    for cached in caches:
        cached.cache_clear()


def test_the_table_contains_country_names_of_every_language(tmp_path: Path) -> None:
    known = [
        {
            "name": "Mumbai",
            "countrycode": "IN",
            "population": 200_000,
            "timezone": "Asia/Calcutta",
            "alternatenames": ["मुंबई", "Мумбаи", "孟買", "mu bai", "Bombay", "x" * 50],
        },
        {"name": "Small", "countrycode": "IN", "population": 99_999, "timezone": "Asia/Kolkata", "alternatenames": []},
        {"name": "Nowhere", "countrycode": "IN", "population": 200_000, "timezone": "Moon/Sea", "alternatenames": []},
    ]
    write(json.loads(json.dumps(known)), tmp_path / "made.tsv")
    made = (tmp_path / "made.tsv").read_text("utf-8").splitlines()
    kept = (FOLDER / "places.tsv").read_text("utf-8").splitlines()
    assert made[-1] == f"Asia/Kolkata\tMumbai\tmumbai|{folded('मुंबई')}|孟買|bombay"
    assert made[:-1] == kept[: len(made) - 1], "the rows of countries and zones are those that Babel gives now"


def test_every_zone_offered_has_a_clock() -> None:
    for zone in (*zone_countries(), *found("UTC+14", NOW)):
        assert zone_of(zone).key == zone
