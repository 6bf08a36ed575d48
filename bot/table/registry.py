"""The registry of tables: loads a table on first use, and drops idle tables from memory.

No table has a task of its own. What happens at a table is in `bot/table/table.py`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from bot.domain.chairs import Chair
from bot.domain.contests import Duplicate
from bot.domain.effects import LobbyOpening, pending_effect
from bot.domain.ids import ALL_SHARDS, ChannelId, GuildId, Share, TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import NO_TABLE, Refused
from bot.domain.server_settings import DEFAULT_SETTINGS
from bot.rules.core.sentences import Phrase
from bot.rules.matches.seal import chain_seed
from bot.rules.variants.registration import SEATS
from bot.rules.variants.ruleset import Ruleset
from bot.runtime.metrics import CAUSE
from bot.runtime.tasks import SingleFlight
from bot.store.rows import NewTable, TableRow
from bot.table.core import lobby_conditions
from bot.table.core.chairs import Chairs, in_order, unique_name
from bot.table.core.lobby import check_welcome
from bot.table.core.state import TableState
from bot.table.environment import Environment
from bot.table.fact_lookup import apply_rule, with_lobby_facts
from bot.table.table import NotifyOwner, Table

log = logging.getLogger(__name__)

RowFilter: TypeAlias = Callable[[TableRow], bool]
IDLE_AFTER = timedelta(minutes=10)
NO_NEW_TABLES = N_("I'm not opening new tables right now. Open ones continue.")
NO_SUCH_OPTION = N_("{game} has no option {option}.")


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request for a new table. duplicate: the source of its deals; None for new deals."""

    ruleset: Ruleset
    pace: Pace
    duplicate: Duplicate | None = None


@dataclass(frozen=True, slots=True)
class Host:
    """The host of a new table, with channel and seat."""

    guild: GuildId
    channel: ChannelId
    user: UserId
    name: str
    _: KW_ONLY
    seat: int = 0


def with_wishes(rules: Ruleset, wishes: Mapping[str, Any]) -> Ruleset:
    """Return the rules with a user's wishes, None for no wish.

    Raises Refused for options unknown to the game, Illegal for impossible combinations.
    """
    game, wished = rules.known, {name: value for name, value in wishes.items() if value is not None}
    if unknown := wished.keys() - game.wishes.keys():
        raise Refused(NO_SUCH_OPTION, game=Phrase(game.title), option=min(unknown))
    if (seats := wished.get(SEATS)) not in (None, *game.seats):
        raise Refused("This game needs {needed} players, not {seats}.", needed=list(game.seats), seats=seats)
    return rules.with_wishes(**wished)


def new_seed() -> str:
    """Return an unguessable seed for a match, of 256 bits."""
    return chain_seed(secrets.token_hex(32))


class TableRegistry:
    """Every table of the bot, by number in the store.

    own: returns the shards of this process. A table of another process never stays in memory: after a change here,
    `notify_owner` makes the owning process reload the table.
    """

    def __init__(
        self, env: Environment, seed: Callable[[], str], own: Callable[[], Share] = lambda: ALL_SHARDS
    ) -> None:
        self._env = env
        self._seed = seed
        self._own = own
        self.notify_owner: NotifyOwner | None = None
        self._loaded: dict[TableId, Table] = {}
        self._touched: dict[TableId, datetime] = {}
        self._loading = SingleFlight[Table]("load of table")
        self._stopped = False
        self._opening: WeakValueDictionary[GuildId, asyncio.Lock] = WeakValueDictionary()  # holds locks in use only

    def __contains__(self, table: TableId) -> bool:
        """Tell whether a table is in memory."""
        return table in self._loaded

    def __len__(self) -> int:
        """Return the number of tables in memory."""
        return len(self._loaded)

    async def open(self, host: Host, wish: TableRequest, house_players: Chairs = ()) -> Table:
        """Open a lobby with its host, and with these house players on other seats.

        Raises Refused outside the server's limits, Illegal for rules with numbers no longer offered.
        """
        if self._env.decisions.known.notice.closed:
            raise Refused(NO_NEW_TABLES)
        wish = replace(wish, ruleset=wish.ruleset.renewed())
        async with self._opening.setdefault(host.guild, asyncio.Lock()):  # count and open as one step
            return await self._open(host, wish, house_players)

    async def _open(self, host: Host, wish: TableRequest, house_players: Chairs) -> Table:
        server, now, duplicate = (
            self._env.server_settings.get(host.guild, DEFAULT_SETTINGS),
            self._env.now(),
            wish.duplicate,
        )
        await apply_rule(lambda facts: check_welcome(host.channel, host.user, facts), self._env, host.guild)
        rules = lobby_conditions.without_forbidden_stake(server, wish.ruleset)
        lobby_conditions.check_terms(server, rules, wish.pace)
        limits = partial(lobby_conditions.check_lobby_limits, host.user, wish.pace)
        await apply_rule(limits, self._env, host.guild)
        new = NewTable(
            host.guild,
            host.channel,
            host.user,
            rules.game,
            rules.preset,
            rules.plain_changes,
            rules.rules.players,
            duplicate.seed if duplicate else self._seed(),
            wish.pace,
            now,
            rules.version,
            duplicate_id=duplicate.number if duplicate else None,
            stakes=not duplicate and lobby_conditions.has_stakes(server, rules),
        )
        name = unique_name(house_players, host.user, host.name, self._env.reserved)
        chairs = in_order((Chair(host.seat, host.user, name, agreed=1), *house_players))
        deadline = self._env.durations.for_lobby(wish.pace, now, None)
        row = await self._env.store.tables.add(new, chairs, deadline)
        self._env.wake(deadline.next)
        table = Table(await with_lobby_facts(TableState(row), self._env), self._env)
        self._keep(table)
        self._env.publisher.perform([pending_effect(LobbyOpening(row.host), row.guild, row.id, now)])
        return table

    async def get(self, table: TableId) -> Table:
        """Return a table, from memory or from the store. Raises Refused for an unknown table."""
        if (cause := CAUSE.get()) is not None and cause.interaction is not None:
            cause.table = table
        if (in_memory := self._loaded.get(table)) is not None:
            self._touched[table] = self._env.now()
            return in_memory
        return await self._loading.do(table, partial(self._load, table))

    async def _load(self, table: TableId) -> Table:
        """Load a table; again if its shard moved meanwhile, because of a possibly stale row."""
        while True:
            before = self._own()
            row = await self._env.store.tables.load(table)
            if row is None:
                raise Refused(NO_TABLE)
            loaded = await Table.load(row, self._env)
            if before.has(row.guild) == self._own().has(row.guild):
                break
        kept = self._keep(loaded)
        if row.phase == "playing" and self._loaded.get(table) is loaded:
            loaded.resume_play()  # after a restart: redraw the board, restart house players
        return kept

    def _keep(self, table: Table) -> Table:
        """Return the one object of a table: the one in memory, else this one."""
        if self._stopped:
            table.house.stop()
        if not self._own().has(table.row.guild):
            table.notify_owner = self.notify_owner
            return table
        self._touched[table.id] = self._env.now()
        return self._loaded.setdefault(table.id, table)

    def stop(self) -> None:
        """Stop house players for the rest of this run; people may still act."""
        self._stopped = True
        for table in self._loaded.values():
            table.house.stop()

    async def ended(self) -> None:
        """Wait for the end of stopped house players."""
        for table in tuple(self._loaded.values()):
            await table.house.ended()

    def guild_of(self, table: TableId) -> GuildId | None:
        """Return the server of a table in memory."""
        in_memory = self._loaded.get(table)
        return in_memory.row.guild if in_memory else None

    async def reread(self, row_filter: RowFilter = lambda _row: True) -> None:
        """Make matching tables in memory reload their rows."""
        await self._loading.settled()
        loaded = self._matching(row_filter)
        for table, error in zip(
            loaded, await asyncio.gather(*(table.reread() for table in loaded), return_exceptions=True), strict=True
        ):
            if table.moved_on:
                self._loaded.pop(table.id, None)
                self._touched.pop(table.id, None)
            elif error:
                log.error("Table %s reads again at its next touch: %s", table.id, error)

    @asynccontextmanager
    async def freeze(self, row_filter: RowFilter) -> AsyncIterator[None]:
        """Block all commands at matching tables during an outside change; reload them afterwards.

        A lobby on its way into memory is included.
        """
        await self._loading.settled()
        async with AsyncExitStack() as stack:
            for opening in tuple(self._opening.values()):
                await stack.enter_async_context(opening)
            for table in sorted(self._matching(row_filter), key=lambda table: table.id):
                await stack.enter_async_context(table.freeze())
            yield
        await self.reread(row_filter)

    def _matching(self, row_filter: RowFilter) -> list[Table]:
        return [table for table in self._loaded.values() if row_filter(table.row)]

    def drop(self, row_filter: RowFilter, why: str = NO_TABLE) -> None:
        """Drop matching tables from memory, after their deletion or a move to another process.

        why: the message id of the refusal for commands on a dropped table.
        """
        for table in self._matching(row_filter):
            table.moved_on = why
            del self._loaded[table.id], self._touched[table.id]

    def drop_idle(self) -> None:
        """Drop tables without recent use from memory; the store retains everything."""
        since = self._env.now() - IDLE_AFTER
        for table, touched in list(self._touched.items()):
            if touched < since and not self._loaded[table].busy:
                del self._loaded[table], self._touched[table]
