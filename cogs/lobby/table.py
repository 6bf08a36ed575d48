"""Commands for one table: leaving, ending, and the commands of moderators."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from discord import app_commands
from discord.app_commands import Choice, Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import REACH_FIRST, Reply
from bot.interactions.autocompletion import MAX_CHOICE_LENGTH, by_name, choice, offering
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import MOVES
from bot.interactions.visit import SERVER_ONLY, Visit
from bot.members import posting_permissions
from bot.members.admission import Admission
from bot.members.venues import Venue
from bot.rules.core.asks import Stop
from bot.show.kit.custom_ids import Verb
from bot.show.kit.phrases import table as table_name
from bot.show.lobby.table_menu import NOT_A_MODERATOR, done
from bot.show.table.notices import asked_to_end
from bot.show.typed.games import plain
from bot.store.store import Store
from bot.table.core.chairs import people
from bot.table.core.commands import Expel, MoveTable, Pause, Resume
from bot.table.registry import TableRegistry
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies, confirm_unless_visible
from cogs.common.table_lookup import Interaction, TableLookup, offer_tables
from cogs.lobby.lobby import ask_or_close
from cogs.play.actions import PlayerActions
from cogs.play.seat import ask_or_leave
from cogs.server.moderation import Moderators, as_moderator

NOT_THERE = N_("There's nobody by that name at this table.")


async def _manageable_tables(parts: Parts, visit: Visit) -> list[Choice[int]]:
    """Return the tables of the user, and visible tables of the server that the user moderates."""
    interaction = visit.interaction
    own = {row.id for row in await parts.store.tables.seated(visit.user)}
    there = () if visit.guild is None else await parts.store.tables.in_guild(visit.guild)
    tables = [await parts.tables.get(number) for number in sorted({*own, *there})]
    return by_name(
        visit.typed,
        [
            choice(table_name(table.scene(None), visit.w), table.id)
            for table in tables
            if table.id in own
            or (
                Moderators.of(parts).is_moderator(interaction, table)
                and await parts.admission.may_see_table(interaction, table)
            )
        ],
    )


async def _players(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Return the players of a table as choices for its moderator."""
    table = await TableLookup.of(parts).find_here(visit, visit.named_table)
    if not Moderators.of(parts).is_moderator(visit.interaction, table):
        return []
    names = [chair.name for chair in table.row.chairs if chair.user is not None]
    return by_name(visit.typed, [choice(name, name[:MAX_CHOICE_LENGTH]) for name in names])


offer_manageable_tables, offer_players = offering(_manageable_tables), offering(_players)


@dataclass(kw_only=True, eq=False, repr=False)
class TableCog(commands.Cog):
    """The commands for one table."""

    table = Group(name="table", description=locale_str("Manage one of my tables, such as leaving it"))

    hands: HandReplies
    lookup: TableLookup
    actions: PlayerActions
    moderators: Moderators
    store: Store
    dispatcher: Dispatcher
    admission: Admission
    venue: Venue
    tables: TableRegistry

    @table.command(name="leave", description=locale_str("Leave a table"))
    @app_commands.describe(table=locale_str("Which of my tables"))
    @app_commands.autocomplete(table=offer_tables)
    async def leave(self, interaction: Interaction, table: int | None = None) -> None:
        """Leave a table in any phase; in a match, ask for confirmation first."""

        async def work(visit: Visit) -> Reply:
            return await ask_or_leave(self.hands, visit, await self.lookup.find_unchecked(visit, table))

        await self.dispatcher.reply(interaction, work)

    @table.command(name="end", description=locale_str("End the match here. If a moderator does, it doesn't count"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def end(self, interaction: Interaction, table: int | None = None) -> None:
        """Propose the end of the user's match, or end a match as its moderator."""

        async def work(visit: Visit) -> Reply:
            where = await self.lookup.find_here(visit, table)
            if where.scene(visit.user).seat is not None:
                return await self.actions.act_typed(visit, where, Stop(), make_notice=asked_to_end)
            return await self.moderators.ask(visit, where, Verb.END_NOW)

        await self.dispatcher.reply(interaction, work)

    @table.command(name="cancel", description=locale_str("Cancel a match: nothing counts"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def cancel(self, interaction: Interaction, table: int | None = None) -> None:
        """Cancel a table as its moderator, or a lobby as its host; ask for confirmation."""

        async def work(visit: Visit) -> Reply:
            where = await self.lookup.find_here(visit, table)
            if where.row.phase == "lobby" and visit.user == where.row.host:
                return await ask_or_close(visit, where)
            return await self.moderators.ask(visit, where, Verb.CALL_OFF_NOW)

        await self.dispatcher.reply(interaction, work)

    @table.command(name="remove", description=locale_str("Let a bot take over for someone, as a moderator"))
    @app_commands.describe(player=locale_str("Who has to leave"), table=locale_str("Which table"))
    @app_commands.autocomplete(player=offer_players)
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def remove(self, interaction: Interaction, player: str, table: int | None = None) -> None:
        """Remove a player from a table, as a moderator."""

        async def work(visit: Visit) -> Reply:
            where = await self.lookup.find_here(visit, table)
            by = self.moderators.moderator(interaction, where)
            chair = next(
                (chair for chair in where.row.chairs if chair.user and plain(chair.name) == plain(player)), None
            )
            if chair is None:
                raise Refused(NOT_THERE)
            await where.do(Expel(by, chair.seat, chair.name))
            return confirm_unless_visible(visit, where, done(visit.w))

        await self.dispatcher.reply(interaction, work)

    @table.command(name="pause", description=locale_str("Pause a match, as a moderator"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def pause(self, interaction: Interaction, table: int | None = None) -> None:
        """Pause a match, as a moderator."""

        async def work(visit: Visit) -> Reply:
            where = await self.lookup.find_here(visit, table)
            await where.do(Pause(self.moderators.moderator(interaction, where)))
            return confirm_unless_visible(visit, where, done(visit.w))

        await self.dispatcher.reply(interaction, work)

    @table.command(name="resume", description=locale_str("Resume a paused match, as a moderator"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def resume(self, interaction: Interaction, table: int | None = None) -> None:
        """Resume a paused match, as a moderator."""

        async def work(visit: Visit) -> Reply:
            where = await self.lookup.find_here(visit, table)
            await where.do(Resume(self.moderators.moderator(interaction, where)))
            return confirm_unless_visible(visit, where, done(visit.w))

        await self.dispatcher.reply(interaction, work)

    @table.command(name="redraw", description=locale_str("Repost a stuck table"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def redraw(self, interaction: Interaction, table: int | None = None) -> None:
        """Post the board in a new message."""

        async def work(visit: Visit) -> Reply:
            return await self.moderators.redraw(visit, await self.lookup.find_here(visit, table))

        await self.dispatcher.reply(interaction, work)

    @table.command(name="move", description=locale_str("Move this table to this channel"))
    @app_commands.describe(table=locale_str("Which table"))
    @app_commands.autocomplete(table=offer_manageable_tables)
    async def move(self, interaction: Interaction, table: int) -> None:
        """Move a table to this channel, as its host or as a moderator of both channels."""

        async def work(visit: Visit) -> Reply:
            where = await self.tables.get(TableId(table))
            if visit.server != where.row.guild or visit.channel is None:
                raise Refused(SERVER_ONLY)
            await posting_permissions.check(interaction)
            hosting = visit.user == where.row.host and visit.user in people(where.row.chairs)
            if not hosting and not self.moderators.moderates_here(interaction):
                raise Refused(NOT_A_MODERATOR)
            if hosting:
                await self.venue.check_move_by_host(interaction, where)
            else:
                await self.admission.check(interaction, where)
                self.moderators.moderator(interaction, where)
            await self.venue.check_seen(visit.channel, where)
            counting = self.store.limits.using(MOVES, about=f"table {where.id}")
            async with counting if hosting else nullcontext():  # the limit is for hosts
                await where.do(MoveTable(as_moderator(interaction, where), visit.channel, as_host=hosting))
            return confirm_unless_visible(visit, where, done(visit.w))

        await self.dispatcher.reply(interaction, work, REACH_FIRST)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        TableCog(
            hands=HandReplies.of(parts),
            lookup=TableLookup.of(parts),
            actions=PlayerActions.of(parts),
            moderators=Moderators.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            admission=parts.admission,
            venue=parts.venue,
            tables=parts.tables,
        )
    )
