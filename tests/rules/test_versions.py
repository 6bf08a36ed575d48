"""A match is played back by the version of the rules it began with, and says so from the second version on."""

from __future__ import annotations

import json

import pytest

from bot.games import GAMES
from bot.rules.big_a import BigA
from bot.rules.record import Record
from bot.rules.sentences import Illegal
from bot.rules.versions import FIRST, VERSION


@pytest.mark.parametrize("game", GAMES)
def test_a_record_without_a_version_is_of_the_first_and_keeps_its_bytes(game: str) -> None:
    known = GAMES[game]
    old = Record(known, next(iter(known.presets)), "seed", version=FIRST).to_json()
    assert "version" not in json.loads(old)
    again = Record.from_json(old, GAMES)
    assert again.version == FIRST
    assert again.to_json() == old


@pytest.mark.parametrize("game", GAMES)
def test_a_new_record_says_its_version(game: str) -> None:
    record = Record(GAMES[game], next(iter(GAMES[game].presets)), "seed")
    assert json.loads(record.to_json())["version"] == VERSION
    assert Record.from_json(record.to_json(), GAMES) == record


def test_the_rules_of_a_hand_are_those_of_its_version() -> None:
    for version in (FIRST, VERSION):
        rules = Record(GAMES["big_a"], "quick", "seed", version=version).begin().view(0).rules
        assert isinstance(rules, BigA)
        assert rules.version == version


def test_a_record_of_the_first_version_may_have_options_that_nobody_can_choose_any_more() -> None:
    wild = {"match_end": "deals", "deals": 5000}
    text = Record(GAMES["big_two"], "pagat", "seed", wild, version=FIRST).to_json()
    assert Record.from_json(text, GAMES).begin().rules.hands == 5000
    with pytest.raises(Illegal, match="goes from 1 to 100"):
        Record.from_json(text.replace('"seed": "seed"', '"seed": "seed", "version": 2'), GAMES).begin()
