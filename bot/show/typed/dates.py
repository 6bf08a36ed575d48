"""Parsing of typed days and months, in the person's language, without guessing.

The language decides the order and the names. An ambiguous day, a two-digit year, and a year of another calendar are
refused with a question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import Final

from babel import Locale, UnknownLocaleError

from bot.domain.languages import ENGLISH
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.seasons import Month
from bot.domain.typed_text import readable
from bot.show.kit.words import MessageText

NO_DATE = N_("I can't read {typed} as a day. Write it like this: {like}.")
WHICH_DAY = N_("Does {typed} mean {one} or {other}? Write it like this: {like}.")
WHICH_YEAR = N_("Which year is {typed} in? Write it with four digits, like this: {like}.")
NO_MONTH = N_("I can't read {typed} as a month. Write it like this: 2026-11.")
LIKE: Final = MessageText("2026-12-24")
MAX_DAY_LENGTH: Final = 60  # characters of a typed day
LAST_YEAR: Final = 10  # years from now; a later year belongs to another calendar, such as the Thai year 2569
FIRST_YEAR: Final = 1900  # an earlier year does too, such as 115 of Taiwan and 1448 of the Hijra
LABELLED: Final = re.compile(r"([^\W\d]{0,4})\s*(?:(\d{1,4})\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号號일]?")
PARTED: Final = re.compile(r"(\d{1,4})\s*([-/. ])\s*(\d{1,4})(?:\s*\2\s*(\d{1,4}))?\.?")
MONTH: Final = re.compile(r"([1-9]\d{3})\s*(?:[-/.]|年\s*)(\d{1,2})月?|(\d{1,2})[-/.]([1-9]\d{3})")
FILLERS: Final = re.compile(r"\b(?:of|the|de|del|di|ngày|năm)\b")  # words around the name of a month
BESIDE_MONTH: Final = re.compile(r"(?<=\d)[-/](?=@)|(?<=@)[-/](?=\d)")  # 24-Dec-2026
DAY: Final = r"(\d{1,2})(?:st|nd|rd|th|er|[.ºª])?"
AROUND: Final = re.compile(rf"{DAY}\s*@\s*,?\s*(\d{{1,4}})?|(\d{{4}})?\s*,?\s*@\s*{DAY}(?:\s*[-/,]?\s*(\d{{1,4}}))?")


def read_day(typed: str, since: date, locale: str) -> date:
    """Return the typed day; without a year, the next such day. Raises Refused with a question.

    since: the earliest possible day without a year. locale: of the person's Discord client, such as "en-GB".
    """
    text = _plain(typed)
    found = list(_found(text, locale)) if len(text) <= MAX_DAY_LENGTH else []
    days = list(dict.fromkeys(day for year, month, day_ in found if (day := _day(year, month, day_, since))))
    if any(year is not None and not FIRST_YEAR <= year <= since.year + LAST_YEAR for year, _, _ in found):
        raise Refused(WHICH_YEAR, typed=typed, like=LIKE)
    if not days:
        raise Refused(NO_DATE, typed=typed, like=LIKE)
    if len(days) > 1:
        raise Refused(WHICH_DAY, typed=typed, one=days[0], other=days[1], like=LIKE)
    return days[0]


def read_month(typed: str, locale: str) -> Month:
    """Return the typed month. Raises Refused."""
    text = _plain(typed)
    if len(text) <= MAX_DAY_LENGTH:
        named = _with_month(text, locale)
        if named is not None and (found := re.fullmatch(r"@,?\s*([1-9]\d{3})|([1-9]\d{3})\s*@", named[1])):
            return Month(int(found[1] or found[2]), named[0])
        if (found := MONTH.fullmatch(text)) and 1 <= int(found[2] or found[3]) <= 12:
            return Month(int(found[1] or found[4]), int(found[2] or found[3]))
    raise Refused(NO_MONTH, typed=typed)


def _plain(typed: str) -> str:
    return unicodedata.normalize("NFKC", readable(typed)).strip().casefold()


def _found(text: str, locale: str) -> Iterator[tuple[int | None, int, int]]:
    """Yield the possible meanings of a text.

    A meaning is a year (None for the next), a month and a day, not yet validated.
    """
    if found := LABELLED.fullmatch(text):
        year = int(found[2]) if found[2] else None
        yield (0 if found[1] else year), int(found[3]), int(found[4])
    elif (named := _with_month(text, locale)) and (found := AROUND.fullmatch(named[1])):
        year_ = found[2] or found[3] or found[5]
        yield int(year_) if year_ else None, named[0], int(found[1] or found[4])
    elif found := PARTED.fullmatch(text):
        yield from _parted(found[1], found[2], found[3], found[4], locale=locale)


def _parted(one: str, sign: str, two: str, three: str | None, *, locale: str) -> Iterator[tuple[int | None, int, int]]:
    """Yield the possible meanings of numbers with separators."""
    if len(one) > 2:
        if three is not None:
            yield int(one), int(two), int(three)
        return
    if len(two) > 2:
        return
    year = None if three is None else int(three)
    if three is not None and len(three) < 3:
        yield 0, int(one), int(two)  # a two-digit year, in any position
        return
    ways = [(int(one), int(two)), (int(two), int(one))]  # month and day
    order, signs = _order(locale)
    if order.index("d") < order.index("M"):
        ways.reverse()
    there = [way for way in dict.fromkeys(ways) if way[0] <= 12]
    sure = sign != "." or sign in signs  # a locale that writes 3/4 does not settle 3.4.
    yield from ((year, *way) for way in (there[:1] if sure else there))


def _day(year: int | None, month: int, day: int, since: date) -> date | None:
    """Return a valid day, without a year the next such day; None for an invalid one."""
    for chosen in range(since.year, since.year + 9) if year is None else (year,):
        try:
            found = date(chosen, month, day)
        except ValueError:
            continue
        if year is not None or found >= since:
            return found
    return None


# What a language knows


@cache
def _language(locale: str) -> Locale:
    try:
        return Locale.parse(locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale.parse(ENGLISH.code)


@cache
def _order(locale: str) -> tuple[str, frozenset[str]]:
    """Return the order of year, month and day in a language, as "dMy", and its separators."""
    pattern = _language(locale).date_formats["short"].pattern
    return "".join(dict.fromkeys(re.findall("[dMy]", pattern))), frozenset(re.sub(r"\w", "", pattern))


def _with_month(text: str, locale: str) -> tuple[int, str] | None:
    """Return the named month, and the text with a sign in place of the name.

    Returns None without a month's name.
    """
    for name, number in _months(locale).items():
        found = re.search(rf"(?<![^\W_]){re.escape(name)}\.?(?![^\W_])", text)
        if found:
            rest = FILLERS.sub(" ", f"{text[: found.start()]}@{text[found.end() :]}")
            rest = BESIDE_MONTH.sub(" ", rest)
            return number, re.sub(r"\s+", " ", rest).strip()
    return None


@cache
def _months(locale: str) -> Mapping[str, int]:
    """Return the months by their names in a language and in English, long names first."""
    names = {
        unicodedata.normalize("NFKC", name).casefold().rstrip("."): number
        for language in (_language(ENGLISH.code), _language("en-GB"), _language(locale))
        for use in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in language.months[use][width].items()
        if not name.isdecimal()
    }
    return dict(sorted(names.items(), key=lambda entry: -len(entry[0])))
