"""Direct messages to users who opted in; those about debts and suspended tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.club.ledger import Ledgers
from bot.delivery.boards.boards import UNKNOWN_CHANNEL
from bot.delivery.context import DeliveryContext
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import Outbound, Outbox, key_of
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.debts import LedgerScope
from bot.domain.effects import DebtNotice, PendingEffect
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.domain.preferences import Preferences
from bot.domain.rating import VISIBLE_CHANNELS
from bot.domain.refusals import Limit
from bot.interactions.private_replies import in_text, says_the_same, send_directly
from bot.members.preferences import PreferenceCache
from bot.runtime.discord_requests import UNREACHED, may_pass
from bot.scene import Scene
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import mention
from bot.show.server.debts import settlement_request
from bot.show.table.notices import suspended
from bot.store.repositories.notices import NoticeRepository
from bot.store.rows import DirectChannel
from bot.store.store import Store
from bot.table.core.chairs import people
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

OPEN_CHANNEL_ROUTE = "/users/@me/channels"  # the route whose rate limit counts new channels
NEW_CHANNELS = Limit("direct", 10, timedelta(minutes=10))  # new channels, for all users together
TOO_MANY_CHANNELS = 40003
PAUSE_AFTER_REFUSAL = timedelta(hours=1)  # without new channels, after Discord's refusal
PAUSE_KEY = "no new direct messages before"


@dataclass(frozen=True, slots=True)
class SentDirectMessage:
    """The ids of a direct message. key: of the message in the outbox."""

    channel: ChannelId
    message: MessageId
    key: str


class DirectMessages:
    """Sends direct messages."""

    def __init__(self, context: DeliveryContext, queue: WriteQueue, outbox: Outbox, store: Store) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self._store = store
        self._opening = asyncio.Lock()

    async def send(
        self,
        user: UserId,
        draw: Callable[[], PrivateScreen],
        *,
        of: GuildId,
        key: str,
        matches: Callable[[discord.Message], bool] | None = None,
        urgent: bool = False,
    ) -> SentDirectMessage | None:
        """Send a user a private screen, drawn when its turn in the queue comes.

        Returns None if no channel may be opened now. of: the message's server, whose quiet hours silence the message.
        key, matches: see ``Outbound``; by default, a message with the same content is taken for this one. urgent: see
        ``Write``. Raises Discord's errors, and StoreError.
        """
        number = await self._store.people.direct(user) or await self._opened(user, urgent=urgent)
        if number is None:
            return None
        where = self._context.client.get_partial_messageable(number, type=discord.ChannelType.private)

        async def send(nonce: str) -> discord.Message:
            drawn, directly = draw(), partial(send_directly, where, nonce=nonce, silent=self._context.is_quiet(of))
            return await self._context.sender.deliver(user, drawn, directly, partial(in_text, drawn))

        outbound = Outbound(
            key=key,
            guild=of,
            channel=number,
            send=send,
            matches=matches or (lambda message: says_the_same(draw(), message)),
            direct=user,
        )
        try:
            sent = await self._queue.do(channel(number), partial(self._outbox.send, outbound), urgent=urgent)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                await self._store.people.forget_direct(user)
            raise
        return SentDirectMessage(number, MessageId(sent.id), key)

    async def _opened(self, user: UserId, *, urgent: bool) -> ChannelId | None:
        """Open a channel of direct messages and save its id; None at the limit."""
        async with self._opening:
            if not await self._may_open():
                return None
            try:
                create = partial(self._context.client.create_dm, discord.Object(user))
                opened = await self._queue.do(OPEN_CHANNEL_ROUTE, create, urgent=urgent)
            except discord.Forbidden as error:
                if error.code != TOO_MANY_CHANNELS:
                    raise
                log.warning("Discord lets no new direct messages be opened; none are for an hour.")
                await self._store.notes.remember(PAUSE_KEY, (self._context.now() + PAUSE_AFTER_REFUSAL).isoformat())
                return None
            number = ChannelId(opened.id)
            await self._store.people.keep_direct(DirectChannel(user, number, self._context.now()))
            return number

    async def _may_open(self) -> bool:
        now, pause = self._context.now(), await self._store.notes.recall(PAUSE_KEY)
        if pause is not None and now < datetime.fromisoformat(pause):
            return False
        return await self._store.limits.take(NEW_CHANNELS) is None


FULL = "No further direct messages may be begun now."


class DebtNotifier:
    """Tells one of two users that the other reported a debt as settled."""

    def __init__(
        self, context: DeliveryContext, direct_messages: DirectMessages, preferences: PreferenceCache, debts: Ledgers
    ) -> None:
        self._context = context
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._debts = debts

    def where(self, book: LedgerScope) -> str:
        """Return the name of a ledger: its server, or its hidden channel."""
        return mention(book.channel) if book.channel != VISIBLE_CHANNELS else self._context.server_name(book.guild)

    async def send(self, effect: DebtNotice, pending: PendingEffect) -> None:
        """Tell a user about the other's report of a settled debt, unless the report was withdrawn.

        Raises the errors in UNREACHED, and StoreError.
        """
        book, user = LedgerScope(pending.guild, effect.channel), effect.user
        account = await self._debts.account(book, user)
        statements = (word for word in account.words if word.pair == frozenset(effect.pair) and word.by == effect.by)
        word = next(statements, None)
        if word is None:
            return
        screen = settlement_request(
            word, account, self.where(book), self._context.words_in((await self._preferences.of(user)).locale)
        )
        if await self._direct_messages.send(user, lambda: screen, of=book.guild, key=pending.key) is None:
            raise OSError(FULL)  # an error in UNREACHED leads to a retry


DIRECT = ("direct", "both", "digest")  # preferences for notices by direct message


class SuspensionNotifier:
    """Sends the direct messages about suspended tables."""

    def __init__(
        self,
        context: DeliveryContext,
        direct_messages: DirectMessages,
        preferences: PreferenceCache,
        notices: NoticeRepository,
    ) -> None:
        self._context = context
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._notices = notices

    async def update(self, table: ShownTable, scene: Scene) -> None:
        """Tell the players concerned who were not told yet.

        Raises StoreError, and temporary errors in UNREACHED.
        """
        if not (scene.open and scene.wait.suspended and scene.terms.server.mirror):
            return
        notified = await self._notices.notified_of_suspension(table.id)
        for user in players_to_notify(scene):
            preferences = await self._preferences.of(user)
            if user not in notified and wants_directly(scene, preferences):
                await self._notify(scene, user, preferences)

    async def _notify(self, scene: Scene, user: UserId, preferences: Preferences) -> None:
        """Tell a player about the suspension, and note that the player was told.

        A player with closed direct messages is noted as well. If no channel may be opened now, a later round tells the
        player. Raises temporary errors in UNREACHED.
        """
        number, guild = scene.where.table, scene.where.guild
        key, draw = key_of("suspended", number, user), partial(self._drawn, scene, preferences)
        try:
            sent = await self._direct_messages.send(user, draw, of=guild, key=key)
        except UNREACHED as error:
            if may_pass(error):
                raise
            log.info("Somebody could not be told directly that table %s is suspended: %s", number, error)
        else:
            if sent is None:
                return
        await self._notices.note_suspension(number, user, key)

    def _drawn(self, scene: Scene, preferences: Preferences) -> PrivateScreen:
        return suspended(
            scene, self._context.words_in(preferences.locale), self._context.server_name(scene.where.guild)
        )


def players_to_notify(scene: Scene) -> tuple[UserId, ...]:
    """Return the players to tell about a suspension.

    At a slow table these are the host and the awaited players, at others all players.
    """
    if not scene.terms.pace.slow:
        return people(scene.chairs)
    awaited = [chair.user for chair in scene.chairs if chair.seat in scene.wait.awaited]
    return tuple(user for user in people(scene.chairs) if user == scene.terms.host or user in awaited)


def wants_directly(scene: Scene, preferences: Preferences) -> bool:
    """Tell whether a player chose direct messages for a table of this pace."""
    return preferences.mirror or (scene.terms.pace.slow and preferences.notices in DIRECT)
