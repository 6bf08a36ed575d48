"""The language of messages to a user, at a table or on a server; names of servers."""

from __future__ import annotations

import discord

from bot.delivery.emoji import CardEmoji
from bot.domain.ids import NO_GUILD, GuildId
from bot.domain.names import clean
from bot.domain.preferences import Preferences
from bot.interactions.visit import Visit
from bot.members.preferences import PreferenceCache
from bot.members.server_settings import Servers
from bot.scene import Scene
from bot.show.kit.words import Words, is_supported_locale, words


class Localization:
    """Chooses the words for a reader.

    default: the locale of readers whose language the bot does not speak.
    """

    def __init__(
        self, client: discord.Client, *, servers: Servers, preferences: PreferenceCache, emoji: CardEmoji, default: str
    ) -> None:
        self._client = client
        self._servers = servers
        self._preferences = preferences
        self._emoji = emoji
        self._default = default

    def words_in(self, locale: str) -> Words:
        """Return the words for a locale of Discord."""
        return words(locale if is_supported_locale(locale) else self._default, self._emoji.faces)

    def words_for_table(self, scene: Scene) -> Words:
        """Return the words for the board of a table, in the server's language."""
        return self.words_for_server(scene.where.guild)

    def words_for_server(self, server: GuildId) -> Words:
        """Return the words for public messages on a server."""
        guild = self._client.get_guild(server)
        own = str(guild.preferred_locale) if guild else ""
        return self.words_in(self._servers.known(server).language or own)

    async def apply_preferences(self, visit: Visit) -> None:
        """Apply a person's preferences for the display of cards to the words of their visit."""
        visit.preferences = await self._preferences.of(visit.user)
        if visit.preferences != Preferences():
            visit.w = visit.w.with_preferences(visit.preferences)

    def server_name(self, guild: GuildId) -> str:
        """Return the name of a server; "" for the place of solo tables."""
        if guild == NO_GUILD:
            return ""
        found = self._client.get_guild(guild)
        return clean(found.name, otherwise=str(guild)) if found else str(guild)
