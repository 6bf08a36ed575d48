"""How long people wait at slow tables: python -m tests.bench.waiting, or the whole of it with --full

Or some games, of some hands each: python -m tests.bench.waiting tien_len a_bao --hands=20. What every other order takes
is the field ``slow_days`` of a registered game: medians of 200 hands of Big Two and Big A (--full), and of 20 hands of
the others. Nobody's time ran out, so a daily table takes as long as a relaxed one. With --folder=X what is finished is
kept there, and a later run goes on with it.

Four persons in four zones (five in Big A) look in three times a day for ten minutes, at hours at which people do, and
play as house players would. Beside matches with orders there are matches at the same clock without, matches in which
every other person never orders, and matches by a day's clock that knows no sleep, over the same deals. An order says
only what the same player would say if asked: for each premove the later answer is compared.
"""

from __future__ import annotations

from argparse import ArgumentParser
from math import inf
from pathlib import Path
from statistics import fmean, median, quantiles, stdev
from tempfile import TemporaryDirectory
from time import monotonic

from bot.games import GAMES
from tests.bench.played_matches import Deal, matches
from tests.bench.slow_match import Kind, Tally

FULL, TIME = 200, 30.0  # matches of each kind with --full, and seconds after which none is begun without
PLAYED = {"big_two": "pagat", "big_a": "standard"}
OTHERS = {"tien_len": "south", "a_bao": "standard", "big_little_a": "standard"}
GOAL_DAYS = 3.0
ORDERS, WITHOUT, HALF = "with orders", "without", "every other orders"
KINDS = (
    Kind(ORDERS, (True,)),
    Kind(WITHOUT, (False,)),
    Kind(HALF, (True, False)),
    Kind("a day's clock", (False,), sleep=False),
)
HALF_AT = 2
HEAD = "                       hands  days a hand   notices a  actions    other  by the  of them\n"
HEAD += "                              (median, 90 %) day      by order  than asked clock  asleep"


def told(kind: Kind, tally: Tally) -> str:
    """Return what matches of one kind came to, in a line."""
    days, actions, by = tally.days, tally.by.total(), tally.by
    most = quantiles(days, n=10)[-1] if len(days) > 1 else days[0]
    return (
        f"  {kind.name:18} {len(days):5} {median(days):6.2f} {most:6.2f} {tally.notices / tally.person_days:8.2f} "
        f"{by['order'] / actions:8.0%} {tally.other / actions:8.1%} {by['clock'] / actions:8.1%} {tally.asleep:7}"
    )


def compared(found: dict[str, Tally]) -> str:
    """Return how much sooner a hand is over with orders, and whether they cost points, over the same deals."""
    ordering, without, mixed = found[ORDERS], found[WITHOUT], found[HALF]
    times = median(without.days) / median(ordering.days)
    alike = sum(points == without.points[seed] for seed, points in ordering.points.items())
    gained = [
        own - without.points[seed][seat]
        for seed, points in mixed.points.items()
        for seat, own in enumerate(points)
        if KINDS[HALF_AT].orders(seat)
    ]
    deals = len(without.points)
    noise = 1.96 * stdev(gained) / len(gained) ** 0.5 if len(gained) > 1 else 0.0
    return (
        f"  {times:.1f} times fewer days a hand with orders (goal {GOAL_DAYS}). The same points in {alike} of {deals} "
        f"hands;\n  who orders among others gains {fmean(gained):+.2f} points a hand by it (noise ±{noise:.2f})."
    )


def summed(deals: list[Deal]) -> dict[str, Tally]:
    """Return what matches came to together, by their kind."""
    found = {kind.name: Tally() for kind in KINDS}
    for deal in deals:
        for name, tally in deal.items():
            found[name].add(tally)
    return found


def run(played: dict[str, str], count: int, seconds: float, folder: Path) -> None:
    """Measure and print."""
    folder.mkdir(parents=True, exist_ok=True)
    for game, preset in played.items():
        until = monotonic() + seconds / len(played)
        found = summed(matches(KINDS, game, preset, range(count), until, folder / f"{game}-{preset}.jsonl"))
        print(f"{GAMES[game].title}, {preset}\n{HEAD}")
        for kind in KINDS:
            print(told(kind, found[kind.name]))
        print(compared(found), flush=True)


def main() -> None:
    """Do what the command line says."""
    words = ArgumentParser()
    words.add_argument("games", nargs="*", help=f"of {[*PLAYED, *OTHERS]}")
    words.add_argument("--full", action="store_true")
    words.add_argument("--hands", type=int)
    words.add_argument("--minutes", type=float, help="begin no match after so long")
    words.add_argument("--folder", type=Path, help="where finished matches are kept, to go on with them")
    told = words.parse_args()
    played = {game: (PLAYED | OTHERS)[game] for game in told.games} or PLAYED
    seconds = told.minutes * 60 if told.minutes else inf if told.full or told.hands else TIME
    with TemporaryDirectory() as folder:
        run(played, told.hands or FULL, seconds, told.folder or Path(folder))


if __name__ == "__main__":
    main()
