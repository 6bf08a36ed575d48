"""The jump menu of a hand's replay: its tricks, its bombs, and when a player is down to a few cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from discord import SelectOption

from bot.rules.core.sentences import Seat
from bot.rules.matches.jump_marks import LAST_CARDS, Mark, marks
from bot.rules.matches.replay import Snapshot
from bot.show.kit.layout import MAX_OPTIONS, option
from bot.show.kit.words import Said, Words, capital, join

BOMB = "💥"


def jumps(hand: Iterable[Snapshot], here: int, w: Words) -> list[SelectOption]:
    """Return the options of a hand; if too many for a menu, the options around the current step."""
    found = [list(there) for _, there in groupby(marks(hand), key=lambda mark: mark.step)]
    before = sum(there[0].step <= here for there in found)
    start = min(max(0, before - MAX_OPTIONS // 2), max(0, len(found) - MAX_OPTIONS))
    return [_option(there, here, w) for there in found[start : start + MAX_OPTIONS]]


def _option(there: list[Mark], here: int, w: Words) -> SelectOption:
    """Return the option of a step, labelled with its first mark and described by the remaining marks."""
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
    if mark.number == LAST_CARDS:
        return w("The last five cards of {seat}", seat=seat)
    return w("{seat} is down to {n}", seat=seat, n=mark.number)
