"""The plain house player: answers whatever its seat is asked, in any game of the house. It also gives the hint.

Knows which questions there are, and which mind answers them for which game. Refuses to know what a hand is worth: see
the minds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from bot.ai.engine import reading
from bot.ai.games import a_bao, big_a, big_a_declaring, big_little_a, tien_len
from bot.ai.games import a_bao_bidding as a_bao_calling
from bot.rules.core.actions import Action, Choose, Give, Name, Pass, Play
from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo


class Reading(Protocol):
    """What somebody thinks of a View in which cards are played."""

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return what to lead."""
        ...

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return what to put on top, or None to pass."""
        ...


Dice: TypeAlias = random.Random | None
VERSION = 1  # rises when house players play otherwise: the deal of a day compares those who met the same


def _wants_nothing(view: View, ask: ChooseAsk) -> Choose | None:  # any hand
    return None if ask.given else Choose((ask.answers[0].code,))


def _names_highest(view: View, ask: NameAsk) -> Card | None:  # any hand
    return None if ask.may_pass else ask.cards[-1]


def _spares(view: View, ask: GiveAsk) -> Cards:
    return reading.Reading.of(view, None).spare(ask.count, ask.givable(view.hand))


class Mind(NamedTuple):
    """How a game is thought of: a field for each thing that can be asked, by default as any climbing game is.

    answer: what to answer, None where nothing need be. name: which card, None to pass. give: which cards. read: how
    to lead and to follow.
    """

    answer: Callable[[View, ChooseAsk], Choose | None] = _wants_nothing
    name: Callable[[View, NameAsk], Card | None] = _names_highest
    give: Callable[[View, GiveAsk], Cards] = _spares
    read: Callable[[View, Dice], Reading] = reading.Reading.of


ANY = Mind()
MINDS: Mapping[str, Mind] = {  # of the games that are not thought of as any other
    "big_a": Mind(answer=big_a_declaring.answer, read=big_a.BigAReading.of),
    "a_bao": Mind(
        answer=a_bao_calling.answer, name=a_bao_calling.name, give=a_bao_calling.give, read=a_bao.ABaoReading.of
    ),
    "big_little_a": Mind(read=big_little_a.BigLittleAReading.of),
    "tien_len": Mind(read=tien_len.TienLenReading.of),
}


def choose(
    view: View, rng: random.Random | None = None, minds: Mapping[str, Mind] = MINDS, overlooked: float = 0.0
) -> Action | None:
    """Return what to do where this seat is asked; always the same without ``rng``, which settles what is even.

    None where it need not do anything and rather does not. overlooked: the share of plays that are not seen, by dice.
    """
    mind = minds.get(view.rules.game, ANY)
    match view.ask:
        case ChooseAsk() as ask:
            return mind.answer(view, ask)
        case NameAsk() as ask:
            named = mind.name(view, ask)
            return Name(named) if named else Pass()
        case GiveAsk() as ask:
            return Give(mind.give(view, ask))
    return Play(view.hand) if goes_out(view) else _played(view, mind, rng, overlooked if rng else 0.0)


def _played(view: View, mind: Mind, rng: Dice, overlooked: float) -> Action | None:
    plays = view.plays.first(reading.MOST_PLAYS)
    waited_for = view.seat in view.awaited
    if not plays:
        return Pass() if waited_for else None
    seen = [combo for combo in plays if rng.random() >= overlooked] if rng and overlooked else plays
    read = mind.read(view, rng)
    combo = read.lead(seen or plays) if view.trick.top is None else read.follow(seen) if seen else None
    if combo is None and waited_for and isinstance(view.ask, PlayAsk) and not view.ask.may_pass:
        combo = plays[0]
    return Play(combo.cards) if combo else Pass() if waited_for else None


def goes_out(view: View) -> bool:
    """Tell whether the whole hand can be played, and nothing comes back for it."""
    try:
        combo = view.plays.verify(view.hand)
    except Illegal:
        return False
    return not reading.takes(combo, view.trick.top)
