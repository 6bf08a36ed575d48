"""Translated descriptions of commands; names stay English, so that users of different languages can share them."""

from __future__ import annotations

from discord import Locale
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, Translator, locale_str

from bot.domain.languages import ENGLISH, language_of
from bot.show.kit.words import words

READ = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
)


class CommandNames(Translator):
    """Translates descriptions with the message catalogue."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """Return a description in a language, or None without a translation."""
        foreign = language_of(str(locale)) not in (None, ENGLISH)  # what is not translated is shown in English
        return words(str(locale))(string.message) if foreign and context.location in READ else None
