"""The deal of the day: one deal per UTC day, the same for all players of the installation.

A try is an ordinary match against house players at a solo table: one hand, no clock, rated nowhere. A day stays sealed
to players without a finished try until the day ends at midnight. After an outage across midnight, players with a begun
try get one further hour. This module never renders a scoresheet.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from itertools import count

from bot.ai.plain import VERSION as HOUSE_VERSION
from bot.club.solo import begin_solo_table, new_solo_table, solo_chairs, state_of
from bot.domain.contests import DailyDealLine, DailyDealScoresheet, FinishedTry
from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.names import Reserved
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.rules.matches.match import Match
from bot.rules.matches.score import is_low_score_best, standings_of
from bot.rules.matches.seal import chain_seed
from bot.rules.variants.ruleset import Ruleset
from bot.runtime.tasks import BackgroundTask, SingleFlight
from bot.store.errors import StoreError
from bot.store.store import Store
from bot.table.core.commands import Close
from bot.table.registry import TableRegistry
from bot.table.table import Table

log = logging.getLogger(__name__)

SEATS = 4
DAILY_GAMES = tuple(game for game in GAMES.values() if game.daily_deal)
DAYS_SHOWN = 7
DATA_DELETED = N_(
    "Your data was deleted today, so I can't tell whether you've played this deal. You can play tomorrow's."
)
DAY = timedelta(days=1)


def daily_rules(day: date) -> Ruleset:
    """Return the rules of a day: the games alternate, each with its first preset."""
    known = DAILY_GAMES[day.toordinal() % len(DAILY_GAMES)]
    return Ruleset.of(known, next(iter(known.sheet.presets))).with_wishes(hands=1, seats=SEATS)


def daily_seed(day: date, secret: Callable[[str], str]) -> str:
    """Return the seed of a day's deal: the first seed without an immediate result.

    secret: derives 64 unguessable hexadecimal digits for a purpose.
    """
    rules = daily_rules(day).rules
    seeds = (chain_seed(secret(f"deal of the day {day}, {attempt}")) for attempt in count())
    return next(seed for seed in seeds if Match.start(rules, seed).game.result is None)


class DailyDeals:
    """The tries of the deal of the day and the access to their results.

    A timed task of the clock. now: the current time. mine: tells whether this process owns the solo tables.
    """

    def __init__(
        self,
        store: Store,
        tables: TableRegistry,
        now: Callable[[], datetime],
        reserved: Reserved,
        *,
        mine: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store = store
        self._tables = tables
        self._now = now
        self._reserved = reserved
        self._mine = mine
        self._next: datetime | None = None  # the next time at which an unfinished deal expires
        self._beginning = SingleFlight[Table]("beginning of a deal of the day")  # of two clicks, one begins
        self.background = BackgroundTask(self._end_late, "ends of days")

    @property
    def today(self) -> date:
        """The current day (UTC)."""
        return self._now().date()

    async def begin(self, user: UserId, name: str, guild: GuildId | None) -> Table:
        """Return the user's table for today's deal with the cards dealt, a new or a begun one.

        Raises Refused if the record of an earlier try may have been deleted today.
        """
        day, gone = self.today, await self._store.deletions.forgotten(user)
        if gone is not None and gone.date() == day:
            raise Refused(DATA_DELETED)
        rules, seed = daily_rules(day), await asyncio.to_thread(daily_seed, day, self._store.deletions.key_for)
        new, chairs = (
            new_solo_table(user, rules, seed, self._now(), solo="day"),
            solo_chairs(user, name, 0, SEATS, reserved=self._reserved),
        )
        begin = partial(self._store.daily_deals.begin, new, chairs, day, guild, HOUSE_VERSION)
        return await self._beginning.do((user, day), lambda: begin_solo_table(self._tables, user, begin()))

    async def unfinished(self, user: UserId, day: date) -> Table | None:
        """Return the user's table of a past day while the player may still finish there."""
        late = await self._store.daily_deals.late_day(user, self._now())
        own = await self._store.daily_deals.try_of(user, day) if late and late[0] == day else None
        return await self._tables.get(own.table) if own else None

    async def next(self) -> datetime | None:
        """Return the next time at which an unfinished deal expires, None if unknown."""
        return self._next

    async def ring(self) -> None:
        """Close the tables of expired deals in a background task."""
        if self._mine() and (self._next is None or self._next <= self._now()):
            self._next = await self._store.daily_deals.next_end(self._now())
            await self.background.begin()

    async def _end_late(self) -> None:
        try:
            await self.close_expired()
        except StoreError as error:
            log.warning("Deals of a day that is over are closed later: %s", error)

    async def close_expired(self) -> None:
        """Close the tables of expired deals. May raise StoreError."""
        for table in await self._store.daily_deals.overdue(self._now()):
            await (await self._tables.get(table)).do(Close())

    async def scoresheet(self, user: UserId, guild: GuildId | None, day: date) -> DailyDealScoresheet:
        """Return the results of a day, restricted to the viewer's access rights on this server."""
        own, found = await self._store.daily_deals.try_of(user, day), await self._store.daily_deals.tried(day)
        rules, table = daily_rules(day), await self._tables.get(own.table) if own else None
        house, played = own.house if own else HOUSE_VERSION, await self._store.daily_deals.days_tried(user)
        by_points = {points: _standing(rules, points) for points in {one.points for one in found}}
        scores = {one.user: by_points[one.points] for one in found if one.house == house}
        mine, state = scores.get(user), state_of(table)
        still, late = (
            await self._store.daily_deals.is_played(day, self._now()),
            await self._store.daily_deals.late_day(user, self._now()),
        )
        closed = still and state in {"new", "begun"}
        here = [one for one in found if guild is not None and one.guild == guild and not closed]
        return DailyDealScoresheet(
            day=day,
            game=rules.game,
            preset=rules.preset,
            state=state,
            today=day == self.today,
            table=own.table if own else None,
            place=next((one.place for one in found if one.user == user), 0),
            score=mine,
            marks=_tricks_won(table) if mine is not None and table else (),
            played=len(found),
            better=sum(other > mine for other in scores.values()) if mine is not None else 0,
            lines=_lines(here, scores, user),
            week=tuple(day - DAY * ago in played for ago in reversed(range(DAYS_SHOWN))),
            run=_streak(played, day),
            open=still,
            late=late,
            low=is_low_score_best(rules.rules),
        )

    async def may_watch(self, user: UserId, guild: GuildId | None, table: TableId) -> bool:
        """Tell whether the viewer may replay a try: if its player is on the viewer's scoresheet."""
        theirs = await self._store.daily_deals.try_at(table)
        if theirs is None:
            return False
        lines = (await self.scoresheet(user, guild, theirs.day)).lines
        return any(line.table == table for line in lines)


def _standing(rules: Ruleset, points: int) -> int:
    """Return points with the sign of a ranking: higher beats lower in every game."""
    return standings_of(rules.rules, (points,) * SEATS)[0]


def _tricks_won(table: Table) -> tuple[bool, ...]:
    """Return for each trick whether the player at a table took the trick."""
    tricks = table.match.view(None).ended_tricks if table.match else ()
    return tuple(trick.owner == 0 for trick in tricks)


def _lines(found: Sequence[FinishedTry], scores: dict[UserId, int], user: UserId) -> tuple[DailyDealLine, ...]:
    """Return the lines of the scoresheet: players who agreed to be listed, and the viewer."""
    listed = [one for one in found if one.user in scores and (one.listed or one.user == user)]
    order = sorted(listed, key=lambda one: -scores[one.user])
    places = dict[int, int]()
    for place, one in enumerate(order, 1):
        places.setdefault(scores[one.user], place)
    return tuple(
        DailyDealLine(user=one.user, name=one.name, table=one.table, place=places[at], score=at)
        for one in order
        for at in (scores[one.user],)
    )


def _streak(days: Sequence[date], day: date) -> int:
    """Return the length of the streak that ends on this day, or on the day before.

    The day before counts while this day is unplayed.
    """
    known = set(days)
    last = day if day in known else day - DAY
    return next(number for number in count() if last - DAY * number not in known)
