"""Jump marks in the replay of a hand: tricks, bombs, and players down to their last five cards.

Derived from public information; independent of any game and of wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from bot.rules.core.actions import Play
from bot.rules.core.game import Public
from bot.rules.core.trick import Combo
from bot.rules.matches.replay import Snapshot

MarkKind: TypeAlias = Literal["trick", "bomb", "last"]
LAST_CARDS = 5  # cards


class Mark(NamedTuple):
    """A step to jump to. number: of the trick, of the remaining cards, or of the bomb's cards. combo: the play."""

    kind: MarkKind
    step: int
    seat: int
    number: int
    combo: Combo | None = None


def marks(snapshots: Iterable[Snapshot]) -> list[Mark]:
    """Return the marks in the steps of a hand, in order."""
    found, trick = list[Mark](), 0
    for snapshot in snapshots:
        if snapshot.before is None or snapshot.before.game.result:
            continue
        before, after = snapshot.before.view(None), snapshot.match.view(None)
        trick += begins_trick(snapshot)
        found += _played(snapshot, before, after, trick)
        found += _few(snapshot.step, before, after)
    return found


def begins_trick(snapshot: Snapshot) -> bool:
    """Tell whether this step is a lead."""
    if snapshot.before is None or not any(isinstance(done.action, Play) for done in snapshot.done):
        return False
    return snapshot.before.view(None).trick.top is None


def played(snapshot: Snapshot) -> tuple[int, Combo] | None:
    """Return the seat and the combination played at this step, None without a play."""
    seat = next((done.seat for done in snapshot.done if isinstance(done.action, Play)), None)
    if seat is None:
        return None
    view = snapshot.match.view(None)
    trick = view.trick if view.trick.moves or not view.tricks else view.tricks[-1]
    combo = next((move.combo for move in reversed(trick.moves) if move.seat == seat and move.combo), None)
    return (int(seat), combo) if combo else None


def _played(snapshot: Snapshot, before: Public, after: Public, trick: int) -> Iterator[Mark]:
    found = played(snapshot)
    if found is None:
        return
    seat, combo = found
    if before.trick.top is None:
        yield Mark("trick", snapshot.step, seat, trick, combo)
    elif after.rules.bomb(combo):
        yield Mark("bomb", snapshot.step, seat, len(combo.cards), combo)


def _few(step: int, before: Public, after: Public) -> Iterator[Mark]:
    counts = zip(before.counts, after.counts, strict=True)
    return (Mark("last", step, seat, now) for seat, (then, now) in enumerate(counts) if then > LAST_CARDS >= now > 0)
