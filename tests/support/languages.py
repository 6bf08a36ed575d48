"""The languages of the bot as tests go through them: by the names of their files, and as their readers ask for them."""

from __future__ import annotations

from typing import Final

from bot.domain.languages import LANGUAGES

CODES: Final = tuple(language.code for language in LANGUAGES)
LOCALES: Final = tuple(language.locales[0] for language in LANGUAGES)
TRANSLATED: Final = CODES[1:]  # English, which the sources are in, is the first
