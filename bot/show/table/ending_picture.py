"""The content of the picture of an ended hand or match, taken from a public scene, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.rules.core.game import Public
from bot.scene import PublicScene
from bot.show.kit import phrases
from bot.show.kit.layout import cut
from bot.show.kit.phrases import signed
from bot.show.kit.words import STARS, Said, Words, join, starred
from bot.show.pictures.picture import ALT, Picture
from bot.show.pictures.podium import EndingDrawing, EndingRow
from bot.show.table.highlights import highlights
from bot.show.table.scores import SeatScore, headline, rows


def ended(scene: PublicScene, view: Public, w: Words) -> Picture:
    """Return the picture of the end of a hand, or of a match."""
    bare = w.at(scene).bare()
    called = replace(bare, chairs=tuple(replace(chair, house=False) for chair in scene.chairs))  # faces mark the house
    whole = scene.stage == "over" and scene.tally.hand > 1
    look = EndingDrawing(
        headline(scene, view.result, called),
        _of(scene, bare),
        () if whole else _columns(scene, bare),
        tuple(_line(scene, view, row, whole=whole) for row in rows(scene)),
        course=_course(scene) if whole else (),
        hands=bare.n("{n} hand", "{n} hands", scene.tally.course[-1].hand) if whole else "",
        told=tuple(highlights(scene, called)) if scene.stage == "over" else (),
    )
    return Picture(look, cut("\n".join(_told(look, bare)), ALT))


def _of(scene: PublicScene, w: Words) -> Said:
    """Return the game, and the number of the ended hand."""
    game = phrases.game(scene.terms, w)
    return game if scene.stage == "over" else join((game, phrases.hand_number(scene, w)))


def _columns(scene: PublicScene, w: Words) -> tuple[str, ...]:
    return (w("cards left"), *([w("hand")] if scene.tally.hand > 1 else []), w("match"))


def _line(scene: PublicScene, view: Public, row: SeatScore, *, whole: bool) -> EndingRow:
    held = view.result.left[row.seat] if view.result else ()
    before = () if whole else (str(len(held)) if held else "", *([signed(row.hand)] if scene.tally.hand > 1 else []))
    chair = scene.chairs[row.seat]
    return EndingRow(
        row.seat,
        str(row.place),
        starred(chair) if chair.level in STARS else chair.name,
        (*before, signed(row.match)),
        house=chair.house,
    )


def _course(scene: PublicScene) -> tuple[tuple[int, ...], ...]:
    return tuple(zip(*(stop.stands for stop in scene.tally.course), strict=True))


def _told(look: EndingDrawing, w: Words) -> Iterator[str]:
    """Yield the content in lines of text."""
    yield look.title
    yield look.under
    for line in look.lines:
        numbers = look.columns or ("",)
        said = (f"{name} {number}".strip() for name, number in zip(numbers, line.numbers, strict=True) if number)
        yield join((Said(f"{line.place}. {w.seat(line.seat)}"), *said))
    yield from look.told
