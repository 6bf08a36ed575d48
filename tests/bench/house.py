"""How well each level of house players plays: python -m tests.bench.house [--full] [a word of a cell's name]...

A cell compares one player, on each seat in turn, with three players of another kind, all with the same cards. The gain
of a deal is the mean of its four hands; deals are played until the time of a cell is over: nine minutes in total in the
short form. The full form gives a cell up to 90 minutes, ends earlier if the interval is narrow enough, and stores each
deal in .bench/house, so that a later run continues.

Points are the mean penalty of all minus the own penalty; or, if the winner takes the cards left, those; in other games
than Big Two the difference to the mean of all seats, or won hands in percent. Intervals are of 95 %. The deals of a
cell have the seeds "levels 0", "levels 1" and so on, and the random numbers of a hand follow from deal and seat, so
that results are reproducible.

With --worlds N or --undoubting a hard player of Big Two is compared with itself: with time for only N worlds a
decision, as when many tables wait (`make bench ARGS=thinking` measures N), or without inference from earlier plays and
passes. Both play the same deals, and the paired difference is far more precise than two means.
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
MIN_GAINS = {
    "tien_len": -0.6,
    "a_bao": -0.6,
    "big_a": -2.0,
    "big_little_a": -6.0,
}  # lower bound of the gain of kind players, by game
RECORDS_FOLDER = Path(".bench/house")
Z_95 = 1.96  # standard errors on either side of a 95 % interval
TARGET_WIDTH = 0.3  # points a hand
MIN_DEALS = 150  # before the full form may end a cell
SECONDS_BY_LEVEL, FULL_SECONDS = {"strong": 38, "good": 15, "kind": 8}, 90 * 60

Player: TypeAlias = Callable[[View, random.Random], Action | None]
Scoring: TypeAlias = Callable[[Result, int, Rules], float]


def player_of_level(level: Level) -> Player:
    """Return a player of this level."""
    return lambda view, rng: house_action(level, view, rng)


def limited_player(worlds: int) -> Player:
    """Return a hard player with time for so many worlds."""

    def play(view: View, rng: random.Random) -> Action | None:
        tried = count(1)  # at least one world
        return house_action(Level.HARD, view, rng, lambda: next(tried) >= worlds)

    return play


def play_without_inference(view: View, rng: random.Random) -> Action | None:
    """Play like a hard player that ignores earlier plays and passes."""
    return plain.plain_action(view) if goes_out(view) else strong(view, rng, doubting=False)


def play_lowest(view: View, _: random.Random) -> Action:
    """Play the weakest legal play, fewest cards first."""
    return Play(view.plays.first(1)[0].cards)


def play_longest(view: View, _: random.Random) -> Action:
    """Play the weakest of the longest plays."""
    return Play(max(view.plays, key=lambda combo: len(combo.cards)).cards)


def penalty(result: Result, seat: int, _: Rules) -> float:
    """Return by how much the own penalty is below the mean of all seats."""
    return statistics.mean(result.points) - result.points[seat]


def lead_over_mean(result: Result, seat: int, rules: Rules) -> float:
    """Return the difference of a seat's points to the mean of all seats; negative if few points are good."""
    stands = rules.ranking((result,))
    return statistics.mean(stands) - stands[seat]


def takings(result: Result, seat: int, _: Rules) -> float:
    """Return what a seat takes or pays if the winner takes a point for each card left."""
    left = [len(held) for held in result.left]
    return sum(left) if seat == result.order[0] else -left[seat]


def win_share(result: Result, seat: int, _: Rules) -> float:
    """Return 100 if the seat won the hand, by going out or the least penalty; a share of it after a tie."""
    places = result.places
    return 100 / places.count(1) if places[seat] == 1 else 0.0


PLAYERS: dict[str, Player] = {
    "plain": plain.plain_action,
    "lowest": play_lowest,
    "longest": play_longest,
    "undoubting": play_without_inference,
    **{str(level): player_of_level(level) for level in THREE},
}


class Cell(NamedTuple):
    """A comparison of a player with three others. lower_bound, upper_bound: of the expected gain."""

    player: str
    others: str
    lower_bound: float
    upper_bound: float | None = None
    scoring: Scoring = penalty
    game: str = "big_two"

    def __str__(self) -> str:
        scored = f", {self.game}" * (self.game != "big_two") + ", hands won" * (self.scoring is win_share)
        return f"{self.player} against {self.others}{scored}"

    @property
    def rules(self) -> Rules:
        """The rules: of Big Two, or of the first preset of another game."""
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
    *(Cell("kind", "plain", lower_bound, 0.0, lead_over_mean, game) for game, lower_bound in MIN_GAINS.items()),
    *(Cell("good", "kind", 1.0, scoring=lead_over_mean, game=game) for game in MIN_GAINS),
    Cell("good", "kind", 35, scoring=win_share, game="a_bao"),
    Cell("good", "kind", 45, scoring=win_share, game="big_little_a"),
    *(
        Cell("strong", "kind", 1.8 if game == "tien_len" else 2.0, scoring=lead_over_mean, game=game)
        for game in MIN_GAINS
    ),
    Cell("strong", "kind", 42, scoring=win_share, game="a_bao"),
    Cell("strong", "kind", 55, scoring=win_share, game="big_little_a"),
)


def play_hand(cell: Cell, deal: int, own_seat: int, times: list[float]) -> float:
    """Return the gain of the player on this seat in one hand. times: seconds of its decisions; extended."""
    rules = cell.rules
    game: Game = rules.deal(SeededRandom(f"levels {deal}"), deal % rules.players)
    ply = 0
    while game.result is None:
        seat, rng, ply = min(game.awaited), random.Random(f"levels {deal} {own_seat} {ply}"), ply + 1
        view = game.view(seat)
        start = time.perf_counter()
        stuck = isinstance(view.ask, PlayAsk) and not view.plays
        action = Pass() if stuck else PLAYERS[cell.player if seat == own_seat else cell.others](view, rng)
        if seat == own_seat and not stuck:
            times.append(time.perf_counter() - start)
        assert action
        game = game.act(seat, action)
    return cell.scoring(game.result, own_seat, rules)


def play_deals(cell: Cell, times: list[float], *, kept: bool) -> Iterator[float]:
    """Yield the gain of each deal. kept: stored deals are read, new ones written."""
    path = RECORDS_FOLDER / f"{cell}.txt"
    known = [float(line) for line in path.read_text("ascii").split()] if kept and path.exists() else []
    yield from known
    for deal in count(len(known)):
        gained = statistics.mean(play_hand(cell, deal, seat, times) for seat in range(cell.rules.players))
        if kept:
            RECORDS_FOLDER.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="ascii") as file:
                file.write(f"{gained!r}\n")
        yield gained


def half_width(gains: list[float]) -> float:
    """Return half of the width of the 95 % interval of the mean."""
    return Z_95 * statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float("inf")


def measure_cell(cell: Cell, variant: str, *, full: bool) -> None:
    """Print the result of a cell. variant: another player to compare with the usual one, or None."""
    ends, cells = time.monotonic() + (FULL_SECONDS if full else SECONDS_BY_LEVEL[cell.player]), [cell]
    if variant:
        cells = [cell._replace(player=variant), cell]
    times, gains = [list[float]() for _ in cells], [list[float]() for _ in cells]
    more, narrow = (
        list[float](),
        TARGET_WIDTH / 3 if variant else TARGET_WIDTH,
    )  # gains, or differences to the usual player
    for gained in zip(
        *(play_deals(each, took, kept=full) for each, took in zip(cells, times, strict=True)), strict=True
    ):
        for several, one in zip(gains, gained, strict=True):
            several.append(one)
        more.append(gained[0] - gained[1] if variant else gained[0])
        if time.monotonic() > ends or (full and len(more) >= MIN_DEALS and half_width(more) <= narrow):
            break
    for each, several, took in zip(cells, gains, times, strict=True):
        print_cell(each, several, sorted(took))
    if variant:
        print(f"{variant}, by deals: {statistics.mean(more):+.2f} +- {half_width(more):.2f}", flush=True)


def print_cell(cell: Cell, gains: list[float], times: list[float]) -> None:
    """Print one line of results."""
    goal = (
        f"{cell.lower_bound:+.1f}"
        if cell.upper_bound is None
        else f"{cell.lower_bound:+.1f} to {cell.upper_bound:+.1f}"
    )
    middle, late = (times[int(len(times) * share)] * 1e3 if times else 0.0 for share in (0.5, 0.99))
    found = f"{statistics.mean(gains):+6.2f} +- {half_width(gains):.2f} of {len(gains):,} deals"
    print(f"{cell!s:46}{found:32} the goal is {goal:12}; a decision {middle:.1f} ms, p99 {late:.0f} ms", flush=True)


def parse_words(words: list[str]) -> tuple[str, list[str]]:
    """Return the requested variant, registered as a player, and the words that select cells."""
    if "--undoubting" in words:
        return "undoubting", words
    if "--worlds" not in words:
        return "", words
    at = words.index("--worlds")
    worlds = words[at + 1]
    PLAYERS[variant := f"strong of {worlds} worlds"] = limited_player(int(worlds))
    return variant, [*words[:at], *words[at + 2 :]]


def main() -> None:
    """Print all selected cells."""
    variant, rest = parse_words(sys.argv[1:])
    words = [word for word in rest if not word.startswith("-") and word != "house"]
    for cell in CELLS:
        if all(word in str(cell) for word in words) and (
            not variant or (cell.player, cell.game) == ("strong", "big_two")
        ):
            measure_cell(cell, variant, full="--full" in rest)


if __name__ == "__main__":
    main()
