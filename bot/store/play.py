"""The store as far as tables go that are played at: what they are, when something happens to them, whom they call.

Knows what may be asked of them; refuses to know the statements. Every call may raise StoreError.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.pace import Deadline
from bot.store.engine.gate import Gate
from bot.store.erasure import leftovers
from bot.store.repositories import openings as kept_openings
from bot.store.repositories import records, sittings, table_changes, tables
from bot.store.repositories import table_states as doing
from bot.store.rows import (
    Change,
    NewTable,
    SeatedPerson,
    Standpoint,
    Step,
    TableRow,
)


class Play:
    """What is kept of tables, and the time that passes for them: for those that are this process's."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def new_table(self, new: NewTable, chairs: tuple[Chair, ...], deadline: Deadline | None) -> TableRow:
        """Set up a lobby, with the next number of its guild."""

        async def work(connection: AsyncConnection) -> TableRow | None:
            return await tables.load(connection, await table_changes.new_table(connection, new, chairs, deadline))

        row = await self._gate.run(work)
        assert row is not None
        return row

    async def load(self, table: TableId) -> TableRow | None:
        """Give a table with its chairs and steps, None if there never was one."""
        return await self._gate.read(tables.load, table)

    async def home_of(self, table: TableId) -> GuildId | None:
        """Give the server of a table, None if there never was one."""
        return await self._gate.read(tables.guild_of, table)

    async def head(self, table: TableId) -> tuple[TableRow, int] | None:
        """Give a table with its chairs but without its steps, and how many those are; None if there never was one."""
        return await self._gate.read(tables.head, table)

    async def steps(self, table: TableId, first: int, end: int) -> tuple[Step, ...]:
        """Give the steps of a table from one ply up to another, which is not among them."""
        return await self._gate.read(tables.steps, table, first, end)

    async def openings(self, table: TableId) -> str | None:
        """Give where the hands of a match begin, as it was kept; None where that is not known, or not as it was."""
        return await self._gate.read(kept_openings.kept, table)

    async def keep_openings(self, table: TableId, text: str) -> None:
        """Keep where the hands of a match begin, in place of what was kept, as long as its plays are."""
        await self._gate.run(kept_openings.keep, table, text)

    async def next_to_pack(self, after: TableId, since: datetime) -> TableId | None:
        """Give the next match that ended before then and is not packed, by the numbers of tables."""
        return await self._gate.read(records.next_to_pack, after, since)

    async def pack(self, table: TableId) -> bool:
        """Pack the steps of a match that is over: False where a pack would not give them back, then they stay."""
        return await self._gate.run(tables.pack, table)

    async def forget_plays(
        self, after: TableId, guilds: Collection[GuildId], since: datetime, version: int
    ) -> TableId | None:
        """Delete what was played in the next match of these servers that ended before then; None after the last.

        Only of matches that are packed and that this version of the rules for achievements has looked at.
        """
        return await self._gate.run(records.forget_plays, after, guilds, since, version)

    async def empty_journal(self) -> None:
        """See to it that what was deleted stands in no file any more."""
        await self._gate.empty()

    async def save(self, table: TableId, change: Change) -> None:
        """Write all of a change, or nothing: Taken if one of its plies, or the result, is there already."""
        await self._gate.run(table_changes.save, table, change)

    async def has_sat_in(self, table: TableId, mark: str) -> bool:
        """Tell whether somebody sits in for somebody else at a table, or has done so in the match that goes on."""
        return await self._gate.read(sittings.has_sat_in, table, mark)

    async def seated(self, user: UserId) -> tuple[TableRow, ...]:
        """Give the open tables where ``user`` owns a chair, newest first, without steps."""
        return await self._gate.read(tables.seated, user)

    async def ended_suspended(self, user: UserId, since: datetime) -> tuple[TableId, ...]:
        """Give the tables of ``user`` that have ended since then while they were suspended, oldest first."""
        return await self._gate.run(tables.ids, tables.ENDED_SUSPENDED, {"here": user, "since": since})

    async def seated_people(self) -> tuple[SeatedPerson, ...]:
        """Give who sits at an open table and plays for themselves, by guild."""
        return await self._gate.read(tables.seated_people, self._gate.share)

    async def open_tables(self) -> tuple[TableId, ...]:
        """Give the ids of all tables in a lobby or playing, oldest first, here and below."""
        return await self._gate.read(tables.ids, tables.ALL_OPEN, {})

    async def states(self) -> Mapping[str, int]:
        """Count the open tables by what they are doing, see ``bot.store.repositories.table_states``."""
        return await self._gate.read(doing.states)

    async def in_channel(self, channel: ChannelId) -> tuple[TableId, ...]:
        """Give the ids of the open tables whose board is in this channel or that were set up there."""
        return await self._gate.read(tables.ids, tables.IN_CHANNEL, {"here": channel})

    async def within(self, channel: ChannelId) -> tuple[TableId, ...]:
        """Give the ids of the matches that are played in this channel or in a thread of it."""
        return await self._gate.read(tables.ids, tables.WITHIN, {"here": channel})

    async def in_guild(self, guild: GuildId) -> tuple[TableId, ...]:
        """Give the ids of the open tables of a guild."""
        return await self._gate.read(tables.ids, tables.IN_GUILD, {"here": guild})

    async def homes(self, guild: GuildId) -> tuple[Standpoint, ...]:
        """Give where the open tables of a guild are played, and which of them sleep."""
        return await self._gate.read(tables.homes, guild)

    # Time

    # Pings

    # The outbox

    # Notices

    # Who watches

    async def forget_steps(self, table: TableId) -> None:
        """Delete what was done at a table that is closed, and that nobody will look at again."""
        await self._gate.run(table_changes.forget_steps, table)

    async def delete_practice(self, user: UserId, kept: Collection[TableId]) -> None:
        """Delete the ended practice tables of a person. kept: tables that stay."""
        await self._gate.run(leftovers.delete_practice, user, kept)

    async def delete_lobbies(self, before: datetime) -> None:
        """Delete lobbies that closed before a moment without a match, and duplicates of that age without a table."""
        await self._gate.run(leftovers.delete_lobbies, before)

    async def old_practice(self, before: datetime) -> tuple[TableId, ...]:
        """Give the tables at which somebody practises alone and has not gone on since then."""
        return await self._gate.read(tables.ids, tables.OLD_PRACTICE, {"since": before})
