"""Parsing of typed durations: "8 h", "1.5h", "1d 12h", "8个小时".

An ambiguous duration is not guessed. Units are known by Babel in every language of the bot.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Final, NamedTuple

from babel.units import format_unit

from bot.domain.languages import LANGUAGES
from bot.domain.typed_text import readable
from bot.show.typed.word_table import listed, named

DAY, HOUR, MINUTE, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
UNITS: Final[Mapping[str, timedelta]] = {
    "week": 7 * DAY,
    "day": DAY,
    "hour": HOUR,
    "minute": MINUTE,
    "second": SECOND,
}
SHORTER: Final = {DAY: HOUR, HOUR: MINUTE, MINUTE: SECOND}  # the unit of a number without one, after a unit
MAX_PARTS: Final = 4  # numbers in one text
PART: Final = re.compile(r"(?P<number>\d[\d.,]*)\s*(?P<unit>[^\W\d_]+\.?|['\"′″’”])?")
NUMBER: Final = re.compile(r"\d{1,6}(?:[.,]\d{1,2})?")
MINUS: Final = re.compile(r"-\s*\d")
FRACTION: Final = "No"  # the category of ½ and ², which are not digits


class Unclear(ValueError):
    """A typed duration with an unknown unit, or with several readings, listed in ``choices``."""

    def __init__(self, typed: str, unit: str = "", choices: Sequence[timedelta] = ()) -> None:
        super().__init__(typed)
        self.typed, self.unit, self.choices = typed, unit, tuple(choices)


class DurationPart(NamedTuple):
    """A typed number with its unit, or None for a bare number.

    before: the text between the preceding number and this one.
    """

    number: Fraction
    unit: timedelta | None
    before: str


def one_span(typed: str, fits: Callable[[timedelta], bool]) -> timedelta | None:
    """Return the typed duration, None for empty text.

    fits: whether a duration is within bounds. Raises ValueError for any other text or a duration out of bounds, Unclear
    for an unknown unit or several readings.
    """
    if not typed.strip():
        return None
    parts, rest = _parts(typed)
    if not parts or rest.strip() or any(not _joins(part.before) for part in parts):
        raise ValueError(typed)
    choices = list(dict.fromkeys(filter(fits, _lengths(parts))))
    if len(choices) > 1:
        raise Unclear(typed, choices=choices)
    if not choices:
        raise ValueError(typed)
    return choices[0]


def readings(typed: str) -> Iterator[tuple[timedelta, ...]]:
    """Yield each reading of the durations in a text.

    For example, "4d 12h" is two durations, or one of four and a half days. Raises ValueError for a text without a
    reading, Unclear for an unknown unit.
    """
    parts, _ = _parts(typed)
    apart = [not _joins(part.before) for part in parts[1:]]
    for ends in product(*([True] if must else [True, False] for must in apart)):
        groups: list[list[DurationPart]] = [list(parts[:1])] if parts else []
        for part, end in zip(parts[1:], ends, strict=True):
            if end:
                groups.append([part])
            else:
                groups[-1].append(part)
        yield from product(*map(_lengths, groups))


def _parts(typed: str) -> tuple[list[DurationPart], str]:
    """Return the numbers with their units, and the text after the last.

    Raises ValueError and Unclear.
    """
    text = unicodedata.normalize("NFKC", readable(typed)).casefold()
    if MINUS.search(text) or any(unicodedata.category(letter) == FRACTION for letter in typed):
        raise ValueError(typed)
    parts, at = list[DurationPart](), 0
    for found in PART.finditer(text):
        if not NUMBER.fullmatch(number := found["number"].rstrip(".,")) or len(parts) == MAX_PARTS:
            raise ValueError(typed)
        parts.append(
            DurationPart(Fraction(number.replace(",", ".")), _unit(found["unit"], typed), text[at : found.start()])
        )
        at = found.end() - len(found["number"]) + len(number) if found["unit"] is None else found.end()
    return parts, text[at:]


def _unit(written: str | None, typed: str) -> timedelta | None:
    if written is None:
        return None
    unit = _words().get(written.rstrip("."))
    if unit is None:
        raise Unclear(typed, unit=written)
    return unit


@cache
def _words() -> Mapping[str, timedelta]:
    """Return the units by word."""
    said = {
        _bare(format_unit(count, f"duration-{unit}", length, locale=language.code)): span
        for unit, span in UNITS.items()
        for language in LANGUAGES
        for length in ("long", "short", "narrow")
        for count in (1, 2)
    }
    further = {word: UNITS[unit] for unit, word in named("units")}
    return {word: span for word, span in said.items() if not word.startswith("duration")} | further


def _joins(between: str) -> bool:
    """Tell whether this may stand between the parts of one span, as in "1 d and 12 h"."""
    return between.strip() in ("", *listed("together"))


def _bare(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalpha())


def _lengths(parts: Sequence[DurationPart]) -> Iterator[timedelta]:
    """Yield the possible sums of parts, each unit smaller than the one before.

    A lone number may have any unit.
    """
    units = [[part.unit] if part.unit else [*UNITS.values()][1:] for part in parts]
    for at, part in enumerate(parts[1:], 1):
        if part.unit is None:
            before = parts[at - 1].unit
            units[at] = [SHORTER[before]] if before in SHORTER else []
    for chosen in product(*units):
        if all(larger > smaller for larger, smaller in pairwise(chosen)):
            seconds = sum(
                (part.number * (unit // SECOND) for part, unit in zip(parts, chosen, strict=True)), Fraction()
            )
            if seconds.denominator == 1 and seconds < 10**9:
                yield timedelta(seconds=int(seconds))
