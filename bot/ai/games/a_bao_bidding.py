"""The bids of plain players in Tàihé A Bāo: to declare, to call, to give a card back.

A bid follows from the turns that the hand takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import exp
from typing import Any, NamedTuple, TypeAlias

from bot.ai.games.a_bao_reading import ABaoReading
from bot.rules.a_bao.bidding import DECLARE, PASS
from bot.rules.a_bao.groups import BINDING
from bot.rules.a_bao.options import Options
from bot.rules.core.asks import Choose, ChooseAsk, GiveAsk, NameAsk
from bot.rules.core.cards import Card, Cards, Rank, without
from bot.rules.core.game import View

# By players and aces: the turns with which a declarer wins every other hand, and how fast the chance falls beyond.
EVEN = {
    (4, True): (1.7, 1.1),
    (5, True): (1.3, 1.15),
    (3, True): (2.2, 0.55),
    (4, False): (1.5, 0.9),
    (5, False): (1.15, 1.1),
    (3, False): (1.5, 0.65),
}
BOLD = 0.3  # what a stake has to win on average to declare
BOLDER = 0.1  # and more for each rule that makes calling better beside it
OTHERS = 0.5  # the chance that a later bidder calls
LATER = 0.06  # and what such a declarer wins on average of each stake
CALLER = 0.65  # the turns by which each card that others have called for makes the hand worse
PASSER = 0.25  # and those by which each pass makes it better
EAGER = 0.3  # and those added after each deal thrown in, so that a bidder plays at last
SHUTOUT, LEAD_ONLY = 0.15, 0.05  # the share of won and of lost hands that may count double


Turns: TypeAlias = Callable[[Cards], float]  # about how many turns it takes to lay down a hand, or part of it


def laid(view: View) -> Turns:
    """Return how many turns the hand of a view takes, and whatever is left of it."""
    laying = ABaoReading.of(view).laying(view.hand)
    return lambda hand: laying.best(hand).cost


CountTurns: TypeAlias = Callable[[View], Turns]


def answer(view: View, ask: ChooseAsk, count_turns: CountTurns = laid) -> Choose | None:
    """Return whether to declare, or None where the seat has said so."""
    return None if ask.given else Choose(((DECLARE if _declares(view, count_turns) else PASS).code,))


def _declares(view: View, count_turns: CountTurns) -> bool:
    """Tell whether the present hand wins clearly more often than it loses."""
    options: Options = view.rules.options
    turns = count_turns(view)(view.hand)
    needed = BOLD + BOLDER * (options.single_caller_wins + (options.scoring == "simplified"))
    return _edge(options, won(options, turns)) >= needed


def name(view: View, ask: NameAsk, count_turns: CountTurns = laid) -> Card | None:
    """Return the card that improves the hand most, or None to pass where that is not enough."""
    best = min(_calls(view, ask, count_turns), key=lambda call: call.turns)
    said = CallsSoFar.of(view)
    chance = won(view.rules.options, best.turns + said.against())
    return best.card if not ask.may_pass or said.calling(chance) > said.passing() else None


def wanted(view: View, ask: NameAsk) -> list[Card]:
    """Return the cards that can be called, one of each rank, the most useful first."""
    return [call.card for call in sorted(_calls(view, ask, laid), key=lambda call: call.turns)]


def give(view: View, ask: GiveAsk, count_turns: CountTurns = laid) -> Cards:
    """Return the card without which the rest is the best hand."""
    return (_spared(view, ask.givable(view.hand), count_turns).card,)


# What a hand is worth


class CardTurns(NamedTuple):
    """A card to call for or to give back, and about how many turns the hand then takes."""

    card: Card
    turns: float


def _calls(view: View, ask: NameAsk, count_turns: CountTurns) -> Iterator[CardTurns]:
    """Yield each card that can be called, one of each rank, with the turns of the hand then.

    The hand has the called card and has given back its least useful one.
    """
    options: Options = view.rules.options
    stays = {BINDING} if "bound" in dict(view.facts) else set()
    mine = tuple(held for held in view.hand if held.rank is not Rank.ACE and held not in stays)
    for card in _one_each(ask.cards):
        hand = view.rules.sort((*view.hand, card))
        givable = (*mine, card) if options.may_return_called_card or not mine else mine
        yield CardTurns(card, _spared(replace(view, hand=hand), givable, count_turns).turns)


def _spared(view: View, givable: Cards, count_turns: CountTurns) -> CardTurns:
    """Return the card without which the hand takes the fewest turns."""
    turns = count_turns(view)
    left = (CardTurns(held, turns(without(view.hand, (held,)))) for held in _one_each(givable))
    return min(left, key=lambda found: found.turns)


def _one_each(cards: Cards) -> list[Card]:
    """Return the first card of each rank: suits make no difference in play."""
    return list({held.rank: held for held in reversed(cards)}.values())[::-1]


def won(options: Options, turns: float) -> float:
    """Return the estimated chance to win as the declarer with a hand of so many turns."""
    even, steep = EVEN[options.players, options.aces]
    return 1 / (1 + exp(steep * (turns - even)))


def _edge(options: Options, chance: float) -> float:
    """Return the average win of each stake, below 0 a loss.

    The average includes the chance that the stakes double (O9, O10).
    """
    lost = (1 - chance) * (1 + LEAD_ONLY * options.double_lead_only)
    return chance * (1 + SHUTOUT * options.double_shutout) - lost


# What a call is worth


class CallsSoFar(NamedTuple):
    """The numbers of calls and passes in the second round.

    left: the number of seats that speak after this one; thrown: of deals thrown in.
    """

    options: Options
    callers: int
    passed: int
    left: int
    thrown: int

    @classmethod
    def of(cls, view: View) -> CallsSoFar:
        """Read the facts that everybody has heard."""
        facts: dict[str, Any] = dict(view.facts)
        callers, passed = (len(facts.get(fact, ())) for fact in ("called", "passed"))
        left = len(view.counts) - 1 - callers - passed
        return cls(view.rules.options, callers, passed, left, facts.get("thrown", 0))

    def against(self) -> float:
        """Return the turns that what was said adds to those of the hand."""
        return CALLER * self.callers - PASSER * self.passed - EAGER * self.thrown

    def calling(self, chance: float) -> float:
        """Return the average points of a call.

        chance: to win with the call, if it is the last one.
        """
        alone = float(self.options.players - 1)
        if self.callers or not self.options.single_caller_wins:
            alone *= _edge(self.options, chance) * self._stakes(self.callers + 1)
        return self._last * alone - (1 - self._last) * LATER * self._stakes(self.callers + 2)

    def passing(self) -> float:
        """Return the same for a pass: others play, or the only caller wins, or all is thrown in."""
        if self.callers == 1 and self.options.single_caller_wins:
            return -self._last - (1 - self._last) * LATER * self._stakes(2)
        stakes = self._stakes(self.callers) if self.callers else 1 - self._last
        return -LATER * stakes

    @property
    def _last(self) -> float:
        """The chance that nobody calls after this seat."""
        return float((1 - OTHERS) ** self.left)

    def _stakes(self, callers: int) -> int:
        return 1 if self.options.scoring == "simplified" else callers
