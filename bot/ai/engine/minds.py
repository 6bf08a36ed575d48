"""A mind answers what its seat is asked in one game, by a View alone, and plays without looking ahead."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from bot.ai.engine import reading
from bot.rules.core.actions import Action, Choose, Give, Name, Pass, Play
from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo


class PlayReading(Protocol):
    """What a player thinks of a View in which cards are played."""

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return the combination to lead."""
        ...

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return the combination to put on top, None to pass."""
        ...


Dice: TypeAlias = random.Random | None


def _wants_nothing(view: View, ask: ChooseAsk) -> Choose | None:  # any hand
    return None if ask.given else Choose((ask.answers[0].code,))


def _names_highest(view: View, ask: NameAsk) -> Card | None:  # any hand
    return None if ask.may_pass else ask.cards[-1]


def _spares(view: View, ask: GiveAsk) -> Cards:
    return reading.Reading.of(view, None).spare(ask.count, ask.givable(view.hand))


class PlainPolicy(NamedTuple):
    """How a game is played: a function for each kind of question, by default one for any climbing game.

    answer: the answer, None where none is needed. name: the card to name, None to pass. give: the cards to give. read:
    the reading that leads and follows.
    """

    answer: Callable[[View, ChooseAsk], Choose | None] = _wants_nothing
    name: Callable[[View, NameAsk], Card | None] = _names_highest
    give: Callable[[View, GiveAsk], Cards] = _spares
    read: Callable[[View, Dice], PlayReading] = reading.Reading.of

    def choose(self, view: View, rng: Dice = None, overlooked: float = 0.0) -> Action | None:
        """Return the action of the seat, None where it need not act and had better not.

        rng: breaks ties; the same action comes again without it. overlooked: the share of plays that the seat misses,
        by dice.
        """
        match view.ask:
            case ChooseAsk() as ask:
                return self.answer(view, ask)
            case NameAsk() as ask:
                named = self.name(view, ask)
                return Name(named) if named else Pass()
            case GiveAsk() as ask:
                return Give(self.give(view, ask))
        return Play(view.hand) if goes_out(view) else self._play(view, rng, overlooked if rng else 0.0)

    def _play(self, view: View, rng: Dice, overlooked: float) -> Action | None:
        plays = view.plays.first(reading.MOST_PLAYS)
        is_awaited = view.seat in view.awaited
        if not plays:
            return Pass() if is_awaited else None
        seen = [combo for combo in plays if rng.random() >= overlooked] if rng and overlooked else plays
        read = self.read(view, rng)
        combo = read.lead(seen or plays) if view.trick.top is None else read.follow(seen) if seen else None
        if combo is None and is_awaited and isinstance(view.ask, PlayAsk) and not view.ask.may_pass:
            combo = plays[0]
        return Play(combo.cards) if combo else Pass() if is_awaited else None


def goes_out(view: View) -> bool:
    """Tell whether the whole hand can be played, and no card comes back for it."""
    try:
        combo = view.plays.verify(view.hand)
    except Illegal:
        return False
    return not reading.takes(combo, view.trick.top)
