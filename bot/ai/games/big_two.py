"""Big Two for house players: levels, positions and strategy."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Final

from bot.ai.engine.endings import EndingSolver, TooLong
from bot.ai.engine.minds import Dice
from bot.ai.engine.rollout import Rollout, advantage
from bot.ai.engine.search import Round, Rounds, Search, never
from bot.ai.engine.strategy import Effort, Late, Strategy
from bot.ai.games.big_two_belief import Belief
from bot.ai.games.big_two_codes import MAX_COMBO_CARDS
from bot.ai.games.big_two_costs import CAREFUL, EAGER, Costs, PlayingStyle
from bot.ai.games.big_two_hand import supports
from bot.ai.games.big_two_player import BigTwoPlayer, Error, exact
from bot.domain.level import Level
from bot.rules.core.actions import Action, Pass, Play
from bot.rules.core.game import View

RELAXED = CAREFUL._replace(patience=0.09, dear=0.3, fives=0.3, twos=0.2, pair=1.7)
OVERLOOKED, MISJUDGED = 0.2, 0.5  # the share of plays that kind misses; by how many turns it misjudges the others
UNSEEN = -9.0  # turns: nobody plays what is misjudged by so much
GLANCES: Rounds = (Round(6, 10), Round(3, 20))
ROUNDS: Rounds = (Round(12, 24), Round(6, 80), Round(3, 200))
FEW, ENDS, STEPS = 16, 10, 6000  # cards in all with which good solves the end, in how many hands, in how many steps
NEAR = 9  # cards of its own with which good begins to search


class BigTwoPosition:
    """A decision of a seat that is asked to play. doubting: whether hands are imagined by what was done."""

    def __init__(self, view: View, *, doubting: bool = True) -> None:
        self.belief = Belief(view, doubting=doubting)
        self.hand, self.seat = self.belief.hand, self.belief.seat
        self._fives = self.hand.plays_of(self.seat)[MAX_COMBO_CARDS]
        self._left = dict[int, float]()  # the costs of what is left of its hand, in all imagined hands

    @cached_property
    def eager(self) -> Costs:
        """The costs of a player who plays whatever it can."""
        return self._costs(EAGER)

    @cached_property
    def careful(self) -> Costs:
        """The costs of a player who waits."""
        return self._costs(CAREFUL)

    def _costs(self, style: PlayingStyle) -> Costs:
        return Costs(self.hand.packed_rules.codes, self.belief.about, style)

    def planned(self, style: PlayingStyle = EAGER, error: Error = exact) -> Action:
        """Return the action of a player who plans and tries nothing out."""
        costs = self.eager if style is EAGER else self._costs(style)
        plan = costs.plan(self.hand.hands[self.seat], self._fives)
        return self.action(BigTwoPlayer(self.seat, costs, plan, {}, error).chosen(self.hand))

    def action(self, code: int | None) -> Action:
        """Return a code as an action."""
        return Pass() if code is None else Play(self.hand.packed_rules.codes.cards(code))

    def candidates(self, planned: Action) -> list[Action]:
        """Return the actions to try: the planned one, to pass, and the plays, the one with the best rest first."""
        held, passing = self.hand.hands[self.seat], [None] if self.hand.may_pass else []
        plays = sorted(self.hand.legal(), key=lambda code: self.eager.best(held & ~code, self._fives))
        return list(dict.fromkeys([planned, *map(self.action, (*passing, *plays))]))

    def imagine(self, rng: random.Random) -> Rollout:
        """Return a whole hand that the seat can imagine, with a style for each other seat."""
        hands, codes, seat = self.belief.world(rng), self.hand.packed_rules.codes, self.seat
        plays = [codes.plays(held) for held in hands]
        costs = [self.eager if rng.random() < likely else self.careful for likely in self.belief.eager]
        costs[seat] = self.eager
        plans = [each.plan(held, own[MAX_COMBO_CARDS]) for each, held, own in zip(costs, hands, plays, strict=True)]
        left = [self._left if other == seat else {} for other in range(len(hands))]
        players = map(BigTwoPlayer, range(len(hands)), costs, plans, left)
        return Rollout(self.hand.among(hands, plays), players)


def choose(level: Level, view: View, rng: Dice, rounds: Rounds, late: Late) -> Action:
    """Return the action of a player of this level."""
    if level == Level.KIND:
        return kind(view, rng)
    return good(view, rng, rounds) if level == Level.GOOD else strong(view, rng, rounds, late)


def kind(view: View, rng: Dice) -> Action:
    """Return the play of a relaxed friend, who overlooks and misjudges plays; none of that without dice."""

    def error() -> float:
        assert rng is not None
        return UNSEEN if rng.random() < OVERLOOKED else rng.gauss(0, MISJUDGED)

    return BigTwoPosition(view, doubting=False).planned(RELAXED, error if rng else exact)


def good(view: View, rng: Dice, rounds: Rounds = GLANCES) -> Action:
    """Return the play of a player who plans, counts the cards that are gone, and solves the end."""
    position, rng = BigTwoPosition(view, doubting=False), rng or random.Random(0)
    solved = _solved(position, rng) if sum(view.counts) <= FEW else None
    if solved is not None:
        return solved
    return _searched(position, rng, rounds) if len(view.hand) <= NEAR else position.planned()


def strong(view: View, rng: Dice, rounds: Rounds = ROUNDS, late: Late = never, *, doubting: bool = True) -> Action:
    """Return the action that comes out best in many imagined hands.

    late: tells when the time is over. doubting: whether hands are imagined by what was done.
    """
    return _searched(BigTwoPosition(view, doubting=doubting), rng or random.Random(0), rounds, late)


def _searched(position: BigTwoPosition, rng: random.Random, rounds: Rounds, late: Late = never) -> Action:
    search = Search(position.seat, position.imagine, rng, cautious=False)
    return search.best(position.candidates(position.planned()), rounds, late)


def _solved(position: BigTwoPosition, rng: random.Random) -> Action | None:
    """Return the best action on average where all seats know all cards; None where that takes too many steps."""
    hand, seat, solver = position.hand, position.seat, EndingSolver(STEPS)
    choices = [*hand.legal(), *[None] * hand.may_pass]
    gains, solved = dict.fromkeys(choices, 0.0), 0
    try:
        while solved < ENDS:
            hands = position.belief.world(rng)
            world = hand.among(hands, [*map(hand.packed_rules.codes.plays, hands)])
            found = {code: solver.after(world, code) for code in choices}
            for code, points in found.items():
                gains[code] += advantage(points, seat, penalties=hand.penalties)
            solved += 1
    except TooLong:
        if solved < ENDS / 2:
            return None
    return position.action(max(choices, key=gains.__getitem__))


STRATEGY: Final = Strategy(
    position=BigTwoPosition,
    searches=supports,
    cautious=False,
    good=Effort(GLANCES),
    strong=Effort(ROUNDS),
    own=choose,
)
