"""One table in memory: the shell around its decisions, with lock, writes and publishing.

The pure function `decide` (`bot/table/core/decide.py`) makes every decision. The shell looks up the facts for it
(`bot/table/fact_lookup.py`), writes the decision in one transaction, and publishes only afterwards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar, overload

from bot.domain.effects import pending_effect
from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.refusals import NO_TABLE, Refused, TooLate
from bot.rules.variants.ruleset import Ruleset
from bot.scene import PublicScene, Scene, Stage
from bot.store.errors import AlreadyWritten, StoreError
from bot.store.rows import TableChange, TableRow
from bot.table.core.commands import Command, RecomputeDeadline
from bot.table.core.decide import decide
from bot.table.core.facts import Facts
from bot.table.core.state import (
    Changed,
    CheckAccess,
    ClockResumed,
    Decision,
    PremoveFailed,
    Signal,
    Suspended,
    TableState,
    change_between,
    ruleset_of,
)
from bot.table.core.suspension import StillSuspended
from bot.table.environment import Environment, ShownTable
from bot.table.fact_lookup import apply_rule, load_state, match_of, with_working_hours
from bot.table.hints import Hints
from bot.table.house_players import HousePlayers
from bot.table.sight import SceneCache, stage_of

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
NotifyOwner: TypeAlias = Callable[[TableId, GuildId], None]


class Table(ShownTable):
    """A table in memory; every change goes through its lock.

    state, row, match: as saved. moved_on: why commands are refused, once the table was dropped from memory.
    notify_owner: for a table of another process, notifies that process of each change.
    """

    def __init__(self, state: TableState, env: Environment) -> None:
        self.id = state.row.id
        self.state, self.row, self.match = state, state.row, state.match
        self.moved_on = ""
        self.notify_owner: NotifyOwner | None = None
        self.house = HousePlayers(self, env)
        self.hints = Hints(self, env.workers)
        self.screens = SceneCache(env)
        self._env = env
        self._lock, self._stale = asyncio.Lock(), False  # stale: the store may have a newer row

    @classmethod
    async def load(cls, row: TableRow, env: Environment) -> Table:
        """Return the table of a row, with its match replayed."""
        table = cls(await load_state(row, env), env)
        if row.pace.slow and row.open:
            async with table._locked():  # house players wait until the table is in use, not only read
                await table._commit(await table._decide(RecomputeDeadline()))
        return table

    @property
    def moment(self) -> int:
        """The number of public actions so far."""
        return self.match.moment if self.match else 0

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the table."""
        return ruleset_of(self.row)

    @property
    def stage(self) -> Stage:
        """The stage of the table."""
        return stage_of(self.row, self.match)

    @property
    def busy(self) -> bool:
        """Whether the table must stay in memory: a command or a house action in progress."""
        return self._lock.locked() or self.house.acting

    @overload
    def scene(self, viewer: None) -> PublicScene: ...

    @overload
    def scene(self, viewer: UserId | None) -> Scene: ...

    def scene(self, viewer: UserId | None) -> Scene:
        """Return the scene for a viewer, None for any spectator; the same object until a change."""
        return self.screens.of(self.state)[viewer]

    async def wait_until_idle(self, patience: float) -> None:
        """Wait up to ``patience`` seconds for the end of quick house actions."""
        await self.house.wait_until_idle(patience)

    async def do(self, command: Command) -> None:
        """Decide, write and publish. Raises Refused, TooLate or Illegal, and StoreError."""
        async with self._locked():
            decision = await self._decide(command)
            await self._commit(decision)
            self.house.start()
        if decision.refusal is not None:
            raise decision.refusal

    async def _decide(self, command: Command) -> Decision:
        """Return the decision on a command.

        For `Act` it is made by `act` in `bot/table/core/play.py`, for `Ring` by `ring` in
        `bot/table/core/clock_rules.py`, for other commands as `bot/table/core/decide.py` says.
        """
        return await self.check(lambda state, facts: decide(state, command, facts))

    async def check(self, rule: Callable[Concatenate[TableState, Facts, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the result of a pure rule on the present state; write nothing."""
        try:
            return await apply_rule(
                lambda facts: rule(self.state, facts, *args, **kwargs), self._env, self.row.guild, self.id
            )
        except StillSuspended:
            self._env.publisher.changed(self)
            raise

    def resume_play(self) -> None:
        """Redraw the table, and start house players to move."""
        self._env.publisher.changed(self)
        self.house.start()

    async def reread(self) -> None:
        """Reload the row after an outside change. May raise StoreError."""
        self._stale = True
        await self.do(RecomputeDeadline())

    @asynccontextmanager
    async def freeze(self) -> AsyncIterator[None]:
        """Block commands during an outside change of the row, which is reloaded then."""
        async with self._lock:
            self._stale = True
            yield

    @asynccontextmanager
    async def _locked(self) -> AsyncIterator[None]:
        """Hold the lock on an up-to-date table. May raise StoreError."""
        async with self._lock:
            if self.moved_on:
                raise Refused(self.moved_on)
            if self._stale:
                await self._reload()
            self.adopt(await with_working_hours(self.state, self._env))
            yield

    async def _commit(self, decision: Decision) -> None:
        """Write a decision in one transaction, adopt its state, then carry out its signals."""
        row, now = decision.state.row, self._env.now()
        effects = (
            () if row.solo else tuple(pending_effect(effect, row.guild, self.id, now) for effect in decision.effects)
        )
        change = change_between(self.row, row, now, writes=decision.writes, effects=effects)
        if change is not None:
            await self._write(change, row)
        self.adopt(decision.state)
        if change is not None:
            self._notify_of_change(change)
        for signal in decision.signals:
            self._carry_out(signal)

    async def _write(self, change: TableChange, row: TableRow) -> None:
        """Write a change. A failed write may have reached the store without an answer."""
        before = self.row
        try:
            await self._env.store.tables.save(self.id, change)  # in bot/store/repositories/table_changes.py
        except (StoreError, AlreadyWritten) as error:
            self._stale = True
            with suppress(StoreError, Refused):
                await self._reload()
            if self._stale or not before != self.row == row:
                self._env.publisher.perform(change.effects, doubtful=True)
                if isinstance(error, AlreadyWritten):
                    raise TooLate from error
                raise
        except BaseException:
            self._stale = True
            raise

    def _notify_of_change(self, change: TableChange) -> None:
        """Notify the outbox, metrics, clock, and the process with the table of a written change."""
        if change.effects:
            self._env.publisher.perform(change.effects)
        if watch := self._env.watch:
            for step in change.steps:
                watch.count_action(self.row.game, step.by)
        if change.deadline:
            self._env.wake(change.deadline.next)
        if self.row.premove_at:
            self._env.wake(self.row.premove_at)
        if self.notify_owner is not None:
            self.notify_owner(self.id, self.row.guild)

    def _carry_out(self, signal: Signal) -> None:
        """Carry out a signal; the publisher is in `bot/delivery/table_delivery.py`."""
        match signal:
            case Changed():
                self.screens.drop()
                self._env.publisher.changed(self)
            case Suspended():
                self._env.publisher.notify_suspension(self)
            case CheckAccess(user):
                self._env.publisher.check_access(self, user)
            case ClockResumed():
                self.house.clock_resumed()
            case PremoveFailed(error):
                log.error(
                    "A premove at table %s could not be carried out: its player is asked", self.id, exc_info=error
                )

    async def _reload(self) -> None:
        """Adopt the saved row. May raise StoreError, and Refused for a deleted table."""
        before, row = self.row, await self._env.store.tables.load(self.id)
        if row is None:
            self.moved_on = NO_TABLE
            raise Refused(NO_TABLE)
        match = self.match if self.match and row.steps == before.steps else await match_of(row, self._env.workers)
        self.adopt(self.state.reread(row, match))
        self._stale = False
        if row != before:
            self.resume_play()
        if row.deadline:
            self._env.wake(row.deadline.next)

    def adopt(self, state: TableState) -> None:
        """Replace the state, without publishing."""
        before, after = self.match, state.match
        self.state, self.row, self.match = state, state.row, after
        if after is not before and (before is None or after is None or after.moment != before.moment):
            self.house.new_moment()
