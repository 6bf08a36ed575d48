"""How the three levels of house players play Big Two, where its hands can be packed.

Knows one View, in which the seat is asked to play. Refuses to know any hand but its own, and the time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from bot.ai.engine.endings import Ending, TooLong, gain
from bot.ai.engine.search import Round, never
from bot.ai.games.big_two_belief import Sight
from bot.ai.games.big_two_codes import MOST
from bot.ai.games.big_two_costs import CAREFUL, EAGER, Costs, Style
from bot.ai.games.big_two_player import PASS, Error, exact, ponder
from bot.ai.games.big_two_search import ROUNDS, Search
from bot.rules.core.actions import Action, Pass, Play
from bot.rules.core.game import View

RELAXED = CAREFUL._replace(patience=0.09, dear=0.3, fives=0.3, twos=0.2, pair=1.7)
OVERLOOKED, MISJUDGED = 0.2, 0.5  # the share of plays that kind does not see; by how many turns it misjudges the others
UNSEEN = -9.0  # turns: nobody plays what is misjudged by so much
COMPARED = sum(each.worlds for each in ROUNDS)  # worlds in which one thing is held against another: all of a choice
FEW, ENDS, STEPS = 16, 10, 6000  # cards in all with which good solves the end, in how many worlds, in how many steps
NEAR = 9  # cards of its own with which good tries out what comes of what it could do,
GLANCES = (Round(6, 10), Round(3, 20))  # in these worlds


def kind(view: View, rng: random.Random | None) -> Action:
    """Return what a relaxed friend plays, who overlooks and misjudges things; without dice nothing of that."""

    def error() -> float:
        assert rng is not None
        return UNSEEN if rng.random() < OVERLOOKED else rng.gauss(0, MISJUDGED)

    sight = Sight(view, doubting=False)
    return _action(sight, _by_plan(sight, RELAXED, error if rng else exact))


def good(view: View, rng: random.Random | None) -> Action:
    """Return what somebody plays who plans, counts what is gone, and solves the end where few cards are left."""
    sight, rng = Sight(view, doubting=False), rng or random.Random(0)
    code = _solved(sight, rng) if _cards(sight) <= FEW else None
    if code is None and len(view.hand) <= NEAR:
        code = Search(sight, rng).best(GLANCES)
    return _action(sight, _by_plan(sight, EAGER, exact) if code is None else code)


def strong(
    view: View,
    rng: random.Random | None,
    rounds: tuple[Round, ...] = ROUNDS,
    late: Callable[[], bool] = never,
    *,
    doubting: bool = True,
) -> Action:
    """Return what has come out best in many worlds.

    late: tells when there is no more time for more of them. doubting: whether they are imagined by what was done.
    """
    sight = Sight(view, doubting=doubting)
    return _action(sight, Search(sight, rng or random.Random(0)).best(rounds, late))


def gained(view: View, better: Action, done: Action, rng: random.Random) -> float:
    """Return by how many points one thing comes out better than another, in the worlds of ``strong`` by these dice."""
    sight = Sight(view)
    better_code, done_code = codes_of(sight, (better, done))
    return Search(sight, rng).compare((better_code, done_code), COMPARED)


def codes_of(sight: Sight, actions: Sequence[Action]) -> list[int]:
    """Return what stands for each of these actions in a packed hand."""
    codes = sight.hand.law.codes
    return [codes.of[codes.mask(action.cards)] if isinstance(action, Play) else PASS for action in actions]


def _action(sight: Sight, code: int) -> Action:
    return Pass() if code == PASS else Play(sight.hand.law.codes.cards(code))


def _by_plan(sight: Sight, style: Style, error: Error) -> int:
    hand, seat = sight.hand, sight.seat
    costs = Costs(hand.law.codes, sight.about, style)
    return ponder(hand, costs.plan(hand.hands[seat], hand.plays_of(seat)[MOST]), costs, error)


def _cards(sight: Sight) -> int:
    return sum(sight.hand.counts)


def _solved(sight: Sight, rng: random.Random) -> int | None:
    """Return what is best on average where all know all cards; None where that takes too long to find."""
    hand, codes, ending, solved = sight.hand, sight.hand.law.codes, Ending(STEPS), 0
    choices = [*hand.legal(), *[PASS] * hand.may_pass]
    gains = dict.fromkeys(choices, 0.0)
    try:
        for solved in range(ENDS):  # noqa: B007  # how many were solved before it took too long
            hands = sight.world(rng)
            world = hand.among(hands, [codes.plays(held) for held in hands])
            found = {code: gain(hand, ending.after(world, code), sight.seat) for code in choices}
            gains = {code: gains[code] + found[code] for code in choices}
    except TooLong:
        if solved < ENDS / 2:
            return None
    return max(choices, key=gains.__getitem__)
