"""How long the picture of a table takes: python -m tests.bench.pictures

CPU milliseconds and KiB for the end of a match and the top of a leaderboard; then for tables of four and of nine and
with many cards on the table: redrawn with one changed plate, as after a play, and drawn for the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median
from time import process_time

from bot.rules.core.cards import CARD_NAMES, pack
from bot.show.pictures import podium, standings
from bot.show.pictures.canvas import HUES
from bot.show.pictures.podium import EndingDrawing, EndingRow
from bot.show.pictures.standings import StandingsDrawing, StandingsRow
from bot.show.pictures.table import Plate, TableDrawing, draw, middle_of, plate_of

REPETITIONS = 15
GOAL_MS, GOAL_KIB = 15.0, 40.0
GOAL_LADDER_MS, GOAL_LADDER_KIB = 30.0, 80.0
PEOPLE = ("Ann", "Otto Maximilian", "陈小姐", "Дмитрий", "Ελένη", "佐藤さくら", "김철수", "Zażółć", "گلناز")


def table_scene(seats: int, cards: int) -> TableDrawing:
    """Return a table with so many people and so many cards on the table."""
    plates = tuple(Plate(name, held="13", does="passed") for name in PEOPLE[:seats])
    return TableDrawing(
        plates, cards=tuple(CARD_NAMES[held] for held in pack()[:cards]), title="A double sequence up to king"
    )


def match_end(seats: int) -> EndingDrawing:
    """Return the end of a match of ten hands with so many people."""
    course = tuple(tuple(hand * (seat - seats // 2) + hand % 3 for hand in range(11)) for seat in range(seats))
    lines = tuple(EndingRow(seat, str(seat + 1), PEOPLE[seat], ("+10",)) for seat in range(seats))
    return EndingDrawing(
        "Ann wins the match",
        "Big Two",
        (),
        lines,
        course=course,
        hands="10 hands",
        decided="Ann led from the first hand on",
    )


def leaderboard() -> StandingsDrawing:
    """Return the first nine of a leaderboard."""
    rows = tuple(
        StandingsRow(
            place=str(place),
            name=name,
            number="1500",
            under="20 matches",
            hue=place % len(HUES),
            course=(1, 3, 2),
            moved=place - 5,
            band=(1400, 1600),
        )
        for place, name in enumerate(PEOPLE, 1)
    )
    return StandingsDrawing("Big Two", "October", rows)


def milliseconds_of(work: Callable[[], object]) -> float:
    """Return the CPU milliseconds of a call."""
    begun = process_time()
    work()
    return (process_time() - begun) * 1000


def time_redraw(shown: TableDrawing, count: int) -> float:
    """Return the cost of redrawing a table after the number of cards of one person changed."""
    first, *others = shown.plates
    return milliseconds_of(lambda: draw(replace(shown, plates=(replace(first, held=str(count)), *others))))


def time_first_drawing(shown: TableDrawing) -> float:
    """Return the cost of drawing a table that is not cached."""
    for known in (draw, middle_of, plate_of):
        known.cache_clear()
    return milliseconds_of(lambda: draw(shown))


def main() -> None:
    """Measure and print."""
    for seats in (4, 9):
        last = match_end(seats)
        first = median(milliseconds_of(partial(podium.draw.__wrapped__, last)) for _ in range(REPETITIONS))
        print(f"end of {seats}{first:34.1f} ms{len(last.png()) / 1024:17.1f} KiB")
    top = leaderboard()
    took = median(milliseconds_of(partial(standings.draw.__wrapped__, top)) for _ in range(REPETITIONS))
    print(
        f"ladder{took:34.1f} ms{len(top.png()) / 1024:17.1f} KiB"
        f"   (goals {GOAL_LADDER_MS:.0f} ms, {GOAL_LADDER_KIB:.0f} KiB)"
    )
    for name, shown in (("four", table_scene(4, 5)), ("nine", table_scene(9, 5)), ("22 cards", table_scene(5, 22))):
        size = len(draw(shown)) / 1024
        plays = median(time_redraw(shown, count) for count in range(20, 20 + REPETITIONS))
        first = median(time_first_drawing(shown) for _ in range(REPETITIONS))
        print(
            f"{name:10}{plays:6.1f} ms after a play{first:8.1f} ms at first{size:8.1f} KiB"
            f"   (goals {GOAL_MS:.0f} ms, {GOAL_KIB:.0f} KiB)"
        )


if __name__ == "__main__":
    main()
