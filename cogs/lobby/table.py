"""Looking after one table: leaving it, asking for its end, and what its moderators may do."""

from __future__ import annotations

from contextlib import nullcontext

from discord import app_commands
from discord.app_commands import Choice, Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import REACH_FIRST
from bot.interactions.autocompletion import LONGEST, by_name, choice, offering
from bot.interactions.flood_limits import MOVES
from bot.interactions.replies import Reply
from bot.interactions.visit import SERVER_ONLY, Visit
from bot.members import posting_permissions
from bot.rules.core.actions import Stop
from bot.show.kit.custom_ids import Verb
from bot.show.kit.phrases import table as table_name
from bot.show.lobby.table_menu import NOT_A_MODERATOR, done
from bot.show.table.notices import asked_to_end
from bot.show.typed.games import plain
from bot.table.core.chairs import people
from bot.table.core.commands import Expel, Move, Pause, Resume
from bot.table.table import Table
from cogs.common.table_lookup import Interaction, beside, offer_tables, played, sought
from cogs.lobby.lobby import ask_or_close
from cogs.play.actions import act_typed
from cogs.play.seat import ask_or_leave
from cogs.server.moderation import ask_moderator, is_moderator, moderates_here, moderator, named, redraw

NONE_HERE = N_("There is no open table in this channel.")
SEVERAL = N_("There are several tables in this channel. Say which one with the option `table`.")
NOT_THERE = N_("There is nobody of that name at this table.")


async def _here(bot: Bigger, visit: Visit, number: int | None) -> Table:
    """Return the table a command means. Raises Refused for whoever may not see its channel now."""
    table = await _meant(bot, visit, number)
    await bot.admission.check(visit.interaction, table)
    return table


async def _meant(bot: Bigger, visit: Visit, number: int | None) -> Table:
    """Return the one named, the one here, or the one here that the person sits at."""
    if number is not None:
        return await bot.tables.get(TableId(number))
    there = () if visit.channel is None else await bot.store.tables.in_channel(visit.channel)
    if len(there) == 1:
        return await bot.tables.get(there[0])
    own = {row.id for row in await played(bot, visit.user)}
    if len(seated := own & set(there) or (set() if there else own)) == 1:
        return await bot.tables.get(seated.pop())
    raise Refused(SEVERAL if there else NONE_HERE)


async def _theirs(bot: Bigger, visit: Visit) -> list[Choice[int]]:
    """Find the tables that somebody sits at, and those on the server that they moderate and see."""
    interaction = visit.interaction
    own = {row.id for row in await bot.store.tables.seated(visit.user)}
    there = () if visit.guild is None else await bot.store.tables.in_guild(visit.guild)
    tables = [await bot.tables.get(number) for number in sorted({*own, *there})]
    return by_name(
        visit.typed,
        [
            choice(table_name(table.scene(None), visit.w), table.id)
            for table in tables
            if table.id in own
            or (is_moderator(bot, interaction, table) and await bot.admission.looks_at(interaction, table))
        ],
    )


async def _players(bot: Bigger, visit: Visit) -> list[Choice[str]]:
    """Find the people at the table, for its moderator."""
    table = await _here(bot, visit, visit.named_table)
    if not is_moderator(bot, visit.interaction, table):
        return []
    names = [chair.name for chair in table.row.chairs if chair.user is not None]
    return by_name(visit.typed, [choice(name, name[:LONGEST]) for name in names])


offer_theirs, offer_players = offering(_theirs), offering(_players)


class Tables(commands.Cog):
    """What can be done to a table by command."""

    table = Group(name="table", description=locale_str("Look after one of my tables, such as leaving it"))

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot

    @table.command(name="leave", description=locale_str("Leave a table"))
    @app_commands.describe(table=locale_str("Which of my tables"))
    @app_commands.autocomplete(table=offer_tables)
    async def leave(self, interaction: Interaction, table: int | None = None) -> None:
        """Leave a table, whatever state it is in; ask first in the middle of a match."""

        async def work(visit: Visit) -> Reply:
            return await ask_or_leave(self.bot, visit, await sought(self.bot, visit, table))

        await self.bot.reply(interaction, work)

    @table.command(name="end", description=locale_str("End the match here: players together, or a moderator"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_theirs)
    async def end(self, interaction: Interaction, table: int | None = None) -> None:
        """Ask for the end of a match one plays in, or end one as its moderator."""

        async def work(visit: Visit) -> Reply:
            where = await _here(self.bot, visit, table)
            if where.scene(visit.user).seat is not None:
                return await act_typed(self.bot, visit, where, Stop(), asked_to_end)
            return await ask_moderator(self.bot, visit, where, Verb.END_NOW)

        await self.bot.reply(interaction, work)

    @table.command(name="cancel", description=locale_str("Call a table off: nothing of it counts"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_theirs)
    async def cancel(self, interaction: Interaction, table: int | None = None) -> None:
        """Call a table off, as its moderator, or a lobby as its host; ask first."""

        async def work(visit: Visit) -> Reply:
            where = await _here(self.bot, visit, table)
            if where.row.phase == "lobby" and visit.user == where.row.host:
                return await ask_or_close(visit, where)
            return await ask_moderator(self.bot, visit, where, Verb.CALL_OFF_NOW)

        await self.bot.reply(interaction, work)

    @table.command(name="remove", description=locale_str("Let a house player go on for somebody, as a moderator"))
    @app_commands.describe(player=locale_str("Who has to get up"), table=locale_str("Which table"))
    @app_commands.autocomplete(player=offer_players)
    @app_commands.autocomplete(table=offer_theirs)
    async def remove(self, interaction: Interaction, player: str, table: int | None = None) -> None:
        """Remove a player from a table, as its moderator."""

        async def work(visit: Visit) -> Reply:
            where = await _here(self.bot, visit, table)
            by = moderator(self.bot, interaction, where)
            chair = next(
                (chair for chair in where.row.chairs if chair.user and plain(chair.name) == plain(player)), None
            )
            if chair is None:
                raise Refused(NOT_THERE)
            await where.do(Expel(by, chair.seat, chair.name))
            return beside(visit, where, done(visit.w))

        await self.bot.reply(interaction, work)

    @table.command(name="pause", description=locale_str("Stop the clock of a match, as a moderator"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_theirs)
    async def pause(self, interaction: Interaction, table: int | None = None) -> None:
        """Pause a match."""

        async def work(visit: Visit) -> Reply:
            where = await _here(self.bot, visit, table)
            await where.do(Pause(moderator(self.bot, interaction, where)))
            return beside(visit, where, done(visit.w))

        await self.bot.reply(interaction, work)

    @table.command(name="resume", description=locale_str("Let a match go on that was paused, as a moderator"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_theirs)
    async def resume(self, interaction: Interaction, table: int | None = None) -> None:
        """Let a match go on."""

        async def work(visit: Visit) -> Reply:
            where = await _here(self.bot, visit, table)
            await where.do(Resume(moderator(self.bot, interaction, where)))
            return beside(visit, where, done(visit.w))

        await self.bot.reply(interaction, work)

    @table.command(name="redraw", description=locale_str("Show the table anew where it has got stuck"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_theirs)
    async def redraw(self, interaction: Interaction, table: int | None = None) -> None:
        """Post the board anew."""

        async def work(visit: Visit) -> Reply:
            return await redraw(self.bot, visit, await _here(self.bot, visit, table))

        await self.bot.reply(interaction, work)

    @table.command(name="move", description=locale_str("Go on with this table in this channel"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_theirs)
    async def move(self, interaction: Interaction, table: int) -> None:
        """Bring a table here, as its host or as a moderator of both channels."""

        async def work(visit: Visit) -> Reply:
            where = await self.bot.tables.get(TableId(table))
            if visit.server != where.row.guild or visit.channel is None:
                raise Refused(SERVER_ONLY)
            await posting_permissions.check(interaction)
            hosting = visit.user == where.row.host and visit.user in people(where.row.chairs)
            if not hosting and not moderates_here(self.bot, interaction):
                raise Refused(NOT_A_MODERATOR)
            if hosting:
                await self.bot.venue.check_way(interaction, where)
            else:
                await self.bot.admission.check(interaction, where)
                moderator(self.bot, interaction, where)
            await self.bot.venue.check_seen(visit.channel, where)
            counting = self.bot.store.limits.using(MOVES, about=f"table {where.id}")
            async with counting if hosting else nullcontext():  # a moderator can always bring it back
                await where.do(Move(named(interaction, where), visit.channel, as_host=hosting))
            return beside(visit, where, done(visit.w))

        await self.bot.reply(interaction, work, REACH_FIRST)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Tables(bot))
