"""Exporting finished matches as files, and verifying one on the spot."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.seasons import Seasons
from bot.domain.ids import NO_GUILD, GuildId, TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.results import FinishedMatch, ResultFilter, ResultsViewer
from bot.history.exports import MAX_MATCHES, Bundle, ExportSource, export_file, export_line_and_text, verify_export
from bot.interactions.answers import Reply
from bot.interactions.autocompletion import offering
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import as_expensive, enter_expensive_turn
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.runtime.workers import Workers, WorkerTurn
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import PrivateFile
from bot.show.kit.words import MessageText
from bot.show.matches.replay_menu import FILE
from bot.show.people.own_data import MATCHES
from bot.show.rulebook.deal_check import check
from bot.show.rulebook.ruleset import BookRules
from bot.store.errors import RecordDamaged
from bot.store.rows import TableRow
from bot.store.store import Store
from bot.table.core.state import ruleset_of
from cogs.common.table_lookup import Interaction
from cogs.matches.replay_access import NO_MATCH, ReplayAccess
from cogs.matches.results import find_match, offer_tables

log = logging.getLogger(__name__)

CHECK_IT = N_("The whole match, for anyone to check: {command} replays it from its rules and its seed.")
NONE_YET = N_("There's no finished match like that yet.")
NONE_KEPT = N_(
    "The moves of these matches are gone: they were deleted after a year, as their server chose. The "
    "results still stand."
)
NO_SEASON = N_("There's no such season on this server.")
PAGE = 25  # matches per query
COMMAND = MessageText("`python -m bot record verify`")


@dataclass(kw_only=True, eq=False, repr=False)
class ExportsCog(commands.Cog):
    """Exports and verifies matches."""

    screening: ReplayAccess
    now: Callable[[], datetime]
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    localization: Localization
    seasons: Seasons

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, FILE, Handler(as_expensive(self.workers, self.file)))
        self.dispatcher.register(Browse, MATCHES, Handler(as_expensive(self.workers, self.everywhere)))

    @in_command_group("matches", "export", locale_str("Get the latest match here as a file"))
    @app_commands.describe(
        table=locale_str("Another match, by its table number"),
        which=locale_str("Or many at once"),
    )
    @app_commands.choices(
        which=[
            Choice(name=locale_str("All my matches on this server"), value="mine"),
            Choice(name=locale_str("All my matches on all servers"), value="everywhere"),
            Choice(name=locale_str("This season"), value="season"),
            Choice(name=locale_str("Last season"), value="last_season"),
        ]
    )
    @app_commands.autocomplete(table=offering(offer_tables))
    async def export(self, interaction: Interaction, table: str | None = None, which: str | None = None) -> None:
        """Export a match, by default the latest that the user may watch, or many."""

        async def work(visit: Visit) -> Reply:
            if which == "everywhere" and not table:
                return await self.everywhere(visit)
            if which and not table:
                return await self._here(visit, await self._sought(visit, which))
            return await self._file(visit, await find_match(self.screening, visit, table))

        await self.dispatcher.reply(interaction, as_expensive(self.workers, work))

    @in_command_group("matches", "verify", locale_str("Check that a deal wasn't rigged"))
    @app_commands.describe(table=locale_str("Another match, by its table number"))
    @app_commands.autocomplete(table=offering(offer_tables))
    async def verify(self, interaction: Interaction, table: str | None = None) -> None:
        """Replay a match and report whether the replay agrees with the announced result."""

        async def work(visit: Visit) -> Reply:
            row, match = await self._may_have(visit, await find_match(self.screening, visit, table))
            async with enter_expensive_turn(self.workers, visit) as turn:
                found = await turn.call(verify_export, match)
            if found is None:
                raise Refused(NO_MATCH)
            holds, last = found
            rules = ruleset_of(row)
            book = BookRules(rules.known, rules.preset, rules.changes, rules.version, row.id, row.number)
            said = [(row.chairs[cut.seat].name, cut.word) for cut in row.cuts]
            return Reply(view=check(book, last, visit.w, said, holds=holds))

        await self.dispatcher.reply(interaction, as_expensive(self.workers, work))

    async def file(self, click: Visit) -> Reply:
        """Export a match as a file for any reader to verify."""
        return await self._file(click, click.browse.table)

    async def everywhere(self, visit: Visit) -> Reply:
        """Export all matches that the user began, on any server.

        Without solo matches: they belong to no server, and their deals may be secret.
        """
        return await self._many(visit, None, ResultsViewer(visit.user, frozenset()), ResultFilter(user=visit.user))

    async def _may_have(self, visit: Visit, table: TableId) -> tuple[TableRow, ExportSource]:
        """Return a match that the user may watch, the row without its steps.

        Raises Refused, RecordDeleted.
        """
        head, match = await self.store.tables.head(table), await self.store.results.finished(table)
        watched = head is not None and head[0].guild in (visit.guild, NO_GUILD)
        if head is None or match is None or not watched or not await self.screening.may_watch(visit, table):
            raise Refused(NO_MATCH)
        return head[0], await ExportSource.read(self.store.records, *head, match)

    async def _file(self, visit: Visit, table: TableId) -> Reply:
        row, match = await self._may_have(visit, table)
        async with enter_expensive_turn(self.workers, visit) as turn:
            made = await turn.call(export_file, match)
        if made is None:
            raise Refused(NO_MATCH)
        return Reply(private_file=PrivateFile(visit.w(CHECK_IT, command=COMMAND), (f"match-{row.number}.json", made)))

    async def _sought(self, visit: Visit, which: str) -> ResultFilter:
        """Return the filter of the wanted matches. Raises Refused for an unknown season."""
        if which == "mine":
            return ResultFilter(user=visit.user)
        known, now = await self.seasons.known(visit.server), self.now()
        running = [season for season in known if season.ends is None or season.ends > now]
        wanted = running if which == "season" else [season for season in known if season not in running]
        if not wanted:
            raise Refused(NO_SEASON)
        return ResultFilter(begins=wanted[0].begins, ends=wanted[0].ends or datetime.max.replace(tzinfo=now.tzinfo))

    async def _here(self, visit: Visit, sought: ResultFilter) -> Reply:
        """Export matches of this server."""
        return await self._many(visit, visit.server, await self.screening.reader(visit), sought)

    async def _many(self, visit: Visit, guild: GuildId | None, reader: ResultsViewer, sought: ResultFilter) -> Reply:
        """Export matches as two files: JSON lines for programs, text for readers.

        guild: None for all servers.
        """
        count = await self.store.results.count(guild, reader=reader, sought=sought)
        async with enter_expensive_turn(self.workers, visit) as turn:
            bundle = await self._bundled(turn, guild, reader, sought)
        if not bundle.count:
            raise Refused(NONE_KEPT if bundle.gone else NO_MATCH if count else NONE_YET)
        w = visit.w
        texts = [
            w.n(
                "{n} match, to read and as lines for {command}.",
                "{n} matches, to read and as lines for {command}.",
                bundle.count,
                command=COMMAND,
            )
        ]
        if bundle.gone:
            texts.append(
                w.n(
                    "{n} older match is left out, because its moves are gone.",
                    "{n} older matches are left out, because their moves are gone.",
                    bundle.gone,
                )
            )
        if count > bundle.count + bundle.gone:
            texts.append(w("These are the latest of {count}; more wouldn't fit in a message.", count=count))
        files = ("matches.txt", bytes(bundle.text)), ("matches.jsonl", bytes(bundle.lines))
        return Reply(private_file=PrivateFile(" ".join(texts), *files))

    async def _bundled(
        self, turn: WorkerTurn, guild: GuildId | None, reader: ResultsViewer, sought: ResultFilter
    ) -> Bundle:
        """Return the exported matches, the latest first, as many as fit into a message."""
        bundle, store = Bundle(), self.store
        for start in range(0, MAX_MATCHES, PAGE):
            page = await store.results.history(guild, PAGE, start, reader=reader, sought=sought)
            for match in page:
                bundle.gone += match.gone
                kept = await self._kept(match)
                if kept is None:
                    continue
                where = f"{self.localization.server_name(kept[0])}, " if guild is None else ""
                title = f"{where}{match.number}, {match.outcome.finished:%Y-%m-%d}"
                found = await turn.call(export_line_and_text, kept[1], title)
                if found and not bundle.add(*found):
                    return bundle
            if len(page) < PAGE:
                break
        return bundle

    async def _kept(self, match: FinishedMatch) -> tuple[GuildId, ExportSource] | None:
        """Return a match and its server; None if its record is deleted or damaged."""
        head = await self.store.tables.head(match.table)
        if match.gone or head is None:
            return None
        try:
            return head[0].guild, await ExportSource.read(self.store.records, *head, match)
        except RecordDamaged as error:
            log.warning("A match is left out: %s", error)
            return None


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        ExportsCog(
            screening=ReplayAccess.of(parts),
            now=parts.now,
            store=parts.store,
            workers=parts.workers,
            dispatcher=parts.dispatcher,
            localization=parts.localization,
            seasons=parts.seasons,
        )
    )
