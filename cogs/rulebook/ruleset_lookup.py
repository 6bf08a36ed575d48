"""Whose rules a command or a click means: those named, those of the table here, or those of the channel."""

from __future__ import annotations

from discord.app_commands import Choice

from bot.client import Bigger
from bot.club.saved_rules import starting_rules
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.autocompletion import by_name, offering
from bot.interactions.visit import Visit
from bot.members.admission import NO_TABLE_HERE
from bot.members.venues import asker
from bot.show.rulebook.ruleset import PLAIN, BookRules, Unpackable
from bot.table.core.chairs import seat_of
from cogs.common.table_lookup import at_table

ONLY_ONE = N_("Choose one of preset, rule code and table, not several.")
TOO_LONG = N_("These rules differ in too much for a code. Open a table with them: its button Rules shows them.")
STALE = N_("That button is of no use any more. Use /learn rules to open the rules again.")


async def asked(bot: Bigger, visit: Visit, game: str | None, preset: str, code: str, table: int | None) -> BookRules:
    """Return the rules a command asks for; empty or None is what nobody has said.

    Where nothing is said, those of the table here, else the channel's default, else the plain game. Raises Refused or
    Illegal with what is wrong.
    """
    if sum((bool(preset), bool(code), table is not None)) > 1:
        raise Refused(ONLY_ONE)
    if table is not None:
        return await _at(bot, visit, TableId(table))
    said = preset or code
    here = None if said else await _here(bot, visit, game)
    rules = here or BookRules.like(
        (await starting_rules(bot.store.house_rules, asker(visit.interaction), said, game)).rules
    )
    try:
        rules.key  # noqa: B018  # every button on the page needs one
    except Unpackable:
        raise Refused(TOO_LONG) from None
    return rules


async def addressed(bot: Bigger, visit: Visit, game: str, key: str) -> BookRules:
    """Return the rules that an address names. Raises Refused for what an older version has written otherwise."""
    if key.isdecimal() and key != PLAIN:
        return await _at(bot, visit, TableId(int(key)))
    try:
        return BookRules.read(game, key)
    except Unpackable:
        raise Refused(STALE) from None


async def _at(bot: Bigger, visit: Visit, number: TableId) -> BookRules:
    """Return the rules of a table of this server whose channel the person sees now, or of one where they sit."""
    table = await bot.tables.get(number)
    seated = seat_of(table.row.chairs, visit.user) is not None
    here = table.row.guild == visit.guild
    if not (seated or (here and await bot.admission.looks_at(visit.interaction, table))):
        raise Refused(NO_TABLE_HERE)
    return BookRules.at(table.scene(visit.user))


async def _here(bot: Bigger, visit: Visit, game: str | None) -> BookRules | None:
    """Return the rules of the table here, the person's own before others and new ones before old ones; None without."""
    mine = await _mine(bot, visit)
    for number in sorted(await _tables(bot, visit), key=lambda table: (table in mine, table), reverse=True):
        rules = BookRules.at((await bot.tables.get(number)).scene(visit.user))
        if game in (None, rules.game):
            return rules
    return None


async def _mine(bot: Bigger, visit: Visit) -> tuple[TableId, ...]:
    return tuple(row.id for row in await bot.store.tables.seated(visit.user))


async def _tables(bot: Bigger, visit: Visit) -> tuple[TableId, ...]:
    """Return the tables of this channel, as far as the person may know of them; in a direct message their own."""
    if visit.guild is None or visit.channel is None:
        return await _mine(bot, visit)
    there = [await bot.tables.get(number) for number in await bot.store.tables.in_channel(visit.channel)]
    return tuple([table.id for table in there if await bot.admission.looks_at(visit.interaction, table)])


async def _around(bot: Bigger, visit: Visit) -> list[Choice[int]]:
    """Find the tables of the person who types, and those of this channel."""
    there = (*await _mine(bot, visit), *await _tables(bot, visit))
    return by_name(visit.typed, [await at_table(bot, visit, number) for number in dict.fromkeys(there)])


offer_tables_here = offering(_around)
