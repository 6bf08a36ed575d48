"""Big A keeps its secrets: visible facts follow from public actions and the viewer's cards.

Covers what a viewer may know. What is played and answered comes by chance.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_a import BigA
from bot.rules.big_a.declarations import CODES, FIRST_FACE_DOWN, NO, ORDERS, REVEAL, SILENT, STACK_SIZE, Stack, ace
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.windows import EVERYBODY, BigADraw
from bot.rules.core.asks import ORDER, Action, Choose, ChooseAsk, Pass, Play
from bot.rules.core.cards import Cards, Suit, double_pack
from bot.rules.core.game import View
from tests.laws.matches import offered
from tests.secrecy.big_a_hands import (
    PRESETS,
    VIEWERS,
    Hand,
    all_answer,
    any_rules,
    codes,
    dealt,
    hand_of,
    hands,
    outcome,
    outside,
    rearranged,
    side_by_side,
    some_actions,
)
from tests.support.law_settings import is_thorough

HEARTS = ace(Suit.HEARTS)

every_preset = pytest.mark.parametrize("preset", PRESETS)
every_mode = pytest.mark.parametrize("mode", ["checkpoints", "live", "sealed_once"])
pytestmark = pytest.mark.rotates(3)


@every_preset
def test_equal_visible_cards_give_equal_views(preset: str) -> None:
    rng, found = random.Random(preset), Counter[str]()
    for viewer in VIEWERS * 2:
        one = dealt(any_rules(preset, rng), rng)
        for first, second in side_by_side(one, rearranged(one, viewer, rng), rng):
            assert all(first.view(each) == second.view(each) for each in {None, viewer})
            assert outside(first) == outside(second)
            if isinstance(first, BigAGame) and isinstance(second, BigAGame):
                found.update(["play"] + ["partner"] * (first.sides.partner != second.sides.partner))
            found.update([type(first).__name__] * (first != second))
    assert min(found[each] for each in ("BigADraw", "BigAGame", "partner")) > 50, found


@every_preset
def test_imagined_hands_offer_and_end_like_the_real_one(preset: str) -> None:
    rng, found = random.Random(preset), Counter[bool]()
    for at, (_, _, _, game) in enumerate(hands(preset, 3)):
        if isinstance(game, BigAGame) and game.result is None and not at % 9:
            viewer = rng.choice(VIEWERS)
            imagined = game.rules.imagine(game.view(viewer), rng)
            assert isinstance(imagined, BigADraw | BigAGame)
            for first, second in side_by_side(game, imagined, rng):
                assert all(first.view(each) == second.view(each) for each in {None, viewer})
                found[first != second] += 1
    assert found[True] > 200


# Windows


@pytest.mark.rotates(4)  # of 18 cases, so that each mode has some
@every_mode
@pytest.mark.parametrize("hidden_hearts", ["expose_and_redeal", "redeal_unseen", "ask_after_pickup"])
@pytest.mark.parametrize("lone_may_reveal", [False, True])
def test_windows_follow_from_exposed_cards(mode: str, hidden_hearts: str, *, lone_may_reveal: bool) -> None:
    rng = random.Random(f"{mode} {hidden_hearts} {lone_may_reveal}")
    options = {"draw_mode": mode, "hidden_hearts": hidden_hearts, "forced_lone_may_reveal": lone_may_reveal}
    rules = GAMES["big_a"].rules("standard", **options)
    assert isinstance(rules, BigA)
    seen: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for number in range(40 if is_thorough() else 16):
        game = dealt(rules, rng)
        if not number % 4:
            game = game._replace(stack=Stack(hearts_last(game.stack.order), game.stack.starter))
        for history, clock in windows(game, rng, willing=number % 3 / 2):
            assert seen.setdefault(history, clock) == clock
    assert len(seen) > 4


def hearts_last(order: Cards) -> Cards:
    """Return the cards with both aces of hearts among those that lie face down."""
    rest = [each for each in order if each is not HEARTS]
    return (*rest[: FIRST_FACE_DOWN + 1], HEARTS, *rest[FIRST_FACE_DOWN + 1 :], HEARTS)


def windows(game: Hand, rng: random.Random, *, willing: float) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Yield for each window what was shown till then, window by window, and who is asked for how long.

    That both aces of hearts were face down is said aloud, where the question is put again (O6.3).
    """
    history: tuple[Any, ...] = ()
    while isinstance(game, BigADraw):
        yield (
            history,
            (game.kind, game.drawn, game.tick, game.awaited, game.view(None).awaited, game.view(None).phase_note),
        )
        before = game
        for seat in rng.sample(sorted(EVERYBODY), 5):
            actions = [each for each in some_actions(game.view(seat), rng) if willing or each == Choose((NO.code,))]
            game = hand_of(game.act(seat, next((each for each in actions if not _orders(each)), Choose((NO.code,)))))
        history = (*history, declared(game, before))
    yield history, game.secrecy


def _orders(action: Action) -> bool:
    return isinstance(action, Choose) and action.codes[0] == ORDER


def declared(game: Hand, before: BigADraw) -> tuple[Any, ...]:
    """Return how much has been shown, and how, but for who it was and which suit."""
    facts = dict(game.view(None).facts)
    again = "forced" in facts and HEARTS not in before.stack.order[:FIRST_FACE_DOWN]
    redealt = sum(name in ("redealt", "unseen") for name, _ in game.view(None).facts)
    shown = tuple(len(each.amount) for each in facts.get("shown", ()))
    return shown, "forced" in facts, "revealed" in facts, redealt, again


@every_preset
def test_an_answer_in_an_open_window_is_invisible_to_others(preset: str) -> None:
    tried = Counter[str]()
    rng = random.Random(preset)
    for game, seat, _, _ in hands(preset, 6):
        if not isinstance(game, BigADraw):
            continue
        actions = offered(game.view(seat))
        for action in rng.sample(actions, min(4, len(actions))):
            after = game.act(seat, action)
            if game.awaited <= {seat} and isinstance(action, Choose) and action.codes != (ORDER,):
                continue  # every player has answered, so the window closes
            others = [each for each in VIEWERS if each != seat]
            assert isinstance(after, BigADraw)
            assert [after.view(each) for each in others] == [game.view(each) for each in others]
            assert after._replace(sealed=0).to_act == game.to_act
            assert (after.tick, after.kind, after.drawn) == (game.tick, game.kind, game.drawn)
            assert after.sealed == game.sealed + 1, "so that no address on the board changes"
            tried["order" if _orders(action) else "answer"] += 1
            tried["changed"] += bool(game.given[seat])
    assert min(tried[each] for each in ("order", "answer", "changed")) > 20, tried


@every_preset
def test_every_player_is_asked_about_the_other_big_ace(preset: str) -> None:
    rng, lone = random.Random(preset), Counter[bool]()
    for _ in range(6):
        game = revealing(any_rules(preset, rng), rng)
        worlds = rng.sample(list(twins(game)), 12)
        lone.update(_holder(each) == game.declaration.acts[-1].seat for each in worlds)
        for world in worlds:
            assert world.awaited == world.to_act == world.view(None).awaited == EVERYBODY
            asks = [world.view(seat).ask for seat in sorted(EVERYBODY)]
            assert all(isinstance(ask, ChooseAsk) and ask.answers[0] == NO and not ask.orders for ask in asks)
            assert [len(ask.answers) > 1 for ask in asks if isinstance(ask, ChooseAsk)].count(True) == 1
            assert_same_for_the_rest(game, world)
            assert_same_for_the_rest(silently(game), silently(world))
            for code in (REVEAL, SILENT):
                assert isinstance(world._replace(standing=((code,),) * 5).opened(), BigAGame)
    assert min(lone[True], lone[False]) > 5, lone


def revealing(rules: BigA, rng: random.Random) -> BigADraw:
    """Return a hand in which one ace was shown, when every player is asked for its twin."""
    for _ in range(200):
        game: Hand = dealt(rules, rng)
        while isinstance(game, BigADraw) and game.kind != "reveal":
            seat = min(game.awaited)
            fine = [code for code in codes(game.view(seat)) if not game.declaration.acts and code.startswith("expose")]
            game = hand_of(game.act(seat, Choose((next(iter(fine), NO.code),))))
        if isinstance(game, BigADraw) and not game.declaration.forced:
            return game
    raise LookupError


def twins(game: BigADraw) -> Iterator[BigADraw]:
    """Yield the hand with the other Big Ace wherever it could be, in exchange for the card that is there."""
    last, order = game.declaration.acts[-1], game.stack.order
    where = [at for at, each in enumerate(order) if each is ace(last.suit)]
    twin = next((at for at in where if game.stack.seat(at) != last.seat), where[-1])
    for at in range(STACK_SIZE):
        if at not in where:
            other = list(order)
            other[twin], other[at] = other[at], other[twin]
            yield game._replace(stack=Stack(tuple(other), game.stack.starter))


def _holder(game: BigADraw) -> int:
    """Return who can show the other Big Ace."""
    return next(seat for seat in EVERYBODY if len(codes(game.view(seat))) > 1)


def assert_same_for_the_rest(one: Hand, other: Hand) -> None:
    """Fail unless every player whose cards are the same sees the same."""
    same = [seat for seat in VIEWERS if seat is None or one.view(seat).hand == other.view(seat).hand]
    assert len(same) > 3
    assert [one.view(seat) for seat in same] == [other.view(seat) for seat in same]


def silently(game: Hand) -> Hand:
    """Return the hand without further declarations."""
    for seat in sorted(EVERYBODY):
        game = hand_of(game.act(seat, Choose((NO.code,))))
    assert isinstance(game, BigAGame)
    return game


@pytest.mark.rotates(1)
@every_mode
def test_standing_orders_apply_to_every_hand(mode: str) -> None:
    rng = random.Random(mode)
    rules = GAMES["big_a"].rules("standard", draw_mode=mode)
    for first, second in list(permutations([each.code for each in ORDERS], 2))[::7]:
        if {first, second} != {REVEAL, SILENT}:
            game: Hand = hand_of(rules.deal(random.Random(first), 0))
            game = hand_of(game.act(3, Choose((ORDER, first, second))))
            while isinstance(game, BigADraw):
                spoken = game.kind != "reveal" or {first, second} & {REVEAL, SILENT}
                assert game.awaited == EVERYBODY - ({3} if spoken else set())
                game = hand_of(all_answer(game, rng))
    assert {each.code for each in ORDERS} == CODES


# What only one seat is told


@every_preset
def test_answers_and_refusals_are_private(preset: str) -> None:
    rng, refused = random.Random(preset), Counter[str]()
    for at, (game, _, _, _) in enumerate(hands(preset, 6)):
        assert game.view(None).ask is None
        assert game.view(None).private_notes == ()
        if at % 4 or game.result:
            continue
        seat = rng.choice(sorted(EVERYBODY))
        imagined = hand_of(game.view(seat).rules.imagine(game.view(seat), rng))
        for action in attempts(game.view(seat), rng):
            said = outcome(game, seat, action)
            assert outcome(imagined, seat, action) == said
            refused[type(action).__name__] += said is not None
    assert min(refused[each] for each in ("Play", "Pass", "Choose")) > 10, refused


def attempts(view: View, rng: random.Random) -> Iterator[Action]:
    """Yield possible attempts, with held cards and others."""
    yield Pass()
    yield from (Choose((f"{kind}:{suit}",)) for kind in ("expose", "pair") for suit in "dchs")
    yield from (Choose(codes) for codes in (("protect",), (REVEAL,), (ORDER, REVEAL, SILENT), (ORDER, "whatever")))
    for pool in (view.hand, double_pack()):
        yield from (Play(tuple(rng.sample(pool, min(size, len(pool))))) for size in (1, 1, 2, 3))
