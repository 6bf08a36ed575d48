"""Seasons: which one runs on a server, and how one ends.

Knows when it is time, and that how a season ended stays as it was, written before anybody is told. Refuses to know how
it is told.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import Final, TypeAlias

from bot.games import GAMES
from bot.ground.day import zone_of
from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.rating import OPEN, Climber, Ladder
from bot.ground.season import Finalist, Moment, Season, running
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.ground.single_flight import SingleFlight
from bot.ratings.remarkable import moments
from bot.rules.style import BOMBS
from bot.store.results import Results
from bot.table.ladders import Ladders, ordered

log = logging.getLogger(__name__)

# Tells a channel how a season ended; whether it could be told.
Tell: TypeAlias = Callable[
    [GuildId, ChannelId, Season, Sequence[Finalist], Mapping[UserId, str], Sequence[Moment]], Awaitable[bool]
]
COMEBACK: Final = "comeback"  # the deed of whoever was last at half time and won
STALE: Final = timedelta(days=3)  # after its end nobody wants to hear of a season any more


class Seasons:
    """The seasons of all servers. chosen: what servers have chosen. mine: whether a server's are this process's."""

    def __init__(
        self,
        results: Results,
        ladders: Ladders,
        chosen: Mapping[GuildId, ServerSettings],
        now: Callable[[], datetime],
        tell: Tell,
        mine: Callable[[GuildId], bool] = lambda _guild: True,
    ) -> None:
        self._mine = mine
        self._results = results
        self._ladders = ladders
        self._chosen = chosen
        self._now = now
        self._tell = tell
        self._ending = SingleFlight[bool]("end of the season of server")
        self._announcing = SingleFlight[None]("announcement of a season")

    async def known(self, guild: GuildId) -> tuple[Season, ...]:
        """Return the season that runs, if there is one, then those that have ended, the latest first."""
        over = await self._results.seasons(guild)
        settings = self._chosen.get(guild, PLAIN)
        now = running(settings.season, over[0] if over else None, self._now(), _zone(settings))
        return (*([now] if now else ()), *(season for season in over if season.number))

    async def remarkable(self, guild: GuildId, over: Season) -> tuple[Sequence[Moment], Mapping[UserId, str]]:
        """Return what was remarkable in a season that has ended, and what those in it are called."""
        last = await self._results.finalists(guild, over.number)
        return moments(last), await self._results.names([one.climber for one in last])

    async def look(self) -> None:
        """End whatever season is over, and tell of those of which nobody has heard. May raise StoreError."""
        for guild, settings in list(self._chosen.items()):
            if settings.season != "none" and self._mine(guild):
                await self._look_at(guild, settings)
        for guild, season in await self._results.untold_seasons():
            if self._mine(guild):
                await self._announce(guild, season)

    async def _look_at(self, guild: GuildId, settings: ServerSettings) -> None:
        """End the season of a server, if it is over. The first one begins when this is looked at first."""
        now, over = self._now(), await self._results.seasons(guild)
        if not over:
            await self._results.end_season(guild, Season(0, now, now), ())
            return
        last = over[0].ends or now
        current = running(settings.season, over[0], now, _zone(settings))
        if current and current.ends and last < current.begins:
            await self._end(guild, Season(over[0].number + 1, last, current.begins))

    async def end_now(self, guild: GuildId) -> bool:
        """End the season that runs; tell whether anybody had played in it. May raise StoreError.

        Two moderators who say so at once end one season.
        """
        return await self._ending.do(guild, partial(self._end_now, guild))

    async def _end_now(self, guild: GuildId) -> bool:
        current = next(iter(await self.known(guild)), None)
        now = self._now()
        if current is None or (current.ends and current.ends <= now):
            return False
        over = Season(current.number, current.begins, now)
        last = await self._finalists(guild, over)
        if not last:
            return False
        await self._results.end_season(guild, over, last)
        await self._announce(guild, over)
        return True

    async def _end(self, guild: GuildId, over: Season) -> None:
        await self._results.end_season(guild, over, await self._finalists(guild, over))

    async def _finalists(self, guild: GuildId, over: Season) -> list[Finalist]:
        """Return how a season stands now: by rating, whoever has none after all others."""
        assert over.ends is not None
        found = list[Finalist]()
        for game in GAMES:
            ladder, hidden_too = Ladder(guild, game), self._chosen.get(guild, PLAIN).hidden_count
            played = await self._ladders.in_season(ladder, over, over.ends)
            streaks = {climber.player: streak for climber, streak in played}
            bombs = await self._results.done_in(ladder, over, BOMBS, hidden_too=hidden_too)
            behind = await self._results.behind_in(ladder, over, COMEBACK, hidden_too=hidden_too)
            for place, climber in _placed([climber for climber, _ in played], over.ends):
                did = (those.get(climber.player, 0) for those in (streaks, bombs, behind))
                found.append(Finalist(game, place, climber, *did))
        return found

    async def _announce(self, guild: GuildId, over: Season) -> None:
        """Tell of a season, once; where nobody can be told for days it is let be."""
        await self._announcing.do((guild, over.number), partial(self._announce_untold, guild, over))

    async def _announce_untold(self, guild: GuildId, over: Season) -> None:
        assert over.ends is not None
        if (guild, over.number) not in {(of, season.number) for of, season in await self._results.untold_seasons()}:
            return
        last = await self._results.finalists(guild, over.number)
        where = await self._results.last_open_channel(guild, over.ends)
        fresh = self._now() - over.ends < STALE
        if last and where != OPEN and fresh and not await self._told(guild, where, over, last):
            log.warning("The end of a season could not be told; it is tried again in an hour")
            return
        await self._results.note_season_told(guild, over.number)

    async def _told(self, guild: GuildId, where: ChannelId, over: Season, last: Sequence[Finalist]) -> bool:
        names = await self._results.names([one.climber for one in last])
        return await self._tell(guild, where, over, last, names, moments(last))


def _placed(climbers: Sequence[Climber], now: datetime) -> Iterator[tuple[int, Climber]]:
    rated = [rung.climber for rung in ordered(climbers, "rating", now)]
    for rung in ordered(climbers, "rating", now):
        yield rung.place, rung.climber
    others = {climber.player for climber in climbers} - {climber.player for climber in rated}
    for climber in climbers:
        if climber.player in others:
            yield len(rated) + 1, climber


def _zone(settings: ServerSettings) -> tzinfo:
    return zone_of(settings.zone) if settings.zone else UTC
