"""Requests to Discord: failures, messages with a retry, the server of an interaction."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot.domain.ids import GuildId

# To be caught wherever a lost message does no harm to a table. OSError includes TimeoutError. discord.py raises
# RateLimited, which is no HTTPException, instead of sleeping for longer than MAX_WAIT.
UNREACHED: tuple[type[Exception], ...] = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
MAX_WAIT = 30.0  # the longest wait of a request for a rate limit in seconds: discord.py's minimum


def may_pass(error: Exception) -> bool:
    """Tell whether the same request may succeed later.

    That holds after a rate limit, a fault of Discord, or no response.
    """
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR


log = logging.getLogger(__name__)
W = TypeVar("W")
T = TypeVar("T")

PLAIN_FOR: Final = timedelta(minutes=1)
RETRY_WITHIN: Final = timedelta(seconds=1.5)  # after a click; Discord waits three seconds for an answer
INVALID_FORM, ALREADY_ACKNOWLEDGED = 50035, 40060
BAD_REQUEST = 0  # the code if Discord sends none
# Errors about the token, the message or the rate, never about a file.
UNRELATED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS)


def is_refusal(error: Exception, *, uploads: bool = False) -> bool:
    """Tell whether Discord refuses a message's content, not its place.

    uploads: whether the message has a file.
    """
    if not isinstance(error, discord.HTTPException):
        return uploads  # a broken connection: an upload may be too large for a proxy
    if error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return True
    if error.status == HTTPStatus.BAD_REQUEST and error.code in (INVALID_FORM, BAD_REQUEST):
        return True
    return uploads and error.code != ALREADY_ACKNOWLEDGED and error.status not in UNRELATED


def is_invalid_emoji(error: Exception) -> bool:
    """Tell whether Discord refuses a message for an emoji.

    The error's text names the path of each wrong part.
    """
    return isinstance(error, discord.HTTPException) and error.code == INVALID_FORM and "emoji" in error.text.casefold()


class FallbackSender:
    """Sends messages that Discord may refuse: then in a plain form.

    invalid_emoji: called at each refusal of an emoji.
    """

    def __init__(self, now: Callable[[], datetime] = discord.utils.utcnow) -> None:
        self._now = now
        self._plain_until: dict[Hashable, datetime] = {}
        self.invalid_emoji: Callable[[], None] = lambda: None

    def in_time(self, interaction: int) -> bool:
        """Tell whether an interaction with this id is recent enough for a second attempt."""
        return self._now() - discord.utils.snowflake_time(interaction) < RETRY_WITHIN

    async def deliver(
        self,
        reader: Hashable,
        drawn: W,
        send: Callable[[W], Awaitable[T]],
        plainly: Callable[[], W | None],
        *,
        again: Callable[[], bool] = lambda: True,
        helps: Callable[[Exception], bool] = is_refusal,
        ignore_breaker: bool = False,
    ) -> T:
        """Send a message, or its plain form after a refusal; return the result of send.

        Raises the last error. reader: the key of a breaker, which a refusal opens for a minute: then the plain form is
        sent at once. plainly: returns the plain form, or None if there is none. again: whether there is time for a
        second attempt. helps: whether the plain form helps against an error. ignore_breaker: whether to ignore an open
        breaker.
        """
        if self._is_plain(reader) and not ignore_breaker and (plain := plainly()) is not None:
            return await send(plain)
        try:
            return await self._as_drawn(reader, drawn, send, again)
        except UNREACHED as error:
            plain = plainly() if helps(error) else None
            if plain is None:
                raise
            log.warning("Discord refused something as it was drawn, so it is sent plainly: %s", error)
            if not is_invalid_emoji(error):
                self._open(reader)
        return await send(plain)

    async def _as_drawn(
        self, reader: Hashable, drawn: W, send: Callable[[W], Awaitable[T]], again: Callable[[], bool]
    ) -> T:
        """Send a message as drawn, with a retry after a refused emoji."""
        try:
            return await send(drawn)
        except UNREACHED as error:
            if not is_invalid_emoji(error):
                raise
            self.invalid_emoji()
            if not again():
                raise
        try:
            return await send(drawn)
        except UNREACHED as error:
            if is_invalid_emoji(error):
                self._open(reader)
            raise

    def _open(self, reader: Hashable) -> None:
        """Open the breaker of a reader for a minute."""
        self._plain_until[reader] = self._now() + PLAIN_FOR

    def _is_plain(self, reader: Hashable) -> bool:
        """Tell whether the breaker of a reader is open."""
        now = self._now()
        for each in [each for each, until in self._plain_until.items() if until <= now]:
            del self._plain_until[each]
        return reader in self._plain_until


def server_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """Return the server of an interaction.

    Returns None in direct and group messages, and on servers without the bot: the bot knows no roles, channels and
    settings there, and permissions on such a server mean nothing for a table elsewhere.
    """
    number = interaction.guild_id
    return GuildId(number) if number is not None and interaction.client.get_guild(number) is not None else None
