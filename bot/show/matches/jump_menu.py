"""What one can jump to in a hand, as a menu: its tricks, its bombs, and where somebody comes down to a few cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from discord import SelectOption

from bot.rules.core.sentences import Seat
from bot.rules.matches.jump_marks import LAST, Mark, marks
from bot.rules.matches.replay import Shot
from bot.show.kit.layout import OPTIONS, option
from bot.show.kit.words import Said, Words, capital, join

BOMB = "💥"


def jumps(hand: Iterable[Shot], here: int, w: Words) -> list[SelectOption]:
    """Return what there is in a hand: what is around a step where there is more than a menu takes."""
    found = [list(there) for _, there in groupby(marks(hand), key=lambda mark: mark.step)]
    before = sum(there[0].step <= here for there in found)
    start = min(max(0, before - OPTIONS // 2), max(0, len(found) - OPTIONS))
    return [_option(there, here, w) for there in found[start : start + OPTIONS]]


def _option(there: list[Mark], here: int, w: Words) -> SelectOption:
    """Return a step, by what is first to be said of it, with all else below."""
    combo = next((mark.combo for mark in there if mark.combo), None)
    told = join((*(_said(mark, w) for mark in there[1:]), capital(w.name(combo)) if combo else Said()))
    return option(_said(there[0], w), str(there[0].step), told, default=there[0].step == here)


def _said(mark: Mark, w: Words) -> Said:
    seat = Seat(mark.seat)
    match mark.kind:
        case "trick":
            return w("Trick {n}: {seat} leads", n=mark.number, seat=seat)
        case "bomb":
            return join((Said(BOMB), w("{seat} dropped a bomb", seat=seat)), " ")
    if mark.number == LAST:
        return w("The last five cards of {seat}", seat=seat)
    return w("{seat} is down to {n}", seat=seat, n=mark.number)
