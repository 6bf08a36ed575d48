"""What one game offers to house players: minds that answer asks, and search effort."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from bot.ai.engine import reading
from bot.ai.engine.search import Position, Rounds, Search, SearchRound, TimeCheck
from bot.domain.chairs import Level
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import Rules, View
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
    """How a game is played: a function for each kind of question.

    The defaults suit any climbing game. answer: the answer, None where none is needed. name: the card to name, None to
    pass. give: the cards to give. read: the reading that leads and follows.
    """

    answer: Callable[[View, ChooseAsk], Choose | None] = _wants_nothing
    name: Callable[[View, NameAsk], Card | None] = _names_highest
    give: Callable[[View, GiveAsk], Cards] = _spares
    read: Callable[[View, Dice], PlayReading] = reading.Reading.of

    def plan_action(self, view: View, rng: Dice = None, overlooked: float = 0.0) -> Action | None:
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


class Effort(NamedTuple):
    """How much is tried of plays, and of bids before the play."""

    plays: Rounds
    bids: Rounds = ()


class Strategy(NamedTuple):
    """How house players play a game.

    plain: the mind of plain players. improved: of good and strong ones, without the mistakes that were found in plain
    ones. position: the decision that is searched, None in a game without a search. searches: tells whether given rules
    can be searched, None for all rules. cautious: as in ``Search``. medium_effort, hard_effort: the efforts of these
    levels. custom_chooser: plays all levels where a seat is asked to play and there is a search, instead of the minds.
    has_imagined_bids: whether the position can also imagine hands before the play, and so tell what a bid is worth.
    """

    plain: PlainPolicy = PlainPolicy()
    improved: PlainPolicy | None = None
    position: Callable[[View], Position] | None = None
    searches: Callable[[Rules], bool] | None = None
    cautious: bool = True
    medium_effort: Effort = Effort((SearchRound(6, 10), SearchRound(3, 20)), (SearchRound(4, 12), SearchRound(2, 12)))
    hard_effort: Effort = Effort(
        (SearchRound(10, 24), SearchRound(5, 60), SearchRound(3, 120)), (SearchRound(4, 24), SearchRound(2, 60))
    )
    custom_chooser: Callable[[Level, View, Dice, Rounds, TimeCheck], Action] | None = None
    has_imagined_bids: bool = False

    def has_search(self, rules: Rules) -> bool:
        """Tell whether good and strong players try actions out by these rules."""
        return self.position is not None and (self.searches is None or self.searches(rules))

    def effort(self, level: Level) -> Effort:
        """Return how much a level tries."""
        return self.hard_effort if level == Level.HARD else self.medium_effort

    def search(self, view: View, rng: Dice) -> tuple[Position, Search]:
        """Return the decision of a seat, and a search that has tried nothing yet."""
        assert self.position is not None
        position = self.position(view)
        return position, Search(view.seat or 0, position.imagine, rng or random.Random(0), cautious=self.cautious)
