"""How long matches at slow tables take: python -m tests.bench.waiting [--full] [game ...] [--hands=20] [--folder=X]

For example, some games of some hands each: python -m tests.bench.waiting tien_len a_bao --hands=20. The result for
premoves by every other player is the field ``slow_days`` of a registered game: medians of 200 hands of Big Two and
Big A (--full), and of 20 hands of the others. No deadline passed, so a daily table takes as long as a relaxed one. With
--folder=X results are stored there, and a later run continues.

Four persons in four zones (five in Big A) visit three times a day for ten minutes, at usual hours, and play as house
players. Matches with premoves are compared, over the same deals, with matches at the same clock without, with matches
in which every other person never queues, and with matches by a day's clock without working hours. A premove equals the
later answer of the same player: each premove is compared.
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

FULL_MATCHES, MAX_SECONDS = 200, 30.0  # matches of each kind with --full; seconds without
MAIN_PRESETS = {"big_two": "pagat", "big_a": "standard"}
OTHER_PRESETS = {"tien_len": "south", "a_bao": "standard", "big_little_a": "standard"}
GOAL_DAYS = 3.0
WITH_PREMOVES, WITHOUT_PREMOVES, HALF_WITH_PREMOVES = "with orders", "without", "every other orders"
KINDS = (
    Kind(WITH_PREMOVES, (True,)),
    Kind(WITHOUT_PREMOVES, (False,)),
    Kind(HALF_WITH_PREMOVES, (True, False)),
    Kind("a day's clock", (False,), sleep=False),
)
HALF_INDEX = 2
TABLE_HEAD = "                       hands  days a hand   notices a  actions    other  by the  of them\n"
TABLE_HEAD += "                              (median, 90 %) day      by order  than asked clock  asleep"


def describe(kind: Kind, tally: Tally) -> str:
    """Describe the results of one kind of matches in a line."""
    days, actions, by = tally.days, tally.by.total(), tally.by
    most = quantiles(days, n=10)[-1] if len(days) > 1 else days[0]
    return (
        f"  {kind.name:18} {len(days):5} {median(days):6.2f} {most:6.2f} {tally.notices / tally.person_days:8.2f} "
        f"{by['order'] / actions:8.0%} {tally.other / actions:8.1%} {by['clock'] / actions:8.1%} {tally.asleep:7}"
    )


def describe_differences(found: dict[str, Tally]) -> str:
    """Describe how much sooner hands end with premoves, and the difference in points, over the same deals."""
    ordering, without, mixed = found[WITH_PREMOVES], found[WITHOUT_PREMOVES], found[HALF_WITH_PREMOVES]
    times = median(without.days) / median(ordering.days)
    alike = sum(points == without.points[seed] for seed, points in ordering.points.items())
    gained = [
        own - without.points[seed][seat]
        for seed, points in mixed.points.items()
        for seat, own in enumerate(points)
        if KINDS[HALF_INDEX].orders(seat)
    ]
    deals = len(without.points)
    noise = 1.96 * stdev(gained) / len(gained) ** 0.5 if len(gained) > 1 else 0.0
    return (
        f"  {times:.1f} times fewer days a hand with orders (goal {GOAL_DAYS}). The same points in {alike} of {deals} "
        f"hands;\n  who orders among others gains {fmean(gained):+.2f} points a hand by it (noise ±{noise:.2f})."
    )


def sum_of_deals(deals: list[Deal]) -> dict[str, Tally]:
    """Return the sum of the results of all deals, by kind."""
    found = {kind.name: Tally() for kind in KINDS}
    for deal in deals:
        for name, tally in deal.items():
            found[name].add(tally)
    return found


def measure(played: dict[str, str], count: int, seconds: float, folder: Path) -> None:
    """Measure and print."""
    folder.mkdir(parents=True, exist_ok=True)
    for game, preset in played.items():
        until = monotonic() + seconds / len(played)
        found = sum_of_deals(matches(KINDS, game, preset, range(count), until, folder / f"{game}-{preset}.jsonl"))
        print(f"{GAMES[game].title}, {preset}\n{TABLE_HEAD}")
        for kind in KINDS:
            print(describe(kind, found[kind.name]))
        print(describe_differences(found), flush=True)


def main() -> None:
    """Run the measurements of the command line."""
    words = ArgumentParser()
    words.add_argument("games", nargs="*", help=f"of {[*MAIN_PRESETS, *OTHER_PRESETS]}")
    words.add_argument("--full", action="store_true")
    words.add_argument("--hands", type=int)
    words.add_argument("--minutes", type=float, help="begin no match after so long")
    words.add_argument("--folder", type=Path, help="for finished matches, to resume from them")
    options = words.parse_args()
    played = {game: (MAIN_PRESETS | OTHER_PRESETS)[game] for game in options.games} or MAIN_PRESETS
    seconds = options.minutes * 60 if options.minutes else inf if options.full or options.hands else MAX_SECONDS
    with TemporaryDirectory() as folder:
        measure(played, options.hands or FULL_MATCHES, seconds, options.folder or Path(folder))


if __name__ == "__main__":
    main()
