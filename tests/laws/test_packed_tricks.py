"""Law: a packed hand of A Bāo, Big A and Tiến Lên is the same as one under the readable rules, step by step."""

import random
from typing import Any

import pytest

from bot.games import GAMES
from bot.house import plain
from bot.house.worlds.codes import bits
from bot.house.worlds.packed_games import PACKED
from bot.house.worlds.packed_tricks import NOTHING, PackedTricks
from bot.rules.actions import Choose, Pass, Play
from bot.rules.asks import ChooseAsk, PlayAsk
from bot.rules.cards import SeededRandom
from bot.rules.game import Rules
from bot.rules.trick import Combo

HANDS = 25  # of each preset
CASES = [(name, preset) for name in PACKED for preset in GAMES[name].presets]


def in_play(rules: Rules, seed: int) -> Any:
    """Return a hand that has come to the play; None where it is over before."""
    game: Any = rules.deal(SeededRandom(f"tricks {seed}"), seed % rules.players)
    while game.result is None:
        seat = min(game.awaited)
        view = game.view(seat)
        if isinstance(view.ask, PlayAsk):
            return game
        action = plain.choose(view)
        if action is None and isinstance(view.ask, ChooseAsk):
            action = Choose((view.ask.answers[0].code,))
        game = game.act(seat, action)
    return None


def key(combo: Combo) -> tuple[str, int, int]:
    return combo.kind, len(combo.cards), combo.strength


def stands(packed: PackedTricks) -> tuple[object, ...]:
    return packed.hands, packed.turn, packed.top, packed.out


def same(packed: PackedTricks, game: Any) -> None:
    """Assert that both say the same of who is asked, and for what."""
    codes = packed.codes
    assert packed.turn == game.turn
    assert packed.hands == [codes.hand(hand) for hand in game.hands]
    assert packed.counts == [len(hand) for hand in game.hands]
    assert packed.held == [codes.held(hand) for hand in packed.hands]
    legal = {key(codes.codes[code].sample) for code in bits(packed.legal())}
    assert legal == {key(combo) for combo in game.plays_of(game.turn)}


def step(packed: PackedTricks, game: Any, rng: random.Random) -> Any:
    """Do anything that can be done in both, and return the readable hand."""
    may_pass = packed.top != NOTHING
    choices = [*bits(packed.legal()), *[NOTHING] * may_pass]
    code = rng.choice(choices)
    seat = game.turn
    if code == NOTHING:
        packed.skip()
        return game.act(seat, Pass())
    cards = packed.codes.cards(packed.codes.takes[code], game.hands[seat])
    packed.play(code)
    return game.act(seat, Play(cards))


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_a_packed_hand_goes_as_a_readable_one(name: str, preset: str) -> None:
    rules = GAMES[name].rules(preset)
    for seed in range(HANDS):
        rng, game = random.Random(f"{preset} {seed}"), in_play(rules, seed)
        if game is None:
            continue
        packed, begin = PACKED[name].tricks(game), rng.randrange(30)
        for ply in range(1000):
            if ply == begin:
                packed = PACKED[name].tricks(game)  # anew, in the middle of a hand
            before = packed.copy()
            same(packed, game)
            game = step(packed, game, rng)
            assert stands(before) != stands(packed), "a copy stands for itself"
            if game.result is not None:
                break
        assert packed.over
        assert tuple(packed.points()) == game.result.points
