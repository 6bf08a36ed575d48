"""What a picture of a table costs: python -m tests.bench.pictures

Milliseconds of this process and KiB for the end of a match and the top of a ladder; then for a table of four and of
nine and for many cards that lie, each drawn again with one plate that has changed, as after a play, and for one that is
drawn for the first time.
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

TIMES = 15
GOAL_MS, GOAL_KIB = 15.0, 40.0
GOAL_LADDER_MS, GOAL_LADDER_KIB = 30.0, 80.0
PEOPLE = ("Ann", "Otto Maximilian", "陈小姐", "Дмитрий", "Ελένη", "佐藤さくら", "김철수", "Zażółć", "گلناز")


def look(seats: int, cards: int) -> TableDrawing:
    """Return a table of so many people with so many cards lying."""
    plates = tuple(Plate(name, held="13", does="passed") for name in PEOPLE[:seats])
    return TableDrawing(
        plates, cards=tuple(CARD_NAMES[held] for held in pack()[:cards]), title="A double sequence up to king"
    )


def end(seats: int) -> EndingDrawing:
    """Return the end of a match of ten hands of so many people."""
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


def ladder() -> StandingsDrawing:
    """Return the first nine of a ladder."""
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


def ms(work: Callable[[], object]) -> float:
    """Return the process time of a call in milliseconds."""
    begun = process_time()
    work()
    return (process_time() - begun) * 1000


def after_a_play(shown: TableDrawing, count: int) -> float:
    """Return what it costs to draw a table at which one person holds so many cards."""
    first, *others = shown.plates
    return ms(lambda: draw(replace(shown, plates=(replace(first, held=str(count)), *others))))


def anew(shown: TableDrawing) -> float:
    """Return the cost of drawing an unknown table."""
    for known in (draw, middle_of, plate_of):
        known.cache_clear()
    return ms(lambda: draw(shown))


def main() -> None:
    """Measure and print."""
    for seats in (4, 9):
        last = end(seats)
        first = median(ms(partial(podium.draw.__wrapped__, last)) for _ in range(TIMES))
        print(f"end of {seats}{first:34.1f} ms{len(last.png()) / 1024:17.1f} KiB")
    top = ladder()
    took = median(ms(partial(standings.draw.__wrapped__, top)) for _ in range(TIMES))
    print(
        f"ladder{took:34.1f} ms{len(top.png()) / 1024:17.1f} KiB"
        f"   (goals {GOAL_LADDER_MS:.0f} ms, {GOAL_LADDER_KIB:.0f} KiB)"
    )
    for name, shown in (("four", look(4, 5)), ("nine", look(9, 5)), ("22 cards", look(5, 22))):
        size = len(draw(shown)) / 1024
        plays = median(after_a_play(shown, count) for count in range(20, 20 + TIMES))
        first = median(anew(shown) for _ in range(TIMES))
        print(
            f"{name:10}{plays:6.1f} ms after a play{first:8.1f} ms at first{size:8.1f} KiB"
            f"   (goals {GOAL_MS:.0f} ms, {GOAL_KIB:.0f} KiB)"
        )


if __name__ == "__main__":
    main()
