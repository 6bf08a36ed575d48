"""Ladders: who is how good, brought up to date when somebody looks.

Knows which matches are rated, what is added up, and that all of it follows from results. Refuses to know how it is
drawn.
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

from bot.games import GAMES
from bot.ground.ids import ChannelId, GuildId, PlayerId, UserId
from bot.ground.rating import (
    EVERYWHERE,
    By,
    Climber,
    Course,
    Entered,
    Entry,
    Ladder,
    Ranked,
    Rating,
    Rung,
    Standings,
    Tally,
)
from bot.ground.season import Season
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.ground.single_flight import SingleFlight
from bot.ground.workers import Workers
from bot.ratings.fold import Fold
from bot.ratings.record import record
from bot.rules.registered import Registered
from bot.rules.ruleset import Ruleset
from bot.rules.sentences import Illegal
from bot.rules.versions import FIRST
from bot.store.books import Way
from bot.store.results import Results
from bot.table.core.fair import MAX_CHANGED_OPTIONS, gains, is_rated

VERSION: Final = 5  # of the way in which the books are kept: another one, and they are written anew
PAGE_SIZE: Final = 10  # people
COURSE_LENGTH: Final = 10  # matches
COURSE_SPAN: Final = timedelta(days=7)
RATED: Final[tuple[By, ...]] = ("rating", "everywhere")
SEASONLESS: Final[tuple[By, ...]] = ("everywhere", "reliability")  # what is the same in every season
MIN_FOR_WORKERS: Final = 40  # matches from which on workers reckon: some 10 ms of a core
MIN_HANDS: Final = 5  # hands, below which points a hand say nothing


class Leaderboards:
    """All ladders. chosen: what servers have chosen. workers: who reckons many matches; without, it is done at once."""

    def __init__(
        self, results: Results, chosen: Mapping[GuildId, ServerSettings], workers: Workers | None = None
    ) -> None:
        self._results = results
        self._chosen = chosen
        self._workers = workers
        self._reckoning = SingleFlight[None]("reckoning of ladder")

    async def standings(
        self, ladder: Ladder, by: By, page: int, me: UserId, now: datetime, season: Season | None = None
    ) -> Standings:
        """Return a page of a ladder, the nearest there is; of a season where one is given. May raise StoreError."""
        if by in SEASONLESS:
            season = None
        if by == "everywhere":
            ladder = Ladder(EVERYWHERE, ladder.game)
        found = await (self._in_season(ladder, by, season, now) if season else self._ranked(ladder, by, now))
        last = max(0, -(-len(found) // PAGE_SIZE) - 1)
        page = min(max(page, 0), last)
        found = [replace(rung, mine=rung.climber.user == me) for rung in found]
        mine = [rung for rung in found if rung.mine]
        shown = found[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
        told = await self._told(ladder, [*shown, *(rung for rung in mine if rung not in shown)], by, now, season)
        own = told.pop() if len(told) > len(shown) else None
        return Standings(by, ladder.game, tuple(told), own, page, last, season.number if season else None)

    async def _in_season(self, ladder: Ladder, by: By, season: Season, now: datetime) -> list[Rung]:
        over = await self._results.finalists(ladder.guild, season.number) if season.ends and season.ends <= now else ()
        climbers = [one.climber for one in over if one.game == ladder.game]
        if not over:
            climbers = [climber for climber, _ in await self.in_season(ladder, season, now)]
        return ranked_by(climbers, by, min(now, season.ends) if season.ends else now)

    async def in_season(self, ladder: Ladder, season: Season, now: datetime) -> list[tuple[Climber, int]]:
        """Return who has played in a season, with their longest row of wins: ratings as if all began with it."""
        ends = min(now, season.ends) if season.ends else now
        way = self._way(ladder)
        matches = await self._results.ranked_between(ladder, way, season.begins, ends)
        made = await way.reckon((), matches, {})
        entries = dict[PlayerId, list[Entry]]()
        for entry in made:
            entries.setdefault(entry.player, []).append(entry)
        users = await self._results.listed(entries)
        return [_season_climber(users[player], theirs) for player, theirs in entries.items() if player in users]

    async def entered(self, guild: GuildId, channel: ChannelId, user: UserId) -> Entered | None:
        """Return what somebody's matches meant to them on a server; None without any. May raise StoreError."""
        for game in GAMES:
            await self.update(Ladder(guild, game, channel))
        return await self._results.entered(guild, channel, user)

    async def _ranked(self, ladder: Ladder, by: By, now: datetime) -> list[Rung]:
        for game in [ladder.game] if ladder.game else GAMES:
            await self.update(replace(ladder, game=game))
        if by in RATED:
            return ranked(active_climbers(await self._results.climbers(ladder), now))
        if by == "reliability":
            reliable = await self._results.reliable(ladder)
            return ranked((one.reliability.share, one) for one in reliable if one.reliability)
        tallied = await self._results.tallied(ladder)
        return ranked((ranking_values(one.tally).get(by), one) for one in tallied if one.tally)

    async def _told(
        self, ladder: Ladder, rungs: Sequence[Rung], by: By, now: datetime, season: Season | None
    ) -> list[Rung]:
        """Say of people what they are called, and how their ratings have changed."""
        climbers = [rung.climber for rung in rungs]
        names = await self._results.names(climbers)
        named = [replace(rung, name=names.get(rung.climber.user, "")) for rung in rungs]
        if by not in RATED or season:
            return named
        courses = await self._results.courses(
            ladder, [one.player for one in climbers], COURSE_LENGTH, now - COURSE_SPAN
        )
        return [_with_course(rung, courses[rung.climber.player], now) for rung in named]

    async def update(self, ladder: Ladder) -> None:
        """Enter what has been played since into the books. May raise StoreError."""
        await self._reckoning.do_anew(ladder, lambda: self._results.reckon(ladder, self._way(ladder)))

    async def recount(self) -> int:
        """Write the books anew; return how many ladders there are. May raise StoreError."""
        ladders = [ladder for ladder in await self._results.clear_ladders() if ladder.game in GAMES]
        for ladder in ladders:
            await self.update(ladder)
        return len(ladders)

    def _way(self, ladder: Ladder) -> Way:
        hidden_too = self._chosen.get(ladder.guild, PLAIN).hidden_count
        known = GAMES[ladder.game]
        near = crc32(",".join(sorted(known.sheet.near)).encode())
        by = f"{VERSION}.{MAX_CHANGED_OPTIONS}.{near:x}{' hidden' if hidden_too else ''}"
        return Way(by, hidden_too, partial(self._reckoned, ladder.game))

    async def _reckoned(
        self, game: str, before: Sequence[Ranked], new: Sequence[Ranked], ratings: Mapping[PlayerId, Rating]
    ) -> list[Entry]:
        if self._workers is None or len(before) + len(new) < MIN_FOR_WORKERS:
            return compute_entries(game, before, new, ratings)
        return await self._workers.call(compute_entries, game, before, new, ratings)


def compute_entries(
    game: str, before: Sequence[Ranked], new: Sequence[Ranked], ratings: Mapping[PlayerId, Rating]
) -> list[Entry]:
    """Return what matches of a game meant to people, as `entered` has it."""
    return list(new_entries(GAMES[game], before, new, ratings))


def new_entries(
    known: Registered, before: Iterable[Ranked], new: Iterable[Ranked], ratings: Mapping[PlayerId, Rating]
) -> Iterator[Entry]:
    """Yield what matches meant to people, one match after the other.

    before: the matches of the day of the first of these that have been entered already. ratings: as they were.
    """
    fold = Fold(dict(ratings))
    for match in before:
        if is_rated(known, match):
            fold.meet(match)
    for match in new:
        made = fold.add(match) if is_rated(known, match) else {}
        gained = _gains(known.name, match.preset, json.dumps(match.options, sort_keys=True), match.points)
        for player, part in match.parts.items():
            gain = gained[part.seat]
            yield Entry(player, match.table, match.finished, match.hands, gain, part, made.get(player))


@lru_cache(maxsize=1024)
def _gains(game: str, preset: str, options: str, points: tuple[int, ...]) -> tuple[float, ...]:
    """Return what each seat has gained; nothing where such rules cannot be any more."""
    try:
        return gains(Ruleset(GAMES[game], preset, json.loads(options), FIRST), points)
    except (KeyError, TypeError, Illegal):
        return (0.0,) * len(points)


def ranked(climbers: Iterable[tuple[float | None, Climber]]) -> list[Rung]:
    """Put people in order, the highest number first; equals share a place. Whoever has none has no place."""
    order = sorted(((-number, one.player, one) for number, one in climbers if number is not None), key=itemgetter(0, 1))
    rungs = list[Rung]()
    for at, (number, _, one) in enumerate(order):
        equal = at > 0 and order[at - 1][0] == number
        rungs.append(Rung(rungs[-1].place if equal else at + 1, one))
    return rungs


def _season_climber(user: UserId, entries: Sequence[Entry]) -> tuple[Climber, int]:
    """Return what these matches come to for somebody, and their longest row of wins."""
    made, last = record(entries), entries[-1]
    rating = made.ratings[-1] if made.ratings else None
    return Climber(last.player, user, last.table, rating, made.tally), made.longest


def ranked_by(climbers: Sequence[Climber], by: By, now: datetime) -> list[Rung]:
    """Put people in order of whom all is known."""
    if by in RATED:
        return ranked(active_climbers(climbers, now))
    return ranked((ranking_values(one.tally).get(by), one) for one in climbers if one.tally)


def active_climbers(climbers: Iterable[Climber], now: datetime) -> Iterator[tuple[int, Climber]]:
    """Yield whoever has played lately, with the number of their rating as it is now."""
    for one in climbers:
        if one.rating is not None and one.rating.listed(now):
            rating = one.rating.at(now)
            yield rating.shown, replace(one, rating=rating)


def ranking_values(tally: Tally) -> Mapping[By, float]:
    """Return what a tally comes to, by what people are ranked."""
    found: dict[By, float] = {"wins": tally.wins, "units": tally.units}
    return found | {"points": round(tally.gain / tally.hands, 1)} if tally.hands >= MIN_HANDS else found


def _with_course(rung: Rung, course: Course, now: datetime) -> Rung:
    """Say of somebody how their rating has changed."""
    rating = rung.climber.rating or Rating()
    moved = rating.shown - course.then.at(now).shown
    return replace(rung, course=tuple(one.shown for one in course.ratings), moved=moved)
