"""The review of an ended match or hand.

A few findings, each with a button to its moment in the replay.

The texts are short, and blame nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.rules.core.sentences import Seat
from bot.rules.matches.review import ReviewFinding
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    line,
    lines,
    option,
    private,
    row,
    select,
    small,
    text_with_button,
)
from bot.show.kit.words import MessageText, Words
from bot.show.matches.replay import CLOSELY, MOMENT, MORE, hand_page, match_page

HANDS = 25  # to choose from
FINDINGS_PER_PAGE = 3
AS_WELL = N_("No mistakes found. Our strongest bot would have played it much the same way.")
NOTHING = N_("No mistakes worth a second look. Well played, everyone!")


def review(
    table: TableId, name: MessageText, found: Sequence[ReviewFinding], page: int, *, w: Words, hands: int = 0
) -> PrivateScreen:
    """Return a page of findings; page: from 0, limited to the existing ones.

    w: with the match's people and game. name: of the match. hands: the number of hands that can be looked at closely.
    """
    page = max(0, min(page, (len(found) - 1) // FINDINGS_PER_PAGE))
    here = range(page * FINDINGS_PER_PAGE, min(len(found), (page + 1) * FINDINGS_PER_PAGE))
    return private(
        Accent.OVER,
        lines("### " + w("Review match"), small(name)),
        *_lines(table, [(at, found[at]) for at in here], match_page(page), w),
        None if found else w(NOTHING),
        line(),
        row(
            button(w("Back"), Browse.to(MORE, table, page - 1)) if page else None,
            button(w("More"), Browse.to(MORE, table, page + 1)) if here.stop < len(found) else None,
        ),
        _hands(table, hands, w),
    )


def closely(
    table: TableId,
    name: MessageText,
    number: int,
    found: Sequence[ReviewFinding],
    *,
    w: Words,
    hands: int,
    is_running: bool = False,
) -> PrivateScreen:
    """Return the best house player's choices in a hand, with their expected gain.

    Arguments as in ``review``. is_running: the match is still running, and no other part can be reviewed yet.
    """
    return private(
        Accent.OVER,
        lines("### " + w("Review of hand {hand}", hand=number), small(name)),
        *_lines(table, list(enumerate(found)), hand_page(number), w),
        None if found else w(AS_WELL),
        line(),
        None if is_running else row(button(w("Review match"), Browse.to(MORE, table, 0))),
        None if is_running and hands == 1 else _hands(table, hands, w),
    )


def _hands(table: TableId, hands: int, w: Words) -> Row | None:
    """Return the menu of hands; if too many, the last ones."""
    last = range(max(1, hands - HANDS + 1), hands + 1)
    options = [option(w("Hand {hand}", hand=number), str(number)) for number in last]
    return select(Browse.to(CLOSELY, table), w("Review a hand"), options)


def _lines(table: TableId, found: Sequence[tuple[int, ReviewFinding]], page: str, w: Words) -> Iterator[Block]:
    """Yield each finding with its button.

    The number keeps custom ids of the same step distinct.
    """
    for at, finding in found:
        shown = Browse.to(MOMENT, table, finding.step, at, finding.seat, page)
        yield text_with_button(_said(finding, w), button(w("Show me"), shown))


def _said(finding: ReviewFinding, w: Words) -> MessageText:
    hand, seat, combo = finding.hand, Seat(finding.seat), finding.combo
    if finding.other is not None:
        return w("Hand {hand}: {seat} overtook {other} here.", hand=hand, seat=seat, other=Seat(finding.other))
    if finding.kind == "out":
        return w("Hand {hand}: {seat} could have gone out here with {combo}.", hand=hand, seat=seat, combo=combo)
    if finding.gain is not None:
        return _expected(finding, finding.gain, w)
    if combo is None:
        return w("Hand {hand}, {seat} to play: passing was better.", hand=hand, seat=seat)
    return w("Hand {hand}, {seat} to play: {combo} was better.", hand=hand, seat=seat, combo=combo)


def _expected(finding: ReviewFinding, gain: float, w: Words) -> MessageText:
    points, step, seat, combo = MessageText(f"{gain:.1f}"), finding.step, Seat(finding.seat), finding.combo
    if combo is None:
        said = N_("Move {step}, {seat} to play: passing was about {points} points better.")
        return w(said, step=step, seat=seat, points=points)
    said = N_("Move {step}, {seat} to play: {combo} was about {points} points better.")
    return w(said, step=step, seat=seat, combo=combo, points=points)
