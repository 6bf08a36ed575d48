"""How well each level of house players plays: python -m tests.bench.house [--full] [part of a cell's name]

One player of a level on each seat in turn against three of another kind, all with the same cards: the mean of its four
hands is what a deal brought it, and deals are counted till the time of a cell is over. In the short form that is nine
minutes in all. The full form gives a cell up to 90 minutes and ends it earlier where the interval is narrow enough; it
writes down each deal in .bench/house and goes on from there the next time. Points are the mean penalty of all less the
own one, or, where the winner takes the cards left, these, in other games than Big Two by how much a seat stands above
the mean of all, or of how many hands in a hundred it wins; intervals are of 95 %. The deals of a cell have the seeds
"levels 0", "levels 1" and so on, the dice of a hand follow from the deal and the seat: every number comes again.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from bot.games import GAMES
from bot.ground.level import Level
from bot.house import plain
from bot.house.levels import THREE, choose
from bot.rules.actions import Action, Pass, Play
from bot.rules.asks import PlayAsk
from bot.rules.cards import SeededRandom
from bot.rules.game import Game, Result, Rules, View

RULES = GAMES["big_two"].rules("pagat")
OTHERS = {"tien_len": -0.6, "a_bao": -0.6, "big_a": -2.0, "big_little_a": -6.0}  # how much weaker kind may be there
KEPT = Path(".bench/house")
WIDE = 1.96  # standard errors of a mean on either side make up 95 %
NARROW = 0.3  # points a hand
FEWEST = 150  # deals: fewer may agree by chance
SECONDS, FULL_SECONDS = {"strong": 38, "good": 15, "kind": 8}, 90 * 60

Player: TypeAlias = Callable[[View, random.Random], Action | None]
Scoring: TypeAlias = Callable[[Result, int, Rules], float]


def of(level: Level) -> Player:
    """Return a player of this level."""
    return lambda view, rng: choose(level, view, rng)


def lowest(view: View, _: random.Random) -> Action:
    """Play the weakest of what is legal, fewest cards first."""
    return Play(view.plays.first(1)[0].cards)


def longest(view: View, _: random.Random) -> Action:
    """Play the weakest of the longest plays."""
    return Play(max(view.plays, key=lambda combo: len(combo.cards)).cards)


def penalty(result: Result, seat: int, _: Rules) -> float:
    """Return by how much the own penalty is below the mean of all."""
    return statistics.mean(result.points) - result.points[seat]


def lead(result: Result, seat: int, rules: Rules) -> float:
    """Return by how much a seat stands above the mean of all, by the points of the game, of which few may be good."""
    stands = rules.ranking((result,))
    return statistics.mean(stands) - stands[seat]


def takings(result: Result, seat: int, _: Rules) -> float:
    """Return what a seat takes or pays where the winner takes a point for each card left."""
    left = [len(held) for held in result.left]
    return sum(left) if seat == result.order[0] else -left[seat]


def won(result: Result, seat: int, _: Rules) -> float:
    """Return a hundred where a seat has won a hand, by going out or the least penalty, its part where more have."""
    places = result.places
    return 100 / places.count(1) if places[seat] == 1 else 0.0


PLAYERS: Mapping[str, Player] = {
    "plain": plain.choose, "lowest": lowest, "longest": longest, **{str(level): of(level) for level in THREE},
}  # fmt: skip


class Cell(NamedTuple):
    """A player against three others, and what is hoped for: at least so many points, and for some at most."""

    player: str
    others: str
    least: float
    most: float | None = None
    scoring: Scoring = penalty
    game: str = "big_two"

    def __str__(self) -> str:
        scored = f", {self.game}" * (self.game != "big_two") + ", hands won" * (self.scoring is won)
        return f"{self.player} against {self.others}{scored}"

    @property
    def rules(self) -> Rules:
        """By which it is played: the first preset of another game."""
        return RULES if self.game == "big_two" else GAMES[self.game].rules(next(iter(GAMES[self.game].presets)))


CELLS = (
    Cell("kind", "plain", -0.6, 0.0),
    Cell("good", "plain", 0.9), Cell("good", "kind", 1.0),
    Cell("good", "lowest", 5.0, scoring=takings), Cell("good", "longest", 4.3, scoring=takings),
    Cell("strong", "plain", 1.8), Cell("strong", "kind", 1.8),
    Cell("strong", "lowest", 5.8, scoring=takings), Cell("strong", "longest", 5.2, scoring=takings),
    *(Cell("kind", "plain", least, 0.0, lead, game) for game, least in OTHERS.items()),
    *(Cell("good", "kind", 1.0, scoring=lead, game=game) for game in OTHERS),
    Cell("good", "kind", 35, scoring=won, game="a_bao"), Cell("good", "kind", 45, scoring=won, game="big_little_a"),
    *(Cell("strong", "kind", 1.8 if game == "tien_len" else 2.0, scoring=lead, game=game) for game in OTHERS),
    Cell("strong", "kind", 42, scoring=won, game="a_bao"),
    Cell("strong", "kind", 55, scoring=won, game="big_little_a"),
)  # fmt: skip


def hand(cell: Cell, deal: int, mine: int, times: list[float]) -> float:
    """Return what one hand brings the player on this seat. times: of its decisions, in seconds; they are added to."""
    rules = cell.rules
    game: Game = rules.deal(SeededRandom(f"levels {deal}"), deal % rules.players)
    rng = random.Random(f"levels {deal} {mine}")
    while game.result is None:
        seat = min(game.awaited)
        view = game.view(seat)
        start = time.perf_counter()
        stuck = isinstance(view.ask, PlayAsk) and not view.plays
        action = Pass() if stuck else PLAYERS[cell.player if seat == mine else cell.others](view, rng)
        if seat == mine and not stuck:
            times.append(time.perf_counter() - start)
        assert action
        game = game.act(seat, action)
    return cell.scoring(game.result, mine, rules)


def deals(cell: Cell, times: list[float], *, kept: bool) -> Iterator[list[float]]:
    """Yield what all deals have brought so far, after each one. kept: they are written down, and read again."""
    path = KEPT / f"{cell}.txt"
    gains = [float(line) for line in path.read_text("ascii").split()] if kept and path.exists() else []
    while True:
        deal = len(gains)
        gains.append(statistics.mean(hand(cell, deal, seat, times) for seat in range(cell.rules.players)))
        if kept:
            KEPT.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="ascii") as file:
                file.write(f"{gains[-1]!r}\n")
        yield gains


def width(gains: list[float]) -> float:
    """Return how far the interval of a mean reaches on either side."""
    return WIDE * statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float("inf")


def measure(cell: Cell, *, full: bool) -> None:
    """Print what a cell comes to."""
    ends, times, gains = time.monotonic() + (FULL_SECONDS if full else SECONDS[cell.player]), list[float](), [0.0]
    for gains in deals(cell, times, kept=full):
        if time.monotonic() > ends or (full and len(gains) >= FEWEST and width(gains) <= NARROW):
            break
    times.sort()
    goal = f"{cell.least:+.1f}" if cell.most is None else f"{cell.least:+.1f} to {cell.most:+.1f}"
    middle, late = (times[int(len(times) * share)] * 1e3 for share in (0.5, 0.99))
    found = f"{statistics.mean(gains):+6.2f} +- {width(gains):.2f} of {len(gains):,} deals"
    print(f"{cell!s:46}{found:32} the goal is {goal:12}; a decision {middle:.1f} ms, p99 {late:.0f} ms", flush=True)


def main() -> None:
    """Print every cell that was asked for."""
    words = [word for word in sys.argv[1:] if not word.startswith("-") and word != "house"]
    for cell in CELLS:
        if all(word in str(cell) for word in words):
            measure(cell, full="--full" in sys.argv)


if __name__ == "__main__":
    main()
