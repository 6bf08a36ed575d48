"""Two people who always meet, where one always leaves: what may be a way to win matches without an opponent.

Pure: out of who sat together and who stayed. It says what stands out and judges nobody.
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
class Signs:
    """From what on it stands out. span: what is looked at.

    met: in so many matches they sat together at least; of_all: so many of a hundred matches of the one who leaves were
    with the other; left: so many of a hundred of these that one left, or lost their seat, while the other stayed.
    """

    span: timedelta = timedelta(days=90)
    met: int = 5
    of_all: int = 80
    left: int = 80


SIGNS: Final = Signs()


@dataclass(frozen=True, slots=True)
class Pair:
    """That somebody leaves whenever they meet somebody. played: their matches in all; met: those with the other."""

    leaves: PlayerId
    stays: PlayerId
    played: int
    met: int
    left: int


def pairs(matches: Iterable[Mapping[PlayerId, bool]], signs: Signs = SIGNS) -> list[Pair]:
    """Return who stands out, the one with the most matches first. matches: whether each person in it has left."""
    played, met, left = Counter[PlayerId](), Counter[tuple[PlayerId, PlayerId]](), Counter[tuple[PlayerId, PlayerId]]()
    for match in matches:
        played.update(match.keys())  # of a mapping it would add up the values
        both = list(permutations(match, 2))
        met.update(both)
        left.update(two for two in both if match[two[0]] and not match[two[1]])
    found = (Pair(*two, played[two[0]], times, left[two]) for two, times in met.items())
    return sorted(
        (pair for pair in found if stands_out(pair, signs)), key=lambda pair: (-pair.left, pair.leaves, pair.stays)
    )


def stands_out(pair: Pair, signs: Signs) -> bool:
    """Tell whether two people always meet, and one of them always leaves."""
    always = 100 * pair.met >= signs.of_all * pair.played
    return pair.met >= signs.met and always and 100 * pair.left >= signs.left * pair.met
