"""When a season begins and ends, by the clock of a server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ground.season import Kind, Season, running, span

ZONES = ("UTC", "Asia/Taipei", "America/Toronto", "Pacific/Auckland", "Asia/Kolkata")
moments = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  # made aware


@given(moments, st.sampled_from(ZONES), st.sampled_from(("monthly", "quarterly")))
def test_every_moment_lies_in_one_season_and_the_next_begins_where_it_ends(
    now: datetime, zone: str, kind: Kind
) -> None:
    limits = span(kind, now, ZoneInfo(zone))
    assert limits is not None
    begins, ends = limits
    assert begins <= now < ends
    assert span(kind, ends, ZoneInfo(zone))[0] == ends  # type: ignore[index]
    assert span(kind, ends - timedelta(microseconds=1), ZoneInfo(zone)) == limits
    local = begins.astimezone(ZoneInfo(zone))
    assert (local.day, local.hour, local.minute) == (1, 0, 0)
    assert kind == "monthly" or local.month in {1, 4, 7, 10}


def test_a_season_begins_where_the_last_one_ended() -> None:
    now, began = datetime(2026, 3, 20, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC)
    last = Season(2, began, began)
    assert running("monthly", last, now) == Season(3, began, datetime(2026, 4, 1, tzinfo=UTC))
    assert running("hand", last, now) == Season(3, began, None)
    assert running("monthly", None, now) == Season(
        1, datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    )
    assert running("none", last, now) is None


@pytest.mark.parametrize("kind", ["none", "hand"])
def test_what_has_no_length_has_no_limits(kind: Kind) -> None:
    assert span(kind, datetime(2026, 3, 20, tzinfo=UTC)) is None
