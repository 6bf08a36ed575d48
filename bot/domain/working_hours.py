"""The working hours of a player: when clocks run, between sleep, days off and vacations.

Also counts how many players of a table are available at each hour. Pure arithmetic between UTC and local time: from a
moment and a span of active time to the end of that span, and back. A night lasts from the first moment at which local
time reaches bedtime to the first at which local time reaches the hour of getting up, so a day of 23 or 25 hours has one
night. Common hours count only players who share their hours, because a count that included a hidden player would reveal
that player's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Self, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.message_ids import N_
from bot.domain.refusals import Refused

Span: TypeAlias = tuple[datetime, datetime]  # start and end

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
STRIDE: Final = 2 * DAY  # the span computed at once
LONGEST_NIGHT: Final = 12  # hours
SHORTEST_NIGHT: Final = 3  # hours, so that daylight saving time cannot skip a night
MAX_DAYS_OFF: Final = 2  # days off per week
VACATION_DAYS_PER_YEAR: Final = 21  # days of vacation per year
HOURS_RETENTION: Final = 400 * DAY  # how long past hours are stored
TOO_SOON = N_("A vacation can't start before tomorrow.")
BACKWARDS = N_("A vacation can't end before it starts.")
TWICE = N_("You already have a vacation then.")
TOO_LONG = N_("You get {budget} vacation days a year, and you have {left} left in {year}.")


@dataclass(frozen=True, slots=True)
class Hours:
    """A player's weekly hours from a moment on.

    zone: an IANA time zone. bed: the hour of bedtime; night: its length in hours, 0 for none. off: days off, Monday is
    0.
    """

    since: datetime
    zone: str
    _: KW_ONLY
    bed: int = 23
    night: int = 0
    off: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation from its first to its last day, both included, in local time."""

    first: date
    last: date

    @property
    def days(self) -> tuple[date, ...]:
        """All days of the vacation."""
        return tuple(self.first + DAY * n for n in range((self.last - self.first).days + 1))

    def overlaps(self, other: Vacation) -> bool:
        """Tell whether two vacations have a common day."""
        return other.first <= self.last and self.first <= other.last


@dataclass(frozen=True, slots=True)
class WorkSchedule:
    """A player's working hours: always, unless the player has chosen hours.

    hours: in chronological order. vacations: in order. outages: times at which nobody could play, in order. shared:
    whether players at the same table may see the sleeping hours.
    """

    hours: tuple[Hours, ...] = ()
    vacations: tuple[Vacation, ...] = ()
    outages: tuple[Span, ...] = ()
    shared: bool = False

    def working(self, *, vacations: bool) -> Self:
        """Return the working hours for a table with or without vacations."""
        return self if vacations else replace(self, vacations=())

    # Elapsed time

    def runs_out(self, since: datetime, active: timedelta) -> datetime:
        """Return the end of a span of active time that begins at a moment."""
        for start, end in self._active_spans(since):
            if end - start > active:
                return start + active
            active -= end - start
        raise AssertionError("the calendar has no end")

    def active(self, since: datetime, until: datetime) -> timedelta:
        """Return the active time between two moments."""
        resting = sum((end - start for start, end in self.rests(since, until)), timedelta())
        return max(until - since, timedelta()) - resting

    def end_of_rest(self, now: datetime) -> datetime | None:
        """Return the end of the current rest; None during working hours."""
        start, _ = next(self._active_spans(now))
        return None if start == now else start

    def rests(self, since: datetime, until: datetime) -> list[Span]:
        """Return the rests between two moments, in order."""
        rests = [
            (max(start, since), min(end, until))
            for start, end in (*self._own_rests(since, until), *self.outages)
            if start < until and end > since
        ]
        return _merged(rests)

    def _active_spans(self, since: datetime) -> Iterator[Span]:
        """Yield the active spans from a moment on, without end."""
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
        """Yield the nights and free days near these moments, by one choice of hours."""
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
        """Tell whether a day is free.

        A move to the west does not repeat a day off of the same date.
        """
        return any(away.first <= day <= away.last for away in self.vacations) or (
            day.weekday() in hours.off and self._off_before(day) < MAX_DAYS_OFF and not self._lived(day, hours)
        )

    def _lived(self, day: date, hours: Hours) -> bool:
        """Tell whether a day had already begun by the clock of the earlier hours."""
        before = [earlier for earlier in self.hours if earlier.since < hours.since]
        return bool(before) and (hours.since - SECOND).astimezone(zone_of(before[-1].zone)).date() >= day

    def _off_before(self, day: date) -> int:
        """Count the earlier days off in the same week: changing the days off must not add any."""
        before = (day - DAY * n for n in range(1, day.weekday() + 1))
        return sum(each.weekday() in hours.off for each in before if (hours := self._on(each)))

    def _on(self, day: date) -> Hours | None:
        """Return the hours valid on a day, None before the first."""
        begun = [hours for hours in self.hours if hours.since.astimezone(zone_of(hours.zone)).date() <= day]
        return begun[-1] if begun else None

    # Changes

    def at(self, now: datetime) -> Hours | None:
        """Return the hours valid now, None before the first."""
        begun = [hours for hours in self.hours if hours.since <= now]
        return begun[-1] if begun else None

    @property
    def chosen(self) -> Hours | None:
        """The latest chosen hours, even if valid only from tomorrow on."""
        return self.hours[-1] if self.hours else None

    def with_hours(self, new: Hours, now: datetime) -> Self:
        """Return the working hours with new hours from tomorrow on; the time in `new` is ignored.

        Tomorrow begins by the clock valid now, and all hours are valid for at least a day, so that repeated changes
        cannot shorten a day. Nor can they let a player sleep for more than half of the time: if the change would put
        two long nights around a short day, the new hours wait until there were as many days as nights.
        """
        begun = tuple(hours for hours in self.hours if hours.since <= now)
        current = begun[-1] if begun else None
        since = self.tomorrow(max(now, current.since + DAY - SECOND) if current else now, current or new)
        if current and self._asleep(current, since) > (since - current.since) / 2:
            since = current.since + -(-(since - current.since) // DAY) * DAY
        past = tuple(hours for hours in begun[:-1] if hours.since > now - HOURS_RETENTION)
        return replace(self, hours=(*past, *begun[-1:], replace(new, since=since)))

    @staticmethod
    def _asleep(hours: Hours, until: datetime) -> timedelta:
        """Return the time asleep under these hours, from their start until a moment."""
        return until - hours.since - WorkSchedule((replace(hours, off=()),)).active(hours.since, until)

    @staticmethod
    def tomorrow(now: datetime, hours: Hours) -> datetime:
        """Return the beginning of the next day in local time."""
        zone = zone_of(hours.zone)
        return midnight(now.astimezone(zone).date() + DAY, zone)

    def today(self, now: datetime) -> date:
        """Return the current date in local time."""
        hours = self.at(now) or self.chosen
        return now.astimezone(zone_of(hours.zone) if hours else UTC).date()

    def is_on_vacation(self, now: datetime) -> bool:
        """Tell whether a vacation includes today."""
        today = self.today(now)
        return any(away.first <= today <= away.last for away in self.vacations)

    def days_left(self, year: int) -> int:
        """Return the remaining days of vacation in a year."""
        return VACATION_DAYS_PER_YEAR - sum(day.year == year for away in self.vacations for day in away.days)

    def with_vacation(self, away: Vacation, now: datetime) -> Self:
        """Return the working hours with a vacation.

        Raises Refused if the vacation is too long, too soon or overlaps another.
        """
        if away.first <= self.today(now):
            raise Refused(TOO_SOON)
        if away.last < away.first:
            raise Refused(BACKWARDS)
        if away.last - away.first > 2 * VACATION_DAYS_PER_YEAR * DAY:
            raise Refused(
                TOO_LONG, budget=VACATION_DAYS_PER_YEAR, left=self.days_left(away.first.year), year=away.first.year
            )
        if any(map(away.overlaps, self.vacations)):
            raise Refused(TWICE)
        for year in (away.first.year, away.last.year):
            if (left := self.days_left(year)) < sum(day.year == year for day in away.days):
                raise Refused(TOO_LONG, budget=VACATION_DAYS_PER_YEAR, left=left, year=year)
        return replace(self, vacations=tuple(sorted((*self.vacations, away), key=lambda vacation: vacation.first)))

    def back(self, now: datetime) -> Self:
        """Return the working hours with all vacations ended today."""
        today = self.today(now)
        begun = (replace(away, last=min(away.last, today)) for away in self.vacations if away.first <= today)
        return replace(self, vacations=tuple(begun))


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone; UTC if the time zone database no longer has the name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the beginning of a day in a zone."""
    return at_hour(datetime.combine(day, time()), zone)


def at_hour(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the first moment at which local time reaches a time, or passes a skipped time."""
    first = wall.replace(tzinfo=zone).astimezone(UTC)
    if _shown(first, zone) == wall:
        return first
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    while first - before > SECOND:
        middle = before + (first - before) // 2 // SECOND * SECOND
        before, first = (middle, first) if _shown(middle, zone) < wall else (before, middle)
    return first


def _shown(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the local time."""
    return moment.astimezone(zone).replace(tzinfo=None)


def _merged(spans: list[Span]) -> list[Span]:
    """Return spans in order, with touching spans merged."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


AvailabilityRow: TypeAlias = tuple[bool, ...]  # by hour of the viewer's day, whether a player is available
HOURS = 24


@dataclass(frozen=True, slots=True)
class CommonHours:
    """The number of available players at each hour of a day.

    counted: the number of players counted. hidden: players who keep their hours private. silent: players without hours.
    """

    count: tuple[int, ...]
    counted: int
    hidden: int
    silent: int

    @property
    def best(self) -> tuple[tuple[int, int], ...]:
        """The spans of hours with the most players, start and end, longest first.

        A span may pass midnight.
        """
        most = max(self.count)
        is_best = [number == most for number in self.count]
        if all(is_best):
            return ((0, HOURS),)
        starts = [at for at in range(HOURS) if is_best[at] and not is_best[at - 1]]
        spans = [(at, next(end for end in range(at, at + HOURS) if not is_best[end % HOURS])) for at in starts]
        return tuple(sorted(spans, key=lambda span: span[0] - span[1]))


def hourly_availability(day: WorkSchedule, midnight: datetime) -> AvailabilityRow:
    """Return for each hour of a day whether a player is available for most of it.

    midnight: the day's beginning.
    """
    return tuple(day.active(at, at + HOUR) > HOUR / 2 for at in (midnight + n * HOUR for n in range(HOURS)))


def common_hours(own: WorkSchedule, others: Sequence[WorkSchedule], midnight: datetime) -> CommonHours:
    """Return the common hours of a table. own: the viewer's. others: the other players'."""
    with_hours = [day for day in others if day.hours]
    counted = [own, *(day for day in with_hours if day.shared)]
    rows = [hourly_availability(day, midnight) for day in counted]
    count = tuple(sum(hour) for hour in zip(*rows, strict=True))
    return CommonHours(count, len(counted), len(with_hours) + 1 - len(counted), len(others) - len(with_hours))
