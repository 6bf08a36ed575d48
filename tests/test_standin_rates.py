"""The rate limits of the stand-in: channel buckets, edits of old messages, the global limit, invalid requests."""

from __future__ import annotations

import time

import pytest

from tests.standin.models import EPOCH
from tests.standin.rates import TOO_OLD, Rates


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def message_path(hours: float) -> str:
    """Return the path of a message of this age."""
    return f"/channels/1/messages/{(int((time.time() - hours * 3600) * 1000) - EPOCH) << 22}"


def test_a_channel_accepts_five_requests_in_five_seconds_and_reports_how_many_remain(clock: Clock) -> None:
    rates = Rates(clock=clock)
    left = []
    for _ in range(5):
        assert rates.refusal("POST", "/channels/1/messages") is None
        left.append(rates.headers("/channels/1/messages")["X-RateLimit-Remaining"])
    assert left == ["4", "3", "2", "1", "0"]
    refused = rates.refusal("PATCH", message_path(0))
    assert refused is not None
    assert refused.retry_after == 5
    assert rates.refusal("POST", "/channels/2/messages") is None
    clock.now += 5
    assert rates.refusal("POST", "/channels/1/messages") is None
    assert rates.refused == 1


def test_a_channel_accepts_three_edits_of_old_messages_in_six_seconds(clock: Clock) -> None:
    rates = Rates(clock=clock)
    assert [rates.refusal("PATCH", message_path(2)) for _ in range(3)] == [None] * 3
    refused = rates.refusal("PATCH", message_path(2))
    assert refused is not None
    assert refused.code == TOO_OLD
    assert rates.refusal("PATCH", message_path(0.5)) is None


def test_the_global_limit_is_fifty_requests_a_second_except_answers_to_interactions(clock: Clock) -> None:
    rates = Rates(clock=clock)
    assert [rates.refusal("POST", f"/channels/{number}/messages") for number in range(50)] == [None] * 50
    refused = rates.refusal("POST", "/channels/50/messages")
    assert refused is not None
    assert refused.headers()["X-RateLimit-Scope"] == "global"
    assert rates.refusal("POST", "/interactions/1/token/callback") is None
    clock.now += 1
    assert rates.refusal("POST", "/channels/50/messages") is None


def test_requests_are_counted_by_the_time_of_sending_not_of_arrival(clock: Clock) -> None:
    rates = Rates(clock=clock)
    paced, burst = ([clock.now + number * gap for number in range(100)] for gap in (0.02, 0.01))
    clock.now += 3
    assert [rates.refusal("GET", "/users/@me", sent) for sent in paced] == [None] * 100
    clock.now += 60
    refused = [rates.refusal("GET", "/users/@me", sent + 60) is not None for sent in burst]
    assert refused == [False] * 50 + [True] * 50


def test_a_bot_with_over_ten_thousand_invalid_requests_in_ten_minutes_is_banned(clock: Clock) -> None:
    rates = Rates(clock=clock)
    for _ in range(10_001):
        rates.count_status(403)
    assert rates.refusal("GET", "/users/@me") is not None
    clock.now += 601
    assert rates.refusal("GET", "/users/@me") is None
