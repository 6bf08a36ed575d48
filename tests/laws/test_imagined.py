"""An imagined hand includes the known cards and contradicts no public statement."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.big_a.declarations import FIRST_FACE_DOWN, STACK_SIZE, ace
from bot.rules.big_a.windows import BigADraw
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.core.asks import Ready
from bot.rules.core.cards import Card, Suit
from bot.rules.core.game import Game, Rules
from bot.rules.matches.match import Match
from bot.rules.tien_len.groups import POWER
from tests.laws.matches import PlayedMatch, some
from tests.laws.public_parts import known_parts
from tests.rules.a_bao_positions import calling
from tests.rules.big_a_positions import drawing, drawn, say, silent
from tests.rules.positions import after, result, rules, table, won

WORLDS = 40
HEARTS = ace(Suit.HEARTS)


@pytest.mark.rotates(3)
def test_an_imagined_hand_contains_publicly_known_cards(matches: list[PlayedMatch], rng: random.Random) -> None:
    for now in some((each for life in matches for each in life.hands(2) if not each.game.result), rng):
        imagined = now.rules.imagine(now.view(rng.choice((None, *range(now.rules.players)))), rng)
        assert known_parts(imagined) == known_parts(now.game)


def unbeaten_quads() -> BigTwoGame:
    """An unbeaten four of a kind, paid for at the end (C37.1)."""
    game = table("7d 7c 7h 7s 8d 9d Td", "3c 4c 5c", "6c 8s Tc", "Jc Qc Kc", of=rules("indonesia"))
    return after(game, "7d 7c 7h 7s 8d", "-", "-", "-", "-")


def cancelled_deals() -> ABaoBidding:
    """A hand of which three deals were thrown in."""
    game = calling("4d 4h 5c 6c 6h 9d Ad Qh Qs Ts")
    return game._replace(bid=game.bid._replace(thrown=3))


@pytest.mark.parametrize("position", [unbeaten_quads, cancelled_deals])
def test_an_imagined_hand_respects_earlier_plays(position: Callable[[], BigTwoGame | ABaoBidding]) -> None:
    game = position()
    for imagined in worlds(game.rules, game):
        assert known_parts(imagined) == known_parts(game)


def worlds(rules: Rules, game: Game) -> list[Game]:
    """Return hands that onlookers and seats imagine."""
    seats = (None, *range(rules.players))
    return [rules.imagine(game.view(seats[at % len(seats)]), random.Random(at)) for at in range(WORLDS)]


@pytest.mark.rotates(3)
def test_no_imagined_seat_holds_a_card_below_the_lowest_dealt(matches: list[PlayedMatch], rng: random.Random) -> None:
    """But for one that draws cards later."""
    for now in (each for life in matches for each in life.hands(1) if "low" in dict(each.view(None).facts)):
        if getattr(now.rules.options, "draw_on_pass", "none") == "none":
            imagined = now.rules.imagine(now.view(rng.choice((None, *range(now.rules.players)))), rng)
            held = [each for seat in range(now.rules.players) for each in imagined.view(seat).hand]
            low = dict(now.view(None).facts)["low"]
            assert min(power(now.rules, each) for each in held) >= power(now.rules, low)


def power(rules: Rules, held: Card) -> int:
    """Return how high a card is."""
    return rules.groups.power[held] if isinstance(rules, BigTwoRules) else POWER[held]


def test_an_imagined_giver_of_the_highest_card_holds_none_above_it() -> None:
    """The receiver is known; the third player does not know the card (C40.1)."""
    of = rules("three_player", exchange="loser_highest_for_any")
    for seed in range(WORLDS):
        lost = result(won(of, "", "3d 3c 3h", "4d"))
        match = Match(of, seed=str(seed), game=won(of, "", "3d 3c 3h", "4d"), results=(lost,))
        for seat in range(3):
            match = match.act(seat, Ready())
        game, [winner] = match.game, match.awaited
        assert isinstance(game, BigTwoGame)
        assert game.progress.giving is not None
        given = dict(game.view(winner).private_notes[0].values)["card"]
        imagined = of.imagine(game.view(winner), random.Random(seed))
        assert max(of.groups.power[held] for held in imagined.hands[game.progress.giving]) < of.groups.power[given]


@pytest.mark.parametrize("starter", range(5))
def test_an_imagined_player_who_denied_the_ace_of_hearts_has_none(starter: int) -> None:
    """But for the card that lies face down; and who showed one had looked at it (2.15)."""
    draw = silent(drawing(starter, forced_lone_may_reveal=True), "reveal")
    declarer = int(dict(draw.view(None).facts)["forced"])
    asked = [(starter + turn) % 5 for turn in range((declarer - starter) % 5)]
    for imagined in worlds(draw.rules, draw):
        assert isinstance(imagined, BigADraw)
        assert not [seat for seat in asked if HEARTS in imagined.stack.visible(seat, STACK_SIZE)]
        assert HEARTS in imagined.stack.visible(declarer, STACK_SIZE)


def test_an_imagined_player_who_showed_an_ace_holds_it_face_up() -> None:
    reveal = drawn(silent(say(drawing(), {3: "expose:d"}), "reveal"))
    for imagined in worlds(reveal.rules, reveal):
        assert isinstance(imagined, BigADraw)
        assert ace(Suit.DIAMONDS) in imagined.stack.visible(3, FIRST_FACE_DOWN)
