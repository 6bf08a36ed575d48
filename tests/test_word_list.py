"""One word for one thing on screens: the page of words against the catalogues."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.show.rulebook.articles import book
from bot.show.translation.catalogue import read_catalogue
from bot.show.translation.extraction import messages
from bot.show.translation.reserved import ROLES

PAGE = (Path(__file__).parents[1] / "docs" / "words.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| Thing")
]
NEVER = re.findall(r"\*([a-z ]+)\*", PAGE.partition("Never in English")[2].partition("\n\n")[0])
LOCALES = {"en": 1, "zh_CN": 2, "zh_TW": 3}
NOT_ENGLISH, NOT_CHINESE = 4, 5


def words(column: int) -> list[str]:
    """Return the words of a column."""
    return [word.strip() for row in ROWS for word in row[column].split(",") if word.strip()]


def texts(locale: str) -> list[str]:
    """Return every message of a language, without refused player names."""
    if locale == "en":
        said = {text for found in messages() for text in (found.message, found.plural) if text}
        return sorted(said - {ROLES})
    strings = [message.string for message in read_catalogue(locale) if message.id]
    return [text for string in strings for text in ([string] if isinstance(string, str) else string or ())]


def using(word: str, locale: str) -> list[str]:
    """Return what uses a word."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)" if locale == "en" else re.escape(word), re.IGNORECASE)
    return [text for text in texts(locale) if pattern.search(text)]


@pytest.mark.parametrize("locale", LOCALES)
def test_each_word_of_the_page_is_used(locale: str) -> None:
    assert [word for word in words(LOCALES[locale]) if not using(word, locale)] == []


@pytest.mark.parametrize("word", sorted({*words(NOT_ENGLISH), *NEVER}))
def test_no_english_message_uses_another_word(word: str) -> None:
    assert using(word, "en") == []


@pytest.mark.parametrize("word", NEVER)
def test_no_rule_page_uses_a_forbidden_word(word: str) -> None:
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    pages = [book(game) for game in GAMES]
    assert [page.title for page in pages if pattern.search(page.intro)] == []
    told = (article for page in pages for article in page)
    assert [article for article in told if pattern.search(f"{article.title} {article.text}")] == []


@pytest.mark.parametrize("locale", ["zh_CN", "zh_TW"])
def test_no_chinese_message_uses_another_word(locale: str) -> None:
    assert {word: found for word in words(NOT_CHINESE) if (found := using(word, locale))} == {}
