"""The words that people type, by language.

They are in data/typed_words.toml, where another language is a few lines.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from bot.paths import DATA

WORDS: Final = DATA / "typed_words.toml"


@cache
def languages() -> tuple[Mapping[str, Any], ...]:
    """Return the table of each language."""
    return tuple(tomllib.loads(WORDS.read_text("utf-8")).values())


def listed(key: str) -> tuple[str, ...]:
    """Return the words of a list in all languages."""
    return tuple(word for language in languages() for word in language.get(key, ()))


def named(key: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a table in all languages, each after the name of its meaning."""
    for language in languages():
        for name, known in language.get(key, {}).items():
            yield from ((name, word) for word in known)
