"""Tàihé A Bāo for house players: its packed hand, bids tried out, and its strategy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Final, Self

from bot.ai.engine.codes import Codes, bits
from bot.ai.engine.hand import ClimbingHand
from bot.ai.engine.rollout import advantage, roll_out
from bot.ai.engine.search import ClimbingPosition, ImaginedHand, Packing, SeatModel, seat_model
from bot.ai.engine.strategy import PlainPolicy, Strategy
from bot.ai.games import a_bao_bidding as bidding
from bot.ai.games.a_bao_reading import ALONE, TOGETHER, ABaoReading, ABaoStyle
from bot.rules.a_bao.groups import Groups
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.score import doubling, points
from bot.rules.core.asks import Action, Choose, ChooseAsk, Name, NameAsk, PlayAsk
from bot.rules.core.game import View

NEVER: Final = 99  # cards: nobody holds so many
CALLS: Final = 3  # calls that are tried


class ABaoHand(ClimbingHand):
    """Tàihé A Bāo. plays: how often each seat has played."""

    __slots__ = ("bid", "options", "plays")

    def __init__(self, game: ABaoGame) -> None:
        options = game.rules.options
        super().__init__(codes(game.rules), game)
        self.bid, self.options, self.plays = game.bid, options, [*game.plays]

    def copy(self) -> Self:
        """Return an independent copy."""
        other = super().copy()
        other.bid, other.options, other.plays = self.bid, self.options, self.plays[:]
        return other

    def _played(self, seat: int, code: int, before: int) -> None:  # whatever it is
        self.plays[seat] += 1

    def allies(self, seat: int) -> int:
        """Return the allies of a seat, as bits (1.1)."""
        declarer = self.bid.declarer or 0
        everybody = (1 << len(self.hands)) - 1
        return 0 if seat == declarer else everybody & ~(1 << declarer | 1 << seat)

    def points(self) -> Sequence[int]:
        """Return the points of each seat, once it is over (8)."""
        declarer = self.bid.declarer or 0
        won = self.gone[0] == declarer
        twice = doubling(declarer, tuple(self.plays), self.options, won=won)
        stakes = self.bid.stakes(self.options) * (2 if twice else 1)
        return points(declarer, stakes, self.options, won=won)


def codes(rules: ABaoRules) -> Codes:
    """Return the combinations under these rules; the same object every time."""
    return _codes(rules.groups, rules.options.auto_pass != "off")


@lru_cache(maxsize=16)
def _codes(groups: Groups, has_auto_pass_option: bool) -> Codes:
    found = Codes(groups)
    if has_auto_pass_option:  # O16.1
        found.idle = [min([found.sizes[at] for at in bits(over)], default=NEVER) for over in found.over] + [0]
    return found


def _model_of_style(style: ABaoStyle) -> SeatModel:
    return seat_model(partial(ABaoReading.of, style=style), style)


PACKING: Final = Packing(codes, ABaoHand, _model_of_style(ALONE), _model_of_style(TOGETHER))


class ABaoPosition(ClimbingPosition):
    """A decision of Tàihé A Bāo; bids are tried like plays."""

    def __init__(self, view: View) -> None:
        super().__init__(view, PACKING)

    def imagine(self, rng: random.Random) -> ImaginedHand:
        """Return a whole hand that the seat can imagine, bid and played from here."""
        if isinstance(self._view.ask, PlayAsk):
            return super().imagine(rng)
        return BiddingHand(self._view.rules.imagine(self._view, rng), self)

    def others(self) -> Sequence[Action]:
        """Return the actions worth a trial; of calls those that help the hand most."""
        match self._view.ask:
            case ChooseAsk(answers=answers):
                return [Choose((answer.code,)) for answer in answers]
            case NameAsk() as ask:
                return [Name(card) for card in bidding.wanted(self._view, ask)[:CALLS]]
        return super().others()

    def turns(self, _: View) -> bidding.Turns:
        """Return how many turns cards take in the packed hand, independent of their owner."""
        judge = self.judge(((self._view.seat or 0) + 1) % len(self._view.counts), 0)
        return lambda cards: judge.plan(self.codes.hand(cards)).cost


class BiddingHand:
    """An imagined hand before the play.

    All seats bid like plain house players, who count the turns of the packed hand.
    """

    def __init__(self, game: Any, position: ABaoPosition) -> None:
        self._game, self._position = game, position
        self._mind = PlainPolicy(
            answer=partial(bidding.answer, count_turns=position.turns),
            name=partial(bidding.name, count_turns=position.turns),
            give=partial(bidding.give, count_turns=position.turns),
        )

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how many points the seat comes out better than the table after this action."""
        game = self._game.act(seat, action)
        while game.result is None:
            asked = min(game.awaited)
            view = game.view(asked)
            if isinstance(view.ask, PlayAsk):
                rollout = self._position.rollout(game)
                return roll_out(rollout.hand, rollout.players, seat)
            game = game.act(asked, self._mind.plan_action(view))
        return advantage(game.result.points, seat, penalties=False)


STRATEGY: Final = Strategy(
    PlainPolicy(bidding.answer, bidding.name, bidding.give, ABaoReading.of),
    position=ABaoPosition,
    has_imagined_bids=True,
)
