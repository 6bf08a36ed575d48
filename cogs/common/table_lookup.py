"""The table that a command applies to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord.app_commands import Choice

from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.autocompletion import by_name, choice, offering
from bot.interactions.visit import Visit
from bot.localization import Localization
from bot.members.admission import Admission
from bot.show.kit.phrases import table as table_name
from bot.store.rows import TableRow
from bot.store.store import Store
from bot.table.core.chairs import people
from bot.table.registry import TableRegistry
from bot.table.table import Table
from bot.wiring import Parts

Interaction = discord.Interaction[Any]

NO_TABLE = N_("You're not at any table. Open one with /deal.")
WHICH_TABLE = N_("You're at several tables. Choose one with the option `table`.")
NONE_HERE = N_("There's no open table in this channel.")
SEVERAL_HERE = N_("There are several tables in this channel. Choose one with the option `table`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLookup:
    """Finds the table that a command applies to."""

    store: Store
    tables: TableRegistry
    admission: Admission
    localization: Localization

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the lookup of a running bot."""
        return cls(store=parts.store, tables=parts.tables, admission=parts.admission, localization=parts.localization)

    async def find(self, visit: Visit, number: int | None) -> Table:
        """Return a player's table: the named one, the one in this channel, or the only candidate.

        number: the table's number in the store, as autocompletion offers it. Raises Refused with advice, or if the
        user cannot see the table's channel now.
        """
        table = await self.find_unchecked(visit, number)
        await self.admission.check(visit.interaction, table)
        return table

    async def find_unchecked(self, visit: Visit, number: int | None) -> Table:
        """Return the same table without a check of access: a player may leave an unseen table."""
        if number is not None:
            return await self.tables.get(TableId(number))
        own = await self.tables_played(visit.user)
        if not own:
            raise Refused(NO_TABLE)
        in_channel = [row for row in own if visit.channel in (row.home, row.channel)]
        if len(candidates := in_channel or list(own)) == 1:
            return await self.tables.get(candidates[0].id)
        return await self._only_waiting(visit.user, candidates)

    async def tables_played(self, user: UserId) -> Sequence[TableRow]:
        """Return the open tables of a player.

        If the player has a seat at none, the tables where a house player holds a seat that the player can take back.
        Solo tables count only if the player has no other.
        """
        seated = await self.store.tables.seated(user)
        shared = [row for row in seated if not row.solo] or seated  # solo tables: only without others
        return [row for row in shared if user in people(row.chairs)] or shared

    async def _only_waiting(self, user: UserId, candidates: Sequence[TableRow]) -> Table:
        """Return the only candidate that waits for this player. Raises Refused."""
        waiting = []
        for row in candidates:
            table = await self.tables.get(row.id)
            scene = table.scene(user)
            if scene.wanted:
                waiting.append(table)
        if len(waiting) != 1:
            raise Refused(WHICH_TABLE)
        return waiting[0]

    async def find_here(self, visit: Visit, number: int | None) -> Table:
        """Return the table that a command in this channel applies to, for any viewer.

        Raises Refused if the user cannot see the table's channel now.
        """
        table = await self._find_in_channel(visit, number)
        await self.admission.check(visit.interaction, table)
        return table

    async def _find_in_channel(self, visit: Visit, number: int | None) -> Table:
        """Return the named table, the only one in this channel, or the user's own in it."""
        if number is not None:
            return await self.tables.get(TableId(number))
        in_channel = () if visit.channel is None else await self.store.tables.in_channel(visit.channel)
        if len(in_channel) == 1:
            return await self.tables.get(in_channel[0])
        own = {row.id for row in await self.tables_played(visit.user)}
        if len(seated := own & set(in_channel) or (set() if in_channel else own)) == 1:
            return await self.tables.get(seated.pop())
        raise Refused(SEVERAL_HERE if in_channel else NONE_HERE)

    async def choices(self, visit: Visit) -> list[Choice[int]]:
        """Return the user's tables as autocompletion choices."""
        rows = await self.store.tables.seated(visit.user)
        return by_name(visit.typed, [await self.choice(visit, row.id) for row in rows])

    async def choice(self, visit: Visit, number: TableId) -> Choice[int]:
        """Return the autocompletion choice of a table."""
        scene = (await self.tables.get(number)).scene(None)
        name = table_name(scene, visit.w)
        return choice(
            name if scene.where.solo else f"{name} ({self.localization.server_name(scene.where.guild)})", number
        )


async def _own_tables(parts: Parts, visit: Visit) -> list[Choice[int]]:
    return await TableLookup.of(parts).choices(visit)


offer_tables = offering(_own_tables)
