"""Availability at a slow table: how many players have time at each hour, in the viewer's time zone. Private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.domain.working_hours import HOURS, AvailabilityRow, CommonHours
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.back_button import back_to_hand
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, button, lines, private, row, small
from bot.show.kit.words import Said, Words, sentences
from bot.show.people.working_hours import hour

BLOCKS = "▁▂▃▄▅▆▇█"
HALF = HOURS // 2  # hours in a line
SPANS = 2  # the number of best spans named


def availability(
    scene: Scene, all_of_them: CommonHours, rows: Mapping[int, AvailabilityRow], w: Words
) -> PrivateScreen:
    """Return the screen. rows: by seat, of the viewer and of players who share their hours."""
    w = w.at(scene)
    return private(
        Accent.YOURS,
        lines(
            f"## {w('Who has time when')}",
            small(w("Tomorrow at {table}, by your clock. Only you see this.", table=phrases.table(scene, w))),
        ),
        _drawn([number / all_of_them.counted for number in all_of_them.count]) if all_of_them.counted > 1 else None,
        lines(_best(all_of_them, w), *_uncounted(all_of_them, w)),
        *(lines(phrases.marked(seat, w), _drawn(known)) for seat, known in rows.items()),
        row(
            button(w("My days…"), Press(scene.where.table, Verb.AVAILABILITY, at=1)),
            back_to_hand(scene.where.table, w) if scene.dealt else None,
        ),
    )


def _drawn(parts: Sequence[float]) -> str:
    """Return a bar for each hour in two lines, morning and afternoon: the higher, the more players."""
    blocks = "".join(BLOCKS[round(part * (len(BLOCKS) - 1))] for part in parts)
    return f"```\n 0 {blocks[:HALF]} 12\n12 {blocks[HALF:]} 24\n```"


def _best(found: CommonHours, w: Words) -> Said:
    """Return the hours at which most players have time."""
    if found.counted < 2:  # the viewer alone
        return w("Nobody else lets you see when they have time.")
    most, spans = max(found.count), [span(*known) for known in found.best[:SPANS]]
    if most < 2:
        return w("There is no hour at which two of you have time.")
    if most == found.counted:
        return w("**All {n} have time: {spans}**", n=most, spans=spans)
    return w("**{n} of {all} have time: {spans}**", n=most, all=found.counted, spans=spans)


def _uncounted(found: CommonHours, w: Words) -> list[str]:
    """Return the number of players not counted, and why."""
    hidden, silent = Said(), Said()
    if found.hidden:
        hidden = w.n("{n} keeps their hours to themselves.", "{n} keep their hours to themselves.", found.hidden)
    if found.silent:
        silent = w.n("{n} has said nothing of their day.", "{n} have said nothing of their days.", found.silent)
    return [small(sentences((hidden, silent)))]


def span(begin: int, end: int) -> Said:
    """Return a span of hours of the day."""
    return Said(f"{hour(begin)}–{hour(end)}")
