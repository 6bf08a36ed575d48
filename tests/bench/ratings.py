"""Whether ratings say who is good: python -m tests.bench.ratings [--full] [--seconds S] [--kept FOLDER]

People of graded noise play Big Two and Tiến Lên, four at a table, by the real rules: each does what the plain house
player would, but now and then something at random, the more often the weaker they are. They meet at random, which is
the best case of a mean place, and in circles of about equal strength with a few matches between, as on servers. Three
ways of rating read the same matches: ours, Elo between each two of a match, and the mean place. Judged on these matches
alone: how well the order agrees with how good people are (Spearman), and how well the second half of the matches was
foretold (log loss of who comes before whom, a coin having 0.693). A quick model of the same beside it shows more
volume, and decides nothing. By default as many matches as fit into 35 s; --full plays 5,000 of each among 200 people,
and goes on where they are kept.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from typing import Protocol, TypeAlias

from bot.games import GAMES
from bot.ground.ids import PlayerId, TableId
from bot.ground.rating import SURE, Part, Ranked, Rating
from bot.house.plain import choose
from bot.ratings.fold import MODEL, Fold
from bot.rules.actions import Action, Ready
from bot.rules.match import Match
from bot.rules.record import Record
from tests.laws.matches import offered
from tests.store.given import NOON

FEW, MANY, WHOLE, SECONDS, MODELLED = 40, 200, 5_000, 35, 20_000
GAMES_PLAYED = (("tien_len", "simple"), ("big_two", "pagat"))
NOISE = 0.6  # of the weakest: how often something at random is done
K, HANDS = 32, 3
CIRCLE, BETWEEN = 20, 0.1  # people who mostly play among themselves; how many matches are among any
Places = Mapping[int, int]
Meeting: TypeAlias = Callable[[random.Random, int], list[int]]  # who sits down, of so many people


class Way(Protocol):
    """A way of rating."""

    def before(self, one: int, other: int) -> float:
        """Return how probable it is that the one comes before the other."""
        ...

    def add(self, number: int, places: Places) -> None:
        """Learn how a match ended."""
        ...

    def worth(self, player: int) -> float:
        """Return how good somebody is, by what is known."""
        ...


class Ours:
    """As Bigger rates: the number that people see, and the model's chances."""

    def __init__(self) -> None:
        self.fold = Fold()

    def rating(self, player: int) -> Rating:
        """Return somebody's rating."""
        return self.fold.ratings.get(PlayerId(player), Rating())

    def before(self, one: int, other: int) -> float:
        """Return the chance as openskill has it."""
        mine, theirs = self.rating(one), self.rating(other)
        spread = math.sqrt(2 * MODEL.beta**2 + mine.sigma**2 + theirs.sigma**2)
        return 0.5 * (1 + math.erf((mine.mu - theirs.mu) / spread / math.sqrt(2)))

    def add(self, number: int, places: Places) -> None:
        """Rate a match, a day after the one before, so that nothing is damped."""
        parts = {PlayerId(player): Part(seat, place) for seat, (player, place) in enumerate(places.items())}
        points = tuple(range(len(places)))
        self.fold.add(Ranked(TableId(number), NOON + timedelta(minutes=10 * number), points, parts))

    def worth(self, player: int) -> float:
        """Return the number that is shown."""
        return self.rating(player).mu - SURE * self.rating(player).sigma


class Elo:
    """Elo between each two of a match."""

    def __init__(self) -> None:
        self.known: dict[int, float] = {}

    def before(self, one: int, other: int) -> float:
        """Return Elo's chance."""
        return 1 / (1 + 10 ** ((self.worth(other) - self.worth(one)) / 400))

    def add(self, _number: int, places: Places) -> None:
        """Let each two have played a game."""
        change = dict.fromkeys(places, 0.0)
        for one, other in combinations(places, 2):
            score = 0.5 if places[one] == places[other] else float(places[one] < places[other])
            gained = K / (len(places) - 1) * (score - self.before(one, other))
            change[one] += gained
            change[other] -= gained
        for player, gained in change.items():
            self.known[player] = self.worth(player) + gained

    def worth(self, player: int) -> float:
        """Return somebody's Elo."""
        return self.known.get(player, 1500.0)


class MeanPlace:
    """The mean of places, drawn to the middle for who has played little."""

    def __init__(self) -> None:
        self.places: dict[int, list[int]] = {}

    def before(self, one: int, other: int) -> float:
        """Return a chance out of the difference of means."""
        return 1 / (1 + math.exp(-(self.worth(one) - self.worth(other))))

    def add(self, _number: int, places: Places) -> None:
        """Note the places."""
        for player, place in places.items():
            self.places.setdefault(player, []).append(place)

    def worth(self, player: int) -> float:
        """Return how far the mean lies above the middle."""
        places = self.places.get(player, [])
        return (2.5 * (len(places) + 3) - sum(places) - 3 * 2.5) / (len(places) + 3)


def strength(player: int, people: int) -> float:
    """Return how good somebody is, 1 being the best: how rarely they do something at random."""
    return 1 - NOISE * player / (people - 1)


def anybody(rng: random.Random, people: int) -> list[int]:
    """Let any four meet."""
    return rng.sample(range(people), 4)


def circle(rng: random.Random, people: int) -> list[int]:
    """Let four of a circle meet, and now and then any four."""
    if rng.random() < BETWEEN:
        return anybody(rng, people)
    first = CIRCLE * rng.randrange(people // CIRCLE)
    return rng.sample(range(first, first + CIRCLE), 4)


MEETINGS: Mapping[str, Meeting] = {"met at random": anybody, "met in circles": circle}


def played(number: int, people: int, meeting: Meeting) -> dict[int, int]:
    """Play a match by the rules; return the places by player, in the order of the seats."""
    rng = random.Random(f"ratings {number}")
    seated = meeting(rng, people)
    game, preset = GAMES_PLAYED[number % len(GAMES_PLAYED)]
    known = GAMES[game]
    match = Record(known, preset, f"ratings {number}", known.wish(preset, {}, hands=HANDS)).begin()
    while not match.over:
        match = _step(match, [strength(player, people) for player in seated], rng)
    return dict(zip(seated, match.places, strict=True))


def _step(match: Match, strengths: Sequence[float], rng: random.Random) -> Match:
    seat = min(match.to_act)
    return match.act(seat, _action(match, seat, strengths[seat], rng))


def _action(match: Match, seat: int, good: float, rng: random.Random) -> Action:
    if match.game.result is not None:
        return Ready()
    view = match.view(seat)
    meant = choose(view) if rng.random() < good else None
    return meant or rng.choice(offered(view))


def matches(people: int, meeting: Meeting, seconds: float, kept: Path | None) -> Iterator[dict[int, int]]:
    """Give matches that were really played: as many as are wanted, and as there is time for beside those kept."""
    ends, file = time.monotonic() + seconds, kept.open("a+", encoding="utf-8") if kept else None
    if file:
        file.seek(0)
    done = [{int(player): place for player, place in json.loads(line).items()} for line in file or ()]
    yield from done[:WHOLE]
    number = len(done)
    while number < WHOLE and time.monotonic() < ends:
        places = played(number, people, meeting)
        if file:
            print(json.dumps(places), file=file, flush=True)
        yield places
        number += 1


def modelled(people: int, meeting: Meeting, count: int) -> Iterator[dict[int, int]]:
    """Give matches that a quick model draws: who is stronger comes first more often."""
    rng = random.Random("model")
    for _ in range(count):
        seated = meeting(rng, people)
        order = sorted(seated, key=lambda player: 3 * strength(player, people) - math.log(-math.log(rng.random())))
        yield {player: 4 - order.index(player) for player in seated}


def judged(people: int, found: Iterable[dict[int, int]]) -> tuple[int, dict[str, tuple[float, float]], float]:
    """Return how many matches there were, for each way Spearman's rho and the log loss, and matches until settled."""
    ways: dict[str, Way] = {"ours": Ours(), "Elo": Elo(), "mean place": MeanPlace()}
    lost: dict[str, list[list[float]]] = {name: [] for name in ways}
    settled: dict[int, int] = {}
    count: dict[int, int] = {}
    number = 0
    for number, places in enumerate(found, 1):  # how many there were
        for name, way in ways.items():
            lost[name].append([_loss(way, one, other, places) for one, other in combinations(places, 2)
                               if places[one] != places[other]])  # fmt: skip
            way.add(number, places)
        for player in places:
            count[player] = count.get(player, 0) + 1
            ours = ways["ours"]
            if isinstance(ours, Ours) and ours.rating(player).settled:
                settled.setdefault(player, count[player])
    second = {name: [loss for match in losses[number // 2 :] for loss in match] for name, losses in lost.items()}
    rho = {
        name: spearman([(strength(player, people), way.worth(player)) for player in count])
        for name, way in ways.items()
    }
    return number, {name: (rho[name], mean(second[name])) for name in ways}, median(settled.values() or [math.nan])


def _loss(way: Way, one: int, other: int, places: Places) -> float:
    chance = min(max(way.before(one, other), 1e-6), 1 - 1e-6)
    return -math.log(chance if places[one] < places[other] else 1 - chance)


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Return how well two orders agree, from -1 to 1."""
    ranks = [_ranks([pair[at] for pair in pairs]) for at in (0, 1)]
    middle = (len(pairs) - 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(*ranks, strict=True))
    size = math.sqrt(math.prod([sum((a - middle) ** 2 for a in rank) for rank in ranks]))
    return float(both / size)


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2 for value in values]


def tell(title: str, found: tuple[int, Mapping[str, tuple[float, float]], float]) -> None:
    """Print how good each way was."""
    number, ways, until = found
    print(f"{title}: {number} matches; settled after {until:.0f} (median)")
    for name, (rho, loss) in ways.items():
        print(f"  {name:10}  order {rho:.3f}  log loss {loss:.4f}")


def main() -> None:
    """Measure it."""
    reader = argparse.ArgumentParser(prog="python -m tests.bench.ratings")
    reader.add_argument("--full", action="store_true", help=f"{WHOLE} matches among {MANY} people")
    reader.add_argument("--seconds", type=float, help="how long to play, at most")
    reader.add_argument("--kept", type=Path, help="a folder for matches that have been played")
    said = reader.parse_args()
    people, count, most = (MANY, MODELLED, math.inf) if said.full else (FEW, 2_000, SECONDS)
    for title, meeting in MEETINGS.items():
        tell(f"a quick model, which decides nothing, {title}", judged(people, modelled(people, meeting, count)))
    for title, meeting in MEETINGS.items():
        kept = said.kept and said.kept / f"{title.replace(' ', '_')}_{people}.jsonl"
        found = matches(people, meeting, (said.seconds or most) / len(MEETINGS), kept)
        tell(f"really played, {title}", judged(people, found))


if __name__ == "__main__":
    main()
