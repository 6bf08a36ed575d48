"""Names chosen by users, made harmless and distinct; and ids in typed texts.

Distinguishes visible Unicode characters from misleading ones. Markup of messages belongs to bot.show.kit.words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Final, TypeAlias

from confusable_homoglyphs.confusables import is_confusable

from bot.domain.ids import UserId

MAX_NAME_LENGTH = 32  # characters
MAX_TYPED_LENGTH = 500  # characters read of typed text; a name is never longer
NAMELESS = "👤"
MAX_MARKS = 2  # the most marks on one letter: accents, vowel signs, tones
MAX_STACKED_MARKS = 4  # the most in scripts that stack letters
RESERVED_SYMBOLS = frozenset("🤖👉🥇🥈🥉")  # the bot's own symbols next to names
JOINERS = "\u200c\u200d"
TEXT, EMOJI = "\ufe0e", "\ufe0f"  # variation selectors: show the preceding character as text or emoji
ISOLATE, END = "\u2068", "\u2069"
KEYCAP = "\u20e3"
# Letters and symbols that are drawn as nothing, or as a space.
BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\ufffd\U0001d159")
IDLE = (("\u0334", "\u0338"), ("\u20d0", "\u20f0"), ("\ufe00", "\ufe0d"))  # see _is_idle
SAME = str.maketrans("01", "ol")
IN_WORDS = frozenset(
    (  # scripts with joiners inside words
        "ARABIC",
        "SYRIAC",
        "MONGOLIAN",
        "NKO",
        "DEVANAGARI",
        "BENGALI",
        "GURMUKHI",
        "GUJARATI",
        "ORIYA",
        "TAMIL",
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "KHMER",
        "MYANMAR",
        "TIBETAN",
    )
)
STACKING = ("TIBETAN", "MYANMAR", "KHMER", "HEBREW", "ARABIC", "SINHALA", "TAI")

Reserved: TypeAlias = Collection[str]


def sanitize(text: str) -> str:
    """Return text safe to show: composed, on one line, without invisible characters.

    Piled-up characters are removed as well.
    """
    text = unicodedata.normalize("NFC", text[:MAX_TYPED_LENGTH])
    while (better := unicodedata.normalize("NFC", _swept(text))) != text:
        text = better
    return text


@lru_cache(maxsize=4096)
def clean(name: str, otherwise: str = NAMELESS) -> str:
    """Return a name safe to show, of at most MAX_NAME_LENGTH characters.

    otherwise: the name if no characters remain.
    """
    shown = sanitize(_unsigned(name))
    if len(shown) > MAX_NAME_LENGTH:
        shown = sanitize(_cut(shown, MAX_NAME_LENGTH - 1)) + "…"
    return shown or otherwise


def distinct_name(name: str, user: UserId, others: Iterable[str] = (), reserved: Reserved = ()) -> str:
    """Return a user's name, distinct from other names, at most MAX_NAME_LENGTH characters.

    A name that looks like another, or like a reserved one (see :func:`lookalike_keys`), is followed by digits of the
    user's id.
    """
    shown = clean(name)
    taken = frozenset(reserved).union(*map(lookalike_keys, others))
    tries = (shown, *(_marked(shown, f"#{str(user)[-digits:]}") for digits in range(4, 20)))
    return next((candidate for candidate in tries if lookalike_keys(candidate).isdisjoint(taken)), tries[-1])


@lru_cache(maxsize=4096)
def lookalike_keys(name: str) -> frozenset[str]:
    """Return the shapes of a name at a glance.

    Two names with a common shape are easily confused.
    """
    told = unicodedata.normalize("NFKC", name)
    told = "".join(filter(str.isalnum, told)) or told  # a name without letters is compared whole
    return frozenset((_gist(_alike(told)), _gist(_alike(told.casefold())))) - {""}


def isolate_direction(name: str) -> str:
    """Return a name that, if written from right to left, does not reorder the text around it."""
    leftward = any(unicodedata.bidirectional(character) in ("R", "AL") for character in name)
    return f"{ISOLATE}{name}{END}" if leftward else name


# Characters to keep


def _swept(text: str) -> str:
    """Return text with its permitted characters, and single spaces."""
    kept = list[str]()
    for at, character in enumerate(text):
        if unicodedata.category(character) in ("Zs", "Zl", "Zp") or character in "\t\n\v\f\r\x85":
            kept.append(" ")
        elif _stays(character, kept, text[at + 1 : at + 2]):
            kept.append(character)
    return " ".join("".join(kept).split())


def _stays(character: str, before: list[str], after: str) -> bool:
    """Tell whether a character is visible, or has a function between its neighbours."""
    if character in BLANK:
        return False
    if character in JOINERS:
        return bool(before and after) and _joins(before, after)
    if _is_mark(character):
        return _is_borne(character, before)
    return unicodedata.category(character)[0] in "LNPS" or _is_emoji(character)


def _joins(before: list[str], after: str) -> bool:
    """Tell whether a joiner has a function.

    It has one inside a word of a script with joiners, and between two emoji.
    """
    carrier = next(
        (character for character in reversed(before) if character not in (TEXT, EMOJI) and not _is_tone(character)), ""
    )
    if _is_emoji(carrier):
        return _is_emoji(after)
    letters = before[-1] not in JOINERS and unicodedata.category(before[-1])[0] in "LM"
    return letters and {_script(before[-1]), _script(after)} <= IN_WORDS and unicodedata.category(after)[0] in "LM"


def _is_borne(mark: str, before: list[str]) -> bool:
    """Tell whether a mark belongs to the preceding character, within the permitted number."""
    marks = 0
    while marks < len(before) and _is_mark(before[-1 - marks]):
        marks += 1
    if marks == len(before) or (carrier := before[-1 - marks]) in JOINERS:
        return False
    if mark in (TEXT, EMOJI, KEYCAP):
        return marks < 2 and mark not in before[len(before) - marks :] and _is_pictured(carrier, mark)
    spread = unicodedata.category(mark) == "Mc"  # a spacing mark
    most = MAX_STACKED_MARKS if _script(mark).startswith(STACKING) else MAX_MARKS
    return unicodedata.category(carrier)[0] == "L" and (marks < most or (spread and marks < MAX_STACKED_MARKS))


def _is_mark(character: str) -> bool:
    """Tell whether a character is drawn on another; enclosing and useless marks do not count."""
    return (unicodedata.category(character) in ("Mn", "Mc") and not _is_idle(character)) or character == KEYCAP


def _is_idle(character: str) -> bool:
    """Tell whether a mark is useless in a name.

    Useless marks are the grapheme joiner, strokes through letters, and marks of mathematics.
    """
    return character == "\u034f" or any(first <= character <= last for first, last in IDLE)


def _is_pictured(carrier: str, mark: str) -> bool:
    """Tell whether a character and its mark form an emoji, or a keycap."""
    return carrier in "0123456789#*" or (mark != KEYCAP and _is_emoji(carrier))


def _is_emoji(character: str) -> bool:
    """Tell whether a character may be an emoji; Python's Unicode data lacks the newest."""
    return character != "" and (unicodedata.category(character) == "So" or "\U0001f000" <= character <= "\U0001faff")


def _is_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


@lru_cache(maxsize=1024)
def _script(character: str) -> str:
    """Return the script of a letter: the first word of its Unicode name."""
    return unicodedata.name(character, "?").split()[0]


def _unsigned(name: str) -> str:
    return "".join(character for character in name if character not in RESERVED_SYMBOLS)


# Length


def _cut(text: str, length: int) -> str:
    """Return the beginning of text, never ending inside a sequence of combined characters."""
    while length and (_is_mark(text[length]) or text[length] in JOINERS or text[length - 1] in JOINERS):
        length -= 1
    return text[:length]


def _marked(name: str, mark: str) -> str:
    """Return a name with a mark at its end, shortened to the length of a name."""
    room = MAX_NAME_LENGTH - len(mark) - 1
    return f"{_cut(name, room - 1)}… {mark}" if len(name) > room else f"{name} {mark}"


# Similar shapes


def _gist(text: str) -> str:
    """Return a text's shape at a glance: no accents, no case, 0 and 1 as the letters o and l."""
    plain = (character for character in unicodedata.normalize("NFD", text) if not "\u0300" <= character <= "\u036f")
    return "".join(plain).casefold().translate(SAME)


def _alike(text: str) -> str:
    """Return text with each character replaced by the plainest similar one."""
    return "".join(map(_plainest, text))


@cache
def _plainest(character: str) -> str:
    """Return the plainest character similar to this one by Unicode's list of confusables.

    The result may have several letters, as "rn" for "m".
    """
    family, new = set[str](), {character}
    while new:
        family |= new
        new = {like for known in new for like in _like(known)} - family
    several = [like for like in family if len(like) > 1]
    return min(several) if several else min(family)


def _like(character: str) -> Iterable[str]:
    """Return the characters, or sequences of letters, similar to a character."""
    if len(character) > 1:
        return ()
    found = is_confusable(character, greedy=True) or []
    told = (glyph["c"] for known in found for glyph in known["homoglyphs"])
    return (like for like in told if len(like) == 1 or like.isascii())


ID_FORM: Final = re.compile(r"(?<!\d)\d{15,20}(?!\d)")
ID_LIMIT: Final = 2**63  # above every id
REMOVED_ID: Final = "…"  # replaces the id of a user whose data was deleted


def ids_in(text: str) -> frozenset[UserId]:
    """Return the numbers in a text that may be ids of users."""
    return frozenset(UserId(number) for found in ID_FORM.findall(text) if (number := int(found)) < ID_LIMIT)


def without_id(text: str, user: UserId) -> str:
    """Return a text without a user's id."""
    return re.sub(rf"(?<!\d){user}(?!\d)", REMOVED_ID, text)
