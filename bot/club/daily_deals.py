"""The deal of the day: one deal a day (UTC), the same for everybody on this installation, against house players.

It is an ordinary match at a private table: of one hand, without a clock, counting for nothing. Knows what is dealt on a
day, and who may look at what of it: a day is sealed to whoever has not played it, until it is over. A day ends at
midnight; where that fell into a stop, who had begun may finish for an hour after it. Refuses to know how any of that is
shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from itertools import count
from typing import Protocol

from bot.club.solo import begin_solo_table, new_solo_table, solo_chairs, state_of
from bot.games import GAMES
from bot.ground.background import BackgroundTask
from bot.ground.chair import Chair
from bot.ground.day_deal import Line, Sheet, Tried, Try
from bot.ground.ids import GuildId, TableId, UserId
from bot.ground.names import Reserved
from bot.ground.refused import Refused
from bot.ground.single_flight import SingleFlight
from bot.house.plain import VERSION as HOUSE_VERSION
from bot.rules.match import Match
from bot.rules.ruleset import Ruleset
from bot.rules.score import stands_of
from bot.rules.seal import sealed
from bot.store.errors import StoreError
from bot.store.rows import NewTable
from bot.table.core.commands import Close
from bot.table.registry import Tables
from bot.table.table import Table

log = logging.getLogger(__name__)

SEATS = 4
DAILY_GAMES = (
    "big_two",
    "tien_len",
)  # games in which nobody may act out of turn: what is done follows from the clicks alone
DAYS_SHOWN = 7
DATA_DELETED = (
    "What was kept about you was deleted today, so I cannot tell whether you have played this deal. "
    "Tomorrow's is yours too."
)
DAY = timedelta(days=1)


class DailyDealStore(Protocol):
    """What this needs of a store."""

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return when the data of a user was deleted last; None for never."""
        ...

    def key_for(self, purpose: str) -> str:
        """Return a secret of this installation for a purpose."""
        ...

    async def begin_try(
        self, new: NewTable, chairs: tuple[Chair, ...], day: date, guild: GuildId | None, house: int
    ) -> TableId:
        """Set up the host's table for the deal of a day, once."""
        ...

    async def try_of(self, user: UserId, day: date) -> Try | None:
        """Return somebody's try of a day."""
        ...

    async def try_at(self, table: TableId) -> Try | None:
        """Return whose try of which day a table is."""
        ...

    async def tried(self, day: date) -> tuple[Tried, ...]:
        """Return what came of the tries of a day."""
        ...

    async def days_tried(self, user: UserId) -> tuple[date, ...]:
        """Return on which days somebody has played to the end, the latest first."""
        ...

    async def overdue_tries(self, now: datetime) -> tuple[TableId, ...]:
        """Return the tables at which a deal is still played that can be finished no more."""
        ...

    async def day_is_played(self, day: date, now: datetime) -> bool:
        """Tell whether a day is not over, or somebody may still finish its deal."""
        ...

    async def late_day(self, user: UserId, now: datetime) -> tuple[date, datetime] | None:
        """Return a person's day whose deal they may still finish though it is over, and until when."""
        ...

    async def next_day_end(self, now: datetime) -> datetime:
        """Return when a deal of a day can be finished no more next."""
        ...


def daily_rules(day: date) -> Ruleset:
    """Return what is played on a day: the games take turns, each by its first preset."""
    known = GAMES[DAILY_GAMES[day.toordinal() % len(DAILY_GAMES)]]
    return Ruleset.of(known, next(iter(known.sheet.presets))).wishing(hands=1, seats=SEATS)


def daily_seed(day: date, secret: Callable[[str], str]) -> str:
    """Return the seed of a day's deal, which is not decided by the cards alone.

    secret: makes 64 hexadecimal digits for a purpose, that nobody can guess.
    """
    rules = daily_rules(day).rules
    seeds = (sealed(secret(f"deal of the day {day}, {attempt}")) for attempt in count())
    return next(seed for seed in seeds if Match.start(rules, seed).game.result is None)


class DailyDeals:
    """Who plays the deal of the day, and what of it may be seen; a bell of the clock.

    now: the time. mine: whether the private tables are this process's.
    """

    def __init__(
        self,
        store: DailyDealStore,
        tables: Tables,
        now: Callable[[], datetime],
        reserved: Reserved,
        mine: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store = store
        self._tables = tables
        self._now = now
        self._reserved = reserved
        self._mine = mine
        self._next: datetime | None = None  # when a deal can be finished no more next
        self._beginning = SingleFlight[Table]("beginning of a deal of the day")  # so that of two clicks one begins
        self.background = BackgroundTask(self._end_late, "ends of days")

    @property
    def today(self) -> date:
        """Which day it is."""
        return self._now().date()

    async def begin(self, user: UserId, name: str, guild: GuildId | None) -> Table:
        """Return somebody's table for today's deal, with the cards dealt: they begin, or go on.

        Raises Refused where they may have played it, and that was deleted.
        """
        day, gone = self.today, await self._store.forgotten(user)
        if gone is not None and gone.date() == day:
            raise Refused(DATA_DELETED)
        rules, seed = daily_rules(day), await asyncio.to_thread(daily_seed, day, self._store.key_for)
        new, chairs = (
            new_solo_table(user, rules, seed, self._now(), "day"),
            solo_chairs(user, name, 0, SEATS, self._reserved),
        )
        begin = partial(self._store.begin_try, new, chairs, day, guild, HOUSE_VERSION)
        return await self._beginning.do((user, day), lambda: begin_solo_table(self._tables, user, begin()))

    async def unfinished(self, user: UserId, day: date) -> Table | None:
        """Return somebody's table of a day that is over, as long as they may finish it there."""
        late = await self._store.late_day(user, self._now())
        own = await self._store.try_of(user, day) if late and late[0] == day else None
        return await self._tables.get(own.table) if own else None

    async def next(self) -> datetime | None:
        """Return when a deal can be finished no more next, as far as is known."""
        return self._next

    async def ring(self) -> None:
        """Close the tables at which a deal can be finished no more, beside all else."""
        if self._mine() and (self._next is None or self._next <= self._now()):
            self._next = await self._store.next_day_end(self._now())
            await self.background.begin()

    async def _end_late(self) -> None:
        try:
            await self.close_expired()
        except StoreError as error:
            log.warning("Deals of a day that is over are closed later: %s", error)

    async def close_expired(self) -> None:
        """Close the tables at which a deal can be finished no more. May raise StoreError."""
        for table in await self._store.overdue_tries(self._now()):
            await (await self._tables.get(table)).do(Close())

    async def sheet(self, user: UserId, guild: GuildId | None, day: date) -> Sheet:
        """Return what somebody may read of a day where they look."""
        own, found = await self._store.try_of(user, day), await self._store.tried(day)
        rules, table = daily_rules(day), await self._tables.get(own.table) if own else None
        house, played = own.house if own else HOUSE_VERSION, await self._store.days_tried(user)
        told = {points: _standing(rules, points) for points in {one.points for one in found}}
        stands = {one.user: told[one.points] for one in found if one.house == house}
        mine, state = stands.get(user), state_of(table)
        still, late = await self._store.day_is_played(day, self._now()), await self._store.late_day(user, self._now())
        closed = still and state in {"new", "begun"}
        here = [one for one in found if guild is not None and one.guild == guild and not closed]
        return Sheet(
            day, rules.game, rules.preset, state, day == self.today, own.table if own else None,
            next((one.place for one in found if one.user == user), 0), mine,
            _tricks_won(table) if mine is not None and table else (),
            len(found), sum(other > mine for other in stands.values()) if mine is not None else 0,
            _lines(here, stands, user), tuple(day - DAY * ago in played for ago in reversed(range(DAYS_SHOWN))),
            _streak(played, day), still, late,
        )  # fmt: skip

    async def may_watch(self, user: UserId, guild: GuildId | None, table: TableId) -> bool:
        """Tell whether somebody may step through another one's try: who is listed where they look, in time."""
        theirs = await self._store.try_at(table)
        if theirs is None:
            return False
        lines = (await self.sheet(user, guild, theirs.day)).lines
        return any(line.table == table for line in lines)


def _standing(rules: Ruleset, points: int) -> int:
    """Return points as they are told: more is better, whatever the game counts."""
    return stands_of(rules.rules, (points,) * SEATS)[0]


def _tricks_won(table: Table) -> tuple[bool, ...]:
    """Return which tricks the person at a table took."""
    tricks = table.match.view(None).ended_tricks if table.match else ()
    return tuple(trick.owner == 0 for trick in tricks)


def _lines(found: Sequence[Tried], stands: dict[UserId, int], user: UserId) -> tuple[Line, ...]:
    """Return the sheet: whoever wants to be seen, and the one who looks."""
    listed = [one for one in found if one.user in stands and (one.listed or one.user == user)]
    order = sorted(listed, key=lambda one: -stands[one.user])
    places = dict[int, int]()
    for place, one in enumerate(order, 1):
        places.setdefault(stands[one.user], place)
    return tuple(Line(one.user, one.name, one.table, places[at], at) for one in order for at in (stands[one.user],))


def _streak(days: Sequence[date], day: date) -> int:
    """Return how many days in a row end with this one, or with the day before where it is still to come."""
    known = set(days)
    last = day if day in known else day - DAY
    return next(number for number in count() if last - DAY * number not in known)
