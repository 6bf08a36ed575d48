"""A match at a slow table in virtual time: people in several zones visit, play, queue premoves, and leave.

Table, premoves, clocks, notices and store are real; time and people are simulated.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.ai.plain import plain_action, timeout_action
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.pace import RELAXED
from bot.domain.working_hours import Hours, WorkSchedule
from bot.games import GAMES
from bot.rules.core.asks import Ready, read_action
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.store.store import Store
from bot.table.core.commands import Act, Join, Ring, SavePremove, Start
from bot.table.core.state import record_of
from bot.table.environment import Environment
from bot.table.registry import Host, TableRegistry, TableRequest
from bot.table.table import Table
from tests.bench.foresight import possible_premoves
from tests.bench.post import SimulatedNotices

ZONES = ("Asia/Manila", "Europe/Berlin", "America/Toronto", "Pacific/Auckland", "America/Sao_Paulo")
VISIT_TIMES = (time(7, 40), time(12, 50), time(20, 30))  # local times of visits
VISIT_SPREAD, VISIT_LENGTH, THINKING_TIME = timedelta(minutes=50), timedelta(minutes=10), timedelta(seconds=15)
BEDTIME, NIGHT_HOURS = 23, 8  # hour of the day, and hours of sleep
HOUSE_DELAY = 1.9  # seconds; the delay of a premove derives from it
MONDAY = datetime(2026, 11, 2, tzinfo=UTC)
MAX_MATCH_TIME = timedelta(days=120)
GUILD, CHANNEL = GuildId(1), ChannelId(2)


@dataclass(frozen=True)
class Kind:
    """A configuration to compare. ordering: who queues premoves, by seat in turn. sleep: with working hours."""

    name: str
    ordering: tuple[bool, ...]
    sleep: bool = True

    def orders(self, seat: int) -> bool:
        """Whether the player on this seat queues premoves."""
        return self.ordering[seat % len(self.ordering)]


@dataclass
class Tally:
    """Results of the matches of one deal.

    days: per hand. points: by seed, higher is better. by: who acted; other: premoves that differ from the answer to a
    question. asleep: timeouts while the player slept. notices: to all persons.
    """

    days: list[float] = field(default_factory=list)
    points: dict[int, tuple[int, ...]] = field(default_factory=dict)
    by: Counter[str] = field(default_factory=Counter)
    other: int = 0
    asleep: int = 0
    notices: int = 0
    person_days: float = 0.0

    def add(self, one: Tally) -> None:
        """Add the results of another match."""
        self.days += one.days
        self.points |= one.points
        self.by += one.by
        self.other += one.other
        self.asleep += one.asleep
        self.notices += one.notices
        self.person_days += one.person_days


class NullObject:
    """Ignores all calls."""

    def __getattr__(self, name: str) -> object:
        """Return a function that does nothing."""
        return lambda *_words, **_values: None


@dataclass
class Person:
    """A player with visits. there: end of the present visit. said: ply of the last premove."""

    user: UserId
    zone: ZoneInfo
    day: WorkSchedule
    looks: Iterator[datetime]
    next: datetime
    there: datetime = MONDAY
    said: int = -1


def people(count: int, rng: random.Random) -> list[Person]:
    """Return that many persons, each in another zone."""
    made = []
    for number in range(count):
        zone = ZoneInfo(ZONES[number % len(ZONES)])
        day = WorkSchedule((Hours(MONDAY - timedelta(days=30), zone.key, bed=BEDTIME, night=NIGHT_HOURS),))
        looks = visit_times(zone, rng)
        made.append(Person(UserId(100 + number), zone, day, looks, next(looks)))
    return made


def visit_times(zone: ZoneInfo, rng: random.Random) -> Iterator[datetime]:
    """Yield the visits of a player, from Monday on."""
    day = MONDAY.astimezone(zone).date()
    while True:
        for at in VISIT_TIMES:
            when = datetime.combine(day, at, zone) + VISIT_SPREAD * rng.uniform(-1, 1)
            if when.astimezone(UTC) > MONDAY:
                yield when.astimezone(UTC)
        day += timedelta(days=1)


class SlowMatch:
    """One match in virtual time."""

    def __init__(self, kind: Kind, game: str, preset: str, seed: int, path: Path) -> None:
        self.kind, self.game, self.preset, self.seed, self.path = kind, game, preset, seed, path
        self.now = MONDAY
        self.rng = random.Random(seed)
        self.tally = Tally()
        self.told: TableRow | None = None  # the row of the last published state

    async def play(self) -> Tally:
        """Play a match to its end; return the result."""
        self.store = await Store.open(self.path, lambda: self.now)
        try:
            await self._play()
        finally:
            await self.store.close()
        return self.tally

    async def _play(self) -> None:
        around = Environment(self.store, NullObject(), lambda: self.now, lambda _at: None, house_delay=HOUSE_DELAY)  # type: ignore[arg-type]
        tables = TableRegistry(around, lambda: str(self.seed))
        known = GAMES[self.game]
        rules = Ruleset.of(known, self.preset, known.wish(self.preset, {}, hands=1))
        self.people = people(rules.rules.players, self.rng)
        for person in self.people if self.kind.sleep else ():
            await self.store.people.save_working_hours(person.user, person.day)
        self.post = SimulatedNotices(
            self.store, lambda: self.now, lambda _table, user: self._person(user).there > self.now
        )
        await self.post.start(tables)
        first, *others = self.people
        self.table = await tables.open(Host(GUILD, CHANNEL, first.user, "0"), TableRequest(rules, RELAXED))
        for person in others:
            await self.table.do(Join(person.user, "p", self.table.row.edition))
        await self.table.do(Start(first.user, None, self.table.row.edition))
        began = self.now
        while self.table.row.phase == "playing" and self.now - began < MAX_MATCH_TIME:
            await self._next(tables)
        self._count(self.table, began)

    async def _next(self, tables: TableRegistry) -> None:
        """Advance to the next event: a visit, an action of a visiting player, or the clock of the table."""
        table, due, tells = self.table, await self.store.clock.next_due(), await self.post.next()
        awaited = [person for person in self.people if self._waits_for(person)]
        there = [person for person in awaited if person.there > self.now]
        comes = min(self.people, key=lambda person: person.next)
        acts = self.now + THINKING_TIME if there else None
        at = min(filter(None, (due, tells, comes.next, acts)))
        self.now = max(self.now, at)
        if at == due:
            for number in await self.store.clock.due(self.now):
                await (await tables.get(number)).do(Ring())
        elif at == tells:
            await self.post.ring()
        elif at == acts:
            await self._act(there[0])
        else:
            comes.there, comes.next = self.now + VISIT_LENGTH, next(comes.looks)
        await table.wait_until_idle(0)
        await self._order()
        if self.told is not table.row:
            self.told = table.row
            await self.post.update(table)

    def _waits_for(self, person: Person) -> bool:
        """Whether the table waits for an action of this person."""
        seat = next(chair.seat for chair in self.table.row.chairs if chair.user == person.user)
        if self.table.row.premove_at or self.table.row.phase != "playing" or self.table.row.chairs[seat].house:
            return False
        match = self.table.match
        return match is not None and seat in match.awaited and not self._answered(person)

    def _answered(self, person: Person) -> bool:
        """Whether an asked player has already answered."""
        return self.table.scene(person.user).together and not self.table.scene(person.user).wanted

    async def _act(self, person: Person) -> None:
        """Act as a house player would."""
        view = self.table.scene(person.user).view
        assert view is not None
        action = Ready() if view.result else plain_action(view) or timeout_action(view)
        await self.table.do(Act(person.user, action))

    async def _order(self) -> None:
        """Queue premoves for the idle players of a table."""
        here = [person for person in self.people if person.there > self.now]
        if not here or self.table.match is None or self.table.match.game.result:
            return
        for person in here:
            if person.said == self.table.state.ply:
                continue
            person.said = self.table.state.ply
            seat = next(chair.seat for chair in self.table.row.chairs if chair.user == person.user)
            chair, view = self.table.row.chairs[seat], self.table.scene(person.user).view
            if view is None or chair.house or not self.kind.orders(seat) or seat in self.table.match.awaited:
                continue
            for said in possible_premoves(view):
                await self.table.do(SavePremove(person.user, kind=said.kind, plays=said.plays))

    def _person(self, user: UserId) -> Person:
        return next(person for person in self.people if person.user == user)

    def _count(self, table: Table, began: datetime) -> None:
        """Count the results of the match."""
        row, tally = table.row, self.tally
        tally.days.append((self.now - began) / timedelta(days=1))
        tally.notices = self.post.sent
        tally.person_days = len(self.people) * tally.days[0]
        match = record_of(table.row).begin()
        for step in row.steps:
            action = read_action(step.action)
            tally.by[step.by] += 1
            if step.by == "order":
                tally.other += plain_action(match.view(step.seat)) != action
            owner = self.people[step.seat]
            if step.by == "clock" and match.game.result is None and owner.day.end_of_rest(step.at):
                tally.asleep += 1
            match = match.act(step.seat, action)
        tally.points[self.seed] = table.scene(None).tally.course[-1].stands
