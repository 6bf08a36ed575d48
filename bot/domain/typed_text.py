"""Typed and pasted text without what keyboards, chats and calendars add to it."""

from __future__ import annotations

import unicodedata
from typing import Final

# Characters that are drawn as nothing: joiners, marks of direction, soft hyphens, byte order marks.
INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
HYPHENS: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"  # also dashes and the minus sign
QUOTES: Final = "`\"'\u2018\u2019\u201c\u201d\u201e\u300c\u300d"  # around a pasted code
PLAINER: Final = str.maketrans({**dict.fromkeys(INVISIBLE, ""), **dict.fromkeys(HYPHENS, "-")})


def readable(typed: str) -> str:
    """Return typed text for a parser, composed and without invisible characters.

    Every hyphen and dash becomes an ASCII hyphen. Characters that change the direction of the text around them stay, so
    that a parser refuses them.
    """
    return unicodedata.normalize("NFC", typed.translate(PLAINER)).strip()
