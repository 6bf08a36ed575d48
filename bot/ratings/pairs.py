"""Suspicious pairs: one player always meets another and always leaves.

Possibly a way to win without an opponent. Pure functions of attendance and leaving. A pair is reported for inspection,
not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import permutations
from typing import Final

from bot.domain.ids import PlayerId


@dataclass(frozen=True, slots=True)
class SuspicionThresholds:
    """The thresholds of suspicion. span: the period examined.

    met: the minimum of matches together; of_all: the minimum percentage of the leaving player's matches that were with
    the other player; left: the minimum percentage of those in which the one left or lost the seat while the other
    stayed.
    """

    span: timedelta = timedelta(days=90)
    met: int = 5
    of_all: int = 80
    left: int = 80


DEFAULT_THRESHOLDS: Final = SuspicionThresholds()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousPair:
    """A player who leaves and an opponent who stays.

    played: the leaving player's matches; met: with this opponent.
    """

    leaves: PlayerId
    stays: PlayerId
    played: int
    met: int
    left: int


def find_suspicious_pairs(
    matches: Iterable[Mapping[PlayerId, bool]], signs: SuspicionThresholds = DEFAULT_THRESHOLDS
) -> list[SuspiciousPair]:
    """Return the suspicious pairs, most leaves first.

    matches: for each person, whether the person left.
    """
    played, met, left = Counter[PlayerId](), Counter[tuple[PlayerId, PlayerId]](), Counter[tuple[PlayerId, PlayerId]]()
    for match in matches:
        played.update(match.keys())  # a mapping itself would be added up by value
        both = list(permutations(match, 2))
        met.update(both)
        left.update(two for two in both if match[two[0]] and not match[two[1]])
    found = (
        SuspiciousPair(leaves=who, stays=other, played=played[who], met=times, left=left[who, other])
        for (who, other), times in met.items()
    )
    return sorted(
        (pair for pair in found if is_suspicious(pair, signs)), key=lambda pair: (-pair.left, pair.leaves, pair.stays)
    )


def is_suspicious(pair: SuspiciousPair, signs: SuspicionThresholds) -> bool:
    """Tell whether a pair exceeds the thresholds."""
    always = 100 * pair.met >= signs.of_all * pair.played
    return pair.met >= signs.met and always and 100 * pair.left >= signs.left * pair.met
