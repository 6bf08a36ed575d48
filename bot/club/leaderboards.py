"""Leaderboards: ratings and tallies of players, updated from results on demand.

Every number follows from results alone. This module never renders a leaderboard.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache, partial
from operator import itemgetter
from typing import Final
from zlib import crc32

from bot.domain.ids import ChannelId, GuildId, PlayerId, UserId
from bot.domain.rating import (
    ALL_GUILDS,
    Leaderboard,
    LeaderboardCriterion,
    PlayerEntries,
    PlayerTotals,
    RankedMatch,
    RankedPlayer,
    RankedRow,
    Rating,
    RatingCourse,
    RatingEntry,
    Standings,
)
from bot.domain.seasons import Season
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.games import GAMES
from bot.ratings.calculator import RatingCalculator
from bot.ratings.player_summary import summarize
from bot.rules.core.sentences import Illegal
from bot.rules.variants.registration import STORED, RegisteredGame
from bot.rules.variants.ruleset import Ruleset
from bot.runtime.progress import adding, stage
from bot.runtime.tasks import SingleFlight
from bot.runtime.workers import Workers
from bot.store.repositories.leaderboards import RatingMethod
from bot.store.store import Store
from bot.table.core.eligibility import MAX_CHANGED_OPTIONS, gains, is_rated

VERSION: Final = 5  # of the computation; a new version recomputes every entry
PAGE_SIZE: Final = 10  # people
COURSE_LENGTH: Final = 10  # matches
COURSE_SPAN: Final = timedelta(days=7)
RATED: Final[tuple[LeaderboardCriterion, ...]] = ("rating", "everywhere")
SEASONLESS: Final[tuple[LeaderboardCriterion, ...]] = ("everywhere", "reliability")  # rankings without seasons
MIN_FOR_WORKERS: Final = 40  # matches from which on workers compute: some 10 ms of a core
MIN_HANDS: Final = 5  # for an average of points per hand


class Leaderboards:
    """The leaderboards of all servers.

    server_settings: the servers' settings. workers: compute long updates; None: computed inline.
    """

    def __init__(
        self, store: Store, server_settings: Mapping[GuildId, ServerSettings], workers: Workers | None = None
    ) -> None:
        self._store = store
        self._server_settings = server_settings
        self._workers = workers
        self._computation = SingleFlight[None]("computation of leaderboard")

    async def standings(
        self,
        leaderboard: Leaderboard,
        by: LeaderboardCriterion,
        page: int,
        me: UserId,
        *,
        now: datetime,
        season: Season | None = None,
    ) -> Standings:
        """Return the nearest existing page of a leaderboard, overall or of one season.

        May raise StoreError.
        """
        if by in SEASONLESS:
            season = None
        if by == "everywhere":
            leaderboard = Leaderboard(ALL_GUILDS, leaderboard.game)
        found = await (self._in_season(leaderboard, by, season, now) if season else self._ranked(leaderboard, by, now))
        last = max(0, -(-len(found) // PAGE_SIZE) - 1)
        page = min(max(page, 0), last)
        found = [replace(ranked, mine=ranked.player.user == me) for ranked in found]
        mine = [ranked for ranked in found if ranked.mine]
        shown = found[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
        rows = await self._with_names(
            leaderboard,
            [*shown, *(ranked for ranked in mine if ranked not in shown)],
            by,
            now,
            season=season,
        )
        own = rows.pop() if len(rows) > len(shown) else None
        return Standings(
            by=by,
            game=leaderboard.game,
            rows=tuple(rows),
            own=own,
            page=page,
            last=last,
            season=season.number if season else None,
        )

    async def _in_season(
        self, leaderboard: Leaderboard, by: LeaderboardCriterion, season: Season, now: datetime
    ) -> list[RankedRow]:
        over = (
            await self._store.seasons.finalists(leaderboard.guild, season.number)
            if season.ends and season.ends <= now
            else ()
        )
        ranked_players = [one.player for one in over if one.game == leaderboard.game]
        if not over:
            ranked_players = [player for player, _ in await self.in_season(leaderboard, season, now)]
        return ranked_by(ranked_players, by, min(now, season.ends) if season.ends else now)

    async def in_season(
        self, leaderboard: Leaderboard, season: Season, now: datetime
    ) -> list[tuple[RankedPlayer, int]]:
        """Return the players of a season with their longest winning streak.

        Ratings start with the season.
        """
        ends = min(now, season.ends) if season.ends else now
        method = self._rating_method(leaderboard)
        matches = await self._store.seasons.ranked_between(leaderboard, method, season.begins, ends)
        made = await method.compute_entries((), matches, {})
        entries = dict[PlayerId, list[RatingEntry]]()
        for entry in made:
            entries.setdefault(entry.player, []).append(entry)
        users = await self._store.seasons.listed(entries)
        return [_season_player(users[player], theirs) for player, theirs in entries.items() if player in users]

    async def player_entries(self, guild: GuildId, channel: ChannelId, user: UserId) -> PlayerEntries | None:
        """Return the effect of a user's matches on a server's leaderboards; None without any.

        May raise StoreError.
        """
        for game in GAMES:
            await self.update(Leaderboard(guild, game, channel))
        return await self._store.leaderboards.player_entries(guild, channel, user)

    async def _ranked(self, leaderboard: Leaderboard, by: LeaderboardCriterion, now: datetime) -> list[RankedRow]:
        for game in [leaderboard.game] if leaderboard.game else GAMES:
            await self.update(replace(leaderboard, game=game))
        if by in RATED:
            return ranked(active_players(await self._store.leaderboards.ranked_players(leaderboard), now))
        if by == "reliability":
            reliable = await self._store.leaderboards.reliable(leaderboard)
            return ranked((one.reliability.share, one) for one in reliable if one.reliability)
        tallied = await self._store.leaderboards.totals(leaderboard)
        return ranked((ranking_values(one.tally).get(by), one) for one in tallied if one.tally)

    async def _with_names(
        self,
        leaderboard: Leaderboard,
        rows: Sequence[RankedRow],
        by: LeaderboardCriterion,
        now: datetime,
        *,
        season: Season | None,
    ) -> list[RankedRow]:
        """Add display names, and for rated rankings the recent changes."""
        ranked_players = [ranked.player for ranked in rows]
        names = await self._store.leaderboards.names(ranked_players)
        named = [replace(ranked, name=names.get(ranked.player.user, "")) for ranked in rows]
        if by not in RATED or season:
            return named
        courses = await self._store.leaderboards.courses(
            leaderboard, [one.player for one in ranked_players], COURSE_LENGTH, now - COURSE_SPAN
        )
        return [_with_course(ranked, courses[ranked.player.player], now) for ranked in named]

    async def update(self, leaderboard: Leaderboard) -> None:
        """Add the matches played since the last update. May raise StoreError."""
        await self._computation.do_anew(
            leaderboard, lambda: self._store.leaderboards.compute_entries(leaderboard, self._rating_method(leaderboard))
        )

    async def recount(self) -> int:
        """Recompute every leaderboard; return the number of leaderboards. May raise StoreError."""
        leaderboards = {
            leaderboard: size
            for leaderboard, size in (await self._store.leaderboards.clear_all()).items()
            if leaderboard.game in GAMES
        }
        done = 0
        with stage("computing leaderboards", sum(leaderboards.values()), "matches") as reach:
            for leaderboard, size in leaderboards.items():
                await self._store.leaderboards.compute_entries(
                    leaderboard, self._rating_method(leaderboard), adding(reach, done)
                )
                done += size  # of which not all may count
                reach(done)
        return len(leaderboards)

    def _rating_method(self, leaderboard: Leaderboard) -> RatingMethod:
        include_hidden = self._server_settings.get(leaderboard.guild, DEFAULT_SETTINGS).hidden_count
        known = GAMES[leaderboard.game]
        near = crc32(",".join(sorted(known.sheet.near)).encode())
        by = f"{VERSION}.{MAX_CHANGED_OPTIONS}.{near:x}{' hidden' if include_hidden else ''}"
        return RatingMethod(by, include_hidden, partial(self._compute, leaderboard.game))

    async def _compute(
        self, game: str, before: Sequence[RankedMatch], new: Sequence[RankedMatch], ratings: Mapping[PlayerId, Rating]
    ) -> list[RatingEntry]:
        if self._workers is None or len(before) + len(new) < MIN_FOR_WORKERS:
            return compute_entries(game, before, new, ratings)
        return await self._workers.call(compute_entries, game, before, new, ratings)


def compute_entries(
    game: str, before: Sequence[RankedMatch], new: Sequence[RankedMatch], ratings: Mapping[PlayerId, Rating]
) -> list[RatingEntry]:
    """Return the leaderboard entries of new matches, as a list for workers."""
    return list(new_entries(GAMES[game], before, new, ratings))


def new_entries(
    known: RegisteredGame, before: Iterable[RankedMatch], new: Iterable[RankedMatch], ratings: Mapping[PlayerId, Rating]
) -> Iterator[RatingEntry]:
    """Yield the leaderboard entries of matches, match by match.

    before: the matches already entered on the day of the first new match. ratings: the ratings at the start of that
    day.
    """
    calculator = RatingCalculator(dict(ratings))
    for match in before:
        if is_rated(known, match):
            calculator.meet(match)
    for match in new:
        made = calculator.add(match) if is_rated(known, match) else {}
        gained = _gains(known.name, match.preset, json.dumps(match.options, sort_keys=True), match.points)
        for player, part in match.parts.items():
            gain = gained[part.seat]
            yield RatingEntry(
                player=player,
                table=match.table,
                finished=match.finished,
                hands=match.hands,
                gain=gain,
                part=part,
                rating=made.get(player),
            )


@lru_cache(maxsize=1024)
def _gains(game: str, preset: str, options: str, points: tuple[int, ...]) -> tuple[float, ...]:
    """Return each seat's gain; zeros for rules no longer readable."""
    try:
        return gains(Ruleset(GAMES[game], preset, json.loads(options), STORED), points)
    except (KeyError, TypeError, Illegal):
        return (0.0,) * len(points)


def ranked(ranked_players: Iterable[tuple[float | None, RankedPlayer]]) -> list[RankedRow]:
    """Return the players in descending order.

    Equal numbers share a place, and a player without a number is left out.
    """
    order = sorted(
        ((-number, one.player, one) for number, one in ranked_players if number is not None), key=itemgetter(0, 1)
    )
    rows = list[RankedRow]()
    for at, (number, _, one) in enumerate(order):
        equal = at > 0 and order[at - 1][0] == number
        rows.append(RankedRow(rows[-1].place if equal else at + 1, one))
    return rows


def _season_player(user: UserId, entries: Sequence[RatingEntry]) -> tuple[RankedPlayer, int]:
    """Return a player's ratings and tally over these matches, and the longest winning streak."""
    made, last = summarize(entries), entries[-1]
    rating = made.ratings[-1] if made.ratings else None
    return RankedPlayer(last.player, user, last.table, rating=rating, tally=made.tally), made.longest


def ranked_by(ranked_players: Sequence[RankedPlayer], by: LeaderboardCriterion, now: datetime) -> list[RankedRow]:
    """Return fully loaded players in order of a ranking."""
    if by in RATED:
        return ranked(active_players(ranked_players, now))
    return ranked((ranking_values(one.tally).get(by), one) for one in ranked_players if one.tally)


def active_players(ranked_players: Iterable[RankedPlayer], now: datetime) -> Iterator[tuple[int, RankedPlayer]]:
    """Yield the recently active players with their rating at this time."""
    for one in ranked_players:
        if one.rating is not None and one.rating.listed(now):
            rating = one.rating.at(now)
            yield rating.shown, replace(one, rating=rating)


def ranking_values(tally: PlayerTotals) -> Mapping[LeaderboardCriterion, float]:
    """Return a tally's value in each ranking."""
    found: dict[LeaderboardCriterion, float] = {"wins": tally.wins, "units": tally.units}
    return found | {"points": round(tally.gain / tally.hands, 1)} if tally.hands >= MIN_HANDS else found


def _with_course(ranked: RankedRow, course: RatingCourse, now: datetime) -> RankedRow:
    """Add the recent changes of a rating."""
    rating = ranked.player.rating or Rating()
    moved = rating.shown - course.earlier.at(now).shown
    return replace(ranked, course=tuple(one.shown for one in course.ratings), moved=moved)
