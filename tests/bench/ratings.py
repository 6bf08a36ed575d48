"""Whether ratings say who is good: python -m tests.bench.ratings [--full] [--seconds S] [--kept FOLDER] [--rounds A-B]

Four ways of rating read the same matches (tests/bench/rated_matches.py says who plays how, and when): ours, Elo between
each two of a match, points a match and the mean place. Judged on really played matches alone: how well the order at the
end agrees with how good people are (Spearman), and how well the second half of the matches was foretold (log loss of
who comes before whom, a coin having 0.693): of several rounds, each with luck of its own, the mean and its standard
error, and by how much each way lies behind ours in the same rounds. Of whole rounds also how often the band holds what
a player is worth in the long run: the value estimated from every other round, at once. A quick model beside it shows
more volume, and decides nothing. By default as many matches as fit into 35 s; --full plays 5,000 a round among 200
people, and goes on where they are kept. Ours was chosen by rounds 0 to 2, so --full judges it by others.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from statistics import mean, stdev

from bot.domain.rating import INITIAL_WEIGHT, MIN_SETTLED_MATCHES, Rating
from bot.ratings.calculator import ODDS_SCALE
from tests.bench.rated_matches import MEETINGS, Ended, matches, modelled, strength
from tests.bench.rated_ways import WAYS, Ours, Way

FEW, MANY, SECONDS, MODELLED = 40, 200, 35, 20_000
JUDGED, SHORT = range(3, 6), range(2)  # rounds of --full, and without
SWEEPS, FLAT = 40, 1.0  # how often strengths are fitted to each other; how much of a match speaks for the middle
RANDOM = next(iter(MEETINGS))


@dataclass(frozen=True, slots=True)
class Judged:
    """How good a way was in a round: Spearman's rho and the log loss."""

    order: float
    loss: float


def judge(people: int, found: Sequence[Ended], way: Way) -> Judged:
    """Let a way rate a round."""
    losses = list[float]()
    for number, match in enumerate(found):
        if 2 * number >= len(found):
            losses += _losses(way, match.places)
        way.add(match)
    met = {player for match in found for player in match.places}
    rho = spearman([(strength(player, people), way.worth(player)) for player in met])
    return Judged(rho, mean(losses))


def _losses(way: Way, places: Mapping[int, int]) -> list[float]:
    pairs = (pair for pair in combinations(places, 2) if places[pair[0]] != places[pair[1]])
    chances = (way.before(*sorted(pair, key=places.__getitem__)) for pair in pairs)
    return [-math.log(max(chance, 1e-6)) for chance in chances]


def long_run(found: Iterable[Ended]) -> dict[int, float]:
    """Return what people are worth, in points about the mean, by all these matches at once (logistic, each two)."""
    games = defaultdict[int, list[tuple[int, float]]](list)
    for match in found:
        for one, other in combinations(match.places, 2):
            won = 0.5 if match.places[one] == match.places[other] else float(match.places[one] < match.places[other])
            games[one].append((other, won))
            games[other].append((one, 1 - won))
    worth = dict.fromkeys(games, 0.0)
    for _ in range(SWEEPS):
        for player, theirs in games.items():
            worth[player] = _fitted(worth, worth[player], theirs)
    return {player: ODDS_SCALE * (one - mean(worth.values())) for player, one in worth.items()}


def _fitted(worth: Mapping[int, float], mine: float, games: Sequence[tuple[int, float]]) -> float:
    """Return a strength after a step of Newton's."""
    chances = [1 / (1 + math.exp(worth[other] - mine)) for other, _ in games]
    slope = sum(won - chance for (_, won), chance in zip(games, chances, strict=True)) - FLAT * mine
    return mine + slope / (sum(chance * (1 - chance) for chance in chances) + FLAT)


def held(found: Sequence[Ended], truly: Mapping[int, float]) -> float:
    """Return how many of a hundred bands hold what a player is worth, after each match of the second half."""
    ours, inside = Ours(), list[bool]()
    for number, match in enumerate(found):
        ours.add(match)
        if 2 * number >= len(found):
            middle = mean(rating.strength for rating in ours.fold.ratings.values())
            ratings = {player: ours.rating(player) for player in match.places if player in truly}
            inside += [abs(one.strength - middle - truly[player]) <= one.band for player, one in ratings.items()]
    return 100 * mean(inside)


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Return how well two orders agree, from -1 to 1."""
    ranks = [_ranks([pair[at] for pair in pairs]) for at in (0, 1)]
    middle = (len(pairs) - 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(*ranks, strict=True))
    size = math.sqrt(math.prod([sum((a - middle) ** 2 for a in rank) for rank in ranks]))
    return float(both / size)


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2 for value in values]


def tell(title: str, people: int, rounds: Sequence[Sequence[Ended]]) -> None:
    """Print how good each way was."""
    found = {name: [judge(people, one, way()) for one in rounds] for name, way in WAYS.items()}
    print(f"{title}: {len(rounds)} rounds of {' '.join(str(len(one)) for one in rounds)} matches")
    for name, judged in found.items():
        order, loss = [one.order for one in judged], [one.loss for one in judged]
        behind = [mine.order - one.order for mine, one in zip(found["ours"], judged, strict=True)]
        worse = [one.loss - mine.loss for mine, one in zip(found["ours"], judged, strict=True)]
        print(f"  {name:14}  order {_about(order, 3)}  log loss {_about(loss, 4)}", end="")
        print("" if name == "ours" else f"  behind by {_about(behind, 3)} and {_about(worse, 4)}")


def _about(values: Sequence[float], digits: int) -> str:
    """Return a mean, and its standard error where there are several values."""
    error = f" ±{stdev(values) / math.sqrt(len(values)):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):.{digits}f}{error}"


def tell_bands(rounds: Sequence[Sequence[Ended]], at_random: Sequence[Sequence[Ended]]) -> None:
    """Print how often the band held what a player is worth."""
    others = [[one for number, one in enumerate(at_random) if number != own] for own in range(len(rounds))]
    found = [held(one, long_run(chain.from_iterable(rest))) for one, rest in zip(rounds, others, strict=True)]
    band = replace(Rating(), weight=INITIAL_WEIGHT + MIN_SETTLED_MATCHES).band
    print(
        f"  settled after {MIN_SETTLED_MATCHES} matches, at ±{band}; "
        f"the band held what somebody is worth in {_about(found, 0)} %"
    )


def main() -> None:
    """Measure it."""
    reader = argparse.ArgumentParser(prog="python -m tests.bench.ratings")
    reader.add_argument("--full", action="store_true", help=f"5,000 matches a round among {MANY} people")
    reader.add_argument("--seconds", type=float, help="how long to play, at most")
    reader.add_argument("--kept", type=Path, help="a folder for matches that have been played")
    reader.add_argument("--rounds", help="which rounds, as 3-5")
    said = reader.parse_args()
    people, count, most, which = (MANY, MODELLED, math.inf, JUDGED) if said.full else (FEW, 2_000, SECONDS, SHORT)
    if said.rounds:
        first, _, last = said.rounds.partition("-")
        which = range(int(first), int(last or first) + 1)
    for title in MEETINGS:
        tell(f"a quick model, which decides nothing, {title}", people, [[*modelled(title, people, count)]])
    ends = time.monotonic() + (said.seconds or most)
    rounds = dict[str, list[list[Ended]]]()
    left = len(MEETINGS) * len(which)
    for title in MEETINGS:
        rounds[title] = []
        for one in which:
            rounds[title].append(matches(title, people, one, (ends - time.monotonic()) / left, said.kept))
            left -= 1
    for title, found in rounds.items():
        tell(f"really played, {title}", people, found)
        if said.full and len(which) > 1:
            tell_bands(found, rounds[RANDOM])


if __name__ == "__main__":
    main()
