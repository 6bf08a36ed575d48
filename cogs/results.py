"""Results: a server's finished matches, to step through."""

from __future__ import annotations

import asyncio

from discord.app_commands import Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.commands import ON_SERVER
from bot.door.private import PrivateMessage
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.ground.ids import NO_GUILD, NOWHERE, TableId
from bot.ground.refused import Refused
from bot.ground.results import Reader
from bot.rules.exported import export
from bot.rules.film import Shot
from bot.rules.seal import seal
from bot.show.checking import check
from bot.show.ids import Browse, Press, Verb, table_number
from bot.show.layout import Keepsake
from bot.show.matches import HISTORY, OPEN, PAGE, history, nearest
from bot.show.pictures.seen import picture
from bot.show.replay import DEAL, FILE, REPLAY, VERIFY, Filmed, replay
from bot.show.ruleset import BookRules
from bot.show.settling import settling
from bot.show.sharing import shared
from bot.show.words import N_, Said
from bot.table.films import Films, Reel
from bot.table.kept import record_of, ruleset_of
from cogs.here import Interaction
from cogs.judging import judged_of

NO_MATCH = "There is no such finished match here."
CHECK_IT = N_("The whole match, for anybody to check: {command} plays it out again by its rules and its seed.")
NOT_OVER = "Only the end of a match is shared, and this is none."


class Results(commands.Cog):
    """What is left of matches."""

    matches = Group(
        name="matches",
        description=locale_str("Look at finished matches, step by step"),
        allowed_contexts=ON_SERVER,
    )

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        self._films = Films(lambda: bot.store)
        bot.handle(Browse, HISTORY, Handler(self.turn, QUIETLY))
        bot.handle(Browse, OPEN, Handler(self.open))
        bot.handle(Browse, REPLAY, Handler(self.step, QUIETLY))
        bot.handle(Browse, DEAL, Handler(self.deal, QUIETLY))
        bot.handle(Browse, VERIFY, Handler(self.verify))
        bot.handle(Browse, FILE, Handler(self.file))
        bot.handle(Press, Verb.WATCH, Handler(self.watch))
        bot.handle(Press, Verb.SHARE, Handler(self.share))
        bot.handle(Press, Verb.SETTLE, Handler(self.settle))

    @matches.command(name="list", description=locale_str("Finished matches of this server, to step through"))
    async def show_all(self, interaction: Interaction) -> None:
        """Show the server's finished matches."""
        await self.bot.reply(interaction, self._list)

    async def turn(self, click: Visit) -> Reply:
        """Turn to another page of finished matches."""
        return await self._list(click, int(click.browse.args[0]))

    async def _list(self, visit: Visit, page: int = 0) -> Reply:
        guild, reader = visit.server, await self._reader(visit)
        count = await self.bot.store.history_count(guild, reader=reader)
        page = nearest(page, count)
        shown = await self.bot.store.history(guild, PAGE, page * PAGE, reader=reader)
        where = self.bot.server_name(guild)
        return Reply(view=history(shown, page, count, visit.w, where=where), at=visit.own)

    async def _reader(self, visit: Visit) -> Reader:
        """Return who looks, with the channels they see now among those that matches were played in."""
        guild, user, presence = visit.server, visit.user, self.bot.presence
        return Reader(user, await presence.seen(guild, await self.bot.store.result_channels(guild), user))

    async def open(self, click: Visit) -> Reply:
        """Open a finished match at its first card."""
        return await self._show(click, click.one(table_number), 0, None)

    async def step(self, click: Visit) -> Reply:
        """Show one step of a match."""
        return await self._show(click, click.browse.table, int(click.browse.args[1]), click.own)

    async def watch(self, click: Visit) -> Reply:
        """Open the match of a table, which has just ended, at its first card."""
        return await self._show(click, click.table.id, 0, None)

    async def settle(self, click: Visit) -> Reply:
        """Show who pays whom at a table."""
        return Reply(view=settling(click.table.scene(click.user), click.w))

    async def share(self, click: Visit) -> Reply:
        """Give somebody the end card in their own language, to show it elsewhere: in words alone without the right."""
        table = click.table
        shown = picture(table.scene(None), click.w) if table.stage == "over" else None
        if shown is None:
            raise Refused(NOT_OVER)
        said = shared(shown, click.w)
        if not click.interaction.app_permissions.attach_files:
            return Reply(text=said)
        return Reply(keepsake=Keepsake(said, (shown.name, await asyncio.to_thread(shown.png))))

    async def deal(self, click: Visit) -> Reply:
        """Show the beginning of one hand."""
        return await self._show(click, click.browse.table, click.one(int), click.own)

    @matches.command(name="export", description=locale_str("Get the latest match here as a file"))
    async def export(self, interaction: Interaction) -> None:
        """Give the latest match that somebody may look at."""

        async def work(visit: Visit) -> Reply:
            found = await self.bot.store.history(visit.server, 1, 0, reader=await self._reader(visit))
            if not found:
                raise Refused(NO_MATCH)
            return await self._file(visit, found[0].table)

        await self.bot.reply(interaction, work)

    async def file(self, click: Visit) -> Reply:
        """Give a match as a file, as anybody can check it."""
        return await self._file(click, click.browse.table)

    async def _file(self, visit: Visit, table: TableId) -> Reply:
        row, match = await self.bot.store.load(table), await self.bot.store.finished(table)
        if (
            row is None
            or match is None
            or row.guild not in (visit.guild, NO_GUILD)
            or not await self._may_watch(visit, table)
        ):
            raise Refused(NO_MATCH)
        places = tuple(one.place for one in match.outcome.standings)
        names = tuple(one.name for one in match.outcome.standings)
        made = await asyncio.to_thread(lambda: export(record_of(row), names, places))
        if made is None:
            raise Refused(NO_MATCH)
        return Reply(
            keepsake=Keepsake(
                visit.w(CHECK_IT, command=Said("`python -m bot record verify`")),
                (f"match-{row.number}.json", made.to_json().encode()),
            )
        )

    async def verify(self, click: Visit) -> Reply:
        """Show how the hand of this step can be checked: all its cards are open."""
        reel, shot = await self._shot(click, click.browse.table, int(click.browse.args[1]))
        row, deal = reel.row, shot.match.deal
        rules = ruleset_of(row)
        book = BookRules(rules.known, rules.preset, rules.changes, rules.version, row.id, row.number)
        return Reply(view=check(book, seal(row.seed, deal, deal), click.w))

    async def _show(self, click: Visit, table: TableId, step: int, at: PrivateMessage | None) -> Reply:
        reel, shot = await self._shot(click, table, step)
        row = reel.row
        judged = await judged_of(self.bot, click, table)
        filmed = Filmed(row.id, row.number, row.game, row.chairs, reel.film, judged)
        return Reply(view=replay(filmed, shot, click.w), at=at)

    async def _shot(self, click: Visit, table: TableId, step: int) -> tuple[Reel, Shot]:
        """Return a step of a match that may be watched, the nearest there is. Raises Refused."""
        reel = await self._films.of(table, click.guild)
        if reel is None or not await self._may_watch(click, table):
            raise Refused(NO_MATCH)
        try:
            return reel, await reel.shot(step)
        except LookupError as nothing:
            raise Refused(NO_MATCH) from nothing

    @commands.Cog.listener()
    async def on_person_forgotten(self) -> None:
        """Keep no film ready in which a person may have a name who has none any more."""
        self._films.clear()

    async def _may_watch(self, visit: Visit, table: TableId) -> bool:
        """Tell whether somebody sat in a finished match, or sees now where it was played."""
        user, match = visit.user, await self.bot.store.finished(table)
        if match is None or user in {standing.user for standing in match.outcome.standings}:
            return match is not None
        if match.outcome.place.channel == NOWHERE:
            sealing = self.bot.day_deals, self.bot.duplicates
            return any([await deals.may_watch(user, visit.guild, table) for deals in sealing])
        return await self.bot.presence.may_see(visit.server, match.outcome.place.channel, user)

    async def cog_unload(self) -> None:
        """Leave matches half read."""
        self._films.stop()


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Results(bot))
