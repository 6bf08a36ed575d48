"""The hours of a person: asleep, on days off, on vacation, or there. And how many players of a table have time when.

Pure arithmetic between UTC and a wall clock: from a moment and a span of active time to the end of that span, and back.
A night lasts from the first moment at which the wall clock shows bedtime to the first at which it shows the hour of
getting up, so a day of 23 or 25 hours has one night. The hours of several people count only those who share theirs,
since a number that contained a hidden person would tell of that person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Self, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.refusals import Refused

Span: TypeAlias = tuple[datetime, datetime]  # from, and up to

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
STRIDE: Final = 2 * DAY  # looked at in one go
LONGEST_NIGHT: Final = 12  # hours
SHORTEST_NIGHT: Final = 3  # hours, so that no clock that is put forward leaves a night out
MOST_OFF: Final = 2  # days off in a week
BUDGET: Final = 21  # days of vacation in a year
KEPT: Final = 400 * DAY  # for which it is remembered what hours somebody had
TOO_SOON = "A vacation begins tomorrow at the earliest."
BACKWARDS = "The last day of a vacation cannot be before its first."
TWICE = "You have a vacation then already."
TOO_LONG = "There are {budget} days of vacation in a year, and you have {left} left in {year}."


@dataclass(frozen=True, slots=True)
class Hours:
    """What somebody's days are like from a moment on.

    zone: by the name that IANA gives it. bed: the hour at which they go to bed; night: so many hours, 0 for none. off:
    the days of the week on which they have no time, Monday being 0.
    """

    since: datetime
    zone: str
    bed: int = 23
    night: int = 0
    off: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days on which somebody is away, both of them included, by the clock on their wall."""

    first: date
    last: date

    @property
    def days(self) -> tuple[date, ...]:
        """All of its days."""
        return tuple(self.first + DAY * n for n in range((self.last - self.first).days + 1))

    def overlaps(self, other: Vacation) -> bool:
        """Tell whether a day is in both."""
        return other.first <= self.last and self.first <= other.last


@dataclass(frozen=True, slots=True)
class Day:
    """When somebody's day runs: always, as long as they have said nothing.

    hours: in the order in which they begin. vacations: in order. outages: times at which nobody could play, in order.
    shared: whether those with whom they sit may see when they sleep.
    """

    hours: tuple[Hours, ...] = ()
    vacations: tuple[Vacation, ...] = ()
    outages: tuple[Span, ...] = ()
    shared: bool = False

    def working(self, *, vacations: bool) -> Self:
        """Return these days as they are at a table, where vacations hold or not."""
        return self if vacations else replace(self, vacations=())

    # From a moment on

    def runs_out(self, since: datetime, active: timedelta) -> datetime:
        """Return when so much active time is over that begins to run at a moment."""
        for start, end in self._runs(since):
            if end - start > active:
                return start + active
            active -= end - start
        raise AssertionError("somebody's days go on for ever")

    def active(self, since: datetime, until: datetime) -> timedelta:
        """Return how much active time there is between two moments."""
        resting = sum((end - start for start, end in self.rests(since, until)), timedelta())
        return max(until - since, timedelta()) - resting

    def resting(self, now: datetime) -> datetime | None:
        """Return until when somebody's day stands still that does so now, None where it runs."""
        runs, _ = next(self._runs(now))
        return None if runs == now else runs

    def rests(self, since: datetime, until: datetime) -> list[Span]:
        """Return when their day stands still between two moments, in order."""
        found = [
            (max(start, since), min(end, until))
            for start, end in (*self._own_rests(since, until), *self.outages)
            if start < until and end > since
        ]
        return _merged(found)

    def _runs(self, since: datetime) -> Iterator[Span]:
        """Yield when their day runs from a moment on, without end."""
        at = since
        while True:
            until = at + STRIDE
            for start, end in self.rests(at, until):
                if start > at:
                    yield at, start
                at = end
            if until > at:
                yield at, until
            at = until

    def _own_rests(self, since: datetime, until: datetime) -> Iterator[Span]:
        ends = [hours.since for hours in self.hours[1:]]
        for hours, end in zip(self.hours, (*ends, None), strict=False):
            low, high = max(since, hours.since), until if end is None else min(until, end)
            if low < high:
                for start, stop in self._rests_by(hours, low, high):
                    if start < high and stop > low:
                        yield max(start, low), min(stop, high)

    def _rests_by(self, hours: Hours, since: datetime, until: datetime) -> Iterator[Span]:
        """Yield the nights and free days near these moments, as long as these hours hold."""
        zone = zone_of(hours.zone)
        day, last = since.astimezone(zone).date() - DAY, until.astimezone(zone).date()
        while day <= last:
            if hours.night:
                bed = datetime.combine(day, time(hours.bed))
                yield at_hour(bed, zone), at_hour(bed + hours.night * HOUR, zone)
            if self._free(day, hours):
                yield midnight(day, zone), midnight(day + DAY, zone)
            day += DAY

    def _free(self, day: date, hours: Hours) -> bool:
        """Tell whether they have no time on a day; whoever moves west has no second one of the same date off."""
        return any(away.first <= day <= away.last for away in self.vacations) or (
            day.weekday() in hours.off and self._off_before(day) < MOST_OFF and not self._lived(day, hours)
        )

    def _lived(self, day: date, hours: Hours) -> bool:
        """Tell whether a day had begun already where somebody was before these hours held."""
        before = [held for held in self.hours if held.since < hours.since]
        return bool(before) and (hours.since - SECOND).astimezone(zone_of(before[-1].zone)).date() >= day

    def _off_before(self, day: date) -> int:
        """Count the days off earlier in the same week, for whoever moves them about has no more of them."""
        before = (day - DAY * n for n in range(1, day.weekday() + 1))
        return sum(each.weekday() in hours.off for each in before if (hours := self._on(each)))

    def _on(self, day: date) -> Hours | None:
        """Return the hours that hold on a day, None before there were any."""
        begun = [hours for hours in self.hours if hours.since.astimezone(zone_of(hours.zone)).date() <= day]
        return begun[-1] if begun else None

    # What is chosen

    def at(self, now: datetime) -> Hours | None:
        """Return the hours that hold now, None where there are none yet."""
        begun = [hours for hours in self.hours if hours.since <= now]
        return begun[-1] if begun else None

    @property
    def chosen(self) -> Hours | None:
        """The hours that were chosen last, be it that they hold only from tomorrow on."""
        return self.hours[-1] if self.hours else None

    def with_hours(self, new: Hours, now: datetime) -> Self:
        """Return the days of somebody who has other hours from tomorrow on. The moment in what is new is not looked at.

        Tomorrow begins by the clock that holds now, and no hours hold for less than a day, so that nobody's day is cut
        short by moving on and on. Nor does anybody sleep for more than half of the time by that: whoever would have two
        long nights with a short day between them waits until as many days are over as there were nights.
        """
        begun = tuple(hours for hours in self.hours if hours.since <= now)
        held = begun[-1] if begun else None
        since = self.tomorrow(max(now, held.since + DAY - SECOND) if held else now, held or new)
        if held and self._asleep(held, since) > (since - held.since) / 2:
            since = held.since + -(-(since - held.since) // DAY) * DAY
        kept = tuple(hours for hours in begun[:-1] if hours.since > now - KEPT)
        return replace(self, hours=(*kept, *begun[-1:], replace(new, since=since)))

    @staticmethod
    def _asleep(hours: Hours, until: datetime) -> timedelta:
        """Return how long somebody sleeps by these hours, as long as they hold."""
        return until - hours.since - Day((replace(hours, off=()),)).active(hours.since, until)

    @staticmethod
    def tomorrow(now: datetime, hours: Hours) -> datetime:
        """Return when the next day begins by the clock on somebody's wall."""
        zone = zone_of(hours.zone)
        return midnight(now.astimezone(zone).date() + DAY, zone)

    def today(self, now: datetime) -> date:
        """Return which day it is where somebody is."""
        hours = self.at(now) or self.chosen
        return now.astimezone(zone_of(hours.zone) if hours else UTC).date()

    def days_left(self, year: int) -> int:
        """Return how many days of vacation there are still in a year."""
        return BUDGET - sum(day.year == year for away in self.vacations for day in away.days)

    def with_vacation(self, away: Vacation, now: datetime) -> Self:
        """Return the days of somebody who will be away. Raises Refused where that is too much, or too soon."""
        if away.first <= self.today(now):
            raise Refused(TOO_SOON)
        if away.last < away.first:
            raise Refused(BACKWARDS)
        if away.last - away.first > 2 * BUDGET * DAY:
            raise Refused(TOO_LONG, budget=BUDGET, left=self.days_left(away.first.year), year=away.first.year)
        if any(map(away.overlaps, self.vacations)):
            raise Refused(TWICE)
        for year in (away.first.year, away.last.year):
            if (left := self.days_left(year)) < sum(day.year == year for day in away.days):
                raise Refused(TOO_LONG, budget=BUDGET, left=left, year=year)
        return replace(self, vacations=tuple(sorted((*self.vacations, away), key=lambda known: known.first)))

    def back(self, now: datetime) -> Self:
        """Return the days of somebody who is away no more from tomorrow on."""
        today = self.today(now)
        begun = (replace(away, last=min(away.last, today)) for away in self.vacations if away.first <= today)
        return replace(self, vacations=tuple(begun))


def zone_of(name: str) -> ZoneInfo:
    """Return a zone; UTC where a later edition of the world's zones has lost it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return when a day begins in a zone."""
    return at_hour(datetime.combine(day, time()), zone)


def at_hour(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the first moment at which the clock on the wall shows this, or more where it leaves that out."""
    first = wall.replace(tzinfo=zone).astimezone(UTC)
    if _shown(first, zone) == wall:
        return first
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    while first - before > SECOND:
        middle = before + (first - before) // 2 // SECOND * SECOND
        before, first = (middle, first) if _shown(middle, zone) < wall else (before, middle)
    return first


def _shown(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows."""
    return moment.astimezone(zone).replace(tzinfo=None)


def _merged(spans: list[Span]) -> list[Span]:
    """Return spans in order, those that touch made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


Row: TypeAlias = tuple[bool, ...]  # by hour of the viewer's day, whether somebody has time
HOURS = 24


@dataclass(frozen=True, slots=True)
class Together:
    """How many have time at each hour of a day.

    counted: of how many. hidden: how many keep theirs to themselves. silent: how many have said nothing.
    """

    count: tuple[int, ...]
    counted: int
    hidden: int
    silent: int

    @property
    def best(self) -> tuple[tuple[int, int], ...]:
        """The hours at which most have time, from and up to, the longest first; over midnight they go on."""
        most = max(self.count)
        there = [number == most for number in self.count]
        if all(there):
            return ((0, HOURS),)
        starts = [at for at in range(HOURS) if there[at] and not there[at - 1]]
        spans = [(at, next(end for end in range(at, at + HOURS) if not there[end % HOURS])) for at in starts]
        return tuple(sorted(spans, key=lambda span: span[0] - span[1]))


def row(day: Day, midnight: datetime) -> Row:
    """Return at which hours of a day that begins then somebody has time, for most of the hour."""
    return tuple(day.active(at, at + HOUR) > HOUR / 2 for at in (midnight + n * HOUR for n in range(HOURS)))


def together(own: Day, others: Sequence[Day], midnight: datetime) -> Together:
    """Return how many have time. own: of who looks. others: of everybody else who sits there."""
    said = [day for day in others if day.hours]
    counted = [own, *(day for day in said if day.shared)]
    rows = [row(day, midnight) for day in counted]
    count = tuple(sum(hour) for hour in zip(*rows, strict=True))
    return Together(count, len(counted), len(said) + 1 - len(counted), len(others) - len(said))
