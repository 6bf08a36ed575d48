"""Sends players notices of waiting slow tables.

Records the turns and carries out the plans of notice_policy. Each pending notice is a row, so a stop loses nothing and
no notice needs memory: the clock rings for the next player. A notice interrupted by a stop is sent again with the same
nonce. The content of notices is made elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from discord import Message
from discord.utils import snowflake_time

from bot.delivery.context import DeliveryContext
from bot.delivery.notifications import notice_policy
from bot.delivery.notifications.awaited_players import (
    asked_now,
    awaited_people,
    has_at_most_one_player,
    last_acted,
    still_wanted,
    uses_notices,
)
from bot.delivery.notifications.notice_messages import DirectMessagesClosed, NoticeContent, NoticeSender
from bot.delivery.notifications.notice_policy import DueNotice, NoticePlan, NoticeRecipient
from bot.delivery.notifications.private_threads import PrivateThreads
from bot.delivery.outbox.outbox import Outbound, ResponseLost, key_of
from bot.domain.effects import MessageDeletion, PendingEffect, pending_effect
from bot.domain.ids import NO_GUILD, ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.preferences import NoticeChannel
from bot.domain.working_hours import HOUR
from bot.members.preferences import PreferenceCache
from bot.scene import Scene
from bot.store.rows import PendingTurn, TurnNotice
from bot.store.store import Store
from bot.table.core.commands import RecomputeDeadline
from bot.table.environment import ShownTable
from bot.table.registry import TableRegistry
from bot.table.table import Table

log = logging.getLogger(__name__)

REPEAT_AFTER = timedelta(minutes=1)  # until the repeated decision, in case of a stop or failure


class NoticeScheduler:
    """Sends the notices of slow tables.

    seen: tells whether a player has clicked at a table since the wait began. is_here: tells whether a user is still a
    member of the server. run_in_background: runs a coroutine in the background.
    """

    def __init__(
        self,
        *,
        context: DeliveryContext,
        store: Store,
        preferences: PreferenceCache,
        notice_sender: NoticeSender,
        private_threads: PrivateThreads,
        seen: Callable[[TableId, UserId], bool],
        is_here: Callable[[ShownTable, UserId], Awaitable[bool]],
        run_in_background: Callable[[Coroutine[Any, Any, None]], None],
        perform: Callable[[Iterable[PendingEffect]], None],
    ) -> None:
        self._now = context.now
        self._quiet_until = context.quiet_until
        self._store = store
        self._preferences = preferences
        self._notice_sender = notice_sender
        self._private_threads = private_threads
        self._seen = seen
        self._is_here = is_here
        self._run_in_background = run_in_background
        self._perform = perform
        self._tables: TableRegistry | None = None
        self._wake: Callable[[datetime], None] = lambda _at: None
        self._unanswered = defaultdict[UserId, dict[str, Outbound]](dict)  # notices that may have been sent, by key
        self._locks: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()  # locks exist only while held

    # When to look

    async def start(self, tables: TableRegistry, wake: Callable[[datetime], None]) -> None:
        """Start sending notices, and delete the notices that a stop left over.

        wake: makes the clock ring at a time.
        """
        self._tables, self._wake = tables, wake
        for user in await self._store.notices.players_with_outdated():
            self._run_in_background(self._attend(user, changed=True))

    async def next(self) -> datetime | None:
        """Return the time of the next decision on any player's notices."""
        return await self._store.notices.next_check() if self._tables else None

    async def ring(self) -> None:
        """Decide on the notices of all players whose time has come, in the background."""
        now = self._now()
        for user in await self._store.notices.take_due(now, now + REPEAT_AFTER):
            self._run_in_background(self._ring_for(user))

    async def _ring_for(self, user: UserId) -> None:
        """Decide on a player's notices.

        Redraw the player's tables, which may still show the player as asleep.
        """
        await self._attend(user)
        if self._tables is not None and (await self._store.people.work_schedules([user]))[user].shared:
            for turn in await self._store.notices.own_turns_of_player(user):
                self._show_awake_player(await self._tables.get(turn.table_id))

    def _show_awake_player(self, table: Table) -> None:
        """Redraw a table that still shows a player as asleep whose working hours have begun."""
        if any(until <= self._now() for until in table.scene(None).wait.sleeping_until.values()):
            table.screens.drop()
            table.resume_play()

    async def update(self, table: ShownTable, scene: Scene) -> None:
        """Save the current turns at a slow table, and decide on the players' notices."""
        known = {turn.user: turn for turn in await self._store.notices.turns_of_table(table.id)}
        current = {turn.user: turn for turn in await self._each_reminded(self._current(table, scene), known)}

        ended = [user for user, turn in known.items() if user not in current or current[user].asked != turn.asked]
        begun = [turn for user, turn in current.items() if user in ended or user not in known]
        others = {user: turn for user, turn in current.items() if user not in ended and user in known}
        moved = [notice_policy.with_new_deadline(known[user], turn, self._now()) for user, turn in others.items()]
        moved = [turn for turn in moved if turn != known[turn.user]]
        if ended or begun or moved:
            under = self._private_threads.under(table.row.home)
            await self._store.notices.change_turns(table.id, ended, (*begun, *moved), self._now() + REPEAT_AFTER, under)
        untrue = {*ended, *(turn.user for turn in moved if notice_policy.is_text_outdated(turn, known[turn.user]))}
        asleep = {chair.user for chair in scene.chairs if chair.user and chair.seat in scene.wait.sleeping_until}
        for user in {*untrue, *asleep, *(turn.user for turn in (*begun, *moved))}:
            self._run_in_background(self._attend(user, changed=user in untrue))

    def _current(self, table: ShownTable, scene: Scene) -> Iterable[PendingTurn]:
        if not uses_notices(scene) or has_at_most_one_player(scene):
            return
        awaited, now, deadline = awaited_people(scene), self._now(), table.row.deadline
        remind, ends = (deadline.remind_at, deadline.at) if deadline else (None, None)
        for chair in scene.chairs:
            if chair.user is not None and chair.user in awaited:
                acted, moves = last_acted(table.row, chair), chair.seat in scene.wait.awaited
                yield PendingTurn(
                    table.id,
                    chair.user,
                    asked_now(scene, table.row, chair),
                    now,
                    notice_policy.notice_due_at(now, acted),
                    remind if moves else None,
                    ends if remind and moves else None,
                    scene.together,
                    table.row.guild,
                    table.row.home,
                )

    async def _each_reminded(
        self, turns: Iterable[PendingTurn], known: Mapping[UserId, PendingTurn]
    ) -> list[PendingTurn]:
        """Return turns, each simultaneous one with the player's own reminder.

        known: the saved turns.
        """
        found = list(turns)
        sharing = [turn.user for turn in found if turn.together]
        schedules = await self._store.people.work_schedules(sharing) if sharing else {}
        return [notice_policy.reminded(turn, known.get(turn.user), schedules.get(turn.user)) for turn in found]

    # What to tell

    async def _attend(self, user: UserId, *, changed: bool = False) -> None:
        """Send a player's due notices and delete obsolete ones.

        changed: whether a table in the player's notices has moved on or has a new deadline.
        """
        async with self._locks.setdefault(user, asyncio.Lock()):
            before = self._unanswered.pop(user, {})
            plan = await self._notify_all(user)
            for key in before.keys() - self._unanswered.get(user, {}).keys():
                await self._notice_sender.give_up(before[key])
            await self._tidy(user, changed=changed or bool(plan.joined))
            await self._store.notices.schedule_check(user, plan.next)
        if plan.next:
            self._wake(plan.next)

    async def _notify_all(self, user: UserId, *, closed: bool = False) -> NoticePlan:
        """Send a player's due notices.

        closed: a direct message has just failed because the player's are closed.
        """
        turns = await self._waiting(user)
        if not turns or self._tables is None:
            return NoticePlan()
        plan = await self._decided(user, turns)
        if plan.joined:
            await self._store.notices.note_notified(user, self._now(), plan.joined)
        try:
            done = [await self._notify(user, call, closed=closed) for call in plan.calls]
        except DirectMessagesClosed:
            await self._preferences.change(user, mirror=False, notices="thread")
            return await self._notify_all(user, closed=True)
        return plan if all(done) else replace(plan, next=self._now() + REPEAT_AFTER)

    async def _decided(self, user: UserId, turns: Sequence[PendingTurn]) -> NoticePlan:
        choice = await self._choice(user)
        schedule = (await self._store.people.work_schedules([user]))[user]
        sent = await self._store.notices.of_person(user)
        lanes = await self._private_threads.lanes(user, _homes(turns)) if choice == "thread" else {}
        servers = {lanes.get(turn.home, turn.home): turn.guild for turn in turns}
        aloud = choice in ("here", "both", "thread")
        closed = {lane: await self._closed(lane, guild) for lane, guild in servers.items()} if aloud else {}
        now = self._now()  # only now: an open channel is open from the current time, which must not be in the future
        return notice_policy.plan_notices(
            NoticeRecipient(user, choice, schedule, closed=closed, lanes=lanes), turns, sent, now
        )

    async def _choice(self, user: UserId) -> NoticeChannel:
        return (await self._preferences.of(user)).notice_channel

    async def _waiting(self, user: UserId) -> list[PendingTurn]:
        """Return the player's current turns; tables that the player has clicked at count as told."""
        turns = list(await self._store.notices.own_turns_of_player(user))
        seen = [
            turn.table_id
            for turn in turns
            if turn.told is None and not turn.together and self._seen(turn.table_id, user)
        ]
        if seen:
            await self._store.notices.note_notified(user, self._now(), seen)
        now = self._now()
        notified = [replace(turn, told=now) if turn.table_id in seen else turn for turn in turns]
        return [await self._in_time(turn) for turn in notified]

    async def _in_time(self, turn: PendingTurn) -> PendingTurn:
        """Return a turn with a recomputed deadline if the reminder seems due.

        The clock may have stopped meanwhile.
        """
        if self._tables is None or turn.reminded or turn.remind is None or turn.remind > self._now():
            return turn
        table = await self._tables.get(turn.table_id)
        await table.do(RecomputeDeadline())
        deadline = table.row.deadline
        really = replace(turn, remind=deadline.remind_at, ends=deadline.at) if deadline else turn
        return (await self._each_reminded([really], {turn.user: turn}))[0]

    async def _closed(self, lane: ChannelId, guild: GuildId) -> datetime:
        """Return the earliest time for another notice in a channel or thread of a server."""
        now = self._now()
        room = notice_policy.next_free_at(
            await self._store.notices.times_in(lane, now - HOUR), notice_policy.PER_CHANNEL, now
        )
        return max(room, self._quiet_until(guild) or now)

    async def _notify(self, user: UserId, call: DueNotice, *, closed: bool) -> bool:
        """Send a notice, unless it is obsolete; tell whether the notice is dealt with.

        Raises DirectMessagesClosed.
        """
        tables: Sequence[Table] = [table for turn in call.turns if (table := await self._waiting_table(turn))]
        if not tables:
            return True
        try:
            if call.lane is None:
                tables = await self._write(user, call, tables)
            if await self._choice(user) == "thread":
                tables = await self._publish(user, call, tables, apart=True, closed=closed)
            return not await self._publish(user, call, tables, closed=closed)
        except ResponseLost as error:
            self._unanswered[user][error.message.key] = error.message
            log.warning("A notice for table %s may or may not have been sent: %s", tables[0].id, error)
            return False

    async def _write(self, user: UserId, call: DueNotice, tables: Sequence[Table]) -> Sequence[Table]:
        """Send a direct message; return the tables that remain to be told about.

        Raises DirectMessagesClosed.
        """
        writable = [table for table in tables if await self._notice_sender.may_write(table, user)]
        if wanted := [table for table in writable if still_wanted(table, user)]:
            key = _key(user, call, wanted)
            sent = await self._notice_sender.write(
                NoticeContent(user, call.kind, wanted, await self._preferences.of(user)), key
            )
            if sent is None:
                return tables
            await self._keep(user, call, wanted, sent, key=key)
        return [table for table in tables if table not in writable]

    async def _publish(
        self, user: UserId, call: DueNotice, tables: Sequence[Table], *, closed: bool, apart: bool = False
    ) -> Sequence[Table]:
        """Ping a player in the tables' channels, or (apart) in private threads.

        Return the tables that failed.
        """
        preferences, left = await self._preferences.of(user), list[Table]()
        send = self._notice_sender.publish_in_thread if apart else self._notice_sender.publish
        for where, there in _by_place(tables, self._private_threads.under if apart else None).items():
            key = _key(user, call, there, where)
            sent = await send(NoticeContent(user, call.kind, there, preferences, closed=closed), there[0].row.home, key)
            if sent:
                await self._keep(user, call, there, sent, key=key)
            else:
                left += there
        return left

    async def _keep(
        self, user: UserId, call: DueNotice, tables: Sequence[Table], sent: TurnNotice, *, key: str
    ) -> None:
        """Save a sent notice, and delete earlier notices in the same place.

        key: of the message in the outbox.
        """
        before = [notice for notice in await self._store.notices.of_person(user) if _same_place(notice, sent)]
        now, notified = self._now(), {table.id for table in tables}
        late = [
            turn.table_id for turn in call.turns if turn.remind and turn.remind <= now and turn.table_id in notified
        ]
        await self._store.notices.note_notified(user, now, notified, late, sent, key)
        for notice in before:
            if not notice.gone:
                await self._end(notice)

    async def _waiting_table(self, turn: PendingTurn) -> Table | None:
        """Return the table of a turn if the player is still awaited and still on the server."""
        assert self._tables is not None
        table = await self._tables.get(turn.table_id)
        scene = table.scene(None)
        waits = turn.user in awaited_people(scene) and await self._is_here(table, turn.user)
        return table if waits else None

    # What has been told

    async def _tidy(self, user: UserId, *, changed: bool) -> None:
        """Delete notices whose tables have all moved on.

        Edit a notice if only some of its tables have.
        """
        standing = [notice for notice in await self._store.notices.of_person(user) if not notice.gone]
        if not standing or self._tables is None:
            return
        turns = notice_policy.soonest(
            turn for turn in await self._store.notices.turns_of_player(user) if turn.told is not None
        )
        own = await self._private_threads.known(user, _homes(turns))
        for notice in standing:
            there = [
                turn for turn in turns if notice.guild is None or notice.channel in (turn.home, own.get(turn.home))
            ]
            if not there:
                await self._end(notice)
            elif changed:
                tables = [await self._tables.get(turn.table_id) for turn in there]
                kind, why = (
                    notice_policy.kind_now(notice.kind, there),
                    notice.channel in own.values() and _opened_for(notice),
                )
                await self._notice_sender.change(
                    NoticeContent(user, kind, tables, await self._preferences.of(user), closed=why), notice
                )

    async def _end(self, notice: TurnNotice) -> None:
        deletion = MessageDeletion(notice.channel, notice.message)
        gone = pending_effect(deletion, notice.guild or NO_GUILD, None, self._now())
        await self._store.notices.end(notice, gone)
        self._perform([gone])

    async def apart(self, table: ShownTable) -> tuple[ChannelId, ...]:
        """Return the private threads with possible notices of a table."""
        return await self._store.private_threads.at_table(table.id, self._private_threads.under(table.row.home))

    async def known(self, home: ChannelId) -> frozenset[MessageId]:
        """Return the undeleted notices in a channel."""
        return await self._store.notices.standing_in(home)

    async def adopt(self, table: ShownTable, message: Message) -> bool:
        """Save a notice that a stop kept from being saved.

        Tell whether it was news to a mentioned player.
        """
        turns = {turn.user: turn for turn in await self._store.notices.turns_of_table(table.id)}
        for user in {UserId(mentioned) for mentioned in message.raw_mentions} & turns.keys():
            if turns[user].told is None:
                home, number = ChannelId(message.channel.id), MessageId(message.id)
                sent = TurnNotice(user, table.row.guild, home, number, "turn", self._now())
                await self._store.notices.note_notified(user, self._now(), {table.id}, (), sent)
                return True
        return False


def _key(user: UserId, call: DueNotice, tables: Iterable[Table], *where: ChannelId) -> str:
    """Return the key of a notice in the outbox.

    where: the notice's channel or parent channel; nothing for direct messages.
    """
    asked = {turn.table_id: turn.asked for turn in call.turns}
    return key_of("notice", user, call.kind, [(table.id, asked[table.id]) for table in tables], *where)


def _homes(turns: Iterable[PendingTurn]) -> tuple[ChannelId, ...]:
    return tuple(dict.fromkeys(turn.home for turn in turns))


def _by_place(tables: Iterable[Table], under: Callable[[ChannelId], ChannelId] | None) -> dict[ChannelId, list[Table]]:
    """Return tables by channel. under: returns the channel to group by."""
    found = defaultdict[ChannelId, list[Table]](list)
    for table in tables:
        found[under(table.row.home) if under else table.row.home].append(table)
    return found


def _opened_for(notice: TurnNotice) -> bool:
    """Tell whether a thread was opened for this notice, by the creation times in both ids.

    The notice then says why.
    """
    return snowflake_time(notice.message) - snowflake_time(notice.channel) < REPEAT_AFTER


def _same_place(notice: TurnNotice, other: TurnNotice) -> bool:
    return notice.channel == other.channel and (notice.guild is None) == (other.guild is None)
