"""The outbox: sends each new message exactly once, and deletes obsolete messages."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from io import BytesIO

import discord

from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.effect_runner import EffectRunner
from bot.delivery.outbox.write_queue import SOON, WriteQueue
from bot.domain.effects import MessageDeletion, OutboxRow, PendingEffect
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.runtime.discord_requests import UNREACHED, FallbackSender, is_invalid_emoji, is_refusal, may_pass
from bot.show.kit.fallback import public_in_text
from bot.show.kit.layout import PublicRow, PublicScreen, is_screen
from bot.store.repositories.outbox import OutboxRepository

log = logging.getLogger(__name__)

NONCE_BITS = 63  # 19 digits; Discord takes 25 characters
NONCE_REMEMBERED = timedelta(minutes=2)  # Discord remembers a nonce for longer than this
MAX_CLOCK_SKEW = timedelta(seconds=10)  # the bot's clock may be ahead of Discord's by this
MAX_SEARCHED = 50  # the latest messages of a channel to search
UNKNOWN_MESSAGE = 10008
NO_READER = UserId(0)


class ResponseLost(OSError):
    """Discord's response was lost, so the message may exist.

    The sender tries again or gives up. This is one of the errors in UNREACHED.
    """

    def __init__(self, message: Outbound, why: str) -> None:
        super().__init__(why)
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Outbound:
    """A message to send.

    key: constant for all attempts and unique to the message; see ``OutboxRow``. send: sends the message with a nonce,
    built for each attempt. matches: recognises the message among the bot's messages. direct: the recipient of a
    direct message.
    """

    key: str
    guild: GuildId
    channel: ChannelId
    send: Callable[[str], Awaitable[discord.Message]]
    matches: Callable[[discord.Message], bool]
    direct: UserId = NO_READER


class Outbox:
    """Sends new messages.

    may_read: tells whether the bot may read a channel's history. effects: deletes unwanted messages.
    """

    def __init__(
        self,
        *,
        client: discord.Client,
        rows: OutboxRepository,
        now: Callable[[], datetime],
        may_read: Callable[[ChannelId], bool],
        effects: EffectRunner,
    ) -> None:
        self._client = client
        self._effects = effects
        self._rows = rows
        self._now = now
        self._may_read = may_read

    async def send(self, message: Outbound) -> discord.Message:
        """Send a message whose id the caller saves; saving the id also ends the outbox row.

        Raises StoreError if the nonce cannot be saved, ResponseLost, RateLimited, and the HTTPException of a refusal;
        after a refusal the next attempt is a new message.
        """
        new = self._new_row(message)
        known = await self._rows.begin_message(new)
        if known.channel != message.channel:  # the table has moved to another channel
            await self._delete_sent(replace(message, channel=known.channel), known)
            await self._rows.renew_message(new.key, new.channel, new.nonce, new.at)
            known = new
        if known != new and (sent := await self._find_sent(message, known)):
            return sent
        try:
            return await self._send_with_nonce(message, known.nonce)
        except discord.RateLimited:
            raise  # not sent: a retry is the same message
        except UNREACHED as error:
            if may_pass(error):
                raise ResponseLost(message, str(error)) from error
            await self.end(message.key)
            raise

    async def send_once(self, message: Outbound) -> discord.Message:
        """Send a message whose id is not saved. Raises the same errors as ``send``."""
        sent = await self.send(message)
        await self.end(message.key)
        return sent

    async def give_up(self, message: Outbound) -> None:
        """Cancel a message, and delete the message if an attempt succeeded. Raises StoreError."""
        new = self._new_row(message)
        known = await self._rows.begin_message(new)
        if known != new:
            await self._delete_sent(message, known)
        await self.end(message.key)

    async def _delete_sent(self, message: Outbound, known: OutboxRow) -> None:
        """Delete an unwanted message if an earlier attempt succeeded."""
        if sent := await self._search(message, known):
            await self._effects.add(MessageDeletion(message.channel, MessageId(sent.id)), message.guild)

    async def unanswered(self) -> frozenset[str]:
        """Return the keys of messages without a confirmed response. Raises StoreError."""
        return await self._rows.keys()

    async def end(self, key: str) -> None:
        """Delete the row of a confirmed or abandoned message. Raises StoreError."""
        await self._rows.finish(key)

    async def _send_with_nonce(self, message: Outbound, nonce: int) -> discord.Message:
        """Send a message; with a new nonce if the first nonce's message was deleted."""
        try:
            return await message.send(str(nonce))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        another = self._new_row(message)
        await self._rows.renew_message(message.key, message.channel, another.nonce, another.at)
        return await message.send(str(another.nonce))

    def _new_row(self, message: Outbound) -> OutboxRow:
        nonce = secrets.randbits(NONCE_BITS)
        return OutboxRow(message.key, message.guild, message.direct, message.channel, nonce, self._now())

    async def _find_sent(self, message: Outbound, known: OutboxRow) -> discord.Message | None:
        """Return the message of an earlier attempt, if Discord may have forgotten the nonce."""
        return None if self._now() - known.at <= NONCE_REMEMBERED else await self._search(message, known)

    async def _search(self, message: Outbound, known: OutboxRow) -> discord.Message | None:
        """Search the channel's latest messages for a message.

        Returns None without a match, and if the bot cannot read the channel.
        """
        if not (message.direct or self._may_read(message.channel)):
            return None
        where, since = self._client.get_partial_messageable(message.channel), known.at - MAX_CLOCK_SKEW
        try:
            latest = [sent async for sent in where.history(limit=MAX_SEARCHED)]
        except UNREACHED as error:
            log.info("Channel %s could not be searched for a message that was not answered: %s", message.channel, error)
            return None
        me = self._client.user
        ours = (sent for sent in latest if me and sent.author.id == me.id and sent.created_at >= since)
        return next((sent for sent in ours if message.matches(sent)), None)


def key_of(kind: str, *parts: object) -> str:
    """Return a message's key: a hash of its identifying parts, which reveals none of them."""
    return f"{kind} {hashlib.blake2s(repr(parts).encode(), digest_size=16).hexdigest()}"


def screen_message(
    kind: str,
    guild: GuildId,
    where: discord.PartialMessageable,
    shown: PublicScreen,
    sender: FallbackSender,
    *files: tuple[str, bytes],
    silent: bool = False,
) -> Outbound:
    """Return a message with a public screen.

    kind: the reason, part of the key. files: pictures with names. silent: without a notification sound.
    """

    async def put(one: PublicScreen, nonce: str) -> discord.Message:
        pictures = [discord.File(BytesIO(content), name) for name, content in files]
        none = discord.AllowedMentions.none()
        return await where.send(view=one.drawn, files=pictures, nonce=nonce, allowed_mentions=none, silent=silent)

    async def send(nonce: str) -> discord.Message:
        helps = is_invalid_emoji if files else is_refusal
        in_text = partial(public_in_text, shown)
        return await sender.deliver(where.id, shown, partial(put, nonce=nonce), in_text, helps=helps)

    key = key_of(kind, where.id, repr(shown.drawn.to_components()))  # type: ignore[no-untyped-call]
    return Outbound(
        key=key, guild=guild, channel=ChannelId(where.id), send=send, matches=partial(is_screen, view=shown.drawn)
    )


def text_message(
    key: str,
    guild: GuildId,
    where: discord.PartialMessageable,
    text: str,
    *,
    mentions: discord.AllowedMentions,
    below: PublicRow | None = None,
    silent: bool = False,
) -> Outbound:
    """Return a text message.

    mentions: the users and roles to ping. below: its buttons. silent: without a notification sound.
    """

    async def send(nonce: str) -> discord.Message:
        if below is None:
            return await where.send(text, allowed_mentions=mentions, silent=silent, nonce=nonce)
        return await where.send(text, allowed_mentions=mentions, silent=silent, nonce=nonce, view=below.drawn)

    return Outbound(key=key, guild=guild, channel=ChannelId(where.id), send=send, matches=has_text(text))


def has_text(text: str) -> Callable[[discord.Message], bool]:
    """Return a predicate that recognises messages with this text, mentions included."""
    return lambda message: message.content.strip() == text.strip()


class MessageDeleter:
    """Performs deletions; a refused or completed deletion is over."""

    def __init__(self, client: discord.Client, queue: WriteQueue) -> None:
        self._client = client
        self._queue = queue

    async def delete(self, effect: MessageDeletion, _pending: PendingEffect) -> None:
        """Delete a message. Raises Discord's errors."""
        where = self._client.get_partial_messageable(effect.channel)
        await self._queue.do(channel(effect.channel), where.get_partial_message(effect.message).delete, SOON)
