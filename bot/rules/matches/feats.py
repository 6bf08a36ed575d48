"""Notable plays and endings of a finished hand, found by the rules listed here from public information.

Independent of any game and of wording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from bot.rules.core.game import Public
from bot.rules.core.trick import Combo, Move

LONG_PLAY, MIN_TAKEN_OR_WON, HIGH_PLAY = 6, 5, 3  # cards played or taken at once; consecutive tricks


class Feat(NamedTuple):
    """A rare event. kind: a key of FEAT_RULES. number: of cards or tricks; seats: the other seats involved."""

    kind: str
    hand: int
    seat: int
    number: int = 0
    combo: Combo | None = None
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class FinishedHand:
    """A finished hand as public information. first: the first-placed seat, or None."""

    view: Public
    hand: int
    first: int | None

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of every trick."""
        return tuple(move for trick in (*self.view.tricks, self.view.trick) for move in trick.moves)

    @cached_property
    def plays(self) -> tuple[Move, ...]:
        """The moves that are plays."""
        return tuple(move for move in self.moves if move.combo)


def feats(view: Public, hand: int) -> tuple[Feat, ...]:
    """Return the greatest feat of each kind in a finished hand, in the order of FEAT_RULES."""
    order = view.result.order if view.result else ()
    ended = FinishedHand(view, hand, order[0] if order else None)
    best = (max(found(ended), key=_greatness, default=None) for found in FEAT_RULES.values())
    return tuple(feat for feat in best if feat)


def rarest(found: Iterable[Feat]) -> list[Feat]:
    """Return the greatest feat of each kind in a match, rarest kind first, each play once; the later of equal feats."""
    kinds = tuple(FEAT_RULES)
    order = sorted(found, key=lambda feat: (*_greatness(feat), feat.hand))
    greatest = {feat.kind: feat for feat in order}
    told = sorted(greatest.values(), key=lambda feat: kinds.index(feat.kind))
    return [feat for at, feat in enumerate(told) if not any(_same_play(feat, other) for other in told[:at])]


def _same_play(feat: Feat, other: Feat) -> bool:
    return feat.combo is not None and (feat.hand, feat.seat, feat.combo) == (other.hand, other.seat, other.combo)


def _greatness(feat: Feat) -> tuple[int, int, int]:
    level, strength = (feat.combo.level, feat.combo.strength) if feat.combo else (0, 0)
    return feat.number, level, strength


def _bombs(ended: FinishedHand) -> Iterator[Feat]:
    """Bombs played on another combination."""
    for trick in (*ended.view.tricks, ended.view.trick):
        plays = [move for move in trick.moves if move.combo]
        for move in plays[1:]:
            if move.combo and ended.view.rules.bomb(move.combo):
                yield Feat("bomb", ended.hand, move.seat, len(move.combo.cards), move.combo)


def _shut_out(ended: FinishedHand) -> Iterator[Feat]:
    """Seats without a single play before the first player went out."""
    result, played = ended.view.result, {move.seat for move in ended.plays}
    if result is None or ended.first not in played or result.left[ended.first]:
        return
    never = tuple(seat for seat in range(len(result.left)) if seat not in played)
    if never:
        yield Feat("alone" if len(played) == 1 else "never", ended.hand, ended.first, len(never), None, never)


def _alone(ended: FinishedHand) -> Iterator[Feat]:
    return (feat for feat in _shut_out(ended) if feat.kind == "alone")


def _never(ended: FinishedHand) -> Iterator[Feat]:
    return (feat for feat in _shut_out(ended) if feat.kind == "never")


def _long(ended: FinishedHand) -> Iterator[Feat]:
    return (
        Feat("long", ended.hand, seat, len(combo.cards))
        for seat, combo, _ in ended.plays
        if combo and len(combo.cards) >= LONG_PLAY
    )


def _taken(ended: FinishedHand) -> Iterator[Feat]:
    return (
        Feat("taken", ended.hand, seat, len(took)) for seat, _, took in ended.moves if len(took) >= MIN_TAKEN_OR_WON
    )


def _row(ended: FinishedHand) -> Iterator[Feat]:
    """The winner of the last tricks in a row."""
    owners = [trick.owner for trick in (*ended.view.tricks, ended.view.trick) if trick.owner is not None]
    if ended.first is not None:
        last = sum(1 for _ in takewhile(lambda owner: owner == ended.first, reversed(owners)))
        if last >= MIN_TAKEN_OR_WON:
            yield Feat("row", ended.hand, ended.first, last)


def _high(ended: FinishedHand) -> Iterator[Feat]:
    return (
        Feat("high", ended.hand, seat, len(combo.cards), combo)
        for seat, combo, _ in ended.plays
        if combo and HIGH_PLAY <= len(combo.cards) < LONG_PLAY
    )


def _short(ended: FinishedHand) -> Iterator[Feat]:
    """Seats with a single card left at the end."""
    left = ended.view.result.left if ended.view.result else ()
    return (Feat("short", ended.hand, seat, 1) for seat, held in enumerate(left) if len(held) == 1)


FEAT_RULES: dict[str, Callable[[FinishedHand], Iterator[Feat]]] = {
    "bomb": _bombs,
    "alone": _alone,
    "never": _never,
    "long": _long,
    "taken": _taken,
    "row": _row,
    "high": _high,
    "short": _short,
}
