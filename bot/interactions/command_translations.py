"""Descriptions of commands in every language there is; names stay as they are, so that people can tell each other."""

from __future__ import annotations

from discord import Locale
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, Translator, locale_str

from bot.show.kit.words import words

OURS = (Locale.chinese, Locale.taiwan_chinese)
READ = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
)


class CommandNames(Translator):
    """Translates descriptions from the message catalogue."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """Return the description in this language, or None where there is none of its own."""
        return words(str(locale))(string.message) if locale in OURS and context.location in READ else None
