"""Working hours in all time zones, compared with a minute-by-minute count by the wall clock.

The count goes through nights and days off minute by minute, and shares no code with the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.refusals import Refused
from bot.domain.working_hours import VACATION_DAYS_PER_YEAR, Hours, Vacation, WorkSchedule
from tests.support.law_settings import law_examples

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LONG_AGO = datetime(1990, 1, 1, tzinfo=UTC)
# Around these moments the clocks of that zone do something, in UTC.
CHANGES: Final = {
    "Europe/Berlin": ("2026-03-29 01:00", "2026-10-25 01:00"),
    "America/Toronto": ("2026-03-08 07:00", "2026-11-01 06:00"),
    "Pacific/Auckland": ("2026-04-04 14:00", "2026-09-26 14:00"),
    "America/Santiago": ("2026-04-05 03:00", "2026-09-06 04:00"),
    "Australia/Lord_Howe": ("2026-04-04 15:00", "2026-10-03 15:30"),  # by half an hour
    "Asia/Kolkata": ("2026-05-01 00:00",),  # half an hour beside the others
    "Asia/Kathmandu": ("2026-05-01 00:00",),
    "Asia/Manila": ("2026-05-01 00:00",),
    "Asia/Beirut": ("2026-03-28 22:00", "2026-10-24 21:00"),  # at midnight
    "America/Havana": ("2026-03-08 05:00", "2026-11-01 05:00"),
    "Africa/Casablanca": ("2026-02-15 02:00", "2026-03-22 02:00"),  # in Ramadan
    "Asia/Pyongyang": ("2018-05-04 15:00",),  # changed its rules
    "Europe/Istanbul": ("2016-09-06 21:00", "2016-03-27 01:00"),
    "Pacific/Apia": ("2011-12-30 10:00",),  # left a whole day out
    "Antarctica/Troll": ("2026-03-29 01:00", "2026-10-25 01:00"),  # by two hours
}


@st.composite
def lives(draw: st.DrawFn) -> tuple[Hours, datetime]:
    """A person's hours, and a moment near a change of their clocks."""
    zone = draw(st.sampled_from(sorted(CHANGES)))
    around = datetime.fromisoformat(f"{draw(st.sampled_from(CHANGES[zone]))}Z")
    off = draw(st.sets(st.integers(0, 6), max_size=2))
    night = draw(st.sampled_from([0, *range(3, 13)]))
    hours = Hours(LONG_AGO, zone, bed=draw(st.integers(0, 23)), night=night, off=tuple(sorted(off)))
    return hours, around + draw(st.integers(-40 * 60, 20 * 60)) * MINUTE


def awake(hours: Hours, since: datetime, minutes: int, away: tuple[date, ...] = ()) -> list[bool]:
    """Whether a player has time, minute by minute: they go by the latest that the clock on their wall has shown."""
    zone, latest, found = ZoneInfo(hours.zone), datetime.min, []  # noqa: DTZ901  # on a wall
    for minute in range(-3 * 60, minutes):
        at = since + minute * MINUTE
        latest = max(latest, at.astimezone(zone).replace(tzinfo=None))
        asleep = (latest.hour - hours.bed) % 24 < hours.night
        free = latest.weekday() in hours.off or latest.date() in away
        found.append(not asleep and not free)
    return found[3 * 60 :]


@law_examples(20)
@given(lives(), st.integers(1, 40 * 60))
def test_active_time_matches_a_minute_by_minute_count(life: tuple[Hours, datetime], minutes: int) -> None:
    hours, since = life
    expected = sum(awake(hours, since, minutes))
    assert WorkSchedule((hours,)).active(since, since + minutes * MINUTE) == expected * MINUTE


@law_examples(20)
@given(lives(), st.integers(1, 20 * 60))
def test_a_clock_expires_after_its_active_minutes(life: tuple[Hours, datetime], minutes: int) -> None:
    hours, since = life
    ran = awake(hours, since, minutes + 5 * 24 * 60)
    gone = [at for at, there in enumerate(ran) if there]  # the minutes that count
    assert WorkSchedule((hours,)).runs_out(since, minutes * MINUTE) == since + gone[minutes] * MINUTE


@law_examples(60)
@given(lives(), st.integers(0, 3 * 24 * 60), st.integers(0, 3 * 24 * 60), st.integers(0, 3 * 24 * 60))
def test_active_time_is_additive(life: tuple[Hours, datetime], a: int, b: int, lost: int) -> None:
    hours, since = life
    outage = (since + a * MINUTE, since + (a + lost) * MINUTE)
    day = WorkSchedule((hours,), outages=(outage,))
    middle, end = since + a * MINUTE, since + (a + b) * MINUTE
    assert day.active(since, middle) + day.active(middle, end) == day.active(since, end)
    left = 90 * MINUTE
    runs_out = day.runs_out(since, left)
    assert day.active(since, runs_out) == left
    assert day.end_of_rest(runs_out) is None
    assert not outage[0] <= runs_out < outage[1]
    used = day.active(since, middle)
    if used <= left and middle <= runs_out:
        assert day.runs_out(middle, left - used) == runs_out


@law_examples(60)
@given(lives())
def test_each_day_has_one_night(life: tuple[Hours, datetime]) -> None:
    hours, since = life
    day = WorkSchedule((Hours(LONG_AGO, hours.zone, bed=hours.bed, night=hours.night or 8),))
    nights = day.rests(since, since + 4 * DAY)
    whole = [end - start for start, end in nights if start > since and end < since + 4 * DAY]
    assert len(whole) in (3, 4)
    assert all(abs(night - (hours.night or 8) * HOUR) <= 2 * HOUR for night in whole)


@law_examples(20)
@given(lives(), st.integers(0, 9), st.integers(0, 20))
def test_no_time_is_active_on_vacation(life: tuple[Hours, datetime], later: int, length: int) -> None:
    hours, since = life
    today = since.astimezone(ZoneInfo(hours.zone)).date()
    away = Vacation(today + (1 + later) * DAY, today + (1 + later + length) * DAY)
    if away.first.year != away.last.year:
        return
    day = WorkSchedule((hours,)).with_vacation(away, since)
    minutes = 3 * 24 * 60
    assert day.active(since, since + minutes * MINUTE) == sum(awake(hours, since, minutes, away.days)) * MINUTE
    assert day.back(since) == WorkSchedule((hours,))


@law_examples(40)
@given(st.lists(st.sets(st.integers(0, 6), max_size=2), max_size=20))
def test_shifting_days_off_gives_at_most_two_a_week(moves: list[set[int]]) -> None:
    day, now = WorkSchedule(), datetime(2026, 6, 1, tzinfo=UTC)
    for off in moves:
        day = day.with_hours(Hours(now, "Asia/Manila", off=tuple(sorted(off))), now)
        now += DAY
    week = datetime(2026, 6, 1, tzinfo=ZoneInfo("Asia/Manila"))
    while week < now:
        assert day.active(week, week + 7 * DAY) >= 5 * DAY
        week += 7 * DAY


@law_examples(40)
@given(st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(0, 23), st.integers(0, 90)), min_size=1))
def test_changed_hours_apply_from_the_next_day(changes: list[tuple[str, int, int]]) -> None:
    day, now = WorkSchedule(), datetime(2026, 6, 1, tzinfo=UTC)
    for zone, bed, wait in changes:
        before, day = day, day.with_hours(Hours(now, zone, bed=bed, night=12), now)
        assert day.chosen is not None
        assert day.chosen.since > now
        assert day.active(now, day.chosen.since) == WorkSchedule(before.hours[: len(day.hours) - 1]).active(
            now, day.chosen.since
        )
        now += wait * HOUR
    begun = [hours.since for hours in day.hours]
    assert all(later - sooner >= DAY for sooner, later in pairwise(begun))


def test_unset_hours_are_always_active() -> None:
    assert WorkSchedule().runs_out(LONG_AGO, 100 * DAY) == LONG_AGO + 100 * DAY
    assert WorkSchedule().end_of_rest(LONG_AGO) is None


def test_a_night_follows_daylight_saving_time() -> None:
    day = WorkSchedule((Hours(LONG_AGO, "Europe/Berlin", bed=23, night=8),))
    evening = datetime(2026, 3, 28, 22, tzinfo=UTC)  # 23:00; the clocks are put forward that night
    assert day.end_of_rest(evening) == datetime(2026, 3, 29, 5, tzinfo=UTC)  # 7:00
    autumn = datetime(2026, 10, 24, 21, tzinfo=UTC)
    assert day.end_of_rest(autumn) == datetime(2026, 10, 25, 6, tzinfo=UTC)
    for noon in (datetime(2026, 3, 28, 11, tzinfo=UTC), datetime(2026, 10, 24, 10, tzinfo=UTC)):
        assert day.runs_out(noon, 16 * HOUR).astimezone(ZoneInfo("Europe/Berlin")).hour == 12


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        ((2026, 6, 1), (2026, 6, 3), "tomorrow"),
        ((2026, 7, 3), (2026, 7, 2), "before it starts"),
        ((2026, 6, 10), (2026, 6, 12), "already"),
        ((2026, 7, 1), (2026, 7, 20), "you have 18 left in 2026"),
    ],
)
def test_an_invalid_vacation_is_refused(first: tuple[int, int, int], last: tuple[int, int, int], why: str) -> None:
    now = datetime(2026, 6, 1, 12, tzinfo=UTC)
    day = WorkSchedule().with_vacation(Vacation(date(2026, 6, 9), date(2026, 6, 11)), now)
    with pytest.raises(Refused, match=why):
        day.with_vacation(Vacation(date(*first), date(*last)), now)


def test_a_vacation_across_new_year_counts_in_both_years() -> None:
    now = datetime(2026, 12, 1, tzinfo=UTC)
    day = WorkSchedule().with_vacation(Vacation(date(2026, 12, 24), date(2027, 1, 6)), now)
    assert (day.days_left(2026), day.days_left(2027)) == (VACATION_DAYS_PER_YEAR - 8, VACATION_DAYS_PER_YEAR - 6)


ALL_ROUND: Final = (
    "Pacific/Honolulu",
    "America/Lima",
    "Africa/Abidjan",
    "Asia/Kolkata",
    "Asia/Manila",
    "Pacific/Kiritimati",
)


def moved_about(day: WorkSchedule, now: datetime, until: datetime, lives: Sequence[Hours]) -> WorkSchedule:
    """Return the days of a person who moves as soon as allowed, always to the zone with the longest rest."""
    while now < until:
        moved = [day.with_hours(hours, now) for hours in lives]
        day = max(moved, key=_resting_share)
        now = day.hours[-1].since
    return day


def _resting_share(day: WorkSchedule) -> float:
    last = day.hours[-1]
    since, until = last.since, day.with_hours(last, last.since).hours[-1].since
    return 1 - day.active(since, until) / (until - since)


def test_changing_time_zones_gives_at_most_half_of_the_time_asleep() -> None:
    begin = datetime(2026, 6, 1, tzinfo=UTC)
    lives = [Hours(begin, zone, bed=bed, night=12) for zone in ALL_ROUND for bed in range(0, 24, 3)]
    day = moved_about(WorkSchedule(), begin, begin + 20 * DAY, lives)
    since, until = day.hours[0].since, day.hours[-1].since
    assert day.active(since, until) >= (until - since) / 2


def test_changing_time_zones_adds_no_days_off() -> None:
    begin = datetime(2026, 6, 1, tzinfo=UTC)
    lives = [Hours(begin, zone, off=(5, 6)) for zone in ALL_ROUND]
    day = moved_about(WorkSchedule(), begin, begin + 8 * 7 * DAY, lives)
    since, until = day.hours[0].since, day.hours[0].since + 8 * 7 * DAY
    assert day.active(since, until) >= 8 * 5 * DAY - DAY, "a day begins somewhere else"


def test_a_regular_user_can_change_zones_from_the_next_day() -> None:
    begin = datetime(2026, 6, 1, 15, tzinfo=UTC)
    day = WorkSchedule().with_hours(Hours(begin, "Asia/Manila", bed=23, night=8), begin)
    for zone in ("America/Lima", "Africa/Abidjan", "Asia/Manila"):
        begin += 3 * DAY
        midnight = WorkSchedule.tomorrow(begin, day.hours[-1])
        day = day.with_hours(Hours(begin, zone, bed=23, night=8), begin)
        assert day.hours[-1].since == midnight
