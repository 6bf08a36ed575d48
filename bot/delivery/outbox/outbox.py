"""The outbox: the one way by which a new message goes into a channel, so that it stands there exactly once.

Discord answers a repeated nonce with the message that it made first (discord.py always sets ``enforce_nonce``), and
remembers a nonce for some minutes, per sender over all channels; of a message that was deleted meanwhile it says 10008
(discord-api-docs #6647). So a random nonce is written to the store before the first try and deleted together with what
is stored of the answer: a retry carries the same one, also after a restart, and a new message a new one. Once Discord
may have forgotten the nonce, the channel's latest messages are looked at before the next try.

Does not schedule: the queue decides when a message is sent.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from io import BytesIO
from typing import Protocol

import discord

from bot.delivery.outbox.effect_runner import Effects
from bot.domain.effects import Deletion, OutboxRow
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.runtime.discord_failures import UNREACHED, may_pass
from bot.runtime.message_attempts import Delivery, is_invalid_emoji, is_refusal
from bot.show.kit.fallback import public_in_text
from bot.show.kit.layout import PublicRow, PublicScreen, is_screen

log = logging.getLogger(__name__)

NONCE_BITS = 63  # 19 digits; Discord takes 25 characters
NONCE_REMEMBERED = timedelta(minutes=2)  # Discord surely remembers a nonce for so long
MAX_CLOCK_SKEW = timedelta(seconds=10)  # by which our clock may be ahead of Discord's
MAX_SEARCHED = 50  # messages of a channel that are looked at
UNKNOWN_MESSAGE = 10008
NO_READER = UserId(0)


class OutboxStore(Protocol):
    """What the outbox needs of a store. Every call may raise StoreError."""

    async def begin_outgoing(self, new: OutboxRow) -> OutboxRow:
        """Insert the row of a message unless the key exists; return the stored row."""
        ...

    async def outgoing(self) -> frozenset[str]:
        """Return the keys of all rows."""
        ...

    async def renew_outgoing(self, key: str, channel: ChannelId, nonce: int, at: datetime) -> None:
        """Replace the nonce of a message, and the channel into which it goes."""
        ...

    async def end_outgoing(self, key: str) -> None:
        """Delete the row of a message that was answered or given up."""
        ...


class Unanswered(OSError):
    """Nobody knows whether a message stands there: its sender tries again, or gives it up.

    One of what UNREACHED names.
    """

    def __init__(self, message: Outbound, why: str) -> None:
        super().__init__(why)
        self.message = message


@dataclass(frozen=True, slots=True)
class Outbound:
    """A message to be sent.

    key: the same for every try, and for no other message; see ``OutboxRow``. send: sends it with this nonce, each time
    from scratch. is_it: tells whether a message of the bot is this one. direct: to whom it is written directly.
    """

    key: str
    guild: GuildId
    channel: ChannelId
    send: Callable[[str], Awaitable[discord.Message]]
    is_it: Callable[[discord.Message], bool]
    direct: UserId = NO_READER


class Outbox:
    """Sends new messages.

    readable: whether the bot may read what was written in a channel. effects: deletes messages that got through.
    """

    def __init__(
        self,
        client: discord.Client,
        store: OutboxStore,
        now: Callable[[], datetime],
        readable: Callable[[ChannelId], bool],
        effects: Effects,
    ) -> None:
        self._client = client
        self._effects = effects
        self._store = store
        self._now = now
        self._readable = readable

    async def send(self, message: Outbound) -> discord.Message:
        """Send a message of which the caller stores the id, and ends the row in the outbox with that.

        Raises StoreError where the nonce cannot be written, Unanswered, RateLimited, and the HTTPException of a
        refusal, after which the next try is a new message.
        """
        new = self._new_row(message)
        known = await self._store.begin_outgoing(new)
        if known.channel != message.channel:  # the table has moved since
            await self._delete_sent(replace(message, channel=known.channel), known)
            await self._store.renew_outgoing(new.key, new.channel, new.nonce, new.at)
            known = new
        if known != new and (sent := await self._find_sent(message, known)):
            return sent
        try:
            return await self._send_with_nonce(message, known.nonce)
        except discord.RateLimited:
            raise  # it does not stand there, and is the same message later
        except UNREACHED as error:
            if may_pass(error):
                raise Unanswered(message, str(error)) from error
            await self.end(message.key)
            raise

    async def send_once(self, message: Outbound) -> discord.Message:
        """Send a message of which nothing is stored. Raises the same."""
        sent = await self.send(message)
        await self.end(message.key)
        return sent

    async def give_up(self, message: Outbound) -> None:
        """Send a message no more, and delete it if a try has got through. Raises StoreError."""
        new = self._new_row(message)
        known = await self._store.begin_outgoing(new)
        if known != new:
            await self._delete_sent(message, known)
        await self.end(message.key)

    async def _delete_sent(self, message: Outbound, known: OutboxRow) -> None:
        """Delete a message that is not wanted any more, if an earlier try has got through."""
        if sent := await self._search(message, known):
            await self._effects.add(Deletion(message.channel, MessageId(sent.id)), message.guild)

    async def unanswered(self) -> frozenset[str]:
        """Return the keys of the messages of which nobody knows whether they stand there. Raises StoreError."""
        return await self._store.outgoing()

    async def end(self, key: str) -> None:
        """Delete the row of a message that was answered, or that is given up. Raises StoreError."""
        await self._store.end_outgoing(key)

    async def _send_with_nonce(self, message: Outbound, nonce: int) -> discord.Message:
        """Send it; with another nonce if the message of the first one has been deleted."""
        try:
            return await message.send(str(nonce))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        another = self._new_row(message)
        await self._store.renew_outgoing(message.key, message.channel, another.nonce, another.at)
        return await message.send(str(another.nonce))

    def _new_row(self, message: Outbound) -> OutboxRow:
        nonce = secrets.randbits(NONCE_BITS)
        return OutboxRow(message.key, message.guild, message.direct, message.channel, nonce, self._now())

    async def _find_sent(self, message: Outbound, known: OutboxRow) -> discord.Message | None:
        """Return the message if an earlier try has got through, of which Discord may have forgotten the nonce."""
        return None if self._now() - known.at <= NONCE_REMEMBERED else await self._search(message, known)

    async def _search(self, message: Outbound, known: OutboxRow) -> discord.Message | None:
        """Search the latest messages of the channel for this one; None also where reading is not allowed."""
        if not (message.direct or self._readable(message.channel)):
            return None
        where, since = self._client.get_partial_messageable(message.channel), known.at - MAX_CLOCK_SKEW
        try:
            latest = [sent async for sent in where.history(limit=MAX_SEARCHED)]
        except UNREACHED as error:
            log.info("Channel %s could not be searched for a message that was not answered: %s", message.channel, error)
            return None
        me = self._client.user
        ours = (sent for sent in latest if me and sent.author.id == me.id and sent.created_at >= since)
        return next((sent for sent in ours if message.is_it(sent)), None)


def key_of(kind: str, *parts: object) -> str:
    """Return the key of a message out of what makes it this one, of which nothing can be read in the key."""
    return f"{kind} {hashlib.blake2s(repr(parts).encode(), digest_size=16).hexdigest()}"


def screen_message(
    kind: str,
    guild: GuildId,
    where: discord.PartialMessageable,
    shown: PublicScreen,
    delivery: Delivery,
    *files: tuple[str, bytes],
    silent: bool = False,
) -> Outbound:
    """Return a message that is a screen for all in a channel.

    kind: why. files: its pictures, each with its name. silent: without a sound.
    """

    async def put(one: PublicScreen, nonce: str) -> discord.Message:
        pictures = [discord.File(BytesIO(content), name) for name, content in files]
        none = discord.AllowedMentions.none()
        return await where.send(view=one.drawn, files=pictures, nonce=nonce, allowed_mentions=none, silent=silent)

    async def send(nonce: str) -> discord.Message:
        helps = is_invalid_emoji if files else is_refusal
        in_text = partial(public_in_text, shown)
        return await delivery.deliver(where.id, shown, partial(put, nonce=nonce), in_text, helps=helps)

    key = key_of(kind, where.id, repr(shown.drawn.to_components()))  # type: ignore[no-untyped-call]
    return Outbound(key, guild, ChannelId(where.id), send, partial(is_screen, view=shown.drawn))


def text_message(
    key: str,
    guild: GuildId,
    where: discord.PartialMessageable,
    said: str,
    mentions: discord.AllowedMentions,
    *,
    below: PublicRow | None = None,
    silent: bool = False,
) -> Outbound:
    """Return a message of words. mentions: whom it calls. below: its buttons. silent: without a sound."""

    async def send(nonce: str) -> discord.Message:
        if below is None:
            return await where.send(said, allowed_mentions=mentions, silent=silent, nonce=nonce)
        return await where.send(said, allowed_mentions=mentions, silent=silent, nonce=nonce, view=below.drawn)

    return Outbound(key, guild, ChannelId(where.id), send, has_text(said))


def has_text(text: str) -> Callable[[discord.Message], bool]:
    """Return what tells whether a message says this, with the same mentions."""
    return lambda message: message.content.strip() == text.strip()
