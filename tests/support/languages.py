"""The bot's languages in tests, with a pseudo-language: the pseudo-language.

The pseudo-language is made of the English messages when a test asks for it, so that no file of it is shipped and no
player is offered it: every letter has an accent, every vowel is doubled, which makes the text a third longer, and what
is universal, fields and markup stay. What stands on a screen without accents was never translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from gettext import GNUTranslations
from typing import Final

import pytest
from babel import Locale

from bot.domain.languages import LANGUAGES, Language, language_of
from bot.paths import DATA, ROOT
from bot.show.hand.premoves import OFF
from bot.show.kit import words as spoken_words
from bot.show.kit.card_symbols import Faces
from bot.show.kit.layout import OPTION
from bot.show.kit.row_width import NARROW
from bot.show.kit.small_print import small_width
from bot.show.kit.words import PLAIN_FACES, Words, catalogue

CODES: Final = tuple(language.code for language in LANGUAGES)
LOCALES: Final = tuple(language.locales[0] for language in LANGUAGES)
TRANSLATED: Final = CODES[1:]  # English, which the sources are in, is the first
PSEUDO: Final = Language("en_001", "Pseudo", ("fr",))  # dates, lists and rule pages are in English
# What stays as it is in every language: names, notation, code.
UNIVERSAL: Final = (
    r"SHA-256|大A|小a|泰和A包|A 轮|A 牌|B2:hk\+stake=5|/(?:bigger|houserules|learn|matches|my|table) [a-z]+|/[a-z]+|"
    r"Discord|Bigger|UTC\+8|Taipei|(?:Europe/)?Berlin|"
    r"`replace`|Pusoy Dos|`table`|\b[0-9TJQKA][dchs]\b|\b10h\b|\b[AJQK]\b|\bks\b"
)
_LONG_NAME: Final = r"(\\?\S)\1{9,}…?|(\\?\S)\2{2,}…"  # whole, or cut where there is room for a few characters
_COUNTED: Final = r"…(?= \**\d)"  # the end of a name before the number of the player's cards
_MARKUP: Final = r"`[^`]*`|<[^>]*>|https?://\S+"
_CODE: Final = r"\S+=\S+|[BR]J[★☆]|\b[AJQK]{2,}\b"  # of rules, jokers and ranks
_PLACE: Final = r"^\d\d:\d\d · .*|[A-Z]\w+/[A-Z]\w+"  # by its clock, or a zone by its name
_KEPT = re.compile(rf"{UNIVERSAL}|\{{\w*\}}|`[^`]*`|<[^>]*>|\]\([^)]*\)")
ELLIPSIS: Final = "…"  # in the pseudo-language it tells of cutting, for in its messages two dots stand for it
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "áƀćďéƒǵĥíĵķĺɱńóṕɋŕśťúṽẃẋýźÁƁĆĎÉƑǴĤÍĴĶĹṀŃÓṔɊŔŚŤÚṼẂẊÝŹ"
_LETTERS = str.maketrans(dict(zip(_PLAIN, _ACCENTED, strict=True)) | {ELLIPSIS: "‥"})


def accented(message: str) -> str:
    """Return a message in the pseudo-language."""
    parts, at = list[str](), 0
    for kept in _KEPT.finditer(message):
        parts += [_lengthened(message[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join((*parts, _lengthened(message[at:])))


def _lengthened(text: str) -> str:
    return re.sub(r"([aeiouy])", r"\1\1", text).translate(_LETTERS)


class Pseudo(GNUTranslations):
    """The catalogue of the pseudo-language."""

    def gettext(self, message: str) -> str:
        """Return the message in the pseudo-language."""
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return a plural message in the pseudo-language."""
        return accented(catalogue("en").ngettext(msgid1, msgid2, n))


_CATALOGUE = Pseudo()


def pseudo(faces: Faces = PLAIN_FACES) -> Words:
    """Return the words of the pseudo-language."""
    return Words(PSEUDO, _CATALOGUE, faces)


def is_pseudo(text: str) -> bool:
    """Tell whether something in a text is in the pseudo-language."""
    return not set(text).isdisjoint("ƀƒɱɋẃẋ")


class Kind(StrEnum):
    """What a line on a screen is."""

    TEXT = "text"
    BUTTON = "button"
    PLACEHOLDER = "placeholder"
    OPTION = "option"
    DESCRIPTION = "description"
    TITLE = "title"  # of a form, or of a field in it


QUOTING: Final = (Kind.TEXT, Kind.OPTION, Kind.DESCRIPTION)


def untranslated(kind: Kind, line: str, names: Iterable[str]) -> str:
    """Return the English words of a pseudo-language line that should be translated.

    Names may be, and cards, codes, dates, places beside their clock, what is universal, and quotations of rule pages
    and policies, which are never on buttons.
    """
    rest = re.sub(_exempt(frozenset(names)), " ", line)
    if kind in QUOTING and any(all(map(_is_quoted, re.split(f"[{_ACCENTED}]+", text))) for text in (line, rest)):
        return ""
    return " ".join(_words(rest))


def is_cut(kind: Kind, line: str) -> bool:
    """Tell whether a line on a screen in the pseudo-language is cut, where it should be whole.

    Long names may be cut, and quotations of rule pages; descriptions of options at Discord's limit, for what they say
    stands in full behind the option; the queued plays below a hand and on the buttons that take them back. A
    button that names a card has an ellipsis in place of one that is not picked yet.
    """
    allowed = (
        (kind in QUOTING and _words(line) and _is_quoted(line))
        or (kind is Kind.DESCRIPTION and len(line) == OPTION)
        or (kind is Kind.TEXT and line.startswith("-# ") and small_width(line.replace("\\", "")[3:]) <= NARROW)
        or (kind is Kind.BUTTON and (line.startswith(f"{OFF} ") or line.endswith(f" {ELLIPSIS}")))
    )
    return ELLIPSIS in re.sub(rf"{_LONG_NAME}|{_COUNTED}", "", line) and not allowed


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]{2,}", re.sub(rf"{_MARKUP}|{UNIVERSAL}", " ", text))


@cache
def _exempt(names: frozenset[str]) -> str:
    """Return a pattern of text exempt from translation.

    The dates, times and lists are those of Babel.
    """
    locale = Locale.parse("en")
    dated = (
        name
        for kind in (locale.months, locale.days)
        for use in kind.values()
        for width in use.values()
        for name in width.values()
    )
    words = "|".join(map(re.escape, sorted({*names, *dated}, key=len, reverse=True)))
    spans = "(?:second|minute|hour|day|week|month|year)s?"
    return rf"{_LONG_NAME}|{_CODE}|{_PLACE}|{_MARKUP}|\b(?:{words}|{spans}|and)\b"


def _is_quoted(text: str) -> bool:
    return " ".join(_words(text)) in _quotations()


@cache
def _quotations() -> str:
    """Return the words of the rule pages and policies in English."""
    pages = (*sorted((DATA / "rules").glob("*.md")), ROOT / "PRIVACY.md", ROOT / "TERMS.md")
    return " ".join(word for page in pages if page.name.count(".") == 1 for word in _words(page.read_text("utf-8")))


@contextmanager
def speak_pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the bot speak the pseudo-language to users with its locale; no menu offers it."""
    with monkeypatch.context() as patch:
        patch.setattr(spoken_words, "language_of", lambda it: PSEUDO if it in PSEUDO.locales else language_of(it))
        patch.setattr(spoken_words, "catalogue", lambda code: _CATALOGUE if code == PSEUDO.code else catalogue(code))
        spoken_words.words.cache_clear()
        yield
    spoken_words.words.cache_clear()
