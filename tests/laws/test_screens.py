"""Laws of the screens of every game: what is picked and chosen on one is meant for what that one showed."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from bot.ground.chair import Chair
from bot.rules.asks import GiveAsk, NameAsk
from bot.rules.match import Match
from bot.scene import Scene
from bot.show.hand import hand
from tests import scenes
from tests.laws.matches import PRESETS, by_dice, steps
from tests.scenes import EN, custom_ids, person

MANY = 250  # positions of a match
PICKING = ("card", "pick", "suit")


def seen(match: Match, seat: int) -> Scene:
    """Return a table of people, as one of them sees it."""
    chairs = tuple(Chair(each, person(each), f"P{each}") for each in range(match.rules.players))
    return scenes.scene(match, match.moment, seat, chairs=chairs)


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_no_address_picks_a_card_for_two_questions(game: str, preset: str) -> None:
    record, asked_for = by_dice(game, preset, random.Random(preset)), dict[tuple[int, int, str], object]()
    for match, _, _ in islice(steps(record.begin(), random.Random(preset), hands=2), MANY):
        for seat in range(match.rules.players if match.game.result is None else 0):
            here = seen(match, seat)
            question = here.view.ask if here.view and isinstance(here.view.ask, GiveAsk | NameAsk) else None
            for address in custom_ids(hand(here, EN, where="Home")):
                if address.split(":")[2] in PICKING:
                    assert asked_for.setdefault((match.deal, seat, address), question) == question, address
