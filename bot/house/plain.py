"""The plain house player: answers whatever its seat is asked, in any game of the house. It also gives the hint.

Knows which questions there are, and who reads which game. Refuses to know what a hand is worth: see the readings.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from bot.house import big_a, declaring, reading
from bot.rules.actions import Action, Give, Pass, Play
from bot.rules.game import ChooseAsk, Combo, GiveAsk, Illegal, PlayAsk, View


class Mind(Protocol):
    """What somebody thinks of a View."""

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return what to lead."""
        ...

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return what to put on top, or None to pass."""
        ...


Reader: TypeAlias = Callable[[View, random.Random | None], Mind]
READERS: Mapping[str, Reader] = {"big_a": big_a.BigAReading.of}  # of the games that are not read as any other


def choose(view: View, rng: random.Random | None = None) -> Action | None:
    """Return what to do where this seat is asked; always the same without ``rng``, which settles what is even.

    None where it need not do anything and rather does not.
    """
    if isinstance(view.ask, ChooseAsk):
        return declaring.answer(view, view.ask)
    if isinstance(view.ask, GiveAsk):
        return Give(reading.Reading.of(view, rng).spare(view.ask.count))
    if _goes_out(view):
        return Play(view.hand)
    return _played(view, rng)


def _played(view: View, rng: random.Random | None) -> Action | None:
    plays = view.plays.first(reading.MOST_PLAYS)
    waited_for = view.seat in view.awaited
    if not plays:
        return Pass() if waited_for else None
    mind = READERS.get(view.rules.game, reading.Reading.of)(view, rng)
    combo = mind.lead(plays) if view.trick.top is None else mind.follow(plays)
    if combo is None and waited_for and isinstance(view.ask, PlayAsk) and not view.ask.may_pass:
        combo = plays[0]
    return Play(combo.cards) if combo else Pass() if waited_for else None


def _goes_out(view: View) -> bool:
    """Tell whether the whole hand can be played, and nothing comes back for it."""
    try:
        combo = view.plays.verify(view.hand)
    except Illegal:
        return False
    return not reading.takes(combo, view.trick.top)
