"""Law: a packed hand of A Bāo, Big A and Tiến Lên is the same as one under the readable rules, step by step."""

import random
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from bot.ai import plain
from bot.ai.engine.codes import bits
from bot.ai.engine.hand import NOTHING, ClimbingHand
from bot.ai.games import a_bao, big_a, tien_len
from bot.games import GAMES
from bot.rules.core.asks import Choose, ChooseAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Rules
from bot.rules.core.trick import Combo
from tests.laws.option_sets import aims, fitting
from tests.support.law_settings import is_thorough, sampled, scaled

HANDS = 800 if is_thorough() else scaled(5)  # of each preset
PACKED = {"a_bao": a_bao.PACKING, "big_a": big_a.PACKING, "tien_len": tien_len.PACKING}
CASES = [(name, preset) for name in PACKED for preset in GAMES[name].presets]
LEFT_OUT = {("out_of_turn_four_pairs", "true"), ("big_ace_pair_scope", "lone_deal_only")}
CHANGED: dict[str, dict[str, Any]] = {"big_a": {"big_ace_pair_scope": "any_holder"}}  # what is packed of the left out
AIMS = [aim for aim in aims() if aim.game in PACKED and (aim.option, aim.code) not in LEFT_OUT]
AIMED = sampled(AIMS, 20)


def in_play(rules: Rules, seed: int) -> Any:
    """Return a hand with begun play; None if over before."""
    game: Any = rules.deal(SeededRandom(f"tricks {seed}"), seed % rules.players)
    while game.result is None:
        seat = min(game.awaited)
        view = game.view(seat)
        if isinstance(view.ask, PlayAsk):
            return game
        action = plain.plain_action(view)
        if action is None and isinstance(view.ask, ChooseAsk):
            action = Choose((view.ask.answers[0].code,))
        game = game.act(seat, action)
    return None


def key(combo: Combo) -> tuple[str, int, int]:
    return combo.kind, len(combo.cards), combo.strength


def stands(packed: ClimbingHand) -> tuple[object, ...]:
    return packed.hands, packed.turn, packed.top, packed.out


def same(packed: ClimbingHand, game: Any) -> None:
    """Assert that both say the same of who is asked, and for what."""
    codes = packed.codes
    assert packed.turn == game.turn
    assert packed.hands == [codes.hand(hand) for hand in game.hands]
    assert packed.counts == [len(hand) for hand in game.hands]
    assert packed.held == [codes.held(hand) for hand in packed.hands]
    legal = {key(codes.codes[code].sample) for code in bits(packed.legal())}
    assert legal == {key(combo) for combo in game.plays_of(game.turn)}


def step(packed: ClimbingHand, game: Any, rng: random.Random) -> Any:
    """Apply an action that is legal in both hands, and return the readable hand."""
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


def hold_against(rules: Rules, seed: int) -> None:
    """Play a hand in both, whatever is done, and pack it again somewhere in the middle."""
    rng, game, name = random.Random(seed), in_play(rules, seed), rules.game
    if game is None:
        return
    packed, anew = PACKED[name].hand(game), rng.randrange(30)
    for ply in count():
        if ply == anew:
            packed = PACKED[name].hand(game)
        before = packed.copy()
        same(packed, game)
        game = step(packed, game, rng)
        assert stands(before) != stands(packed), "a copy stands for itself"
        if game.result is not None:
            break
    assert packed.over
    assert tuple(packed.points()) == game.result.points


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("name", "preset"), CASES)
def test_packed_and_readable_hands_are_equal_at_every_step(name: str, preset: str) -> None:
    for seed in range(HANDS):
        hold_against(GAMES[name].rules(preset, **CHANGED.get(name, {})), seed)


LAST_CARDS = {"one_card_rule": "pay_all", "last_three_doubles": True, "chop_chain": "each", "later_lead": "winner"}


@pytest.mark.parametrize("options", [{"players": 3}, {"play_on": "first", "scoring": "winner", "frozen": False}])
def test_packed_and_readable_hands_are_equal_under_last_card_rules(options: dict[str, Any]) -> None:
    for seed in range(2 * HANDS):
        hold_against(GAMES["tien_len"].rules("south", **LAST_CARDS, **options), seed)


def test_packed_and_readable_hands_are_equal_under_chosen_options() -> None:
    rng, played = random.Random(0), 0
    for aim in AIMED:
        record = fitting(aim, rng)
        record = replace(record, options={**CHANGED.get(aim.game, {}), **record.options})
        options = {(name, GAMES[aim.game].sheet.options[name].write(value)) for name, value in record.options.items()}
        if not options & LEFT_OUT:
            hold_against(record.begin().rules, rng.randrange(1000))
            played += 1
    assert played > 0.7 * len(AIMED)
