"""A match is played back by the version of the rules it began with, and says so from the second version on."""

from __future__ import annotations

import json

import pytest

from bot.games import GAMES
from bot.rules.big_a import BigA
from bot.rules.big_two import BigTwo
from bot.rules.core.sentences import Illegal
from bot.rules.matches.record import Record
from bot.rules.variants.registration import FIRST, SECOND, VERSION, DefaultChange, RegisteredGame
from bot.rules.variants.ruleset import BadCode, Ruleset, read_code, write_code
from bot.table.core.eligibility import is_near_preset
from tests.rules.positions import after, table


@pytest.mark.parametrize("game", GAMES)
def test_a_record_without_a_version_is_of_the_first_and_keeps_its_bytes(game: str) -> None:
    known = GAMES[game]
    old = Record(known, next(iter(known.presets)), seed="seed", version=FIRST).to_json()
    assert "version" not in json.loads(old)
    again = Record.from_json(old, GAMES)
    assert again.version == FIRST
    assert again.to_json() == old


@pytest.mark.parametrize("game", GAMES)
def test_a_new_record_says_its_version(game: str) -> None:
    record = Record(GAMES[game], next(iter(GAMES[game].presets)), seed="seed")
    assert json.loads(record.to_json())["version"] == VERSION
    assert Record.from_json(record.to_json(), GAMES) == record


def test_the_rules_of_a_hand_are_those_of_its_version() -> None:
    for version in range(FIRST, VERSION + 1):
        rules = Record(GAMES["big_a"], "quick", seed="seed", version=version).begin().view(0).rules
        assert isinstance(rules, BigA)
        assert rules.version == version


def test_a_record_of_the_first_version_may_have_retired_options() -> None:
    wild = {"match_end": "deals", "deals": 5000}
    text = Record(GAMES["big_two"], "pagat", seed="seed", options=wild, version=FIRST).to_json()
    assert Record.from_json(text, GAMES).begin().rules.hands == 5000
    with pytest.raises(Illegal, match="can be 1 to 100"):
        Record.from_json(text.replace('"seed": "seed"', '"seed": "seed", "version": 2'), GAMES).begin()


# Defaults

changed = pytest.mark.parametrize(
    ("known", "change"),
    [pytest.param(game, change, id=change.option) for game in GAMES.values() for change in game.default_changes],
)


@changed
def test_a_record_has_the_defaults_of_its_version(known: RegisteredGame, change: DefaultChange) -> None:
    for preset in known.presets:
        for version in range(FIRST, VERSION + 1):
            file = Record(known, preset, seed="seed", version=version).to_json()
            value = getattr(Record.from_json(file, GAMES).begin().rules.options, change.option)
            assert (value == change.before) == (version < change.version)


@changed
def test_rules_survive_serialization(known: RegisteredGame, change: DefaultChange) -> None:
    today = getattr(known.defaults(), change.option)
    for version in range(FIRST, VERSION + 1):
        for said in ({}, {change.option: change.before}, {change.option: today}):
            rules = Ruleset.of(known, "standard", said, version)
            before = change.before if version < change.version else today
            assert rules.value(change.option) == said.get(change.option, before)
            again = Ruleset.of(known, "standard", rules.plain_changes, version)
            assert (again, again.rules) == (rules, rules.rules)
            assert rules.renewed().value(change.option) == rules.value(change.option)
            assert Ruleset.of(*read_code(rules.code, GAMES)) == rules
            if version < VERSION:
                begun = Ruleset.of(known, "standard", rules.plain_changes)
                assert begun == rules, "a lobby of an earlier version begins by the rules that were agreed to"


@changed
def test_a_code_without_a_version_has_the_original_defaults(known: RegisteredGame, change: DefaultChange) -> None:
    today = getattr(known.defaults(), change.option)
    for preset, named in known.sheet.presets.items():
        start = f"{known.sheet.code}:{named.code}"
        for code in (start, f"{start}@1", f"{start} @ 2", f"{start}@2+match=deals,hands=3"):
            game, found, changes = read_code(code, GAMES)
            assert Ruleset.of(game, found, changes).value(change.option) == change.before
        assert read_code(f"{start}@3", GAMES) == (known, preset, {})
        assert write_code(known, preset, {}) == f"{start}@3"
        option = known.sheet.options[change.option]
        explicit = f"{start}+{option.code}={option.write(today)}"
        assert read_code(explicit, GAMES) == (known, preset, {})


def test_games_with_unchanged_defaults_keep_their_codes() -> None:
    for game in GAMES.values():
        code = write_code(game, next(iter(game.presets)), {})
        assert ("@" in code) == bool(game.default_changes)
        assert (game.defaults_since > FIRST) == bool(game.former_defaults())
        assert game.former_defaults(VERSION) == {}


@pytest.mark.parametrize("version", ["0", "4", "three", "", "-1", "3.0"])
def test_a_code_of_an_unknown_version_is_refused(version: str) -> None:
    with pytest.raises(BadCode, match="I know only 1 to 3"):
        read_code(f"AB:std@{version}", GAMES)


def test_a_match_of_the_second_version_keeps_its_rules() -> None:
    """In Big Two a pass before a last card was free or barred by other rules (C22)."""
    options = {"one_card_rule": "forced", "pass_rule": "locked", "end": "play_on", "players": 3, "hand_size": 17}
    for version in (FIRST, SECOND, VERSION):
        begun = Record(GAMES["big_two"], "pagat", seed="seed", options=options, version=version).begin()
        assert begun.rules == BigTwo(begun.rules.options, version=version)
        game = after(table("9d", "4c", "Jd Kd", of=BigTwo(begun.rules.options, version=version)), "9d", "-")
        assert (game.why_no_pass(2) is None) == (version < VERSION)


def test_options_equal_to_a_former_default_do_not_affect_the_rating() -> None:
    others = {"recall": "allowed", "starter_must_call": True, "double_shutout": True}
    assert is_near_preset(GAMES["a_bao"], "standard", {**others, "may_return_called_card": False})
    assert not is_near_preset(GAMES["a_bao"], "standard", {**others, "may_return_called_card": True})
    assert not is_near_preset(GAMES["a_bao"], "standard", {**others, "scoring": "simplified"})
