"""The languages of the bot, one line each: the only list of them.

The sentences of a language are its catalogue, data/locale/<code>, and its rules are data/rules/<game>.<code>.md. Its
plurals, lists, dates and units are those of CLDR, by Babel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """A language that players can read.

    code: its name in CLDR, and in the names of its files. name: its own name. locales: of its readers, as Discord
    writes them, the most usual first; each also stands for the longer locales that begin with it ("en" for "en-GB").
    space_around_latin: whether a space parts Latin letters and digits from its characters, as in Chinese.
    """

    code: str
    name: str
    locales: tuple[str, ...]
    space_around_latin: bool = False

    @property
    def tag(self) -> str:
        """The code with a hyphen, as in the settings of a server."""
        return self.code.replace("_", "-")


ENGLISH: Final = Language("en", "English", ("en-US", "en"))  # in which the sources are written; spoken by default
LANGUAGES: Final = (
    ENGLISH,
    Language("zh_CN", "简体中文", ("zh-CN", "zh"), space_around_latin=True),
    Language("zh_TW", "繁體中文", ("zh-TW", "zh-HK", "zh-MO", "zh-Hant"), space_around_latin=True),
)


@cache
def language_of(locale: str) -> Language | None:
    """Return the language of readers with this locale, by the longest locale that fits.

    None if no locale fits.
    """
    wanted = _parts(locale)
    fitting = ((len(_parts(own)), each) for each in LANGUAGES for own in each.locales if _begins(wanted, _parts(own)))
    return max(fitting, key=lambda pair: pair[0], default=(0, None))[1]


def _parts(locale: str) -> list[str]:
    return locale.lower().replace("_", "-").split("-")


def _begins(wanted: list[str], own: list[str]) -> bool:
    return wanted[: len(own)] == own
