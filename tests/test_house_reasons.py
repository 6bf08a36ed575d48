"""Reasons that a hint gives: each is verified by trials in every possible world."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain, combinations
from typing import NamedTuple

import pytest

from bot.ai.levels import planned_action
from bot.ai.reasons import OF_PASSES, OF_PLAYS, SAID, Reason, reason
from bot.games import GAMES
from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.cards import Cards, SeededRandom, cards, without
from bot.rules.core.game import Game, View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo, Move, Trick
from tests.rules import big_a_positions
from tests.rules.positions import after, table

HANDS, WORLDS, FEW = 2, 12, 7  # hands of a game; worlds that are tried; hidden cards of which every world is
PRESETS = [(game, preset) for game in GAMES for preset in list(GAMES[game].presets)[:2]]


class Given(NamedTuple):
    """A reason, and where it was given."""

    game: Game
    seat: int
    action: Action
    reason: Reason

    @property
    def view(self) -> View:
        return self.game.view(self.seat)

    @property
    def played(self) -> Cards:
        assert isinstance(self.action, Play)
        return self.action.cards


@cache
def given(name: str, preset: str) -> tuple[Given, ...]:
    """Return the reasons in some hands: of good actions and of random ones."""
    return tuple(chain.from_iterable(_given(name, preset, number) for number in range(HANDS)))


def _given(name: str, preset: str, number: int) -> Iterator[Given]:
    game: Game = GAMES[name].rules(preset).deal(SeededRandom(f"reasons {number}"), 0)
    rng = random.Random(number)
    while game.result is None:
        seat = min(game.awaited)
        view = game.view(seat)
        action = _tried(view, rng)
        if found := reason(view, action):
            yield Given(game, seat, action, found)
        game = game.act(seat, action)


def _tried(view: View, rng: random.Random) -> Action:
    action = planned_action(view, rng)
    assert action
    if not isinstance(view.ask, PlayAsk) or rng.random() < 0.7:
        return action
    others: list[Action] = [Play(combo.cards) for combo in view.plays.first(30)]
    return rng.choice([action, *others, *[Pass()] * view.ask.may_pass])


# Each claim worked out again


def worlds(here: Given) -> Iterator[Game]:
    """Yield some of the games that could be behind the view, the real one among them."""
    yield here.game
    for number in range(WORLDS):
        yield here.view.rules.imagine(here.view, random.Random(number))


def hands(view: View) -> Iterator[Cards]:
    """Yield hands that others can hold: all there are where few cards are hidden."""
    free = tuple(unseen_cards(view).elements())
    for seat, count in enumerate(view.counts):
        known = tuple(card for holder, card in view.known if holder == seat)
        if seat != view.seat and count and len(free) <= FEW:
            yield from (known + others for others in combinations(free, count - len(known)))


def beats(view: View, held: Cards, top: Cards) -> bool:
    """Tell whether any choice of one to five of these cards beats a play."""
    sizes = range(1, min(len(held), 5) + 1)
    return any(view.rules.compare(tried, top) is None for size in sizes for tried in combinations(held, size))


def all_pass(game: Game, seat: int) -> Game:
    """Pass until this seat's turn; other actions are impossible."""
    while game.result is None and seat not in game.awaited:
        other = min(game.awaited)
        assert not game.view(other).plays
        game = game.act(other, Pass())
    return game


def leads_next(here: Given) -> list[Game]:
    """Return the worlds in which every seat passed on the play."""
    assert not any(beats(here.view, held, here.played) for held in hands(here.view))
    then = [all_pass(game.act(here.seat, here.action), here.seat) for game in worlds(here)]
    assert all(game.result or game.view(here.seat).trick.top is None for game in then)
    return then


def goes_out(here: Given) -> None:
    assert not here.game.act(here.seat, here.action).view(here.seat).hand


def then_goes_out(here: Given) -> None:
    rest = without(here.view.hand, here.played)
    for game in leads_next(here):
        assert game.result or not game.act(here.seat, Play(rest)).view(here.seat).hand


def too_few(here: Given) -> None:
    view, seat = here.view, here.reason.values["seat"]
    held = set(view.rules.pack) - set(view.hand)
    sizes = range(1, view.counts[seat] + 1)
    assert seat not in {view.seat, *view.allies}
    assert all(view.rules.compare(tried, here.played) for size in sizes for tried in combinations(held, size))


def others(view: View, size: int) -> list[Cards]:
    """Return every possible play of a number of cards, by trying."""
    return [tried for tried in set(combinations(view.hand, size)) if _goes(view, tried)]


def _goes(view: View, tried: Cards) -> bool:
    top = view.trick.top
    lies = view.rules.classify(tried) is not None if top is None else view.rules.compare(tried, top.cards) is None
    return lies and tried in [play.cards for play in view.plays] if view.must else lies


def beats_what_lies_there(here: Given) -> None:
    top = here.view.trick.top
    assert top
    assert here.view.rules.compare(here.played, top.cards) is None


def nothing_lower(here: Given, among: Callable[[Cards], bool]) -> None:
    view, mine = here.view, here.view.rules.classify(here.played)
    assert mine
    for tried in filter(among, others(view, len(here.played))):
        other = view.rules.classify(tried)
        assert other
        assert (other.level, other.strength) >= (mine.level, mine.strength)


def of_its_kind(here: Given) -> None:
    mine, classify = here.view.rules.classify(here.played), here.view.rules.classify

    def like(tried: Cards) -> bool:
        found = classify(tried)
        return found is not None and mine is not None and found.kind == mine.kind

    nothing_lower(here, like)


def higher_ones(here: Given) -> bool:
    view, seen = here.view, Counter(here.view.hand)
    seen += Counter(card for _, card in view.known)
    seen += Counter(card for trick in (*view.tricks, view.trick) for card in trick.cards)
    away = list((Counter(view.rules.pack) - seen).elements())
    higher = [card for card in away if view.rules.compare((card,), here.played) is None]
    return len(higher) == here.reason.values["n"] and len(here.played) == 1


def broken(view: View, tried: Cards) -> bool:
    rest = {card.rank for card in without(view.hand, tried)}
    return any(card.rank in rest for card in tried)


def breaks_nothing(here: Given) -> None:
    beats_what_lies_there(here)
    assert not broken(here.view, here.played)
    nothing_lower(here, lambda tried: not broken(here.view, tried))


def is_least(here: Given) -> None:
    beats_what_lies_there(here)
    nothing_lower(here, lambda _: True)


def nothing_else(here: Given) -> None:
    beats_what_lies_there(here)
    assert [play.cards for play in here.view.plays] == [here.view.plays.verify(here.played).cards]


def lowest(here: Given) -> None:
    card, power = here.reason.values["card"], here.view.rules.sort
    assert card in here.played
    assert all(power((card, other))[0] == card for other in here.view.hand)


def on_one_side(here: Given) -> None:
    view, owner = here.view, here.reason.values["seat"]
    assert owner == view.trick.owner
    assert view.own_teams
    assert any({owner, here.seat} <= side for side in view.own_teams)


def spent(here: Given) -> None:
    view, best = here.view, set(here.reason.values["cards"])
    assert all(best & set(play.cards) for play in view.plays)
    held = [*hands(view), *(game.view(other).hand for game in worlds(here) for other in _others(view))]
    assert not any(beats(view, hand, (card,)) for hand in held for card in best)


def spent_for_somebody(here: Given) -> None:
    spent(here)
    assert 0 < here.view.counts[here.reason.values["seat"]] <= 3
    assert here.reason.values["seat"] not in {here.seat, *here.view.allies}


def _others(view: View) -> Iterator[int]:
    return (seat for seat in range(len(view.counts)) if seat != view.seat)


CHECKS: Mapping[str, Callable[[Given], object]] = {
    "out": goes_out,
    "then_out": then_goes_out,
    "too_few": too_few,
    "unbeaten": leads_next,
    "many": lambda here: len(here.played) == here.reason.values["n"] >= 4,
    "low": lowest,
    "only": nothing_else,
    "least": is_least,
    "whole": breaks_nothing,
    "low_of_kind": of_its_kind,
    "few": higher_ones,
    "ally": on_one_side,
    "keep": spent_for_somebody,
    "spend": spent,
    "split": lambda here: all(broken(here.view, play.cards) for play in here.view.plays),
}


def small(here: Given) -> bool:
    """Tell whether all choices of cards can be tried."""
    return len(here.view.hand) <= 13 or here.reason.name not in ("least", "whole", "low_of_kind")


@pytest.mark.rotates(2)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_every_reason_is_true_in_every_world(name: str, preset: str) -> None:
    reasons = given(name, preset)
    assert len(reasons) > HANDS
    for here in filter(small, reasons):
        assert CHECKS[here.reason.name](here) is not False, here


def test_every_kind_of_reason_occurs() -> None:
    told = Counter(here.reason.name for one in PRESETS[::2] for here in given(*one))
    assert set(CHECKS) == set(SAID) == {*OF_PLAYS, *OF_PASSES}
    assert set(told) >= set(CHECKS) - {"keep"}


@pytest.mark.rotates(2)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_reasons_depend_on_the_view_only(name: str, preset: str) -> None:
    for here in given(name, preset)[::5]:
        elsewhere = here.view.rules.imagine(here.view, random.Random(7)).view(here.seat)
        assert reason(elsewhere, here.action) == here.reason


# Positions


def test_a_reason_saves_unbeatable_cards_for_a_player_nearly_out() -> None:
    game = after(table("Ah 5c 6c 7c Tc", "2s 2h 4c 4d", "7h 7s", "8d 8c 9h 9s"), "Ah")
    told = reason(game.view(1), Pass())
    assert told == Reason("keep", {"cards": cards("2h 2s"), "seat": Seat(2)})


def test_no_reason_states_a_mere_likelihood() -> None:
    view = after(table("Ah 5c 6c 7c Tc", "2h 4c 4d 9d", "7h 7s 2s 3c", "8d 8c 9h 9s"), "Ah").view(1)
    assert reason(view, Play(cards("2h"))) == Reason("only", {})
    view = after(table("Ah 5c 6c 7c Tc", "2s 4c 4d 9d", "7h 7s 2h 3c", "8d 8c 9h 9s"), "Ah").view(1)
    assert reason(view, Play(cards("2s"))) == Reason("unbeaten", {})


def test_in_big_a_reasons_consider_fours_that_capture_a_bomb() -> None:
    """Only four fours beat the five nines."""
    hands = "9d 9c 9h 9s 9d 5d 6d", "8d", "Td"
    for fours, unbeaten in (("4d 4c 4h", True), ("4d 4c 4h 4s", False)):
        game = big_a_positions.table(*hands, fours, "Qd")
        held = Counter(card for hand in game.hands for card in hand)
        gone = tuple((Counter(game.rules.pack) - held).elements())
        played = Trick((Move(0, Combo("gone", gone[0], gone, 0, 0)),))
        view = replace(game.view(0), tricks=(played,))
        said = reason(view, Play(cards("9d 9c 9h 9s 9d")))
        assert (said is not None and said.name == "unbeaten") == unbeaten


def test_illegal_plays_have_no_reason() -> None:
    view = after(table("Ah 5c 6c 7c Tc", "2h 4c 4d 9d", "7h 7s 2s 3c", "8d 8c 9h 9s"), "Ah").view(1)
    assert reason(view, Play(cards("4c"))) is None
    assert reason(view, Play(cards("3d"))) is None
