"""When a season begins and ends, by what a server chooses and by its clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.seasons import SEASON_KINDS, Calendar, Season, SeasonKind, seasons_since

ZONES = ("UTC", "Asia/Taipei", "America/Toronto", "Pacific/Auckland", "Asia/Kolkata", "America/Havana")
BEGAN = datetime(2026, 3, 5, tzinfo=UTC)
NOW = datetime(2026, 3, 20, tzinfo=UTC)
zones = st.sampled_from(ZONES).map(ZoneInfo)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  # made aware
calendars = st.lists(st.builds(Calendar, moments, st.sampled_from(SEASON_KINDS), zones), max_size=6).map(
    lambda found: sorted(found, key=lambda one: one.since)
)


def month(number: int, year: int = 2026) -> datetime:
    """Return when a month begins by the clock of UTC."""
    return datetime(year, number, 1, tzinfo=UTC)


@given(moments, moments, zones, st.sampled_from(("monthly", "quarterly")))
def test_every_season_ends_with_its_month_or_quarter_and_the_next_begins_there(
    one: datetime, other: datetime, zone: ZoneInfo, kind: SeasonKind
) -> None:
    since, now = sorted((one, other))
    ended, running = seasons_since(None, [Calendar(since, kind, zone)], now)
    assert running is not None
    seasons = [*ended, running]
    assert [season.number for season in seasons] == list(range(1, len(seasons) + 1))
    assert [since, *(season.ends for season in ended)] == [season.begins for season in seasons]
    assert running.begins <= now
    for season in seasons:
        assert season.ends is not None
        local = season.ends.astimezone(zone)
        assert local.day == 1
        assert local.hour == 0 or season.ends.astimezone(zone) - timedelta(hours=1) < local, "where midnight is skipped"
        assert kind == "monthly" or local.month in {1, 4, 7, 10}
    assert running.ends is not None
    assert running.ends > now


@given(calendars, moments, moments)
def test_intermediate_evaluations_do_not_change_the_seasons(
    known: list[Calendar], one: datetime, other: datetime
) -> None:
    """What was cut and written at an earlier look, and what is found by a single one, are the same seasons."""
    first, now = sorted((one, other))
    early, _ = seasons_since(None, known, first)
    late, running = seasons_since(early[-1] if early else None, known, now)
    assert (early + late, running) == seasons_since(None, known, now)
    for season in early + late:
        assert season.ends is not None
        assert season.begins < season.ends <= now


def test_a_season_begins_where_the_last_one_ended() -> None:
    last = Season(2, BEGAN, BEGAN)
    assert seasons_since(last, [Calendar(month(1), "monthly")], NOW) == ([], Season(3, BEGAN, month(4)))
    assert seasons_since(last, [Calendar(month(1), "hand")], NOW) == ([], Season(3, BEGAN, None))
    assert seasons_since(last, [Calendar(month(1), "none")], NOW) == ([], None)
    assert seasons_since(None, [Calendar(BEGAN, "monthly")], NOW) == ([], Season(1, BEGAN, month(4)))
    assert seasons_since(None, [], NOW) == ([], None)


def test_2_9_a_season_is_cut_at_each_end_since_the_last_look() -> None:
    ended, running = seasons_since(None, [Calendar(month(1), "monthly")], datetime(2026, 3, 2, tzinfo=UTC))
    assert ended == [Season(1, month(1), month(2)), Season(2, month(2), month(3))]
    assert running == Season(3, month(3), month(4))


def test_2_9_switching_seasons_off_and_on_ends_and_starts_a_season() -> None:
    off, on = datetime(2026, 2, 10, tzinfo=UTC), datetime(2026, 5, 7, tzinfo=UTC)
    known = [Calendar(month(1), "monthly"), Calendar(off, "none"), Calendar(on, "quarterly")]
    ended, running = seasons_since(None, known, datetime(2026, 5, 8, tzinfo=UTC))
    assert ended == [Season(1, month(1), month(2)), Season(2, month(2), off)]
    assert running == Season(3, on, month(7))
    assert seasons_since(None, known[:2], on) == (ended, None)


@pytest.mark.parametrize("kind", ["monthly", "hand"])
def test_2_9_changing_the_length_ends_the_season_at_once(kind: SeasonKind) -> None:
    known = [Calendar(BEGAN, kind), Calendar(NOW, "quarterly")]
    assert seasons_since(None, known, NOW) == ([Season(1, BEGAN, NOW)], Season(2, NOW, month(4)))


def test_2_9_a_season_keeps_its_month_after_a_time_zone_change() -> None:
    """To the west the month ends later; to the east at once, if over there."""
    east, moved = ZoneInfo("Asia/Taipei"), datetime(2026, 1, 31, 20, tzinfo=UTC)
    to_the_east = [Calendar(month(1), "monthly"), Calendar(moved, "monthly", east)]
    begins = datetime(2026, 2, 28, 16, tzinfo=UTC)
    assert seasons_since(None, to_the_east, moved) == ([Season(1, month(1), moved)], Season(2, moved, begins))
    to_the_west = [Calendar(month(1), "monthly", east), Calendar(moved, "monthly")]
    january = Season(1, month(1), datetime(2026, 1, 31, 16, tzinfo=UTC))
    assert january.ends is not None
    assert seasons_since(None, to_the_west, moved) == ([january], Season(2, january.ends, month(3)))
