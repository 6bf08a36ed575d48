"""Packed hands of Big Two say what the readable rules say, at every step of hands that are played at random.

Some hands of some presets that can be packed, and of random options, in the quick run; ten thousand of all in the long
one.
"""

import random

import pytest

from bot.ai.games.big_two_codes import CARDS
from bot.ai.games.big_two_hand import BigTwoHand, supports
from bot.games import GAMES
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Rules
from tests.laws.matches import by_dice
from tests.rules.positions import action, after, rules, table
from tests.support.law_settings import is_thorough, scaled

BIG_TWO = GAMES["big_two"]
NOT_PACKED = {"taiwan_latta", "da_lao_er", "three_player_draw"}
PACKED = sorted(set(BIG_TWO.presets) - NOT_PACKED)
HANDS = 700 if is_thorough() else scaled(10)
OPTION_SETS = 1000 if is_thorough() else scaled(8)
EAGER = 0.5  # of the steps in which a player plays who could pass too


def test_presets_without_packed_hands_report_so() -> None:
    assert {preset for preset in BIG_TWO.presets if not supports(BIG_TWO.rules(preset))} == NOT_PACKED
    assert not supports(GAMES["tien_len"].rules(next(iter(GAMES["tien_len"].presets))))


@pytest.mark.rotates(3)
@pytest.mark.parametrize("preset", PACKED)
def test_packed_and_readable_hands_of_a_preset_are_equal(preset: str) -> None:
    of, rng = BIG_TWO.rules(preset), random.Random(preset)
    for at in range(HANDS):
        same(started(of, f"packed {preset} {at}", at), rng)


def test_packed_and_readable_hands_under_any_options_are_equal() -> None:
    rng, found = random.Random("packed"), 0
    while found < OPTION_SETS:
        of = by_dice("big_two", rng.choice(PACKED), rng).begin().rules
        found += supports(of)
        if supports(of):
            same(started(of, f"{rng.getrandbits(64):x}", 0), rng)


def started(of: Rules, seed: str, dealer: int) -> BigTwoGame:
    game = of.deal(SeededRandom(seed), dealer % of.players)
    assert isinstance(game, BigTwoGame)
    return game


def same(game: BigTwoGame, rng: random.Random) -> None:
    """Play a hand at random in both, and see at each step that they agree."""
    if game.result is not None:
        return
    packed = BigTwoHand.of(game)
    while game.result is None:
        agree(packed, game)
        step = any_action(packed, rng)
        before = packed.copy()
        done(packed, step)
        game = game.act(game.turn, step)
        assert before.hands != packed.hands or isinstance(step, Pass), "a copy stands for itself"
    codes = packed.packed_rules.codes
    assert packed.over
    assert packed.points() == game.result.points
    assert tuple(map(codes.cards, packed.hands)) == game.result.left
    if game.result.order:
        assert packed.result() == game.result


def agree(packed: BigTwoHand, game: BigTwoGame) -> None:
    """Hold a packed hand against the readable one."""
    codes = packed.packed_rules.codes
    assert not packed.over
    assert packed.turn == game.turn
    assert tuple(map(codes.cards, packed.hands)) == game.hands
    assert packed.counts == [len(held) for held in game.hands]
    assert sorted(code & CARDS for code in packed.legal()) == sorted(
        codes.mask(combo.cards) for combo in game.plays_of(game.turn)
    )
    assert packed.may_pass == (game.why_no_pass(game.turn) is None)
    anew = BigTwoHand.of(game)
    assert packed.plays_of(packed.turn) == anew.plays[game.turn]
    assert [getattr(anew, name) for name in ("top", "owner", "out", "breach", "must")] == [
        getattr(packed, name) for name in ("top", "owner", "out", "breach", "must")
    ]


def any_action(packed: BigTwoHand, rng: random.Random) -> Action:
    choice = packed.legal()
    if not choice or (packed.may_pass and rng.random() > EAGER):
        return Pass()
    return Play(packed.packed_rules.codes.cards(rng.choice(choice)))


def done(packed: BigTwoHand, step: Action) -> None:
    """Apply an action of the readable hand to a packed hand."""
    codes = packed.packed_rules.codes
    if isinstance(step, Play):
        packed.play(codes.of[codes.mask(step.cards)])
    else:
        packed.skip()


def test_letting_the_next_player_out_pays_for_all_in_packed_hands() -> None:
    game = table("3d 9c", "8d Kd 2h", "9s", "4d 5d 6c", turn=1)
    packed = BigTwoHand.of(game)
    done(packed, action("8d"))
    done(packed, action("9s"))
    ended = after(game, "8d", "9s").result
    assert ended
    assert ended.notes
    assert packed.points() == ended.points


def test_a_stuck_hand_scores_nothing_in_packed_hands() -> None:
    game = table("3d 2d", "2c", turn=0, of=rules("two_player", last_card_ban="any_two"))
    packed = BigTwoHand.of(game)
    done(packed, action("3d"))
    ended = after(game, "3d").result
    assert ended
    assert packed.over
    assert packed.points() == ended.points == (0, 0)
