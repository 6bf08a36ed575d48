"""What the sandbox offers to wait for is still to come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.sandbox.server import tomorrow_morning


@pytest.mark.parametrize(("hour", "until"), [(0, 24), (12, 12), (15, 9), (16, 32), (23, 25)])
def test_tomorrow_morning_is_at_eight_in_manila(hour: int, until: int) -> None:
    """Manila is eight hours ahead of UTC all the year round."""
    assert tomorrow_morning(datetime(2026, 5, 4, hour, tzinfo=UTC)) == timedelta(hours=until)
