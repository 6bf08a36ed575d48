"""Looking back at a finished match: a few moments of it, three at a time, each with the way to it in the replay.

Knows wording: what is said is short, and blames nobody. Refuses to know how a moment is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.ground.ids import TableId
from bot.rules.review import Finding
from bot.rules.sentences import Seat
from bot.show.ids import Browse
from bot.show.layout import Accent, Block, PrivateScreen, beside, button, line, lines, private, row, small
from bot.show.replay import MOMENT
from bot.show.words import N_, Said, Words

MORE = "look_on"  # the verb: show other moments in their place
PAGE = 3
NOTHING = N_("Nothing in this match needs a second look. Well played, all of you.")


def review(table: TableId, name: Said, found: Sequence[Finding], page: int, w: Words) -> PrivateScreen:
    """Return a page of what was found, from 0, or the nearest there is. w: with its people and game; name: of it."""
    page = max(0, min(page, (len(found) - 1) // PAGE))
    here = range(page * PAGE, min(len(found), (page + 1) * PAGE))
    return private(
        Accent.OVER,
        lines("### " + w("Look back"), small(name)),
        *_lines(table, [(at, found[at]) for at in here], w),
        None if found else w(NOTHING),
        line(),
        row(
            button(w("Back"), Browse.to(MORE, table, page - 1)) if page else None,
            button(w("More"), Browse.to(MORE, table, page + 1)) if here.stop < len(found) else None,
        ),
    )


def _lines(table: TableId, found: Sequence[tuple[int, Finding]], w: Words) -> Iterator[Block]:
    """Give each moment with the way there; the number keeps two ways to one step apart."""
    for at, finding in found:
        yield beside(_said(finding, w), button(w("Show me"), Browse.to(MOMENT, table, finding.step, at)))


def _said(finding: Finding, w: Words) -> Said:
    hand, seat, combo = finding.hand, Seat(finding.seat), finding.combo
    if finding.other is not None:
        return w("Hand {hand}: {seat} overtook {other} here.", hand=hand, seat=seat, other=Seat(finding.other))
    if finding.kind == "out":
        return w("Hand {hand}: here {seat} could have gone out with {combo}.", hand=hand, seat=seat, combo=combo)
    if combo is None:
        return w("Hand {hand}, {seat} to play: a house player would have passed.", hand=hand, seat=seat)
    return w(
        "Hand {hand}, {seat} to play: a house player would have played {combo}.", hand=hand, seat=seat, combo=combo
    )
