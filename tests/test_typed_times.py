"""Days, months and spans as the world writes them; what can be two things is asked back, and a minus is an error."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from bot.domain.pace import DAY, HOUR, MINUTE, SECOND, Pace, PaceKind
from bot.domain.refusals import Refused
from bot.domain.seasons import Month
from bot.show.kit.words import words
from bot.show.table import paces
from bot.show.typed.dates import NO_DATE, NO_MONTH, WHICH_DAY, WHICH_YEAR, read_day, read_month
from bot.show.typed.durations import Unclear, one_span
from tests.support.languages import CODES

TODAY = date(2026, 11, 27)
EVE = date(2026, 12, 24)
ODD = ["-5", "−5 h", "\ud800", "\u202e5", "9" * 5000, "🕗", "½", "5²", "\n", "@", "1" + "." * 40]


@pytest.mark.parametrize(
    ("typed", "locale"),
    [
        ("2026-12-24", "en-US"),
        ("2026/12/24", "en-GB"),
        ("2026.12.24", "zh-CN"),
        ("2026年12月24日", "zh-CN"),
        ("２０２６年１２月２４日", "zh-TW"),
        ("12月24日", "zh-CN"),
        ("12月24號", "zh-TW"),
        ("2026년 12월 24일", "ko"),
        ("24.12.", "de"),
        ("24.12.", "en-US"),
        ("24.12.2026", "en-US"),
        ("24/12", "en-US"),
        ("24/12", "en-GB"),
        ("12/24", "en-US"),
        ("12/24", "en-GB"),
        ("12-24", "zh-CN"),
        ("12.24", "zh-CN"),
        ("24 12", "fr"),
        ("Dec 24", "en-US"),
        ("24 Dec", "vi"),
        ("December 24th, 2026", "en-GB"),
        ("24th of December", "en-US"),
        ("24. Dezember", "de"),
        ("24 de diciembre de 2026", "es-ES"),
        ("24 décembre", "fr"),
        ("24 декабря", "ru"),
        ("ngày 24 tháng 12 năm 2026", "vi"),
        ("2026 Dec 24", "en-US"),
        ("24-Dec-2026", "en-US"),
        ("24/Dec", "en-GB"),
        ("dec/24/2026", "en-US"),
        ("Dec-24-2026", "en-US"),
        ("2026/Dec/24", "en-US"),
        ("٢٤/١٢", "en-GB"),
    ],
)
def test_dates_are_read_in_many_languages(typed: str, locale: str) -> None:
    assert read_day(typed, TODAY, locale) == EVE


def test_the_date_order_follows_the_language() -> None:
    assert read_day("3/4", TODAY, "en-US") == date(2027, 3, 4)
    assert read_day("3/4", TODAY, "en-GB") == read_day("3.4.", TODAY, "de") == date(2027, 4, 3)
    assert read_day("3/4", TODAY, "zh-TW") == date(2027, 3, 4)


def test_a_date_without_a_year_is_the_next_one() -> None:
    assert read_day("27.11.", TODAY, "de") == TODAY
    assert read_day("26.11.", TODAY, "de") == date(2027, 11, 26)
    assert read_day("29.2.", TODAY, "de") == date(2028, 2, 29)


@pytest.mark.parametrize(
    ("typed", "locale", "asked"),
    [
        ("3.4.", "en-US", WHICH_DAY),
        ("3.4.2027", "en-US", WHICH_DAY),
        ("24.12.26", "de", WHICH_YEAR),
        ("26-12-24", "en-US", WHICH_YEAR),
        ("24 Dec 26", "en-US", WHICH_YEAR),
        ("115/12/24", "zh-TW", WHICH_YEAR),
        ("民國115年12月24日", "zh-TW", WHICH_YEAR),
        ("令和8年12月24日", "ja", WHICH_YEAR),
        ("24/12/2569", "th", WHICH_YEAR),
        ("1448-12-24", "id", WHICH_YEAR),
        ("26年12月24日", "zh-CN", WHICH_YEAR),
        *(
            (typed, "en-US", NO_DATE)
            for typed in (
                "soon",
                "",
                "24",
                "Dec",
                "2026-02-30",
                "2026--12-24",
                "-2026-12-24",
                "13/13",
                "12/2026",
                "2026-12-24-1",
                "24/12/20266",
                *ODD,
            )
        ),
    ],
)
def test_invalid_and_ambiguous_dates_are_asked_back(typed: str, locale: str, asked: str) -> None:
    with pytest.raises(Refused) as no:
        read_day(typed, TODAY, locale)
    assert no.value.sentence == asked
    for language in CODES:
        assert words(language)(no.value.sentence, **no.value.values)


def test_both_readings_of_a_date_are_shown_in_the_readers_language() -> None:
    with pytest.raises(Refused) as no:
        read_day("3.4.", TODAY, "en-US")
    said = words("en-US")(no.value.sentence, **no.value.values)
    assert said == "Does 3.4. mean Mar 4, 2027 or Apr 3, 2027? Write it like this: 2026-12-24."
    assert "2027年3月4日" in words("zh-CN")(no.value.sentence, **no.value.values)


@pytest.mark.parametrize(
    "typed", ["2026-11", "２０２６－１１", "2026年11月", "2026/11", "11/2026", "Nov 2026", "2026 November"]
)
def test_months_are_read(typed: str) -> None:
    assert read_month(typed, "en-US") == Month(2026, 11)


@pytest.mark.parametrize("typed", ["2026-13", "0-11", "0000-11", "11", "26-11", "Nov", *ODD])
def test_invalid_months_are_refused(typed: str) -> None:
    with pytest.raises(Refused) as no:
        read_month(typed, "en-US")
    assert no.value.sentence == NO_MONTH


# Spans


def move(typed: str, kind: PaceKind) -> timedelta | None:
    """Return the time for a move that is typed at such a table."""
    return one_span(typed, lambda span: Pace(kind, move=span).is_within_bounds)


@pytest.mark.parametrize(
    ("typed", "kind", "span"),
    [
        ("8h", "relaxed", 8 * HOUR),
        ("８個小時", "relaxed", 8 * HOUR),
        ("8个小时", "relaxed", 8 * HOUR),
        ("8 hours", "relaxed", 8 * HOUR),
        ("8 hrs.", "relaxed", 8 * HOUR),
        ("1.5h", "relaxed", 90 * MINUTE),
        ("1,5 h", "relaxed", 90 * MINUTE),
        ("1d 12h", "relaxed", 36 * HOUR),
        ("1天12小时", "relaxed", 36 * HOUR),
        ("1 d and 12 h", "relaxed", 36 * HOUR),
        ("1h30", "relaxed", 90 * MINUTE),
        ("1w", "relaxed", 7 * DAY),
        ("90", "live", 90 * SECOND),
        ("5", "live", 5 * MINUTE),
        ("2m30s", "live", 150 * SECOND),
        ("2分30秒", "live", 150 * SECOND),
        ("8", "relaxed", 8 * HOUR),
        ("12", "daily", 12 * HOUR),
        ("", "live", None),
    ],
)
def test_durations_are_read(typed: str, kind: PaceKind, span: timedelta | None) -> None:
    assert move(typed, kind) == span


def test_a_number_that_can_be_hours_or_days_is_asked_back() -> None:
    with pytest.raises(Unclear) as no:
        move("5", "relaxed")
    said = paces.unclear(no.value, words("en-US"))
    assert said == "Does 5 mean 5 days or 5 hours? Write the unit too, such as 90 s, 8 h or 2 d."


@pytest.mark.parametrize(("typed", "unit"), [("5'", "'"), ("1 month", "month"), ("2 moons", "moons")])
@pytest.mark.parametrize("kind", ["live", "relaxed", "daily"])
def test_an_unknown_unit_is_asked_back_at_every_table(typed: str, unit: str, kind: PaceKind) -> None:
    with pytest.raises(Unclear) as no:
        move(typed, kind)
    assert no.value.unit == unit
    assert "What is" in paces.unclear(no.value, words("en-US"))


@pytest.mark.parametrize("kind", ["live", "relaxed"])
@pytest.mark.parametrize(
    "typed",
    [
        "12h 1d",
        "8h, 9h",
        "8 hours please",
        "1:30",
        "1,500 s",
        "99999999 h",
        "0.3s",
        "-8h",
        "8h -1m",
        *(odd for odd in ODD if odd.strip()),
    ],
)
def test_invalid_durations_are_refused(typed: str, kind: PaceKind) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # it is said in words by the screen that asked
        move(typed, kind)


@pytest.mark.parametrize(
    ("typed", "pace"),
    [
        ("relaxed 1d 12h", "relaxed 36h"),
        ("relaxed 1.5d", "relaxed 36h"),
        ("悠闲 8个小时", "relaxed 8h"),
        ("daily 4d 12h", "daily 12h+4d"),
        ("一天一手 4天+12小时", "daily 12h+4d"),
        ("每日 4天+12小时", "daily 12h+4d"),
        ("live 90", "live 90s"),
        ("relaxed house 8h", "relaxed 8h house"),
        ("slow", "relaxed"),
        *(
            (typed, None)
            for typed in (
                "live 2m 30s",
                "daily 1d 12h",
                "relaxed 5",
                "live 5'",
                "relaxed 1 month",
                "relaxed -8h",
                "daily 4d-12h",
                "daily 4 12",
                "none 8h",
                "live ½m",
                "relaxed 8h 9h 10h",
            )
        ),
        *((f"{kind} {typed}", None) for kind in ("live", "relaxed", "daily") for typed in ("-5", "−5 h", "9" * 5000)),
    ],
)
def test_an_ambiguous_pace_is_refused(typed: str, pace: str | None) -> None:
    found = paces.parse_pace(typed)
    assert (None if found is None else str(found)) == pace
