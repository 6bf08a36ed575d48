"""Seasons: which one runs on a server, and how one ends.

A season ends as of its end, however late that is noticed: what a server has chosen since the last end is written down
with its time, so each end in between follows from that alone, also after a stop. Knows that how a season ended stays as
it was, written before anybody is told. Refuses to know how it is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeAlias

from bot.club.leaderboards import Leaderboards, ranked_by
from bot.games import GAMES
from bot.ground.background import BackgroundTask
from bot.ground.day import zone_of
from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.rating import OPEN, Climber, Ladder
from bot.ground.season import Calendar, Finalist, Moment, Podium, Season, seasons_since
from bot.ground.server_settings import PLAIN, ServerSettings, SettingChange
from bot.ground.single_flight import SingleFlight
from bot.ratings.remarkable import moments
from bot.rules.style import BOMBS
from bot.store.errors import StoreError
from bot.store.results import Results

log = logging.getLogger(__name__)

# Posts a podium; False where the bot could not.
PostPodium: TypeAlias = Callable[[GuildId, ChannelId, Podium], Awaitable[bool]]
COMEBACK: Final = "comeback"  # the deed of whoever was last at half time and won
MAX_ANNOUNCEMENT_DELAY: Final = timedelta(days=31)  # after its end nobody wants to hear of a season any more
LATE_AFTER: Final = timedelta(minutes=10)  # after its end a podium says how late it is, and makes no sound


class Seasons:
    """The seasons of all servers; a bell of the clock.

    chosen: what servers have chosen. mine: whether a server's seasons are this process's.
    """

    def __init__(
        self,
        results: Results,
        ladders: Leaderboards,
        chosen: Mapping[GuildId, ServerSettings],
        now: Callable[[], datetime],
        post: PostPodium,
        mine: Callable[[GuildId], bool] = lambda _guild: True,
    ) -> None:
        self._mine = mine
        self._results = results
        self._ladders = ladders
        self._chosen = chosen
        self._now = now
        self._post_podium = post
        self._next: datetime | None = None  # the first end of a season that runs
        self._cutting = asyncio.Lock()
        self._ending = SingleFlight[bool]("end of the season of server")
        self._announcing = SingleFlight[None]("announcement of a season")
        self.background = BackgroundTask(self._end_due_later, "seasons")

    async def known(self, guild: GuildId) -> tuple[Season, ...]:
        """Return the season that runs, if there is one, then those that have ended, the latest first."""
        over = await self._results.seasons(guild)
        ended, now = await self._since(guild, over)
        return (*([now] if now else ()), *reversed(ended), *(season for season in over if season.number))

    async def remarkable(self, guild: GuildId, over: Season) -> tuple[Sequence[Moment], Mapping[UserId, str]]:
        """Return what was remarkable in a season that has ended, and what those in it are called."""
        last = await self._results.finalists(guild, over.number)
        return moments(last), await self._results.names([one.climber for one in last])

    # When one ends

    async def next(self) -> datetime | None:
        """Return when the next season ends, as far as is known."""
        return self._next

    async def ring(self) -> None:
        """End the seasons whose time has come, beside all else."""
        if self._next is not None and self._next <= self._now():
            self._next = None
            await self.background.begin()

    async def end_due(self) -> None:
        """End each season that is over, and tell each server of its last one.

        May raise StoreError.
        """
        for guild in sorted(await self._results.season_servers()):
            if self._mine(guild):
                await self._end_overdue(guild)
        await self._announce_all(await self._unannounced())

    async def _end_due_later(self) -> None:
        """Do so; where the store does not answer, in an hour."""
        try:
            await self.end_due()
        except StoreError as error:
            log.warning("Seasons are looked at later: %s", error)
        except Exception:
            log.exception("The seasons were not looked at; they will be in an hour")

    async def apply_choice(self, guild: GuildId) -> bool:
        """End the season that a server's latest choice ends; tell whether it had a match.

        May raise StoreError; the season is ended later then, as of the choice.
        """
        last = await self._end_overdue(guild)
        await self._announce_all(await self._unannounced(guild))
        return bool(last)

    async def end_now(self, guild: GuildId) -> bool:
        """End the season that runs; tell whether anybody had played in it. May raise StoreError.

        Two moderators who say so at once end one season.
        """
        return await self._ending.do(guild, partial(self._end_now, guild))

    async def _end_now(self, guild: GuildId) -> bool:
        await self._end_overdue(guild)
        async with self._cutting:
            _, current = await self._since(guild, await self._results.seasons(guild))
            over = current and replace(current, ends=self._now())
            last = await self._end(guild, over, empty_too=False) if over else []
        await self._announce_all(await self._unannounced(guild))
        return bool(last)

    async def _since(self, guild: GuildId, over: Sequence[Season]) -> tuple[list[Season], Season | None]:
        """Return the seasons that have ended and are not written yet, and the running one."""
        chosen = calendars(await self._results.season_choices(guild))
        return seasons_since(over[0] if over else None, chosen, self._now())

    async def _end_overdue(self, guild: GuildId) -> list[Finalist]:
        """End each season that is over, as of its end; return the finalists of the last one."""
        last = list[Finalist]()
        async with self._cutting:
            ended, current = await self._since(guild, await self._results.seasons(guild))
            for over in ended:
                last = await self._end(guild, over, empty_too=True)
        if current and current.ends:
            self._next = min(self._next or current.ends, current.ends)
        return last

    async def _end(self, guild: GuildId, over: Season, *, empty_too: bool) -> list[Finalist]:
        """Write how a season ended; return its finalists. empty_too: also without any."""
        last = await self._finalists(guild, over)
        if last or empty_too:
            await self._results.end_season(guild, over, last)
        return last

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
            for place, climber in _with_places([climber for climber, _ in played], over.ends):
                did = (those.get(climber.player, 0) for those in (streaks, bombs, behind))
                found.append(Finalist(game, place, climber, *did))
        return found

    # Telling

    async def _unannounced(self, guild: GuildId | None = None) -> list[tuple[GuildId, Season]]:
        """Return the seasons that are still to be told, oldest first; of one server or all."""
        untold = await self._results.untold_seasons()
        found = [(of, season) for of, season in untold if self._mine(of) and guild in (None, of)]
        return sorted(found, key=lambda one: one[1].number)

    async def _announce_all(self, untold: Iterable[tuple[GuildId, Season]]) -> None:
        """Tell each server of its last season; of earlier ones /standings tells."""
        last = dict[GuildId, Season]()
        for guild, season in untold:
            if guild in last:
                await self._results.note_season_told(guild, last[guild].number)
            last[guild] = season
        for guild, season in last.items():
            await self._announcing.do((guild, season.number), partial(self._announce, guild, season))

    async def _announce(self, guild: GuildId, over: Season) -> None:
        """Tell of a season, once; where nobody can be told for a month it is let be."""
        assert over.ends is not None
        if (guild, over) not in await self._results.untold_seasons():
            return
        last = await self._results.finalists(guild, over.number)
        where = await self._results.last_open_channel(guild, over.ends)
        fresh = self._now() - over.ends <= MAX_ANNOUNCEMENT_DELAY
        if last and where != OPEN and fresh and not await self._post(guild, where, over, last):
            log.warning("The end of a season could not be told; it is tried again in an hour")
            return
        await self._results.note_season_told(guild, over.number)

    async def _post(self, guild: GuildId, where: ChannelId, over: Season, last: Sequence[Finalist]) -> bool:
        assert over.ends is not None
        names, late = await self._results.names([one.climber for one in last]), self._now() - over.ends
        _, current = await self._since(guild, await self._results.seasons(guild))
        podium = Podium(over, last, names, moments(last), late if late > LATE_AFTER else None, current is not None)
        return await self._post_podium(guild, where, podium)


def _with_places(climbers: Sequence[Climber], now: datetime) -> Iterator[tuple[int, Climber]]:
    rated = [rung.climber for rung in ranked_by(climbers, "rating", now)]
    for rung in ranked_by(climbers, "rating", now):
        yield rung.place, rung.climber
    others = {climber.player for climber in climbers} - {climber.player for climber in rated}
    for climber in climbers:
        if climber.player in others:
            yield len(rated) + 1, climber


def calendars(changes: Iterable[SettingChange]) -> list[Calendar]:
    """Return what a server's choices came to, one after the other."""
    made, settings = list[Calendar](), PLAIN
    for change in changes:
        settings = replace(settings, **{change.name: change.value})
        made.append(Calendar(change.at, settings.season, zone_of(settings.zone) if settings.zone else UTC))
    return made
