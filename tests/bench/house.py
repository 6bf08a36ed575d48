"""How well each level of house players plays: python -m tests.bench.house [--full] [a word of a cell's name]...

One player of a level on each seat in turn against three of another kind, all with the same cards: the mean of its four
hands is what a deal brought it, and deals are counted till the time of a cell is over. In the short form that is nine
minutes in all. The full form gives a cell up to 90 minutes and ends it earlier where the interval is narrow enough; it
writes down each deal in .bench/house and goes on from there the next time. Points are the mean penalty of all less the
own one, or, where the winner takes the cards left, these, in other games than Big Two by how much a seat stands above
the mean of all, or of how many hands in a hundred it wins; intervals are of 95 %. The deals of a cell have the seeds
"levels 0", "levels 1" and so on, the dice of a hand follow from the deal and the seat: every number comes again.

With --worlds N or --undoubting a strong player of Big Two is held against itself as well: with time for no more than
so many worlds a decision, as it has where many tables wait (how many says `make bench ARGS=thinking`), or while it
imagines all hands alike, whatever was played and passed. Both play the same deals, and the difference of each deal
tells far more closely than two means what that costs.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeAlias

from bot.ai import plain
from bot.ai.engine.strategy import goes_out
from bot.ai.games.big_two import strong
from bot.ai.levels import THREE, house_action
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Game, Result, Rules, View

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
    return lambda view, rng: house_action(level, view, rng)


def hurried(worlds: int) -> Player:
    """Return a strong player who has time for so many worlds."""

    def play(view: View, rng: random.Random) -> Action | None:
        tried = count(1)  # one is always tried
        return house_action(Level.HARD, view, rng, lambda: next(tried) >= worlds)

    return play


def undoubting(view: View, rng: random.Random) -> Action | None:
    """Play like a strong player that ignores earlier plays and passes."""
    return plain.plain_action(view) if goes_out(view) else strong(view, rng, doubting=False)


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


PLAYERS: dict[str, Player] = {
    "plain": plain.plain_action,
    "lowest": lowest,
    "longest": longest,
    "undoubting": undoubting,
    **{str(level): of(level) for level in THREE},
}


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
    Cell("good", "plain", 0.9),
    Cell("good", "kind", 1.0),
    Cell("good", "lowest", 5.0, scoring=takings),
    Cell("good", "longest", 4.3, scoring=takings),
    Cell("strong", "plain", 1.8),
    Cell("strong", "kind", 1.8),
    Cell("strong", "lowest", 5.8, scoring=takings),
    Cell("strong", "longest", 5.2, scoring=takings),
    *(Cell("kind", "plain", least, 0.0, lead, game) for game, least in OTHERS.items()),
    *(Cell("good", "kind", 1.0, scoring=lead, game=game) for game in OTHERS),
    Cell("good", "kind", 35, scoring=won, game="a_bao"),
    Cell("good", "kind", 45, scoring=won, game="big_little_a"),
    *(Cell("strong", "kind", 1.8 if game == "tien_len" else 2.0, scoring=lead, game=game) for game in OTHERS),
    Cell("strong", "kind", 42, scoring=won, game="a_bao"),
    Cell("strong", "kind", 55, scoring=won, game="big_little_a"),
)


def hand(cell: Cell, deal: int, mine: int, times: list[float]) -> float:
    """Return what one hand brings the player on this seat. times: durations of its decisions, in seconds; extended."""
    rules = cell.rules
    game: Game = rules.deal(SeededRandom(f"levels {deal}"), deal % rules.players)
    ply = 0
    while game.result is None:
        seat, rng, ply = min(game.awaited), random.Random(f"levels {deal} {mine} {ply}"), ply + 1
        view = game.view(seat)
        start = time.perf_counter()
        stuck = isinstance(view.ask, PlayAsk) and not view.plays
        action = Pass() if stuck else PLAYERS[cell.player if seat == mine else cell.others](view, rng)
        if seat == mine and not stuck:
            times.append(time.perf_counter() - start)
        assert action
        game = game.act(seat, action)
    return cell.scoring(game.result, mine, rules)


def deals(cell: Cell, times: list[float], *, kept: bool) -> Iterator[float]:
    """Yield what each deal brings. kept: records are written and read back."""
    path = KEPT / f"{cell}.txt"
    known = [float(line) for line in path.read_text("ascii").split()] if kept and path.exists() else []
    yield from known
    for deal in count(len(known)):
        gained = statistics.mean(hand(cell, deal, seat, times) for seat in range(cell.rules.players))
        if kept:
            KEPT.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="ascii") as file:
                file.write(f"{gained!r}\n")
        yield gained


def width(gains: list[float]) -> float:
    """Return how far the interval of a mean reaches on either side."""
    return WIDE * statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float("inf")


def measure(cell: Cell, variant: str, *, full: bool) -> None:
    """Print what a cell comes to. variant: another way to play, which is held against the usual one; none for none."""
    ends, cells = time.monotonic() + (FULL_SECONDS if full else SECONDS[cell.player]), [cell]
    if variant:
        cells = [cell._replace(player=variant), cell]
    times, gains = [list[float]() for _ in cells], [list[float]() for _ in cells]
    more, narrow = list[float](), NARROW / 3 if variant else NARROW  # than the usual one, where there are two
    for gained in zip(*(deals(each, took, kept=full) for each, took in zip(cells, times, strict=True)), strict=True):
        for several, one in zip(gains, gained, strict=True):
            several.append(one)
        more.append(gained[0] - gained[1] if variant else gained[0])
        if time.monotonic() > ends or (full and len(more) >= FEWEST and width(more) <= narrow):
            break
    for each, several, took in zip(cells, gains, times, strict=True):
        show(each, several, sorted(took))
    if variant:
        print(f"{variant}, by deals: {statistics.mean(more):+.2f} +- {width(more):.2f}", flush=True)


def show(cell: Cell, gains: list[float], times: list[float]) -> None:
    """Print a line."""
    goal = f"{cell.least:+.1f}" if cell.most is None else f"{cell.least:+.1f} to {cell.most:+.1f}"
    middle, late = (times[int(len(times) * share)] * 1e3 if times else 0.0 for share in (0.5, 0.99))
    found = f"{statistics.mean(gains):+6.2f} +- {width(gains):.2f} of {len(gains):,} deals"
    print(f"{cell!s:46}{found:32} the goal is {goal:12}; a decision {middle:.1f} ms, p99 {late:.0f} ms", flush=True)


def asked(words: list[str]) -> tuple[str, list[str]]:
    """Return the variant that is asked for, which is a player from now on, and the words of cells."""
    if "--undoubting" in words:
        return "undoubting", words
    if "--worlds" not in words:
        return "", words
    at = words.index("--worlds")
    worlds = words[at + 1]
    PLAYERS[variant := f"strong of {worlds} worlds"] = hurried(int(worlds))
    return variant, [*words[:at], *words[at + 2 :]]


def main() -> None:
    """Print every cell that was asked for."""
    variant, rest = asked(sys.argv[1:])
    words = [word for word in rest if not word.startswith("-") and word != "house"]
    for cell in CELLS:
        if all(word in str(cell) for word in words) and (
            not variant or (cell.player, cell.game) == ("strong", "big_two")
        ):
            measure(cell, variant, full="--full" in rest)


if __name__ == "__main__":
    main()
