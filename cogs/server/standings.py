"""The standings of a server or channel.

Each command reads the whole leaderboard, so each takes a turn at the workers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.leaderboards import Leaderboards
from bot.club.seasons import Seasons
from bot.domain.ids import ChannelId
from bot.domain.message_ids import N_
from bot.domain.rating import LEADERBOARD_CRITERIA, VISIBLE_CHANNELS, Leaderboard, LeaderboardCriterion, Standings
from bot.domain.refusals import Refused
from bot.domain.seasons import Season
from bot.games import GAMES
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import on_server
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import as_expensive
from bot.interactions.visit import STALE, Handler, Visit
from bot.localization import Localization
from bot.members.preferences import PreferenceCache
from bot.members.presence import Presence
from bot.members.server_settings import Servers
from bot.runtime.workers import Workers
from bot.show.contests.season import remarkable
from bot.show.kit.custom_ids import Browse
from bot.show.kit.words import MessageText, mention
from bot.show.server.standings import (
    ALL,
    BY,
    GAME,
    OF_ALL,
    PAGE,
    POST,
    SEASON,
    StandingsMenu,
    leaderboard_picture,
    standings,
    standings_for_all,
    without_viewer,
)
from bot.store.store import Store
from cogs.common.channel_posts import ChannelPosts, poster_name
from cogs.common.table_lookup import Interaction

NO_LEADERBOARD = N_("This server has no leaderboard. Finished matches are in /matches list.")


@dataclass(frozen=True, slots=True)
class StandingsFilter:
    """The filter of standings. game: "" for all games. season: a number, None for all time."""

    by: LeaderboardCriterion
    game: str
    season: int | None = None
    page: int = 0


@dataclass(kw_only=True, eq=False, repr=False)
class StandingsCog(commands.Cog):
    """Shows the standings."""

    now: Callable[[], datetime]
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    servers: Servers
    presence: Presence
    preferences: PreferenceCache
    localization: Localization
    leaderboards: Leaderboards
    seasons: Seasons
    posts: ChannelPosts

    def __post_init__(self) -> None:
        for verb, work in ((PAGE, self.page), (BY, self.by), (GAME, self.game), (SEASON, self.season)):
            self.dispatcher.register(Browse, verb, Handler(as_expensive(self.workers, work), QUIETLY))
        self.dispatcher.register(Browse, POST, Handler(as_expensive(self.workers, self.post)))

    @app_commands.command(name="standings", description=locale_str("See who plays best on this server"))
    @on_server
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(game=locale_str("Which game (if left empty, the last one played here)"))
    async def standings(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the standings, by rating."""

        async def work(visit: Visit) -> Reply:
            return await self._show(visit, StandingsFilter("rating", game or await self._last_game(visit)))

        await self.dispatcher.reply(interaction, as_expensive(self.workers, work))

    async def page(self, click: Visit) -> Reply:
        """Show another page."""
        by, game, page, season = click.browse.args
        return await self._show(click, StandingsFilter(_order(by), _game(game), _season(season), int(page)))

    async def by(self, click: Visit) -> Reply:
        """Sort the players by another criterion."""
        game, season = click.browse.args
        return await self._show(click, StandingsFilter(click.one(_order), _game(game), _season(season)))

    async def game(self, click: Visit) -> Reply:
        """Show another game."""
        by, season = click.browse.args
        return await self._show(click, StandingsFilter(_order(by), click.one(_game), _season(season)))

    async def season(self, click: Visit) -> Reply:
        """Show another season."""
        by, game = click.browse.args
        return await self._show(click, StandingsFilter(_order(by), _game(game), click.one(_season)))

    async def _last_game(self, visit: Visit) -> str:
        """Return the game last played in this channel."""
        assert visit.channel is not None
        last = await self.store.house_rules.last_played(visit.channel)
        return last.game if last is not None and last.game in GAMES else next(iter(GAMES))

    async def post(self, click: Visit) -> Reply:
        """Post a page for all readers of this channel, in the server's language. Raises Refused."""
        by, game, page, season = click.browse.args
        wanted = StandingsFilter(_order(by), _game(game), _season(season), int(page))
        found, menu, _ = await self._found(click, wanted)
        found, w = without_viewer(found), self.posts.words(click)
        picture = leaderboard_picture(found, menu, w) if self.posts.pictured(click) else None
        shown = standings_for_all(found, menu, picture, poster_name(click), w=w)
        return await self.posts.send(click, shown, picture)

    async def _show(self, visit: Visit, wanted: StandingsFilter) -> Reply:
        found, menu, season = await self._found(visit, wanted)
        told = await self._remarkable(visit, season) if season else []
        return await self._drawn(visit, found, menu, told)

    async def _found(self, visit: Visit, wanted: StandingsFilter) -> tuple[Standings, StandingsMenu, Season | None]:
        """Return a page without players who have left, its menu and its season. Raises Refused."""
        guild, channel = visit.server, await self._own_leaderboard_channel(visit)
        server = await self.servers.of(guild)
        if not server.leaderboard:
            raise Refused(NO_LEADERBOARD)
        game = wanted.game
        if not game and wanted.by not in OF_ALL:
            game = await self._last_game(visit)
        seasons = await self.seasons.known(guild) if channel == VISIBLE_CHANNELS and game else ()
        season = next((one for one in seasons if one.number == wanted.season), None)
        where, now = (
            mention(channel) if channel != VISIBLE_CHANNELS else self.localization.server_name(guild),
            self.now(),
        )
        runs = next((one.number for one in seasons if one.ends is None or one.ends > now), None)
        offered = {"units": server.stakes, "reliability": server.slow}
        menu = StandingsMenu(
            [by for by in LEADERBOARD_CRITERIA if offered.get(by, True)], where, [one.number for one in seasons], runs
        )
        of = Leaderboard(guild, game, channel)
        found = await self.leaderboards.standings(of, wanted.by, wanted.page, visit.user, now=now, season=season)
        return await self._without_absent(visit, found), menu, season

    async def _remarkable(self, visit: Visit, over: Season) -> list[MessageText]:
        """Return the remarkable moments of a finished season, without players who have left."""
        moments, names = await self.seasons.remarkable(visit.server, over)
        gone = await self.presence.gone(visit.server, [user for moment in moments for user in moment.who])
        return list(remarkable([one for one in moments if gone.isdisjoint(one.who)], names, visit.w))

    async def _drawn(self, visit: Visit, found: Standings, menu: StandingsMenu, texts: Sequence[MessageText]) -> Reply:
        plain = (await self.preferences.of(visit.user)).text_only
        may = visit.interaction.app_permissions.attach_files
        picture = leaderboard_picture(found, menu, visit.w) if may and not plain else None
        screen = standings(found, menu, picture, visit.w, texts=texts, may_post=self.posts.may_post(visit))
        if picture:
            screen = replace(screen, files=((picture.name, await asyncio.to_thread(picture.png)),))
        return Reply(view=screen, at=visit.own)

    async def _without_absent(self, visit: Visit, found: Standings) -> Standings:
        """Omit players who have left the server."""
        people = [ranked.player.user for ranked in found.rows if not ranked.mine]
        gone = await self.presence.gone(visit.server, people)
        return replace(found, rows=tuple(ranked for ranked in found.rows if ranked.player.user not in gone))

    async def _own_leaderboard_channel(self, visit: Visit) -> ChannelId:
        """Return a hidden channel, which has a leaderboard of its own; else VISIBLE_CHANNELS."""
        assert visit.channel is not None
        place = await self.presence.place(visit.server, visit.channel)
        return place.channel if place.hidden else VISIBLE_CHANNELS


def _order(by: str) -> LeaderboardCriterion:
    """Return a sort criterion. Raises Refused if unknown."""
    for known in LEADERBOARD_CRITERIA:
        if known == by:
            return known
    raise Refused(STALE)


def _season(season: str) -> int | None:
    """Return the number of a season, None for all time."""
    return None if season == ALL else int(season)


def _game(game: str) -> str:
    """Return the name of a game, "" for all games. Raises Refused if unknown."""
    if game not in {ALL, *GAMES}:
        raise Refused(STALE)
    return "" if game == ALL else game


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        StandingsCog(
            now=parts.now,
            store=parts.store,
            workers=parts.workers,
            dispatcher=parts.dispatcher,
            servers=parts.servers,
            presence=parts.presence,
            preferences=parts.preferences,
            localization=parts.localization,
            leaderboards=parts.leaderboards,
            seasons=parts.seasons,
            posts=ChannelPosts.of(parts),
        )
    )
