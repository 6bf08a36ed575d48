"""What is kept of a table, and what of it anybody may see.

Knows the row, the match that follows from it, and how a change is written. Refuses to know what may happen: that is
the Table's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias, overload

from bot.games import GAMES
from bot.ground.chair import Chair
from bot.ground.day import Day
from bot.ground.effects import Announcement, Deletion, Effect, Pending, Value, pending
from bot.ground.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.ground.pace import Pace
from bot.ground.refused import Refused, TooLate
from bot.ground.server_settings import PLAIN
from bot.ground.workers import Workers
from bot.rules.actions import read_action
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.ruleset import Ruleset
from bot.scene import PublicScene, Scene, Stage
from bot.store.errors import StoreError, Taken
from bot.store.rows import OPEN, Change, TableRow
from bot.table.core import votes
from bot.table.core.chairs import Chairs, host_after, people, sittings
from bot.table.core.fair import UNRATED_FOR, counts
from bot.table.environment import Around, Told
from bot.table.sight import Pacing, Sight, stage_of
from bot.table.transcripts import LENGTHY, Transcript, replayed

TellHolder: TypeAlias = Callable[[TableId, GuildId], None]
NO_TABLE = "There is no such table any more."


@dataclass(frozen=True, slots=True)
class Moderator:
    """A moderator who acts on a table. name: as all there may read it."""

    user: UserId
    name: str


class KeptTable(Told):
    """A row of the store in memory, with its match. lock: held by whoever changes it."""

    def __init__(self, row: TableRow, around: Around) -> None:
        self.id = row.id
        self.row = row
        self.match: Match | None = None
        self._around = around
        self._set_up = row.options, ruleset_of(row)
        self._sight: Sight | None = None
        self._lock = asyncio.Lock()
        self.moved_on = ""  # why nothing is done here any more
        self.tell_holder: TellHolder | None = None  # of a table that another process has: tells it of each change
        self._stale = False  # whether the store may know more than we do
        self._planned: list[Pending] = []  # what is to be done on Discord once the next change is written
        self._lasting: timedelta | None = None  # how long a hand takes here, as far as a lobby has to say it
        self._deleted: Mapping[UserId, datetime] = {}  # in a lobby, of those who sit here: when, if that was of late
        self._days_of: Mapping[UserId, Day] = {}  # at a slow table, of those who own a seat

    @property
    def ply(self) -> int:
        """How many actions there were."""
        return len(self.row.steps)

    @property
    def moment(self) -> int:
        """How many actions there were that everybody can see."""
        return self.match.moment if self.match else 0

    @property
    def sealed(self) -> bool:
        """Whether the latest action is known only to whoever did it."""
        return bool(self.match and self.match.game.secrecy.sealed)

    @property
    def record(self) -> Record:
        """The record of the match as it stands: secret while the match goes on."""
        return record_of(self.row)

    @property
    def ruleset(self) -> Ruleset:
        """What is played here. Options that have changed are another object, as all of a row never changes."""
        options, known = self._set_up
        if options is not self.row.options:
            known = ruleset_of(self.row)
            self._set_up = self.row.options, known
        return known

    @property
    def counts(self) -> bool:
        """Whether the match counts, or would if it began now."""
        return counts(self.row, self.ruleset)

    @property
    def stage(self) -> Stage:
        """What the table is doing."""
        return stage_of(self.row, self.match)

    @overload
    def scene(self, viewer: None) -> PublicScene: ...

    @overload
    def scene(self, viewer: UserId | None) -> Scene: ...

    def scene(self, viewer: UserId | None) -> Scene:
        """Return the table as this person, or with None any onlooker, may see it; the same until something changes.

        A row, a match and what a server has chosen are values: what has changed is another one.
        """
        row, match, server, seen = self.row, self.match, self._around.chosen.get(self.row.guild, PLAIN), self._sight
        around = self._around
        notice = around.upkeep.known.notice
        known = seen is not None and seen.row is row and seen.match is match and seen.server is server
        if seen is None or not known or seen.notice is not notice:
            tempo = around.times.tempo(row.pace)
            seen = self._sight = Sight(
                row,
                match,
                self.ruleset,
                server,
                Pacing(tempo, self._days if row.pace.slow else {}, around.now(), self._lasting),
                notice,
                self._deleted,
            )
        return seen[viewer]

    @property
    def _days(self) -> Mapping[int, Day]:
        """The days of those who own a seat, by seat; nobody's where clocks always run."""
        owners = ((chair.seat, chair.user) for chair in self.row.chairs if chair.user is not None)
        return {seat: self._days_of[user] for seat, user in owners if user in self._days_of}

    def _awaited(self, match: Match) -> frozenset[int]:
        return match.awaited if self.row.phase == "playing" else frozenset()

    @property
    def missing(self) -> frozenset[int]:
        """The persons for whom the table waits; among several who are asked in secret those who have not answered."""
        if self.match is None:
            return frozenset()
        waiting = (self.row.chairs[seat] for seat in self._awaited(self.match))
        return frozenset(chair.user for chair in waiting if chair.user is not None and not chair.house)

    def see_who_is_up(self) -> None:
        """Show the table anew where it stands there that somebody sleeps who has got up meanwhile."""
        if any(until <= self._around.now() for until in self.scene(None).wait.asleep_till.values()):
            self._sight = None
            self._around.teller.changed(self)

    async def learn_lasting(self, pace: Pace) -> None:
        """Find out how long a hand has taken here so far at this pace, for a lobby to say it."""
        self._lasting = await self._around.keeper.lasting(self.row.guild, self.row.game, pace)
        self._sight = None

    async def learn_deletions(self, *coming: UserId) -> None:
        """Find out who of the people here, and of these, had their data deleted so lately that no match is rated."""
        users = {*people(self.row.chairs), *coming}
        self._deleted = await self._around.keeper.deleted_since(users, self._around.now() - UNRATED_FOR)
        self._sight = None

    # Remembering

    async def placed(self, home: ChannelId, message: MessageId, sent: str) -> None:
        """Remember the board of this table, and delete the one that it replaces; or itself where the table has moved.

        sent: its key in the outbox.
        """
        async with self._locked():
            if home != self.row.home:
                self._plan(Deletion(home, message))
                await self._save(sent=sent)
                return
            if self.row.message not in (None, message):
                self._plan(Deletion(home, self.row.message))
            await self._save(message=message, sent=sent)

    async def reread(self) -> None:
        """Take over what the store has, where something else than this table has changed it. May raise StoreError."""
        self._stale = True
        async with self._locked():
            pass

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """Let nothing happen here while something else changes what the store has."""
        async with self._lock:
            self._stale = True
            yield

    @asynccontextmanager
    async def _locked(self) -> AsyncIterator[None]:
        """Hold the lock on a table that is as the store has it. May raise StoreError."""
        async with self._lock:
            if self.moved_on:
                raise Refused(self.moved_on)
            if self._stale:
                await self._take_over()
            if self.row.pace.slow and self.row.phase in OPEN:
                await self._learn_days()
            try:
                yield
            finally:
                self._planned.clear()  # of a change that was not written

    async def _learn_days(self) -> None:
        """Find out when the days of those run who own a seat; of what is seen that may tell something else."""
        users = [chair.user for chair in self.row.chairs if chair.user is not None]
        days = await self._around.keeper.days(users)
        known = {user: day.working(vacations=self.row.pace.vacations) for user, day in days.items()}
        if known != self._days_of:
            self._days_of, self._sight = known, None

    def _plan(self, effect: Effect) -> None:
        """Have something done on Discord once the next change is written; nothing for a table that one person sees."""
        if not self.row.alone:
            self._planned.append(pending(effect, self.row.guild, self.id, self._around.now()))

    def _announce(
        self,
        sentence: str,
        *,
        about: Collection[Chair] = (),
        by: Moderator | None = None,
        called: Collection[UserId] = (),
        **values: Value,
    ) -> None:
        """Have all at the table told something once the next change is written.

        sentence: an English message id; `{table}` becomes the name of this table, `{moderator}` that of the moderator.
        about: whose names are among the values. called: the players whom the message mentions, at `{people}`.
        """
        users = {user for chair in about for user in (chair.user, chair.owner) if user is not None}
        if by is not None:
            users.add(by.user)
            values["moderator"] = by.name
        self._plan(Announcement(sentence, values, tuple(sorted(users)), called=tuple(called)))

    async def _save(self, **changes: Any) -> None:
        """Write a change with what was planned, and take it over.

        Raises StoreError or TooLate, and then the table is as the store has it, as soon as that can be read: the
        write may have been carried out though nobody could say so.
        """
        effects, self._planned = tuple(self._planned), []
        touches = "deadline" in changes
        change = Change(at=self._around.now(), touch_deadline=touches, effects=effects, **changes)
        change = self._hosted(self._numbered(change))
        before, after = self.row, change.after(self.row)
        if after.phase in ("playing", "over"):
            seated = () if self.row.phase == "lobby" else self.row.chairs
            change = replace(change, sittings=sittings(seated, after.chairs, len(after.steps)))
        try:
            await self._around.keeper.save(self.id, change)
        except (StoreError, Taken) as error:
            await self._doubt()
            landed = not self._stale and before != self.row == after
            if not landed:
                self._around.teller.perform(effects, doubtful=True)
                if isinstance(error, Taken):
                    raise TooLate from error
                raise
        except BaseException:
            self._stale = True
            raise
        self.row = after
        if effects:
            self._around.teller.perform(effects)
        self._report(change)

    def _report(self, change: Change) -> None:
        """Tell of a change that has been written: those who count, the clock, and the process that has this table."""
        if watch := self._around.watch:
            for step in change.steps:
                watch.played(self.row.game, step.by)
        if change.deadline:
            self._around.wake(change.deadline.next)
        if self.row.answers:
            self._around.wake(self.row.answers)
        if self.tell_holder is not None:
            self.tell_holder(self.id, self.row.guild)

    def _numbered(self, change: Change) -> Change:
        """Return a change with the number of the vote that begins with it, if one does."""
        begins = votes.asked(change.chairs) not in ("", votes.asked(self.row.chairs))
        return replace(change, votes=self.row.votes + 1) if begins else change

    def _hosted(self, change: Change) -> Change:
        """Return a change with the host that follows from its chairs."""
        if not change.chairs:
            return change
        return replace(change, host=host_after(self.row.host, self.row.chairs, change.chairs))

    async def _doubt(self) -> None:
        """Find out how the table stands after a write that failed, now or, where that cannot be, at the next touch."""
        self._stale = True
        with suppress(StoreError, Refused):
            await self._take_over()

    async def _take_over(self) -> None:
        """Become what the store has. May raise StoreError, and Refused where it has nothing any more."""
        row = await self._around.keeper.load(self.id)
        if row is None:
            self.moved_on = NO_TABLE
            raise Refused(NO_TABLE)
        match = self.match if self.match and row.steps == self.row.steps else await match_of(row, self._around.workers)
        self.row, self.match, self._stale = row, match, False
        self._keep_deletions_of(row.chairs)

    def _keep_deletions_of(self, chairs: Chairs) -> None:
        """Drop what is known of the deletions of people who do not sit here any more."""
        self._deleted = {user: at for user, at in self._deleted.items() if user in people(chairs)}


def record_of(row: TableRow) -> Record:
    """Return the record of a row's match as it stands."""
    steps = tuple((step.seat, read_action(step.action)) for step in row.steps)
    return Record(GAMES[row.game], row.preset, row.seed, row.options, steps, row.rules)


def ruleset_of(row: TableRow) -> Ruleset:
    """Return what is played at a row's table, by the version of the rules that it began with."""
    return Ruleset.of(GAMES[row.game], row.preset, row.options, row.rules)


async def match_of(row: TableRow, workers: Workers | None = None) -> Match | None:
    """Replay the match of a row off the event loop; None before its start. workers: who replays a long one."""
    if row.phase == "lobby" or len(row.chairs) < row.seats:
        return None
    if workers is not None and len(row.steps) >= LENGTHY:
        return await workers.call_for_table(replayed, Transcript.of(row, row.steps))
    return await asyncio.to_thread(lambda: record_of(row).replay())
