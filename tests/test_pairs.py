"""Two who always meet, where one always leaves: from what on that stands out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.ids import PlayerId
from bot.ratings.pairs import DEFAULT_THRESHOLDS, SuspiciousPair, find_suspicious_pairs, is_suspicious

ANN, BEN, CAT = PlayerId(1), PlayerId(2), PlayerId(3)


def match(*left: PlayerId, of: tuple[PlayerId, ...] = (ANN, BEN)) -> dict[PlayerId, bool]:
    """Return a match of these players, and the one who left."""
    return {player: player in left for player in of}


def test_leaving_every_match_with_one_opponent_is_suspicious() -> None:
    assert find_suspicious_pairs([match(BEN)] * 5) == [SuspiciousPair(leaves=BEN, stays=ANN, played=5, met=5, left=5)]


def test_a_few_matches_are_not_suspicious() -> None:
    assert find_suspicious_pairs([match(BEN)] * 4) == []


def test_players_who_mostly_meet_others_are_not_suspicious() -> None:
    others = [match(of=(BEN, CAT))] * 2
    assert find_suspicious_pairs([*[match(BEN)] * 8, *others]) == [
        SuspiciousPair(leaves=BEN, stays=ANN, played=10, met=8, left=8)
    ]
    assert find_suspicious_pairs([*[match(BEN)] * 7, *others]) == []


def test_players_who_mostly_stay_are_not_suspicious() -> None:
    assert find_suspicious_pairs([*[match(BEN)] * 8, *[match()] * 2]) == [
        SuspiciousPair(leaves=BEN, stays=ANN, played=10, met=10, left=8)
    ]
    assert find_suspicious_pairs([*[match(BEN)] * 7, *[match()] * 3]) == []


def test_pairs_that_both_leave_are_not_suspicious() -> None:
    assert find_suspicious_pairs([match(ANN, BEN)] * 9) == []


@pytest.mark.parametrize(
    ("pair", "known"),
    [
        (SuspiciousPair(leaves=BEN, stays=ANN, played=10, met=8, left=8), True),
        (replace(SuspiciousPair(leaves=BEN, stays=ANN, played=10, met=8, left=8), played=11), False),
        (replace(SuspiciousPair(leaves=BEN, stays=ANN, played=10, met=8, left=8), left=6), False),
        (
            SuspiciousPair(
                leaves=BEN,
                stays=ANN,
                played=DEFAULT_THRESHOLDS.met,
                met=DEFAULT_THRESHOLDS.met,
                left=DEFAULT_THRESHOLDS.met,
            ),
            True,
        ),
        (
            SuspiciousPair(
                leaves=BEN,
                stays=ANN,
                played=DEFAULT_THRESHOLDS.met - 1,
                met=DEFAULT_THRESHOLDS.met - 1,
                left=DEFAULT_THRESHOLDS.met - 1,
            ),
            False,
        ),
    ],
)
def test_the_suspicion_thresholds_are_as_documented(pair: SuspiciousPair, *, known: bool) -> None:
    assert is_suspicious(pair, DEFAULT_THRESHOLDS) is known
