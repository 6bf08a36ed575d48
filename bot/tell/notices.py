"""Tells people that slow tables wait for them: notes for whom one does, and does what bot/tell/when.py decides.

Everything that is still to be told is a row, so a stop loses nothing, and nothing of it is in memory meanwhile: the
clock rings for whoever is next. What is on its way when a stop comes is sent again with the same nonce. Refuses to know
what stands in a notice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Protocol
from weakref import WeakValueDictionary

from discord import Message

from bot.ground.chair import Chair
from bot.ground.day import HOUR, Day
from bot.ground.habits import Habits, Notices
from bot.ground.ids import ChannelId, MessageId, TableId, UserId
from bot.people.habits import RememberedHabits
from bot.scene.scene import Scene
from bot.store.rows import Notice, TableRow, Turn
from bot.table.around import Told
from bot.table.table import Table
from bot.table.tables import Tables
from bot.tell import when
from bot.tell.asked import alone, awaited_people, by_notice, question
from bot.tell.boards import Places
from bot.tell.letters import Letter, Letters, Shut
from bot.tell.when import Call, Plan, Who

log = logging.getLogger(__name__)

AGAIN = timedelta(minutes=1)  # after which it is seen to once more, should a stop or a failure come between


class NoticeStore(Protocol):
    """What notices need of a store."""

    async def turns_at(self, table: TableId) -> tuple[Turn, ...]:
        """Return for whom a slow table waits, as far as that is noted."""
        ...

    async def turns_of(self, user: UserId) -> tuple[Turn, ...]:
        """Return which slow tables wait for a person."""
        ...

    async def change_turns(
        self, table: TableId, ended: Collection[UserId], begun: Collection[Turn], look: datetime
    ) -> None:
        """Note that a table waits for some no more and for others now; look: when to see what they are to be told."""
        ...

    async def take_due(self, now: datetime, again: datetime) -> tuple[UserId, ...]:
        """Return for whom it is to be seen now what they are to be told; again: when to see it once more."""
        ...

    async def next_look(self) -> datetime | None:
        """Return when somebody may have to be told something next."""
        ...

    async def look(self, user: UserId, at: datetime | None) -> None:
        """Note when to see next what a person is to be told."""
        ...

    async def note(
        self, user: UserId, now: datetime, told: Collection[TableId], reminded: Collection[TableId] = (),
        sent: Notice | None = None,
    ) -> None:  # fmt: skip
        """Note of which tables a person has been told, and by which message."""
        ...

    async def notices_of(self, user: UserId) -> tuple[Notice, ...]:
        """Return what a person has been told of late, the latest first."""
        ...

    async def notices_in(self, channel: ChannelId, since: datetime) -> tuple[datetime, ...]:
        """Return when there were notices in a channel."""
        ...

    async def over(self) -> tuple[UserId, ...]:
        """Return whose notices still stand though a table of theirs has gone on."""
        ...

    async def notices_standing(self, channel: ChannelId) -> frozenset[MessageId]:
        """Return the notices that stand in a channel."""
        ...

    async def end_notice(self, notice: Notice) -> None:
        """Note that the message of a notice is gone."""
        ...

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Return when the days of these people run."""
        ...


class Noticing:
    """Tells people of their slow tables.

    seen: whether somebody has looked at a table since it waits for them. is_here: whether they are on its server still.
    soon: does something beside all else.
    """

    def __init__(
        self,
        places: Places,
        store: NoticeStore,
        habits: RememberedHabits,
        letters: Letters,
        seen: Callable[[TableId, UserId], bool],
        is_here: Callable[[Told, UserId], Awaitable[bool]],
        soon: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._now = places.now
        self._loud = places.loud
        self._store = store
        self._habits = habits
        self._letters = letters
        self._seen = seen
        self._is_here = is_here
        self._soon = soon
        self._tables: Tables | None = None
        self._wake: Callable[[datetime], None] = lambda _at: None
        self._locks: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()  # one is held while it is used

    # When to look

    async def start(self, tables: Tables, wake: Callable[[datetime], None]) -> None:
        """Begin to tell people; what a stop has kept from being taken away goes now. wake: lets the clock ring then."""
        self._tables, self._wake = tables, wake
        for user in await self._store.over():
            self._soon(self._attend(user, changed=True))

    async def next(self) -> datetime | None:
        """Return when somebody may have to be told something next."""
        return await self._store.next_look() if self._tables else None

    async def ring(self) -> None:
        """See to those for whom it is time, beside all else."""
        now = self._now()
        for user in await self._store.take_due(now, now + AGAIN):
            self._soon(self._attend(user))

    async def update(self, table: Told, scene: Scene) -> None:
        """Note for whom a slow table waits now, and see to whoever is concerned."""
        known = {turn.user: turn for turn in await self._store.turns_at(table.id)}
        current = {turn.user: turn for turn in self._current(table, scene)}

        def over(user: UserId) -> bool:
            """Tell whether their time was over and has begun anew, so that they are reminded once more."""
            ends = known[user].ends
            return ends is not None and ends <= self._now()

        ended = [user for user, turn in known.items() if user not in current or current[user].asked != turn.asked]
        begun = [turn for user, turn in current.items() if user in ended or user not in known]
        moved = [
            replace(known[user], remind=turn.remind, ends=turn.ends, reminded=known[user].reminded and not over(user))
            for user, turn in current.items()
            if user not in ended and user in known and _until(turn) != _until(known[user])
        ]
        if ended or begun or moved:
            await self._store.change_turns(table.id, ended, (*begun, *moved), self._now() + AGAIN)
        for user in {*ended, *(turn.user for turn in (*begun, *moved))}:
            self._soon(self._attend(user, changed=user in ended))

    def _current(self, table: Told, scene: Scene) -> Iterable[Turn]:
        if not by_notice(scene) or alone(scene):
            return
        awaited, now, deadline = awaited_people(scene), self._now(), table.row.deadline
        remind, ends = (deadline.remind_at, deadline.at) if deadline else (None, None)
        for chair in scene.chairs:
            if chair.user is not None and chair.user in awaited:
                acted, moves = _acted(table.row, chair), chair.seat in scene.wait.awaited
                yield Turn(
                    table.id, chair.user, _asked(scene, table.row, chair), now, when.ready(now, acted),
                    remind if moves else None, ends if remind and moves else None, scene.together,
                    table.row.guild, table.row.home,
                )  # fmt: skip

    # What to tell

    async def _attend(self, user: UserId, *, changed: bool = False) -> None:
        """Tell a person what they are to be told now, and take away what is of no use any more.

        changed: whether tables have gone on of which they were told.
        """
        async with self._locks.setdefault(user, asyncio.Lock()):
            plan = await self._tell_all(user)
            await self._tidy(user, changed=changed or bool(plan.joined))
            await self._store.look(user, plan.next)
        if plan.next:
            self._wake(plan.next)

    async def _tell_all(self, user: UserId) -> Plan:
        turns = await self._waiting(user)
        if not turns or self._tables is None:
            return Plan()
        plan = await self._decided(user, turns)
        if plan.joined:
            await self._store.note(user, self._now(), plan.joined)
        for call in plan.calls:
            if not await self._tell(user, call):
                return replace(plan, next=self._now() + AGAIN)
        return plan

    async def _decided(self, user: UserId, turns: Sequence[Turn]) -> Plan:
        now, habits = self._now(), await self._habits.of(user)
        choice = _choice(habits)
        day = (await self._store.days([user]))[user]
        sent = await self._store.notices_of(user)
        closed = {turn.home: await self._closed(turn) for turn in turns} if choice in ("here", "both") else {}
        return when.decided(Who(user, choice, day, closed), turns, sent, now)

    async def _waiting(self, user: UserId) -> list[Turn]:
        """Return which tables wait for a person, as it is now; who has looked at one has been told."""
        turns = list(await self._store.turns_of(user))
        seen = [
            turn.table_id
            for turn in turns
            if turn.told is None and not turn.together and self._seen(turn.table_id, user)
        ]
        if seen:
            await self._store.note(user, self._now(), seen)
        now = self._now()
        told = [replace(turn, told=now) if turn.table_id in seen else turn for turn in turns]
        return [await self._in_time(turn) for turn in told]

    async def _in_time(self, turn: Turn) -> Turn:
        """Return a turn with when its time really runs out, should that seem to be so: clocks may have stood still."""
        if self._tables is None or turn.reminded or turn.remind is None or turn.remind > self._now():
            return turn
        table = await self._tables.get(turn.table_id)
        await table.reckon()
        deadline = table.row.deadline
        return replace(turn, remind=deadline.remind_at, ends=deadline.at) if deadline else turn

    async def _closed(self, turn: Turn) -> datetime:
        """Return until when nobody is called where a table is."""
        now = self._now()
        room = when.free_again(await self._store.notices_in(turn.home, now - HOUR), when.PER_CHANNEL, now)
        return max(room, self._loud(turn.guild) or now)

    async def _tell(self, user: UserId, call: Call) -> bool:
        """Send a notice, unless nothing of it is so any more; tell whether it is done with."""
        tables = [table for turn in call.turns if (table := await self._still(turn))]
        if not tables:
            return True
        if call.lane is not None:
            return await self._publish(user, call, tables, call.lane)
        writable = [table for table in tables if await self._letters.may_write(table, user)]
        closed = False
        if writable:
            habits = await self._habits.of(user)
            try:
                sent = await self._letters.write(Letter(user, call.kind, writable, habits))
            except Shut:
                closed, sent = True, None
                await self._habits.change(user, mirror=False, notices="here")
            if sent:
                await self._keep(user, call, writable, sent)
                tables = [table for table in tables if table not in writable]
        homes = dict.fromkeys(table.row.home for table in tables)
        done = [
            await self._publish(user, call, [table for table in tables if table.row.home == home], home, closed=closed)
            for home in homes
        ]
        return all(done)

    async def _publish(
        self, user: UserId, call: Call, tables: Sequence[Table], home: ChannelId, *, closed: bool = False
    ) -> bool:
        """Call somebody where these tables are."""
        letter = Letter(user, call.kind, tables, await self._habits.of(user), closed)
        asked = {turn.table_id: turn.asked for turn in call.turns}
        nonce = f"{user} {home} {call.kind} {[(table.id, asked[table.id]) for table in tables]}"
        sent = await self._letters.publish(letter, home, nonce)
        if sent:
            await self._keep(user, call, tables, sent)
        return sent is not None

    async def _keep(self, user: UserId, call: Call, tables: Sequence[Table], sent: Notice) -> None:
        """Note that somebody has been told, and take away what told them so before in the same place."""
        before = [notice for notice in await self._store.notices_of(user) if _same_place(notice, sent)]
        now, told = self._now(), {table.id for table in tables}
        late = [turn.table_id for turn in call.turns if turn.remind and turn.remind <= now and turn.table_id in told]
        await self._store.note(user, now, told, late, sent)
        for notice in before:
            if not notice.gone:
                await self._end(notice)

    async def _still(self, turn: Turn) -> Table | None:
        """Return the table of a turn if it waits still for who has it, and they have not left the server."""
        assert self._tables is not None
        table = await self._tables.get(turn.table_id)
        scene = table.scene(None)
        if turn.user not in awaited_people(scene) or not await self._is_here(table, turn.user):
            return None
        if turn.together and _choice(await self._habits.of(turn.user)) != "here":
            return table if table.scene(turn.user).wanted else None  # nobody else sees that they are not told
        return table

    # What has been told

    async def _tidy(self, user: UserId, *, changed: bool) -> None:
        """Take away notices whose tables have all gone on; where some have, let the others stand there."""
        standing = [notice for notice in await self._store.notices_of(user) if not notice.gone]
        if not standing or self._tables is None:
            return
        turns = when.soonest(turn for turn in await self._store.turns_of(user) if turn.told is not None)
        for notice in standing:
            there = [turn for turn in turns if notice.guild is None or turn.home == notice.channel]
            if not there:
                await self._end(notice)
            elif changed:
                tables = [await self._tables.get(turn.table_id) for turn in there]
                await self._letters.change(Letter(user, notice.kind, tables, await self._habits.of(user)), notice)

    async def _end(self, notice: Notice) -> None:
        await self._letters.take_back(notice)
        await self._store.end_notice(notice)

    async def known(self, home: ChannelId) -> frozenset[MessageId]:
        """Return the notices that stand in a channel."""
        return await self._store.notices_standing(home)

    async def adopt(self, table: Told, message: Message) -> bool:
        """Remember a notice that a stop kept from being remembered; tell whether it told anybody anything new."""
        turns = {turn.user: turn for turn in await self._store.turns_at(table.id)}
        for user in {UserId(mentioned) for mentioned in message.raw_mentions} & turns.keys():
            if turns[user].told is None:
                home, number = ChannelId(message.channel.id), MessageId(message.id)
                sent = Notice(user, table.row.guild, home, number, "turn", self._now())
                await self._store.note(user, self._now(), {table.id}, (), sent)
                return True
        return False

    async def withdraw(self, user: UserId) -> None:
        """Take back whatever tells somebody something."""
        for notice in await self._store.notices_of(user):
            if not notice.gone:
                await self._end(notice)


def _choice(habits: Habits) -> Notices:
    """Return where somebody wants to hear of it; who gets their hands directly does not want to be called aloud."""
    return "direct" if habits.mirror and habits.notices == "here" else habits.notices


def _acted(row: TableRow, chair: Chair) -> datetime | None:
    """Return when somebody last did something at a table."""
    return next((step.at for step in reversed(row.steps) if step.seat == chair.seat and step.by == "person"), None)


def _asked(scene: Scene, row: TableRow, chair: Chair) -> str:
    """Name what somebody is asked: it is another once they have done something, or all are asked something else."""
    if scene.together or chair.seat not in scene.wait.awaited:
        return " ".join(map(str, question(scene)))
    return f"{scene.tally.deal} {sum(step.seat == chair.seat for step in row.steps)}"


def _until(turn: Turn) -> tuple[datetime | None, datetime | None]:
    return turn.remind, turn.ends


def _same_place(notice: Notice, other: Notice) -> bool:
    return notice.channel == other.channel and (notice.guild is None) == (other.guild is None)
