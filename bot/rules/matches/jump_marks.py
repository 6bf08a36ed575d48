"""Jump marks in the replay of a hand: tricks, bombs, and players down to their last five cards.

Derived from public information; independent of any game and of wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from bot.rules.core.actions import Play
from bot.rules.core.game import Public
from bot.rules.core.trick import Combo
from bot.rules.matches.replay import Shot

Kind: TypeAlias = Literal["trick", "bomb", "last"]
LAST = 5  # cards


class Mark(NamedTuple):
    """A step to jump to. number: of the trick, of the remaining cards, or of the bomb's cards. combo: the play."""

    kind: Kind
    step: int
    seat: int
    number: int
    combo: Combo | None = None


def marks(shots: Iterable[Shot]) -> list[Mark]:
    """Return the marks in the steps of a hand, in order."""
    found, trick = list[Mark](), 0
    for shot in shots:
        if shot.before is None or shot.before.game.result:
            continue
        before, after = shot.before.view(None), shot.match.view(None)
        trick += begins_trick(shot)
        found += _played(shot, before, after, trick)
        found += _few(shot.step, before, after)
    return found


def begins_trick(shot: Shot) -> bool:
    """Tell whether this step is a lead."""
    if shot.before is None or not any(isinstance(done.action, Play) for done in shot.done):
        return False
    return shot.before.view(None).trick.top is None


def played(shot: Shot) -> tuple[int, Combo] | None:
    """Return the seat and the combination played at this step, None without a play."""
    seat = next((done.seat for done in shot.done if isinstance(done.action, Play)), None)
    if seat is None:
        return None
    view = shot.match.view(None)
    trick = view.trick if view.trick.moves or not view.tricks else view.tricks[-1]
    combo = next((move.combo for move in reversed(trick.moves) if move.seat == seat and move.combo), None)
    return (int(seat), combo) if combo else None


def _played(shot: Shot, before: Public, after: Public, trick: int) -> Iterator[Mark]:
    found = played(shot)
    if found is None:
        return
    seat, combo = found
    if before.trick.top is None:
        yield Mark("trick", shot.step, seat, trick, combo)
    elif after.rules.bomb(combo):
        yield Mark("bomb", shot.step, seat, len(combo.cards), combo)


def _few(step: int, before: Public, after: Public) -> Iterator[Mark]:
    counts = zip(before.counts, after.counts, strict=True)
    return (Mark("last", step, seat, now) for seat, (then, now) in enumerate(counts) if then > LAST >= now > 0)
