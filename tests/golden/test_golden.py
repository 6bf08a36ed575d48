"""Recorded matches, deals and counts stay the same for ever.

After an intended change, tests/golden/write.py writes the expected data again.
"""

import json
from functools import cache

import pytest

from bot.games import GAMES
from bot.rules.core.asks import Give, Play, Stop
from bot.rules.core.cards import SeededRandom, pack, shuffled, write
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.seal import commitment, deal_seed
from tests.golden.play import DATA_FOLDER, HOUSE_FILE, golden_path, house_actions, perft_counts, story
from tests.laws.matches import PRESETS

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


@cache
def stored_record(name: str, preset: str) -> Record:
    """Return the record of a preset. Fails for a preset without one."""
    return Record.from_json(golden_path(name, preset).read_text(encoding="utf-8"), GAMES)


@cache
def positions(name: str, preset: str) -> tuple[Match, ...]:
    """Return every position of that match."""
    return tuple(stored_record(name, preset).positions())


@every_preset
def test_every_preset_has_a_golden_match(name: str, preset: str) -> None:
    record = stored_record(name, preset)
    assert (record.game, record.preset) == (name, preset)
    assert positions(name, preset)[-1].over
    assert record.to_json() == golden_path(name, preset).read_text(encoding="utf-8")


def test_every_golden_match_belongs_to_a_preset() -> None:
    found = {path.name for path in DATA_FOLDER.glob("*.json")} | {path.name for path in DATA_FOLDER.glob("*.txt")}
    records = {golden_path(name, preset).name for name, preset in PRESETS}
    assert found == records | {name.replace(".json", ".txt") for name in records} | {"perft.json", HOUSE_FILE.name}


@every_preset
def test_a_golden_match_is_replayed_with_the_same_results(name: str, preset: str) -> None:
    expected = golden_path(name, preset).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert list(story(stored_record(name, preset), positions(name, preset))) == expected


@every_preset
def test_the_house_acts_the_same_in_golden_positions(name: str, preset: str) -> None:
    """An intended change of the house shows as a difference of the file; so does an unintended one."""
    lines = HOUSE_FILE.read_text(encoding="utf-8").splitlines()
    before = [line for line in lines if line.startswith(f"{name}.{preset} ")]
    assert list(house_actions(name, preset, positions(name, preset))) == before
    assert len({line.partition(": ")[2] for line in before}) > 5, "the house does more than pass"


@pytest.mark.rotates(3)
@every_preset
def test_counts_of_plays_by_depth_are_unchanged(name: str, preset: str) -> None:
    perft = json.loads((DATA_FOLDER / "perft.json").read_text(encoding="utf-8"))
    assert set(perft) == {f"{name}.{preset}" for name, preset in PRESETS}
    assert perft_counts(name, preset) == perft[f"{name}.{preset}"]


def test_golden_matches_contain_the_rare_actions() -> None:
    [given] = [action for _, action in stored_record("big_two", "three_player").steps if isinstance(action, Give)]
    assert len(given.cards) == 1
    assert stored_record("big_two", "singapore").steps[-1][1] == Stop()
    interrupted = stored_record("big_two", "da_lao_er")
    acting = zip(interrupted.positions(), interrupted.steps, strict=False)
    assert any(seat not in match.awaited and isinstance(action, Play) for match, (seat, action) in acting)
    assert any("draws" in dict(match.view(None).facts) for match in stored_record("big_two", "indonesia").positions())
    assert dict(stored_record("big_two", "three_player_draw").replay().view(None).facts)["reshuffles"] == 3
    assert any(stored_record("big_two", "lectio_tiles").replay().payments)


def test_the_shuffle_is_unchanged() -> None:
    rng = SeededRandom("seed")
    assert [rng.getrandbits(32) for _ in range(4)] == BITS
    assert [rng.randrange(52) for _ in range(12)] == NUMBERS
    assert rng.random() == FRACTION
    assert write(shuffled(pack(), SeededRandom("seed"))) == ORDER


def test_seeds_and_commitments_are_unchanged() -> None:
    assert deal_seed("seed", 1) == DEAL_SEED
    assert commitment(DEAL_SEED) == COMMITMENT


BITS = [439407552, 1927608750, 3913929810, 1422432220]
NUMBERS = [11, 9, 29, 40, 44, 42, 21, 38, 44, 42, 40, 22]
FRACTION = 0.41652639494744514
ORDER = (
    "Ad 9s 7s Js 3d 7c 2c Jc 5c 9d 4d 9c Qh Td As Qs 4c 2s Ts Ks 9h Kd 7d Tc Ah 5s "
    "Kh 4h 8s 4s 5h 2d 6s 6d Ac 8h 3h 5d 7h 6h Qc Th Kc Jh Qd Jd 8c 3c 3s 6c 8d 2h"
)
DEAL_SEED = "81e4ba3bc2097d85ac4734eb3ad794fd4a2980b2e0b22569418e60e5550b4c32"
COMMITMENT = "33716949de1ea25060711ce65231e098e6a340c60ed7dae7c942d0349d2700b9"
