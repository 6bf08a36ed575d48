"""The laws of premoves, in every game, under every preset and any valid options, for any premoves.

A match with orders is the match in which the same people say the same when they are asked. An ended premove never acts,
and no premove uses more than its owner's knowledge.
"""

from __future__ import annotations

import random
from collections import Counter
from math import ceil

import pytest

from bot.games import GAMES
from bot.rules.core.premoves import (
    END_SENTENCES,
    ENDED_BY_EVENTS,
    Premove,
    PremoveOrigin,
    add_premove,
    can_create,
    evaluate,
    read_premove,
    refresh_premoves,
    write_premove,
)
from tests.laws.matches import by_dice
from tests.laws.premove_matches import BIDDING, KINDS, Played, first_alarm, played, said
from tests.support.law_settings import is_thorough

MATCHES = {"a_bao": 13}  # of a game, where some orders seldom come to anything; in the long trials 30 of each preset
OTHERWISE = 4


@pytest.fixture(scope="module", params=GAMES)
def matches(request: pytest.FixtureRequest) -> list[Played]:
    """Matches of each game in turn, of each of its presets as often as of the others."""
    rng, presets = random.Random(request.param), list(GAMES[request.param].presets)
    rounds = range(30 if is_thorough() else ceil(MATCHES.get(request.param, OTHERWISE) / len(presets)))
    return [played(by_dice(request.param, preset, rng), rng) for _ in rounds for preset in presets]


def test_premoves_equal_the_same_actions_made_in_turn(matches: list[Played]) -> None:
    for found in matches:
        again = found.record.begin()
        for before, seat, action, order in found.done:
            assert again == before
            again = again.act(seat, said(order, again.view(seat)) if order else action)
        assert again == found.last


def test_every_kind_of_premove_takes_effect(matches: list[Played]) -> None:
    seen = sum((found.seen for found in matches), Counter[str]())
    game = matches[0].record.game
    never = {f"{kind} acts" for kind in (() if game == "a_bao" else BIDDING)}
    rare = {"must", "bomb", "out", "sides", "uncalled"}
    wanted = {*(f"{kind} acts" for kind in (*KINDS, *BIDDING)), *END_SENTENCES} - rare - never
    assert {each for each in wanted if not seen[each]} == set(), seen


def test_a_premove_never_acts_after_an_alarming_event(
    matches: list[Played],
) -> None:
    for found in matches:
        for at, (_, seat, _, order) in enumerate(found.done):
            if order and order.kind in ENDED_BY_EVENTS:
                assert first_alarm(found, order, seat, at) is None


def test_a_premove_depends_on_the_view_of_its_owner_only(matches: list[Played]) -> None:
    rng = random.Random(0)
    for found in matches:
        for before, seat, action, order in found.done:
            if order and (is_thorough() or rng.random() < 0.1):
                view = before.view(seat)
                imagined = before.rules.imagine(view, rng).view(seat)
                assert evaluate(order, imagined) == action
                assert PremoveOrigin.of(imagined) == PremoveOrigin.of(view)


def test_an_ended_premove_does_nothing(matches: list[Played]) -> None:
    rng = random.Random(0)
    for found in matches:
        for before, seat, *_ in found.done:
            for off in rng.sample(found.kept, min(3, len(found.kept))):
                assert evaluate(off, before.view(seat)) is None or before.game.result
                assert not can_create(off, before.view(seat))


def test_premoves_survive_serialization(matches: list[Played]) -> None:
    for order in (each for found in matches for each in (*(one for one, *_ in found.given), *found.kept)):
        assert read_premove(write_premove(order)) == order


def test_premoves_end_with_their_trick_or_hand(matches: list[Played]) -> None:
    for found in matches:
        for order, at, seat in found.given:
            view = found.done[at][0].view(seat)
            for later, *_ in found.done[at:]:
                if later.game.result:
                    assert refresh_premoves((order,), later.view(seat)) == ()
                    break
                if (
                    order.kind in ("pass", "beat", "list", "if")
                    and len(later.view(None).trick.moves) < order.made.moves
                ):
                    assert refresh_premoves((order,), later.view(seat)) == ()
                    break
            assert add_premove((order,), order) == (order,)
            assert PremoveOrigin.of(view) == order.made


def test_invalid_premoves_are_refused() -> None:
    with pytest.raises(ValueError, match="sing"):
        read_premove("sing;;0;;;0;;;0;0")
    with pytest.raises(ValueError, match="unpack"):
        read_premove("pass")


def test_a_premove_replaces_others_of_its_group() -> None:
    passing, leading = Premove("pass"), Premove("lead")
    assert add_premove(add_premove((), leading), passing) == (passing, leading)
    assert add_premove((passing, leading, Premove("off", plays=((),), upto=0, code="sides")), Premove("beat")) == (
        Premove("beat"),
        leading,
    )
