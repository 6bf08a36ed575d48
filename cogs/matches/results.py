"""The list of a server's finished matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, tzinfo
from itertools import islice

import discord
from discord import app_commands
from discord.app_commands import Choice, Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.results import ResultFilter
from bot.domain.seasons import Month
from bot.domain.typed_text import readable
from bot.domain.working_hours import zone_of
from bot.games import GAMES
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.autocompletion import MAX_CHOICES, by_name, choice, offering
from bot.interactions.commands import ON_SERVER
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.localization import Localization
from bot.members.server_settings import Servers
from bot.show.kit.custom_ids import Browse, table_number
from bot.show.kit.words import MessageText
from bot.show.matches.moment_codes import InvalidMomentCode, MomentCode
from bot.show.table import match_list
from bot.show.table.match_list import HISTORY, MATCHES_PER_PAGE, NO_FILTER, OPEN, MatchFilter, history, nearest
from bot.show.typed.dates import read_month
from bot.store.store import Store
from bot.wiring import Parts
from cogs.common.channel_posts import ChannelPosts
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction
from cogs.matches.replay_access import NO_MATCH, ReplayAccess, ReplayRequest
from cogs.matches.replays import ReplaysCog, ReviewsCog

NO_CODE = N_(
    "{typed} isn't a table number or the code of a moment. A code looks like {like}; in a replay, "
    "you'll find it under ⋯."
)
NO_MOMENT = N_(
    "This code doesn't work here. Its match was on another server, was deleted, or was played in a "
    "channel you can't see."
)
MAX_DIGITS = 10  # of a table number
MAX_SEARCHED = 200  # matches searched for the typed text


async def _months(parts: Parts, visit: Visit) -> Iterable[Choice[str]]:
    """Return the months from the current one back to the first match."""
    first, zone = await parts.store.results.first_finished(visit.server), _zone(parts.servers, visit.server)
    if first is None:
        return ()
    months = Month.of(parts.now(), zone).back_to(Month.of(first, zone))
    named = (choice(match_list.month(month, visit.w), str(month)) for month in months)
    wanted = visit.typed.strip().casefold()
    return islice((one for one in named if wanted in one.name.casefold() or wanted in one.value), MAX_CHOICES)


async def offer_tables(parts: Parts, visit: Visit) -> Iterable[Choice[str]]:
    """Return matches by the typed table number or text, the latest first."""
    screening, typed, number = ReplayAccess.of(parts), visit.typed.strip(), _number(visit.typed)
    sought = ResultFilter(number=number)
    reader = await screening.reader(visit)
    found = await parts.store.results.history(
        visit.server, MAX_SEARCHED if typed else MAX_CHOICES, 0, reader=reader, sought=sought
    )
    offered = [choice(match_list.offered(match, visit.w), str(match.number)) for match in found if not match.gone]
    return offered if number is not None else by_name(typed, offered)[:MAX_CHOICES]


async def _matches_or_moment(parts: Parts, visit: Visit) -> Iterable[Choice[str]]:
    """Return the match of a typed code, or the matches of `offer_tables`."""
    try:
        moment = MomentCode.read(visit.typed)
    except InvalidMomentCode:
        return await offer_tables(parts, visit)
    found, match = await parts.store.tables.head(moment.table), await parts.store.results.finished(moment.table)
    here = found is not None and found[0].guild == visit.guild
    if match is None or match.gone or not here or not await ReplayAccess.of(parts).may_watch(visit, moment.table):
        return ()
    return (choice(f"{moment} · {match_list.offered(match, visit.w)}", str(moment)),)


@dataclass(kw_only=True, eq=False, repr=False)
class ResultsCog(commands.Cog):
    """The list of finished matches."""

    matches = Group(
        name="matches",
        description=locale_str("Replay finished matches, move by move"),
        allowed_contexts=ON_SERVER,
    )

    screening: ReplayAccess
    store: Store
    dispatcher: Dispatcher
    servers: Servers
    localization: Localization

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, HISTORY, Handler(self.turn, QUIETLY))
        self.dispatcher.register(Browse, OPEN, Handler(self.open))

    @matches.command(name="list", description=locale_str("Finished matches on this server, as replays"))
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(
        person=locale_str("Only matches with this person"),
        game=locale_str("Only matches of this game"),
        month=locale_str("Only matches of this month"),
        table=locale_str("Go straight to a match (table number) or a moment (code)"),
    )
    @app_commands.autocomplete(month=offering(_months), table=offering(_matches_or_moment))
    async def show_all(
        self,
        interaction: Interaction,
        *,
        person: discord.User | None = None,
        game: str | None = None,
        month: str | None = None,
        table: str | None = None,
    ) -> None:
        """Show the server's finished matches, or the filtered ones."""

        async def work(visit: Visit) -> Reply:
            if table:
                return await self._straight(visit, table)
            sought = read_month(month, str(interaction.locale)) if month else None
            wish = MatchFilter(UserId(person.id) if person else None, game or "", sought)
            return await self._list(visit, wish)

        await self.dispatcher.reply(interaction, work)

    async def turn(self, click: Visit) -> Reply:
        """Show another page of the list."""
        page, *args = click.browse.args
        try:
            wish = MatchFilter.read(args)
        except (KeyError, ValueError):
            raise Refused(STALE) from None
        return await self._list(click, wish, int(page))

    async def _list(self, visit: Visit, wish: MatchFilter = NO_FILTER, page: int = 0) -> Reply:
        guild, reader, store = visit.server, await self.screening.reader(visit), self.store
        begins, ends = wish.month.span(_zone(self.servers, guild)) if wish.month else (None, None)
        sought = ResultFilter(user=wish.user, game=wish.game, begins=begins, ends=ends)
        count = await store.results.count(guild, reader=reader, sought=sought)
        page = nearest(page, count)
        shown = await store.results.history(
            guild, MATCHES_PER_PAGE, page * MATCHES_PER_PAGE, reader=reader, sought=sought
        )
        where = self.localization.server_name(guild)
        return Reply(view=history(shown, page, count, visit.w, where=where, wish=wish), at=visit.own)

    async def _straight(self, visit: Visit, typed: str) -> Reply:
        """Open a match by its table number, or a step by its code. Raises Refused."""
        if _bare(typed).isdecimal():
            return await self.screening.show(visit, ReplayRequest(await find_match(self.screening, visit, typed), 0))
        try:
            moment = MomentCode.read(typed)
        except InvalidMomentCode:
            raise Refused(NO_CODE, typed=typed, like=MessageText(f"`{MomentCode(TableId(1234), 56)}`")) from None
        try:
            return await self.screening.show(visit, ReplayRequest(*moment))
        except Refused:
            raise Refused(NO_MOMENT) from None

    async def open(self, click: Visit) -> Reply:
        """Open a finished match at its first card."""
        return await self.screening.show(click, ReplayRequest(click.one(table_number), 0))


async def find_match(screening: ReplayAccess, visit: Visit, typed: str | None) -> TableId:
    """Return the match of a typed table number, by default the latest here. Raises Refused."""
    number = _number(typed) if typed and typed.strip() else None
    if typed and typed.strip() and number is None:
        raise Refused(NO_MATCH)
    sought, reader = ResultFilter(number=number), await screening.reader(visit)
    found = await screening.store.results.history(visit.server, 1, 0, reader=reader, sought=sought)
    if not found:
        raise Refused(NO_MATCH)
    return found[0].table


def _number(typed: str) -> int | None:
    """Return a typed table number, in any digits, also after "#"; None for other text."""
    written = _bare(typed)
    number = int(written) if written.isdecimal() and len(written) <= MAX_DIGITS else None
    return number if number is not None and number < 1 << 31 else None


def _bare(typed: str) -> str:
    return readable(typed).removeprefix("#").strip()


def _zone(servers: Servers, guild: GuildId) -> tzinfo:
    """Return the time zone in which a server's months begin."""
    zone = servers.known(guild).zone
    return zone_of(zone) if zone else UTC


async def setup(bot: Bigger) -> None:
    """Add the cogs."""
    parts = bot.parts
    screening = ReplayAccess.of(parts)
    await bot.add_cog(
        ResultsCog(
            screening=screening,
            store=parts.store,
            dispatcher=parts.dispatcher,
            servers=parts.servers,
            localization=parts.localization,
        )
    )
    await bot.add_cog(
        ReplaysCog(
            hands=HandReplies.of(parts),
            screening=screening,
            store=parts.store,
            workers=parts.workers,
            dispatcher=parts.dispatcher,
            presence=parts.presence,
            posts=ChannelPosts.of(parts),
            practice=parts.practice,
        )
    )
    await bot.add_cog(ReviewsCog(screening=screening, workers=parts.workers, dispatcher=parts.dispatcher))
