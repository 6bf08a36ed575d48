"""Players with trials choose surely better actions, and seats in imagined worlds play like plain ones."""

import random
from collections.abc import Mapping

import pytest

from bot.ai import plain
from bot.ai.engine.search import ClimbingPosition, Imagine, Search, SearchRound
from bot.ai.levels import STRATEGIES, house_action
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.cards import SeededRandom, cards
from bot.rules.core.game import Game
from bot.rules.core.trick import Combo

ROUNDS = (SearchRound(3, 30), SearchRound(1, 30))
CAUTIOUS = [name for name, strategy in STRATEGIES.items() if strategy.cautious]
CLIMBING = sorted(set(CAUTIOUS) - {"big_little_a"})
FIRST, OTHER, THIRD = Pass(), Play(cards("3d")), Play(cards("4d"))


class Wheel:
    """A world in which each action yields its value plus its own luck."""

    def __init__(self, worth: Mapping[Action, float], luck: float, rng: random.Random) -> None:
        self._worth, self._luck, self._rng = worth, luck, rng

    def outcome(self, action: Action, seat: int) -> float:
        return self._worth[action] + self._rng.gauss(0, self._luck)


def wheels(worth: Mapping[Action, float], luck: float = 1.0) -> Imagine:
    return lambda rng: Wheel(worth, luck, rng)


def best(worth: Mapping[Action, float], seed: int = 1, luck: float = 1.0) -> Action:
    return Search(0, wheels(worth, luck), random.Random(seed)).best([*worth], ROUNDS)


def test_a_surely_better_action_is_chosen_else_the_favourite() -> None:
    for seed in range(20):
        assert best({FIRST: 0.0, OTHER: 2.0, THIRD: -1.0}, seed) == OTHER
        assert best({FIRST: 0.0, OTHER: -0.5, THIRD: -2.0}, seed) == FIRST
    doubtful = [best({FIRST: 0.0, OTHER: 0.0, THIRD: 0.0}, seed, luck=9.0) for seed in range(40)]
    assert doubtful.count(FIRST) > 28, "where all is equal, chance decides seldom"


def test_trials_go_to_promising_actions() -> None:
    """Clearly worse actions are tried in the first round only, and no further world is imagined without candidates."""
    search = Search(0, wheels({FIRST: 0.0, OTHER: -9.0}), random.Random(1))
    assert search.best([FIRST, OTHER], ROUNDS) == FIRST
    assert search.tried == ROUNDS[0].hands


def test_two_actions_are_compared() -> None:
    search = Search(0, wheels({FIRST: 1.0, OTHER: 3.0}, luck=0.0), random.Random(1))
    assert search.compare(OTHER, FIRST, 5) == 2.0
    assert search.tried == 5


def test_a_search_out_of_time_falls_back_to_the_medium_level() -> None:
    search = Search(0, wheels({FIRST: 0.0, OTHER: 9.0}), random.Random(1))
    assert search.best([FIRST, OTHER], (SearchRound(1, 10**9),), lambda: True) == FIRST
    assert search.tried == 1


def key(combo: Combo | None) -> tuple[str, int, int]:
    assert combo
    return combo.kind, len(combo.cards), combo.strength


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("name", "preset"), [(name, preset) for name in CLIMBING for preset in GAMES[name].presets])
def test_every_distinct_play_is_tried_once(name: str, preset: str) -> None:
    """One of equivalent plays each, and nothing else."""
    tried = 0
    game: Game = GAMES[name].rules(preset).deal(SeededRandom(f"whole {preset}"), 0)
    while game.result is None and tried < 40:
        seat = min(game.awaited)
        view = game.view(seat)
        if isinstance(view.ask, PlayAsk):
            position = STRATEGIES[name].search(view, None)[0]
            assert isinstance(position, ClimbingPosition)
            found = [view.rules.classify(action.cards) for action in position.others() if isinstance(action, Play)]
            assert {*map(key, found)} == {*map(key, view.plays)}
            assert len({view.rules.alike(combo.cards) for combo in found if combo}) == len(found)
            tried += 1
        action = house_action(Level.EASY, view, random.Random(tried))
        assert action
        game = game.act(seat, action)
    assert tried > 8


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("name", "preset"), [(name, preset) for name in CAUTIOUS for preset in GAMES[name].presets])
def test_a_rollout_ends_in_every_preset(name: str, preset: str) -> None:
    """The outcome repeats although seats cache results."""
    rules, tried = GAMES[name].rules(preset), 0
    assert STRATEGIES[name].has_search(rules)
    game: Game = rules.deal(SeededRandom(preset), 0)
    while game.result is None and tried < 12:
        seat = min(game.awaited)
        view = game.view(seat)
        action = plain.plain_action(view)
        assert action
        position, _ = STRATEGIES[name].search(view, None)
        if isinstance(view.ask, PlayAsk) or len(position.candidates(action)) > 1:
            world = position.imagine(random.Random(tried))
            assert world.outcome(action, seat) == world.outcome(action, seat)
            tried += 1
        game = game.act(seat, action)
    assert tried > 3
