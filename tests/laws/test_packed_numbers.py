"""Law: a packed hand of The Big and the Little A is the same as one under the readable rules, step by step."""

import random

import pytest

from bot.ai.engine.rollout import Rollout
from bot.ai.games.big_little_a import BigLittleAPlayer, tables
from bot.ai.games.big_little_a_hand import JOKERS, BigLittleAHand
from bot.ai.games.big_little_a_worth import counted
from bot.games import GAMES
from bot.rules.big_little_a.groups import HIGHEST, JOKER, POWER
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.core.asks import Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import SeededRandom
from bot.rules.core.trick import Combo
from tests.support.law_settings import scaled

HANDS = scaled(6)
EAGER = 0.4  # how often a player who could pass plays the weakest


def dealt(preset: str, seed: int) -> BigLittleAGame:
    rules = GAMES["big_little_a"].rules(preset)
    game = rules.deal(SeededRandom(f"packed {seed}"), seed % rules.players)
    assert isinstance(game, BigLittleAGame)
    return game


def any_play(game: BigLittleAGame, rng: random.Random) -> Combo | None:
    ask, plays = game.ask(game.turn), list(game.plays_of(game.turn))
    assert isinstance(ask, PlayAsk)
    if plays and rng.random() < EAGER:
        return plays[0]
    return rng.choice([*plays, *[None] * (ask.may_pass or not plays)])


def acted(game: BigLittleAGame, combo: Combo | None) -> tuple[BigLittleAGame, int]:
    """Return the hand after this, and how high it was; bare jokers are named the highest."""
    after = game.act(game.turn, Play(combo.cards) if combo else Pass())
    if after.result is None and isinstance(after.ask(after.turn), NameAsk):
        return after.act(after.turn, Name(JOKER)), HIGHEST
    return after, combo.strength if combo else 0


def step(packed: BigLittleAHand) -> None:
    """Do what the readable rules do by themselves: a seat without a choice passes, or lays its only card."""
    hand = packed.hands[packed.turn]
    only = [power for power in range(1, JOKERS + 1) if hand[power]]
    if packed.led and only:
        packed.play((1, only[0]))
    else:
        packed.skip()


@pytest.mark.parametrize("preset", GAMES["big_little_a"].presets)
def test_packed_and_readable_hands_are_equal_at_every_step(preset: str) -> None:
    for seed in range(HANDS):
        game, rng = dealt(preset, seed), random.Random(seed)
        packed = BigLittleAHand.of(game)
        while game.result is None:
            while (packed.turn, packed.round) != (game.turn, game.round):
                step(packed)
            assert packed.hands == [counted(hand) for hand in game.hands]
            anew = BigLittleAHand.of(game)
            for name in ("sizes", "lying", "size", "strength", "owner", "led", "pile", "pile_points", "since"):
                assert getattr(packed, name) == getattr(anew, name), name
            before, combo = packed.copy(), any_play(game, rng)
            game, strength = acted(game, combo)
            if combo:
                packed.lay([POWER[card] for card in combo.cards], strength)
                assert before.sizes != packed.sizes or before.round != packed.round, "a copy stands for itself"
            else:
                packed.skip()
        while not packed.over:
            step(packed)
        assert tuple(packed.points()) == game.result.points


@pytest.mark.parametrize("preset", GAMES["big_little_a"].presets)
def test_a_rollout_from_any_position_always_has_the_same_outcome(preset: str) -> None:
    """The outcome is the same every time, even in a used world."""
    game, rng = dealt(preset, 0), random.Random(1)
    for at in range(200):
        if game.result is not None:
            break
        if at % 5 == 0:
            view = game.view(game.turn)
            world = Rollout(BigLittleAHand.of(game), [BigLittleAPlayer(tables(view))] * len(game.hands))
            plays = [Play(combo.cards) for combo in view.plays.first(3)]
            found = [world.outcome(play, game.turn) for play in plays]
            assert found == [world.outcome(play, game.turn) for play in plays]
        game, _ = acted(game, any_play(game, rng))
    assert game.result
