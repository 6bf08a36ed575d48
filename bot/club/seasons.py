"""Seasons: the running season of a server, and the end of a season.

A season ends as of its planned end, even if processed late: every setting has a time, so past ends follow from the
settings alone, also after an outage. Results of a season get saved before any announcement, and never change. Rendering
lives elsewhere.
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
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.rating import VISIBLE_CHANNELS, Leaderboard, RankedPlayer
from bot.domain.seasons import Calendar, Finalist, Season, SeasonHighlight, SeasonResult, moments, seasons_since
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings, SettingChange
from bot.domain.working_hours import zone_of
from bot.games import GAMES
from bot.rules.matches.style import BOMBS
from bot.runtime.tasks import BackgroundTask, SingleFlight
from bot.store.errors import StoreError
from bot.store.store import Store

log = logging.getLogger(__name__)

# Posts a podium; False where the bot could not.
PostPodium: TypeAlias = Callable[[GuildId, ChannelId, SeasonResult], Awaitable[bool]]
COMEBACK: Final = "comeback"  # the deed of a winner in last place at half time
MAX_ANNOUNCEMENT_DELAY: Final = timedelta(days=31)  # older seasons stay unannounced
LATE_AFTER: Final = timedelta(minutes=10)  # a later podium states its delay and sends no notification


class Seasons:
    """The seasons of all servers; a timed task of the clock.

    server_settings: the servers' settings. mine: tells whether this process owns a server's seasons.
    """

    def __init__(
        self,
        *,
        store: Store,
        leaderboards: Leaderboards,
        server_settings: Mapping[GuildId, ServerSettings],
        now: Callable[[], datetime],
        post: PostPodium,
        mine: Callable[[GuildId], bool] = lambda _guild: True,
    ) -> None:
        self._mine = mine
        self._store = store
        self._leaderboards = leaderboards
        self._server_settings = server_settings
        self._now = now
        self._post_podium = post
        self._next: datetime | None = None  # the first end of a running season
        self._cutting = asyncio.Lock()
        self._ending = SingleFlight[bool]("end of the season of server")
        self._announcing = SingleFlight[None]("announcement of a season")
        self.background = BackgroundTask(self._end_due_later, "seasons")

    async def known(self, guild: GuildId) -> tuple[Season, ...]:
        """Return the running season if any, then past seasons, latest first."""
        over = await self._store.seasons.ended(guild)
        ended, now = await self._since(guild, over)
        return (*([now] if now else ()), *reversed(ended), *(season for season in over if season.number))

    async def remarkable(self, guild: GuildId, over: Season) -> tuple[Sequence[SeasonHighlight], Mapping[UserId, str]]:
        """Return the highlights of a past season, and the names of its players."""
        last = await self._store.seasons.finalists(guild, over.number)
        return moments(last), await self._store.leaderboards.names([one.player for one in last])

    # Ends of seasons

    async def next(self) -> datetime | None:
        """Return the next end of a season, None if unknown."""
        return self._next

    async def ring(self) -> None:
        """End the due seasons in a background task."""
        if self._next is not None and self._next <= self._now():
            self._next = None
            await self.background.begin()

    async def end_due(self) -> None:
        """End each due season, and announce each server's latest one.

        May raise StoreError.
        """
        for guild in sorted(await self._store.seasons.servers()):
            if self._mine(guild):
                await self._end_overdue(guild)
        await self._announce_all(await self._unannounced())

    async def _end_due_later(self) -> None:
        """End due seasons; after a failed query, retry in an hour."""
        try:
            await self.end_due()
        except StoreError as error:
            log.warning("Seasons are looked at later: %s", error)
        except Exception:
            log.exception("The seasons were not looked at; they will be in an hour")

    async def apply_choice(self, guild: GuildId) -> bool:
        """End the season closed by a server's latest setting; tell whether the season had a match.

        May raise StoreError; a later call ends the season as of the setting's time.
        """
        last = await self._end_overdue(guild)
        await self._announce_all(await self._unannounced(guild))
        return bool(last)

    async def end_now(self, guild: GuildId) -> bool:
        """End the running season; tell whether the season had a match. May raise StoreError.

        Two simultaneous calls by moderators end one season.
        """
        return await self._ending.do(guild, partial(self._end_now, guild))

    async def _end_now(self, guild: GuildId) -> bool:
        await self._end_overdue(guild)
        async with self._cutting:
            _, current = await self._since(guild, await self._store.seasons.ended(guild))
            over = current and replace(current, ends=self._now())
            last = await self._end(guild, over, include_empty=False) if over else []
        await self._announce_all(await self._unannounced(guild))
        return bool(last)

    async def _since(self, guild: GuildId, over: Sequence[Season]) -> tuple[list[Season], Season | None]:
        """Return the ended but unsaved seasons, and the running season."""
        chosen = calendars(await self._store.seasons.choices(guild))
        return seasons_since(over[0] if over else None, chosen, self._now())

    async def _end_overdue(self, guild: GuildId) -> list[Finalist]:
        """End each due season as of its planned end; return the finalists of the latest one."""
        last = list[Finalist]()
        async with self._cutting:
            ended, current = await self._since(guild, await self._store.seasons.ended(guild))
            for over in ended:
                last = await self._end(guild, over, include_empty=True)
        if current and current.ends:
            self._next = min(self._next or current.ends, current.ends)
        return last

    async def _end(self, guild: GuildId, over: Season, *, include_empty: bool) -> list[Finalist]:
        """Save the end of a season; return its finalists. include_empty: also without finalists."""
        last = await self._finalists(guild, over)
        if last or include_empty:
            await self._store.seasons.end(guild, over, last)
        return last

    async def _finalists(self, guild: GuildId, over: Season) -> list[Finalist]:
        """Return the standings of a season: by rating, unrated players last."""
        assert over.ends is not None
        found = list[Finalist]()
        for game in GAMES:
            leaderboard, include_hidden = (
                Leaderboard(guild, game),
                self._server_settings.get(guild, DEFAULT_SETTINGS).hidden_count,
            )
            played = await self._leaderboards.in_season(leaderboard, over, over.ends)
            streaks = {player.player: streak for player, streak in played}
            bombs = await self._store.seasons.done_in(leaderboard, over, BOMBS, include_hidden=include_hidden)
            behind = await self._store.seasons.behind_in(leaderboard, over, COMEBACK, include_hidden=include_hidden)
            for place, player in _with_places([player for player, _ in played], over.ends):
                streak, bomb, most = (those.get(player.player, 0) for those in (streaks, bombs, behind))
                found.append(Finalist(game, place, player, streak=streak, bombs=bomb, behind=most))
        return found

    # Announcements

    async def _unannounced(self, guild: GuildId | None = None) -> list[tuple[GuildId, Season]]:
        """Return the unannounced seasons, oldest first; of one server or all."""
        untold = await self._store.seasons.unannounced()
        found = [(of, season) for of, season in untold if self._mine(of) and guild in (None, of)]
        return sorted(found, key=lambda one: one[1].number)

    async def _announce_all(self, untold: Iterable[tuple[GuildId, Season]]) -> None:
        """Announce each server's latest season; /standings lists earlier ones."""
        last = dict[GuildId, Season]()
        for guild, season in untold:
            if guild in last:
                await self._store.seasons.note_announced(guild, last[guild].number)
            last[guild] = season
        for guild, season in last.items():
            await self._announcing.do((guild, season.number), partial(self._announce, guild, season))

    async def _announce(self, guild: GuildId, over: Season) -> None:
        """Announce a season once; after a month without success, give up."""
        assert over.ends is not None
        if (guild, over) not in await self._store.seasons.unannounced():
            return
        last = await self._store.seasons.finalists(guild, over.number)
        where = await self._store.seasons.last_open_channel(guild, over.ends)
        fresh = self._now() - over.ends <= MAX_ANNOUNCEMENT_DELAY
        if last and where != VISIBLE_CHANNELS and fresh and not await self._post(guild, where, over, last):
            log.warning("The end of a season could not be told; it is tried again in an hour")
            return
        await self._store.seasons.note_announced(guild, over.number)

    async def _post(self, guild: GuildId, where: ChannelId, over: Season, last: Sequence[Finalist]) -> bool:
        assert over.ends is not None
        names, late = await self._store.leaderboards.names([one.player for one in last]), self._now() - over.ends
        _, current = await self._since(guild, await self._store.seasons.ended(guild))
        podium = SeasonResult(
            over, last, names, moments(last), late=late if late > LATE_AFTER else None, continued=current is not None
        )
        return await self._post_podium(guild, where, podium)


def _with_places(ranked_players: Sequence[RankedPlayer], now: datetime) -> Iterator[tuple[int, RankedPlayer]]:
    rated = [ranked.player for ranked in ranked_by(ranked_players, "rating", now)]
    for ranked in ranked_by(ranked_players, "rating", now):
        yield ranked.place, ranked.player
    others = {player.player for player in ranked_players} - {player.player for player in rated}
    for player in ranked_players:
        if player.player in others:
            yield len(rated) + 1, player


def calendars(changes: Iterable[SettingChange]) -> list[Calendar]:
    """Return the season calendars from a server's settings, in order of time."""
    made, settings = list[Calendar](), DEFAULT_SETTINGS
    for change in changes:
        settings = replace(settings, **{change.name: change.value})
        made.append(Calendar(change.at, settings.season, zone_of(settings.zone) if settings.zone else UTC))
    return made
