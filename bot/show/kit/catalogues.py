"""The message catalogues of data/locale, read at every start: in milliseconds, where Babel takes tenths of a second.

Reads what gettext's tools write: comments, flags, plurals and long texts on several lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations, c2py
from typing import Final, Protocol, TypeAlias

from bot.paths import DATA

LOCALES = DATA / "locale"
# The flags of the next message, or a field of a message: its name, the number of its plural form, its text in quotes
LINES: Final = re.compile(r'^(?:#,(.*)|(msg[a-z_]+)(?:\[(\d+)\])?[ \t]+(".*"(?:\n[ \t]*".*")*))[ \t]*$', re.MULTILINE)
JOINT: Final = re.compile(r'"[ \t]*\n[ \t]*"')  # between two lines of a text
ESCAPED: Final = re.compile(r"\\(.)")
CONTROLS: Final = {"n": "\n", "t": "\t", "r": "\r"}
PLURALS: Final = re.compile(r"^Plural-Forms:.*\bplural=([^;]+)", re.MULTILINE)
MessageKey: TypeAlias = str | tuple[str, int]  # a message id; with plurals, also the number of the form


class Source(Protocol):
    """An open file of a catalogue."""

    def read(self) -> bytes:
        """Return the file's content, in UTF-8."""


class Catalogue(GNUTranslations):
    """The translations of one language, as of a compiled file. texts: by message, once read."""

    texts: dict[MessageKey, str]

    def _parse(self, fp: Source) -> None:
        """Set what the lookups of gettext use."""
        self.texts = self._catalog = dict(_translations(fp.read().decode().replace("\r\n", "\n")))
        plural = PLURALS.search(self.texts.get("", ""))
        self.plural = c2py(plural[1] if plural else "n != 1")


@cache
def catalogue(name: str) -> Catalogue:
    """Return a catalogue by the name of its folder."""
    with (LOCALES / name / "LC_MESSAGES" / "bigger.po").open("rb") as source:
        return Catalogue(source)


def _translations(source: str) -> Iterator[tuple[MessageKey, str]]:
    """Yield the translated messages of a file; a fuzzy translation does not count."""
    message, is_fuzzy, next_fuzzy = "", False, False
    for flags, name, form, quoted in LINES.findall(source):
        if flags:
            next_fuzzy = "fuzzy" in flags
        elif name == "msgid":
            message, is_fuzzy, next_fuzzy = _text(quoted), next_fuzzy, False
        elif name == "msgstr" and not is_fuzzy and (text := _text(quoted)):
            yield (message, int(form)) if form else message, text


def _text(quoted: str) -> str:
    """Return the text of a field, without quotes and escapes."""
    text = JOINT.sub("", quoted)[1:-1]
    return ESCAPED.sub(lambda found: CONTROLS.get(found[1], found[1]), text) if "\\" in text else text
