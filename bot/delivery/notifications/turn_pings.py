"""Pings: short messages that mention players, deleted once they have served their purpose.

Most mention awaited players. Others mention the invitees of a lobby, spectators, people in line for a seat, and the
players after the first deal.

An edit never notifies, so a board cannot ping. A player without a click at the table is pinged once, a few seconds
after the turn's start. Rows in the store remember the pings, so a restart repeats none. If all players are asked at the
same time, the players to ping are fixed at the start and pinged in one message, deleted once the answers are known:
pings never reveal who has answered, except for the one reminder of players without an answer or a click.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.delivery.context import DeliveryContext
from bot.delivery.notifications.awaited_players import (
    AwaitedPlayers,
    awaited_people,
    has_at_most_one_player,
    question,
    uses_notices,
)
from bot.delivery.notifications.direct_messages import SentDirectMessage
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.effect_runner import EffectRunner
from bot.delivery.outbox.outbox import UNKNOWN_MESSAGE, Outbound, Outbox, ResponseLost, key_of, text_message
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.runtime.discord_requests import UNREACHED, may_pass
from bot.scene import PublicScene, Scene
from bot.show.kit.layout import PublicRow
from bot.show.table.notices import deal_ping, lobby_reminder, lobby_row, ping_row, reminder
from bot.show.table.notices import ping as turn_ping
from bot.show.table.outside import seat_offer, seat_offer_row
from bot.store.errors import StoreError
from bot.store.repositories.pings import PingRepository
from bot.store.rows import SEAT_PING, Ping
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

PING_AFTER = timedelta(seconds=9)  # from a turn's start to the ping of a player without a click
# Stored in place of the id of a mentioned user, for pings with other recipients: the invitees or the host of a lobby,
# the spectators, the players after the first deal. SEAT_PING stands for the line for a seat.
LOBBY_PING, SPECTATOR_PING, DEAL_PING = UserId(0), UserId(1), UserId(3)
PINGS_KEPT_IN = {
    "lobby": {LOBBY_PING, SEAT_PING},
    "playing": {SPECTATOR_PING, SEAT_PING, DEAL_PING},
    "between": {SPECTATOR_PING, SEAT_PING},
}  # by the stage of a table: the pings with other recipients that are not yet obsolete
JUST_THERE = timedelta(seconds=30)  # before all players were asked at once: a recent click makes a ping needless


async def _always() -> bool:
    """Tell that the reason of a ping holds."""
    return True


class Pings:
    """Pings awaited players, and deletes the pings.

    on_ping: called after each ping in a table's channel.
    """

    def __init__(
        self,
        *,
        context: DeliveryContext,
        queue: WriteQueue,
        outbox: Outbox,
        effects: EffectRunner,
        pings: PingRepository,
        send_hand: Callable[[ShownTable, UserId, str], Awaitable[SentDirectMessage | None]],
        is_here: Callable[[ShownTable, UserId], Awaitable[bool]],
        sees_hand: Callable[[ShownTable, UserId], Awaitable[bool]],
        on_ping: Callable[[ShownTable], None],
    ) -> None:
        self._client = context.client
        self._now = context.now
        self._is_quiet = context.is_quiet
        self._words_for_table = context.words_for_table
        self._queue = queue
        self._outbox = outbox
        self._effects = effects
        self._pings = pings
        self._send_hand = send_hand
        self._is_here = is_here
        self._sees_hand = sees_hand
        self._on_ping = on_ping
        self._standing: dict[TableId, tuple[Ping, ...]] = {}
        self._asked: dict[TableId, AwaitedPlayers] = {}
        self._clicked: dict[tuple[TableId, UserId], datetime] = {}
        self._deals_done = set[TableId]()  # tables with an update since their first hand was dealt
        self._on_deal_done: dict[TableId, Callable[[], None]] = {}
        self._told_of_deal: dict[TableId, set[UserId]] = {}  # by a ping, and without a click since then

    def note_attention(self, table: TableId, user: UserId) -> None:
        """Record a click or command of a user at a table."""
        now = self._now()
        self._clicked.pop((table, user), None)
        self._clicked[table, user] = now  # at the end, so the first is the oldest
        while next(iter(self._clicked.values())) <= now - JUST_THERE:
            del self._clicked[next(iter(self._clicked))]
        if asked := self._asked.get(table):
            asked.clicked.add(user)
        self._told_of_deal.get(table, set()).discard(user)

    def seen(self, table: TableId, user: UserId) -> bool:
        """Tell whether a user has clicked at a table since the current question."""
        return table in self._asked and user in self._asked[table].clicked

    def observe(self, table: ShownTable, scene: Scene) -> AwaitedPlayers:
        """Record the players awaited according to the public scene, and return them."""
        before = self._asked.get(scene.where.table)
        if before is not None and before.scene is scene:
            return before
        current, users, now = question(scene), awaited_people(scene), self._now()
        if before is None or before.question != current:
            done = before.served_players(scene) if before else set[UserId]()
            asked = AwaitedPlayers(scene, current, dict.fromkeys(users, now), scene.together, done_before=done)
            if before:
                asked.needless = before.needless + before.pings_without_response
                asked.dealt = before.dealt or (before.scene.stage, scene.stage) == ("lobby", "playing")
            if before or not table.state.sealed:  # later, a ping would reveal who has answered
                asked.to_ping = users
                asked.ping_in_channel = frozenset(
                    user for user in users if not self._has_just_clicked(scene.where.table, user)
                )
        else:
            asked, before.scene = before, scene
            asked.since = {user: asked.since.get(user, now) for user in users}
        self._asked[scene.where.table] = asked
        return asked

    async def expect_deal(self, table: ShownTable, on_done: Callable[[], None]) -> None:
        """Call `on_done` once an update has pinged for the first hand.

        A stop may have kept this process from seeing the deal: the next update pings then, unless such a ping stands.
        In a thread of its own, the first message of the match names the players.
        """
        scene, row = table.scene(None), table.row
        if scene.stage != "playing" or scene.tally.deal > 1 or row.home != row.channel or table.id in self._deals_done:
            on_done()
            return
        stands = any(ping.user == DEAL_PING for ping in await self._of(table.id))
        self.observe(table, scene).dealt |= not stands
        self._on_deal_done[table.id] = on_done

    def _end_deal(self, table: TableId, asked: AwaitedPlayers) -> None:
        """Note that an update has pinged for the first hand, or that this ping is needless."""
        on_done = self._on_deal_done.pop(table, None)
        if asked.dealt or on_done:
            self._deals_done.add(table)
        for each in (asked, self._asked.get(table, asked)):  # the question may have changed meanwhile
            each.dealt = False
        if on_done:
            on_done()

    def _has_just_clicked(self, table: TableId, user: UserId) -> bool:
        at = self._clicked.get((table, user))
        return at is not None and self._now() - at <= JUST_THERE

    async def update(self, table: ShownTable, scene: Scene) -> datetime | None:
        """Delete the pings of players who have acted, and ping players without a timely click.

        Each player is pinged once. Returns the time of the next ping.
        """
        asked = self.observe(table, scene)
        pinged = {ping.user for ping in await self._of(scene.where.table)}
        to_keep = asked.since.keys() - asked.done_before | PINGS_KEPT_IN.get(scene.stage, set())
        if not self._told_of_deal.get(table.id):
            to_keep -= {DEAL_PING}
        for user in pinged - to_keep:
            await self._delete_pings(scene.where.table, user)
        asked.done_before.clear()
        while asked.needless:
            await self._outbox.give_up(asked.needless.pop())
        if scene.terms.pace.slow and uses_notices(scene):
            self._end_deal(table.id, asked)
            return None
        pinged = {ping.user for ping in await self._of(scene.where.table)}
        missing = asked.to_ping if asked.together else asked.since.keys() - asked.clicked
        due = {user: asked.since[user] + PING_AFTER for user in (missing & asked.since.keys()) - pinged}
        if has_at_most_one_player(scene):
            self._end_deal(table.id, asked)
            return None
        if asked.dealt and scene.tally.deal <= 1 and DEAL_PING not in pinged:
            await self._ping_after_deal(table, asked)
        self._end_deal(table.id, asked)
        late = sorted(user for user, at in due.items() if at <= self._now())
        for users in [late] if asked.together else [[user] for user in late]:
            await self._ping(table, asked, users)
        return min((at for at in due.values() if at > self._now()), default=None)

    async def _ping(self, table: ShownTable, asked: AwaitedPlayers, users: Iterable[UserId]) -> None:
        """Ping users in one message, except those who got the hand directly or left the server.

        Raises ResponseLost if a user may not have been pinged.
        """
        scene, recipients, unanswered = table.scene(None), list[UserId](), list[ResponseLost]()
        for user in users:
            if not await self._is_here(table, user):
                continue
            try:
                direct = await self._written(table, scene, asked, user)
            except ResponseLost as error:
                asked.pings_without_response.append(error.message)
                unanswered.append(error)
                continue
            if not direct and (user in asked.ping_in_channel or not asked.together):
                recipients.append(user)
        if recipients:
            text = turn_ping(scene, self._words_for_table(scene), recipients)
            await self._send(table, asked, scene, recipients, text=text)
        if unanswered:
            raise unanswered[0]

    async def _ping_after_deal(self, table: ShownTable, asked: AwaitedPlayers) -> None:
        """Ping the players who do not see their first hand.

        The awaited ones get a ping of their own. Raises StoreError, and the errors in UNREACHED that may pass.
        """
        scene = table.scene(None)
        seated = {chair.user for chair in scene.chairs if chair.user is not None and not chair.house}
        users = [
            user
            for user in sorted(seated - asked.since.keys())
            if not self._has_just_clicked(table.id, user)
            and not await self._sees_hand(table, user)
            and await self._is_here(table, user)
        ]
        if not users:
            return
        self._told_of_deal[table.id] = set(users)
        w, key = self._words_for_table(scene), key_of("deal", table.id, users)
        text, below = deal_ping(scene, w, users), ping_row(scene, w, users)
        try:
            await self._ping_once(
                table, text, mentions=_mentions(users), whom=DEAL_PING, below=below, key=key, ends_with_question=True
            )
        except UNREACHED as error:
            if may_pass(error):
                raise
            log.warning("Nobody could be told of the deal at table %s: %s", table.id, error)

    async def _written(self, table: ShownTable, scene: Scene, asked: AwaitedPlayers, user: UserId) -> bool:
        """Send a player the hand by direct message; tell whether it was sent. Raises ResponseLost."""
        direct = await self._send_hand(table, user, repr(asked.question)) if scene.stage == "playing" else None
        if direct:
            await self._remember((Ping(table.id, user, direct.channel, direct.message),), direct.key)
        return direct is not None

    async def invite(
        self,
        table: ShownTable,
        text: str,
        users: Sequence[UserId],
        key: str,
        *,
        below: PublicRow,
        role: int | None = None,
    ) -> None:
        """Ping users or a role to a lobby, unless the lobby is gone when the ping's turn comes.

        key: of the message in the outbox, as in the other methods. below: its buttons. Raises the errors in UNREACHED,
        and StoreError.
        """
        mentions = _mentions(users, role)
        await self._ping_once(table, text, mentions=mentions, whom=LOBBY_PING, below=below, key=key, urgent=True)

    async def offer_seat(
        self, table: ShownTable, user: UserId, seat: int, key: str, *, is_asked: Callable[[], Awaitable[bool]]
    ) -> None:
        """Ping a person in line, whose turn it is to take a seat.

        is_asked: tells whether the person has not answered yet. Raises the errors in UNREACHED, and StoreError.
        """
        scene = table.scene(None)
        w = self._words_for_table(scene)
        text, below = seat_offer(scene, user, w), seat_offer_row(scene, seat, w)
        await self._ping_once(
            table, text, mentions=_mentions([user]), whom=SEAT_PING, below=below, key=key, urgent=True, is_true=is_asked
        )

    async def withdraw(self, table: TableId, kept_as: UserId) -> None:
        """Delete the pings of a table that are saved under one of the ids above."""
        if any(ping.user == kept_as for ping in await self._of(table)):
            await self._delete_pings(table, kept_as)

    async def remind_host(self, table: ShownTable, key: str) -> None:
        """Remind the host of a lobby that it will close. Raises as `invite`."""
        scene, host = table.scene(None), table.row.host
        if not await self._is_here(table, host):
            return
        w = self._words_for_table(scene)
        text, below = lobby_reminder(scene, w), lobby_row(scene, w)
        await self._ping_once(table, text, mentions=_mentions([host]), whom=LOBBY_PING, below=below, key=key)

    async def ping_spectators(
        self,
        table: ShownTable,
        text: str,
        *,
        users: Sequence[UserId],
        whom: UserId | None,
        below: PublicRow | None,
        key: str,
        is_true: Callable[[], Awaitable[bool]],
    ) -> None:
        """Ping spectators of a table, in place of their previous ping.

        whom: the user id to save the ping under, for its deletion; None for a lasting message. below: its buttons.
        is_true: tells whether the news still holds. Raises the errors in UNREACHED, and StoreError.
        """
        await self._delete_pings(table.id, SPECTATOR_PING)
        await self._ping_once(table, text, mentions=_mentions(users), whom=whom, below=below, key=key, is_true=is_true)

    async def _ping_once(
        self,
        table: ShownTable,
        text: str,
        *,
        mentions: discord.AllowedMentions,
        whom: UserId | None,
        below: PublicRow | None,
        key: str,
        urgent: bool = False,
        is_true: Callable[[], Awaitable[bool]] = _always,
        ends_with_question: bool = False,
    ) -> None:
        """Send a ping, unless the ping is obsolete when its turn in the queue comes.

        A ping that has become obsolete on its way is deleted at once. urgent: see ``Write``. is_true: tells whether the
        reason of the ping still holds, beside the stage of the table. ends_with_question: the next question gives
        up a ping that may have been sent without being saved.
        """
        home = table.row.home
        target, silent = self._client.get_partial_messageable(home), self._is_quiet(table.row.guild)
        message = text_message(key, table.row.guild, target, text, mentions=mentions, below=below, silent=silent)

        async def is_wanted() -> bool:
            return (whom is None or whom in PINGS_KEPT_IN.get(table.scene(None).stage, ())) and await is_true()

        async def send_ping() -> None:
            if not await is_wanted():
                await self._outbox.give_up(message)  # an earlier attempt may have succeeded
                return
            sent = await self._outbox.send(message)
            if whom is not None:
                ping = Ping(table.id, whom, home, MessageId(sent.id))
                await self._remember((ping,), key)
                if not await is_wanted():
                    await self._delete_pings(table.id, whom, ping.message)
                    return
            self._on_ping(table)

        try:
            await self._queue.do(channel(home), send_ping, urgent=urgent)
        except (ResponseLost, StoreError):
            if ends_with_question and (asked := self._asked.get(table.id)):
                asked.pings_without_response.append(message)
            raise

    async def remind(self, table: ShownTable) -> None:
        """Remind all awaited players, in place of their previous pings.

        If all players are asked at once, players without a click are reminded too, even those whose turn was answered
        for them: otherwise the reminder would reveal whose was not. At a live table nobody is pinged twice: the text of
        a player's ping changes to the reminder, and a player with a click needs none.
        """
        scene = table.scene(None)
        asked = self.observe(table, scene)
        if has_at_most_one_player(scene):
            return
        silent = awaited_people(scene) - asked.clicked if asked.together else frozenset[UserId]()
        due = [
            user
            for user in sorted(awaited_people(scene) & table.state.missing | silent)
            if await self._is_here(table, user)
        ]
        for users in [due] if asked.together else [[user] for user in due]:
            uncalled = users if scene.terms.pace.kind != "live" else await self._uncalled(asked, users)
            await self._remind(table, asked, scene, uncalled)

    async def _remind(self, table: ShownTable, asked: AwaitedPlayers, scene: PublicScene, users: list[UserId]) -> None:
        """Remind users in one message, in place of their previous pings."""
        for user in users:
            await self._delete_pings(scene.where.table, user)
        if users:
            text = reminder(scene, self._words_for_table(scene), users)
            await self._send(table, asked, scene, users, text=text, reminds=True)

    async def _uncalled(self, asked: AwaitedPlayers, users: list[UserId]) -> list[UserId]:
        """Change existing pings into reminders; return the other users without a click."""
        scene = asked.scene
        standing = [ping for ping in await self._of(scene.where.table) if ping.channel == scene.where.home]
        called = {ping.user: ping for ping in standing if ping.user in users}
        if called:
            text = reminder(scene, self._words_for_table(scene), list(called))
            if not await self._reword(next(iter(called.values())), text):
                called = {}
        return [user for user in users if user not in called and user not in asked.clicked]

    async def _send(
        self,
        table: ShownTable,
        asked: AwaitedPlayers,
        scene: PublicScene,
        users: list[UserId],
        *,
        text: str,
        reminds: bool = False,
    ) -> None:
        """Send a ping or reminder when its turn in the queue comes. Raises ResponseLost."""
        message = self._message(asked, scene, users, text=text, reminds=reminds)
        place, send_ping = channel(scene.where.home), partial(self._send_if_needed, table, asked, users, message)
        try:
            await self._queue.do(place, send_ping)
        except discord.RateLimited as error:
            self._queue.queue_after_pause(place, send_ping, error.retry_after)
        except ResponseLost:
            asked.pings_without_response.append(message)
            raise
        except UNREACHED as error:
            log.warning("Nobody could be pinged at table %s: %s", scene.where.table, error)

    def _message(
        self, asked: AwaitedPlayers, scene: PublicScene, users: list[UserId], *, text: str, reminds: bool
    ) -> Outbound:
        """Return the message of a ping or reminder, with its button."""
        return text_message(
            _key(scene.where.table, asked, users, reminds=reminds),
            scene.where.guild,
            self._client.get_partial_messageable(scene.where.home),
            text,
            mentions=_mentions(users),
            below=ping_row(scene, self._words_for_table(scene), users),
            silent=self._is_quiet(scene.where.guild),
        )

    async def _send_if_needed(
        self, table: ShownTable, asked: AwaitedPlayers, users: list[UserId], message: Outbound
    ) -> None:
        """Send a ping, unless the question has changed or another process has the table.

        The pings of players who acted while the message was on its way are deleted at once.
        """
        if self._asked.get(table.id) is not asked or not asked.since.keys() & set(users):
            return
        sent = await self._outbox.send(message)
        try:
            home, number = message.channel, MessageId(sent.id)
            await self._remember([Ping(table.id, user, home, number) for user in users], message.key)
        except StoreError:
            asked.pings_without_response.append(message)
            raise
        self._on_ping(table)
        same = self._asked.get(table.id) is asked
        for user in [user for user in users if not (same and user in asked.since)]:
            await self._delete_pings(table.id, user)

    async def _reword(self, ping: Ping, text: str) -> bool:
        """Edit the text of a ping, which notifies nobody again.

        Return False if the message was deleted.
        """
        message = self._client.get_partial_messageable(ping.channel).get_partial_message(ping.message)
        try:
            await self._queue.do(channel(ping.channel), partial(message.edit, content=text))
        except UNREACHED as error:
            log.info("A ping at table %s could not be changed: %s", ping.table, error)
            return not (isinstance(error, discord.NotFound) and error.code == UNKNOWN_MESSAGE)
        return True

    async def adopt(self, table: ShownTable, message: discord.Message) -> bool:
        """Save a ping that a stop kept from being saved.

        Tell whether a mentioned player is still awaited.
        """
        asked, called = self.observe(table, table.scene(None)), [UserId(user) for user in message.raw_mentions]
        awaited = [user for user in asked.since if user in called]
        if awaited:
            home, number = ChannelId(message.channel.id), MessageId(message.id)
            pings = [Ping(table.id, user, home, number) for user in awaited]
            await self._remember(pings, _key(table.id, asked, called))
        return bool(awaited)

    async def known(self, table: TableId) -> frozenset[MessageId]:
        """Return the messages saved as pings of a table."""
        return frozenset(ping.message for ping in await self._of(table))

    async def _of(self, table: TableId) -> tuple[Ping, ...]:
        """Return the pings of a table, cached: only this class writes them."""
        if table not in self._standing:
            self._standing[table] = await self._pings.of_table(table)
        return self._standing[table]

    async def _delete_pings(self, table: TableId, user: UserId, message: MessageId | None = None) -> None:
        """Delete a user's pings at a table, except messages with other recipients.

        The store deletes the rows and returns the deletion of each message as an effect, so a restart forgets none.
        message: the only one to delete.
        """
        deletions = await self._pings.delete_for_user(table, user, self._now(), message)
        self._standing[table] = tuple(
            ping for ping in await self._of(table) if ping.user != user or message not in (None, ping.message)
        )
        self._effects.perform(deletions)

    async def _remember(self, pings: Sequence[Ping], key: str) -> None:
        """Save the pings in one message.

        key: of the message in the outbox, by which the next attempt finds the message.
        """
        table = pings[0].table
        standing = await self._of(table)
        self._standing.pop(table, None)  # uncached until the write is known to have succeeded
        await self._pings.add(pings, key)
        self._standing[table] = (*standing, *pings)

    def forget_person(self, user: UserId) -> None:
        """Drop the cached pings and clicks of a user whose data was deleted."""
        for table, standing in list(self._standing.items()):
            if any(ping.user == user for ping in standing):
                del self._standing[table]
        for table, asked in list(self._asked.items()):
            if user in asked.since or user in asked.clicked:
                del self._asked[table]
        self._clicked = {key: at for key, at in self._clicked.items() if key[1] != user}
        for users in self._told_of_deal.values():
            users.discard(user)

    def drop_cached(self, is_included: Callable[[GuildId], bool]) -> None:
        """Forget the awaited players on servers that now belong to another process."""
        for table in [table for table, asked in self._asked.items() if is_included(asked.scene.where.guild)]:
            self._drop(table)
            self._on_deal_done.pop(table, None)  # the process that owns the server now finds the effect

    def drop_rows(self) -> None:
        """Forget which pings stand, as another process may have deleted or sent some."""
        self._standing.clear()

    def forget(self, table: TableId) -> None:
        """Drop the cached pings of an ended table, whose deal needs no ping any more."""
        on_done = self._on_deal_done.pop(table, None)
        self._drop(table)
        if on_done:
            on_done()

    def _drop(self, table: TableId) -> None:
        self._standing.pop(table, None)
        self._asked.pop(table, None)
        self._deals_done.discard(table)
        self._told_of_deal.pop(table, None)


def _key(table: TableId, asked: AwaitedPlayers, users: Sequence[UserId], *, reminds: bool = False) -> str:
    """Return the key of a ping or reminder in the outbox."""
    return key_of("reminder" if reminds else "call", table, asked.question, users)


def _mentions(users: Iterable[UserId], role: int | None = None) -> discord.AllowedMentions:
    """Return the permission to mention exactly these users, and a role if given."""
    people = [discord.Object(user) for user in users]
    return discord.AllowedMentions(everyone=False, users=people, roles=[discord.Object(role)] if role else False)
