"""The rules that a command or a click applies to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from discord.app_commands import Choice

from bot.club.saved_rules import starting_rules
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.autocompletion import by_name, offering
from bot.interactions.visit import Visit
from bot.members.admission import NO_TABLE_HERE, Admission
from bot.members.venues import asker
from bot.show.rulebook.ruleset import PLAIN, BookRules, InvalidRulesKey
from bot.store.store import Store
from bot.table.core.chairs import seat_of
from bot.table.registry import TableRegistry
from bot.wiring import Parts
from cogs.common.table_lookup import TableLookup

ONLY_ONE = N_("Choose only one of these: preset, rule code or table.")
TOO_LONG = N_("These rules have too many changes for a code. Open a table with them: its Rules button shows them.")
STALE = N_("This button has expired. Use /learn rules to open the rules again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetLookup:
    """Finds the rules that a command or a click applies to."""

    lookup: TableLookup
    store: Store
    tables: TableRegistry
    admission: Admission

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the lookup of a running bot."""
        return cls(lookup=TableLookup.of(parts), store=parts.store, tables=parts.tables, admission=parts.admission)

    async def asked(self, visit: Visit, *, game: str | None, preset: str, code: str, table: int | None) -> BookRules:
        """Return the rules for the options of a command; omitted options are empty or None.

        Without options: the rules of the table in this channel, else the channel's default, else the standard rules
        of the game. Raises Refused or Illegal with the reason.
        """
        if sum((bool(preset), bool(code), table is not None)) > 1:
            raise Refused(ONLY_ONE)
        if table is not None:
            return await self._rules_at_table(visit, TableId(table))
        said = preset or code
        here = None if said else await self._here(visit, game)
        rules = here or BookRules.like(
            (await starting_rules(self.store.house_rules, asker(visit.interaction), said, game)).rules
        )
        try:
            assert rules.key, "every button on the page needs one"
        except InvalidRulesKey:
            raise Refused(TOO_LONG) from None
        return rules

    async def addressed(self, visit: Visit, game: str, key: str) -> BookRules:
        """Return the rules of an address.

        Raises Refused for an address in the format of an earlier release.
        """
        if key.isdecimal() and key != PLAIN:
            return await self._rules_at_table(visit, TableId(int(key)))
        try:
            return BookRules.read(game, key)
        except InvalidRulesKey:
            raise Refused(STALE) from None

    async def _rules_at_table(self, visit: Visit, number: TableId) -> BookRules:
        """Return the rules of a table where the user has a seat, or can see the channel here.

        Raises Refused for other tables.
        """
        table = await self.tables.get(number)
        seated = seat_of(table.row.chairs, visit.user) is not None
        here = table.row.guild == visit.guild
        if not (seated or (here and await self.admission.may_see_table(visit.interaction, table))):
            raise Refused(NO_TABLE_HERE)
        return BookRules.of_scene(table.scene(visit.user))

    async def _here(self, visit: Visit, game: str | None) -> BookRules | None:
        """Return the rules of a table here, the user's own first, then the newest.

        None without a table for this game.
        """
        mine = await self._own_tables(visit)
        for number in sorted(await self._tables(visit), key=lambda table: (table in mine, table), reverse=True):
            rules = BookRules.of_scene((await self.tables.get(number)).scene(visit.user))
            if game in (None, rules.game):
                return rules
        return None

    async def _own_tables(self, visit: Visit) -> tuple[TableId, ...]:
        return tuple(row.id for row in await self.store.tables.seated(visit.user))

    async def _tables(self, visit: Visit) -> tuple[TableId, ...]:
        """Return the visible tables of this channel; in a direct message, the user's own."""
        if visit.guild is None or visit.channel is None:
            return await self._own_tables(visit)
        there = [await self.tables.get(number) for number in await self.store.tables.in_channel(visit.channel)]
        return tuple([table.id for table in there if await self.admission.may_see_table(visit.interaction, table)])

    async def choices(self, visit: Visit) -> list[Choice[int]]:
        """Return the user's tables, and the tables of this channel, as choices."""
        there = (*await self._own_tables(visit), *await self._tables(visit))
        return by_name(visit.typed, [await self.lookup.choice(visit, number) for number in dict.fromkeys(there)])


async def _tables_here(parts: Parts, visit: Visit) -> list[Choice[int]]:
    return await RulesetLookup.of(parts).choices(visit)


offer_tables_here = offering(_tables_here)
