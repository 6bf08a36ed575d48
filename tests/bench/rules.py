"""How fast the rules are: python -m tests.bench.rules

Random play-outs with all legal plays made at every step, beside RLCard's Dou Dizhu in the same run where it is
installed; and the four questions about legal plays, on hands of 13 and of 22 cards. Times are medians.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from bot.rules.big_two import BigTwo
from bot.rules.cards import pack
from bot.rules.game import Combo, Illegal, Pass, Play, PlayAsk, View
from bot.rules.trick import EMPTY

ROUNDS = 7
PLAYOUTS = 200
THEIR_PLAYOUTS = 40
GOAL = 5
HANDS = 60


def playout(rules: BigTwo, rng: random.Random) -> int:
    """Play one hand at random and return the number of steps."""
    game, steps = rules.deal(rng, 0), 0
    while game.result is None:
        plays: list[Combo | None] = list(game.plays)
        if game.trick.top is not None:
            plays.append(None)
        chosen = plays[int(rng.random() * len(plays))]
        game = game.act(game.turn, Play(chosen.cards) if chosen else Pass())
        steps += 1
    return steps


def ours() -> Callable[[], int]:
    """Return a hand of Big Two to be played, as a count of steps."""
    rules, rng = BigTwo(), random.Random(1)
    return lambda: playout(rules, rng)


def theirs() -> Callable[[], int] | None:
    """Return a hand of RLCard's Dou Dizhu to be played, as a count of steps; None where it is not installed."""
    try:
        from rlcard.games.doudizhu import Game  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        return None
    game, rng = Game(), random.Random(1)

    def play() -> int:
        state, _ = game.init_game()
        steps = 0
        while not game.is_over():
            actions = state["actions"]
            state, _ = game.step(actions[int(rng.random() * len(actions))])
            steps += 1
        return steps

    return play


def a_step(play: Callable[[], int], count: int) -> float:
    """Return the microseconds a step takes over so many hands."""
    start = time.perf_counter()
    steps = sum(play() for _ in range(count))
    return (time.perf_counter() - start) / steps * 1e6


def compare() -> None:
    """Print steps a second, ours and theirs, the rounds of both taken in turn."""
    mine, other = ours(), theirs()
    a_step(mine, PLAYOUTS)  # warm
    pairs = [(a_step(mine, PLAYOUTS), a_step(other, THEIR_PLAYOUTS) if other else 0.0) for _ in range(ROUNDS)]
    here, there = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"Big Two, random play-outs      {1e6 / here:9,.0f} steps a second  {here:6.1f} us a step")
    if other is None:
        print("RLCard is not installed, so there is nothing to compare with: pip install rlcard")
        return
    print(f"RLCard, Dou Dizhu              {1e6 / there:9,.0f} steps a second  {there:6.1f} us a step")
    ratio = statistics.median(theirs_us / ours_us for ours_us, theirs_us in pairs)
    print(f"ratio                          {ratio:9.1f}  (the goal is {GOAL})")


def views(size: int, *, lead: bool) -> list[View]:
    """Return views of random hands of so many cards, to lead or to beat a weak play of one to five cards."""
    rules, rng = BigTwo(), random.Random(size)
    found = []
    for _ in range(HANDS):
        game = rules.deal(rng, 0)
        hand = rules.sort(tuple(rng.sample(pack(), size)))
        blank = replace(game.view(game.turn), hand=hand, trick=EMPTY, must=None, ask=PlayAsk(may_pass=not lead))
        tops = [rules.plays(blank).first(1)[0], *(combo for combo in blank.plays if len(combo.cards) in {2, 5})]
        trick = EMPTY if lead else EMPTY.played(0, rng.choice(tops))
        found.append(replace(blank, trick=trick))
    return found


def questions() -> None:
    """Print the microseconds each question about legal plays takes, the median over hands."""
    print(f"\n{'microseconds':24}{'any':>8}{'this one':>10}{'first 25':>10}{'all':>10}{'plays':>8}")
    for size in (13, 22):
        for lead in (True, False):
            asked = views(size, lead=lead)
            times = [
                median(lambda view: bool(view.plays), asked),
                median(highest, asked),
                median(lambda view: view.plays.first(25), asked),
                median(lambda view: list(view.plays), asked),
            ]
            count = statistics.median(len(list(view.plays)) for view in asked)
            name = f"{size} cards, {'lead' if lead else 'follow'}"
            print(f"{name:24}{times[0]:8.1f}{times[1]:10.1f}{times[2]:10.1f}{times[3]:10.1f}{count:8.0f}")


def median(question: Callable[[View], object], asked: list[View]) -> float:
    """Return the median over hands of the best of three times, in microseconds."""
    return statistics.median(min(timed(question, view) for _ in range(3)) for view in asked)


def highest(view: View) -> object:
    """Ask whether the five highest cards of a hand can be played, which as a rule they cannot."""
    try:
        return view.plays.verify(view.hand[-5:])
    except Illegal as refused:
        return refused


def timed(question: Callable[[View], object], view: View) -> float:
    start = time.perf_counter()
    question(view)
    return (time.perf_counter() - start) * 1e6


if __name__ == "__main__":
    compare()
    questions()
