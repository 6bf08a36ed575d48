"""How well ratings find strength: python -m tests.bench.ratings [--full] [--seconds S] [--kept FOLDER] [--rounds A-B]

Four rating systems get the same matches (tests/bench/rated_matches.py): ours, Elo for each pair of a match, points per
match and the mean place. The quality is measured on played matches only: the rank correlation of final ratings and
strengths (Spearman), and the log loss of predictions in the second half (who finishes before whom; 0.693 for a coin).
Reported are mean and standard error over rounds, and the difference to ours in the same rounds. For full rounds also
how often the band contains the true value, estimated from every other round at once. A modelled run shows more matches,
for information only.

By default as many matches as fit into 35 s; --full plays 5,000 a round among 200 people, and continues stored rounds.
Our parameters were chosen by rounds 0 to 2, so --full evaluates others.
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
from tests.bench.rated_matches import MEETINGS, RatedMatch, modelled_matches, played_matches, strength_of
from tests.bench.rated_ways import RATING_SYSTEMS, BiggerRatings, RatingSystem

SHORT_PEOPLE, FULL_PEOPLE, SECONDS, MODELLED_MATCHES = 40, 200, 35, 20_000
FULL_ROUNDS, SHORT_ROUNDS = range(3, 6), range(2)  # rounds with --full, and without
FIT_SWEEPS, PRIOR_WEIGHT = 40, 1.0  # iterations of the fit; matches of prior weight for the mean
RANDOM_MEETING = next(iter(MEETINGS))


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a rating system in a round: Spearman's rho and the log loss."""

    order: float
    loss: float


def quality_of(people: int, found: Sequence[RatedMatch], way: RatingSystem) -> Quality:
    """Rate a round with a system; return the quality."""
    losses = list[float]()
    for number, match in enumerate(found):
        if 2 * number >= len(found):
            losses += _losses(way, match.places)
        way.add(match)
    met = {player for match in found for player in match.places}
    rho = spearman([(strength_of(player, people), way.estimated_strength(player)) for player in met])
    return Quality(rho, mean(losses))


def _losses(way: RatingSystem, places: Mapping[int, int]) -> list[float]:
    pairs = (pair for pair in combinations(places, 2) if places[pair[0]] != places[pair[1]])
    chances = (way.win_probability(*sorted(pair, key=places.__getitem__)) for pair in pairs)
    return [-math.log(max(chance, 1e-6)) for chance in chances]


def true_values(found: Iterable[RatedMatch]) -> dict[int, float]:
    """Return the true values of people, in points about the mean, fitted to all matches (logistic, each pair)."""
    games = defaultdict[int, list[tuple[int, float]]](list)
    for match in found:
        for one, other in combinations(match.places, 2):
            won = 0.5 if match.places[one] == match.places[other] else float(match.places[one] < match.places[other])
            games[one].append((other, won))
            games[other].append((one, 1 - won))
    worth = dict.fromkeys(games, 0.0)
    for _ in range(FIT_SWEEPS):
        for player, theirs in games.items():
            worth[player] = _newton_step(worth, worth[player], theirs)
    return {player: ODDS_SCALE * (one - mean(worth.values())) for player, one in worth.items()}


def _newton_step(worth: Mapping[int, float], mine: float, games: Sequence[tuple[int, float]]) -> float:
    """Return a value after one Newton step."""
    chances = [1 / (1 + math.exp(worth[other] - mine)) for other, _ in games]
    slope = sum(won - chance for (_, won), chance in zip(games, chances, strict=True)) - PRIOR_WEIGHT * mine
    return mine + slope / (sum(chance * (1 - chance) for chance in chances) + PRIOR_WEIGHT)


def band_coverage(found: Sequence[RatedMatch], true_value_of: Mapping[int, float]) -> float:
    """Return the percentage of bands that contain the true value, after each match of the second half."""
    ours, inside = BiggerRatings(), list[bool]()
    for number, match in enumerate(found):
        ours.add(match)
        if 2 * number >= len(found):
            middle = mean(rating.strength for rating in ours.fold.ratings.values())
            ratings = {player: ours.rating(player) for player in match.places if player in true_value_of}
            inside += [
                abs(one.strength - middle - true_value_of[player]) <= one.band for player, one in ratings.items()
            ]
    return 100 * mean(inside)


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the rank correlation of two orders, from -1 to 1."""
    ranks = [_ranks([pair[at] for pair in pairs]) for at in (0, 1)]
    middle = (len(pairs) - 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(*ranks, strict=True))
    size = math.sqrt(math.prod([sum((a - middle) ** 2 for a in rank) for rank in ranks]))
    return float(both / size)


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2 for value in values]


def print_quality(title: str, people: int, rounds: Sequence[Sequence[RatedMatch]]) -> None:
    """Print the quality of each rating system."""
    found = {name: [quality_of(people, one, way()) for one in rounds] for name, way in RATING_SYSTEMS.items()}
    print(f"{title}: {len(rounds)} rounds of {' '.join(str(len(one)) for one in rounds)} matches")
    for name, judged in found.items():
        order, loss = [one.order for one in judged], [one.loss for one in judged]
        behind = [mine.order - one.order for mine, one in zip(found["ours"], judged, strict=True)]
        worse = [one.loss - mine.loss for mine, one in zip(found["ours"], judged, strict=True)]
        print(f"  {name:14}  order {_mean_and_error(order, 3)}  log loss {_mean_and_error(loss, 4)}", end="")
        print("" if name == "ours" else f"  behind by {_mean_and_error(behind, 3)} and {_mean_and_error(worse, 4)}")


def _mean_and_error(values: Sequence[float], digits: int) -> str:
    """Format the mean, with the standard error if there are several values."""
    error = f" ±{stdev(values) / math.sqrt(len(values)):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):.{digits}f}{error}"


def print_band_coverage(rounds: Sequence[Sequence[RatedMatch]], at_random: Sequence[Sequence[RatedMatch]]) -> None:
    """Print how often the band contains the true value."""
    others = [[one for number, one in enumerate(at_random) if number != own] for own in range(len(rounds))]
    found = [
        band_coverage(one, true_values(chain.from_iterable(rest))) for one, rest in zip(rounds, others, strict=True)
    ]
    band = replace(Rating(), weight=INITIAL_WEIGHT + MIN_SETTLED_MATCHES).band
    print(
        f"  settled after {MIN_SETTLED_MATCHES} matches, at ±{band}; "
        f"the band contained the true value in {_mean_and_error(found, 0)} %"
    )


def main() -> None:
    """Run the measurements."""
    reader = argparse.ArgumentParser(prog="python -m tests.bench.ratings")
    reader.add_argument("--full", action="store_true", help=f"5,000 matches a round among {FULL_PEOPLE} people")
    reader.add_argument("--seconds", type=float, help="how long to play, at most")
    reader.add_argument("--kept", type=Path, help="a folder for played matches")
    reader.add_argument("--rounds", help="which rounds, as 3-5")
    said = reader.parse_args()
    people, count, most, which = (
        (FULL_PEOPLE, MODELLED_MATCHES, math.inf, FULL_ROUNDS)
        if said.full
        else (SHORT_PEOPLE, 2_000, SECONDS, SHORT_ROUNDS)
    )
    if said.rounds:
        first, _, last = said.rounds.partition("-")
        which = range(int(first), int(last or first) + 1)
    for title in MEETINGS:
        print_quality(
            f"a quick model, which decides nothing, {title}", people, [[*modelled_matches(title, people, count)]]
        )
    ends = time.monotonic() + (said.seconds or most)
    rounds = dict[str, list[list[RatedMatch]]]()
    left = len(MEETINGS) * len(which)
    for title in MEETINGS:
        rounds[title] = []
        for one in which:
            rounds[title].append(played_matches(title, people, one, (ends - time.monotonic()) / left, said.kept))
            left -= 1
    for title, found in rounds.items():
        print_quality(f"really played, {title}", people, found)
        if said.full and len(which) > 1:
            print_band_coverage(found, rounds[RANDOM_MEETING])


if __name__ == "__main__":
    main()
