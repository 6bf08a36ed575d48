"""What may be sent to Discord when: rates, the buckets its headers name, refusals."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from bot.delivery.outbox.discord_limits import LimitResponse, Rate, RateLimiter, Rates, channel, place_of
from bot.delivery.outbox.write_queue import answer

HERE, THERE = channel(1), channel(2)
RATES = Rates(gap=0.0, margin=0.0)


@pytest.fixture
def limits() -> RateLimiter:
    return RateLimiter(RATES, Random(1), began=0.0)


def send(limits: RateLimiter, place: str, now: float, *, old: bool = False) -> float:
    """Send a request as soon as allowed; return its time."""
    at = max(now, limits.free_at(place, old=old))
    limits.sent(place, at, old=old)
    limits.done(place)
    return at


def test_at_most_four_requests_in_five_seconds_a_channel(limits: RateLimiter) -> None:
    sent = [send(limits, HERE, 100.0) for _ in range(9)]
    assert all(later - earlier >= 5 for earlier, later in zip(sent, sent[4:], strict=False))
    assert sent[3] < 101
    assert sent[8] < 111


def test_at_most_two_edits_of_old_messages_in_six_seconds(limits: RateLimiter) -> None:
    sent = [send(limits, HERE, 100.0, old=True) for _ in range(5)]
    assert all(later - earlier >= 6 for earlier, later in zip(sent, sent[2:], strict=False))
    assert send(limits, HERE, sent[-1]) < sent[-1] + 1, "others go on beside them"


def test_after_a_start_recent_edits_are_assumed(limits: RateLimiter) -> None:
    assert send(limits, HERE, 1.0, old=True) == 1
    assert send(limits, HERE, 1.0, old=True) == 6


def test_at_most_thirty_requests_a_second_in_total(limits: RateLimiter) -> None:
    sent = [send(limits, channel(number), 100.0) for number in range(300)]
    assert sent == sorted(sent)
    assert all(later - earlier >= 0.99 for earlier, later in zip(sent, sent[30:], strict=False))
    assert sent[-1] < 111


def test_requests_outside_the_queue_count_towards_the_total(limits: RateLimiter) -> None:
    for _ in range(30):
        limits.count_outside_request(100.0)
    assert limits.next == pytest.approx(101)


def test_a_write_without_a_request_does_not_count(limits: RateLimiter) -> None:
    limits.sent(HERE, 100.0)
    limits.unsent(HERE)
    assert limits.next > 100, "as long as nobody hears of each request"
    limits.traced = True
    before = limits.next, limits.free_at(THERE)
    for _ in range(50):
        limits.sent(HERE, 100.0, old=True)
        limits.unsent(HERE, old=True)
        limits.done(HERE)
    assert (limits.next, limits.free_at(THERE)) == pytest.approx(before)


def test_one_request_at_a_time_a_channel(limits: RateLimiter) -> None:
    limits.sent(HERE, 1.0)
    assert limits.free_at(HERE) == inf
    assert limits.free_at(THERE) < 2
    limits.done(HERE)
    assert limits.free_at(HERE) < 2


@pytest.mark.parametrize(("limit", "most"), [(5, 4), (2, 1), (1, 1)])
def test_the_last_request_of_a_bucket_is_not_used(limits: RateLimiter, limit: int, most: int) -> None:
    now, inside = 100.0, 0
    while limits.free_at(HERE) <= now and inside < 10:
        limits.sent(HERE, now)
        inside += 1
        limits.record_response(
            LimitResponse(HERE, 200, bucket="abc", limit=limit, remaining=limit - inside, reset_after=105.0 - now), now
        )
        limits.done(HERE)
        now += 0.1
    assert inside == most
    assert limits.free_at(HERE) == pytest.approx(105)
    assert limits.free_at(THERE) < now, "a bucket is of one channel"


def test_a_refusal_blocks_its_channel_slightly_longer_than_required(limits: RateLimiter) -> None:
    limits.record_response(LimitResponse(HERE, 429, retry_after=4.0), 100.0)
    assert 104 <= limits.free_at(HERE) <= 106
    assert limits.free_at(THERE) <= 100
    again = RateLimiter(RATES, Random(1), began=0.0)
    again.record_response(LimitResponse(HERE, 429, retry_after=4.0), 100.0)
    assert again.free_at(HERE) == limits.free_at(HERE), "by chance that can be repeated"


def test_a_global_refusal_blocks_every_channel(limits: RateLimiter) -> None:
    limits.record_response(LimitResponse(HERE, 429, retry_after=2.0, everywhere=True), 100.0)
    assert 102 <= limits.next <= 103
    assert limits.free_at(THERE) == limits.next


def test_consecutive_failures_back_off_until_a_success(limits: RateLimiter) -> None:
    waits = []
    for now in (100.0, 200.0, 300.0, 400.0):
        limits.record_response(LimitResponse(HERE, 503), now)
        waits.append(limits.free_at(HERE) - now)
    for wait, least in zip(waits, (1, 2, 4, 8), strict=True):
        assert least <= wait <= 1.5 * least
    limits.record_response(LimitResponse(HERE, 200), 500.0)
    limits.record_response(LimitResponse(HERE, 503), 600.0)
    assert limits.free_at(HERE) <= 601.5


def test_requests_stop_before_the_invalid_request_limit() -> None:
    limits = RateLimiter(Rates(invalid=Rate(10, 600.0)), Random(1), began=0.0)
    for number in range(10):
        limits.record_response(LimitResponse(channel(number), 403), 100.0 + number)
    assert limits.next == 700


def test_a_simulated_discord_has_no_limits() -> None:
    limits = RateLimiter(None, Random(1), began=0.0)
    assert [send(limits, HERE, 5.0, old=True) for _ in range(50)] == [5.0] * 50


def test_channel_limits_are_forgotten_after_a_while(limits: RateLimiter) -> None:
    for number in range(5000):
        send(limits, channel(number), number * 1.0)
    assert len(limits._places) < 2000


def test_rates_scale_with_accelerated_time() -> None:
    assert Rates(total=10).hurried(6) == Rates(
        total=60.0, place=Rate(4, 5 / 6), old=Rate(2, 1.0), invalid=Rate(3000, 100.0), gap=0.4 / 6, margin=0.2 / 6
    )


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/channels/12/messages", "/channels/12"),
        ("/channels/12/messages/34/threads", "/channels/12/threads"),
        ("/channels/12/threads", "/channels/12/threads"),
        ("/channels/12/thread-members/34", "/channels/12"),
        ("/channels/12", "/channels/12"),
        ("/applications/12/emojis", "/applications/12/emojis"),
        ("/applications/12/emojis/34", "/applications/12/emojis"),
        ("/users/@me/channels", "/users/@me/channels"),
    ],
)
def test_requests_are_assigned_to_their_rate_limit_bucket(path: str, place: str) -> None:
    assert place_of(path) == place


def test_rate_limit_headers_are_parsed() -> None:
    headers = {
        "X-RateLimit-Bucket": "abc",
        "X-RateLimit-Limit": "5",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset-After": "1.5",
        "Retry-After": "2",
        "X-RateLimit-Scope": "global",
    }
    said = answer("/channels/1/messages", 429, headers)
    assert said == LimitResponse(
        HERE, 429, bucket="abc", limit=5, remaining=0, reset_after=1.5, retry_after=2.0, everywhere=True
    )
    assert answer("/channels/1/messages", 200, {}) == LimitResponse(HERE, 200)
