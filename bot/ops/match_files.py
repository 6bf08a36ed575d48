"""Reads exported matches from files, and checks them. No running bot is involved."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.games import GAMES
from bot.ops.deal_check import CheckFailed
from bot.ops.terminal import printable
from bot.rules.matches.match_file import (
    ExportedMatch,
    Fault,
    UnreadableMatch,
    describe_match,
    faults,
    faults_of_form,
    unproven_facts,
)
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbols
from bot.show.kit.words import words

MAX_BYTES: Final = 20_000_000
TOO_LARGE: Final = "{path} is longer than {most} MB, the most that is read as matches."
AS_IT_SAYS: Final = (
    "All is as it says: every action was allowed by version {version} of the rules, the points and places follow from "
    "the hands, and the cards from the commitment{words}."
)
WITH_WORDS: Final = " and the words of the cut"
NOT_SAID: Final = (
    "What this does not show: that whoever runs the bot did not choose the cards, and who saw which. They can read "
    "every word of a cut and see every hand. Nor does it show {unchecked}."
)


def exported(path: Path) -> list[ExportedMatch]:
    """Return the matches in a file, one or more. Raises CheckFailed for an invalid file."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CheckFailed(TOO_LARGE.format(path=path, most=MAX_BYTES // 1_000_000))
        return list(ExportedMatch.from_lines(content.decode(encoding_of(content)), GAMES))
    except OSError as error:
        raise CheckFailed(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CheckFailed(f"{path} is no text.") from error
    except UnreadableMatch as error:
        raise CheckFailed(printable(f"{path}: {error}")) from error


def encoding_of(content: bytes) -> str:
    """Return the encoding of a text: UTF-8, or UTF-16 with a byte order mark, as Windows redirects output."""
    return "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def checked(found: Sequence[ExportedMatch]) -> Iterator[str]:
    """Yield the result of checking matches, with the limits of the check. Raises CheckFailed with all faults."""
    several = len(found) > 1
    wrong = [f"{_title(number, several)}{_said(fault)}" for number, one in enumerate(found, 1) for fault in faults(one)]
    if wrong:
        raise CheckFailed("\n".join(wrong))
    if several:
        yield f"{len(found)} matches."
    versions = sorted({one.record.version for one in found})
    with_words = WITH_WORDS if any(one.words is not None for one in found) else ""
    yield AS_IT_SAYS.format(version=" and ".join(map(str, versions)), words=with_words)
    yield NOT_SAID.format(unchecked="; nor ".join(dict.fromkeys(line for one in found for line in unproven_facts(one))))


def describe_matches(found: Sequence[ExportedMatch]) -> Iterator[str]:
    """Yield matches in words, each up to its first fault. Raises CheckFailed at the end with all faults."""
    several, wrong = len(found) > 1, list[str]()
    for number, one in enumerate(found, 1):
        if several:
            yield f"# {number}"
        known = list(faults(one))
        wrong += [f"{_title(number, several)}{_said(fault)}" for fault in known]
        if not list(faults_of_form(one)):
            end = next((fault.step for fault in known if fault.step is not None), None)
            played = replace(one, record=replace(one.record, steps=one.record.steps[:end]))
            yield from map(printable, describe_match(played, symbols))
    if wrong:
        raise CheckFailed("\n".join(wrong))


def _title(number: int, several: bool) -> str:
    return f"Match {number}: " if several else ""


def _said(fault: Fault) -> str:
    """Return the sentence about a fault, with the reason worded as on a screen."""
    sentence = fault.said(symbols)
    if fault.refused is not None:
        w = words("en").bare()
        w = w.among((), fault.rules) if fault.rules is not None else w
        sentence = f"{sentence} {phrases.refusal(fault.refused, w)}"
    return printable(sentence)
