"""What has once been played is played the same for ever: records, deals and counts kept as data.

Knows the data beside this file. After a change that is meant, tests/golden/write.py makes it again.
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
from tests.golden.play import HERE, HOUSE, advice, counts, golden_path, told
from tests.laws.matches import PRESETS

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


@cache
def kept(name: str, preset: str) -> Record:
    """Return the record of a preset; a preset without one fails here."""
    return Record.from_json(golden_path(name, preset).read_text(encoding="utf-8"), GAMES)


@cache
def positions(name: str, preset: str) -> tuple[Match, ...]:
    """Return every position of that match."""
    return tuple(kept(name, preset).positions())


@every_preset
def test_every_preset_has_a_golden_match_of_its_own(name: str, preset: str) -> None:
    record = kept(name, preset)
    assert (record.game, record.preset) == (name, preset)
    assert positions(name, preset)[-1].over
    assert record.to_json() == golden_path(name, preset).read_text(encoding="utf-8")


def test_no_golden_match_is_left_over() -> None:
    found = {path.name for path in HERE.glob("*.json")} | {path.name for path in HERE.glob("*.txt")}
    records = {golden_path(name, preset).name for name, preset in PRESETS}
    assert found == records | {name.replace(".json", ".txt") for name in records} | {"perft.json", HOUSE.name}


@every_preset
def test_it_is_still_played_the_same(name: str, preset: str) -> None:
    story = golden_path(name, preset).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert list(told(kept(name, preset), positions(name, preset))) == story


@every_preset
def test_the_house_would_do_the_same_there(name: str, preset: str) -> None:
    """Whoever changes what the house weighs reads the difference here; what goes in by mistake shows as well."""
    lines = HOUSE.read_text(encoding="utf-8").splitlines()
    before = [line for line in lines if line.startswith(f"{name}.{preset} ")]
    assert list(advice(name, preset, positions(name, preset))) == before
    assert len({line.partition(": ")[2] for line in before}) > 5, "it has something to say"


@pytest.mark.rotates(3)
@every_preset
def test_counts_of_plays_in_depth(name: str, preset: str) -> None:
    perft = json.loads((HERE / "perft.json").read_text(encoding="utf-8"))
    assert set(perft) == {f"{name}.{preset}" for name, preset in PRESETS}
    assert counts(name, preset) == perft[f"{name}.{preset}"]


def test_the_rarer_actions_are_among_them() -> None:
    [given] = [action for _, action in kept("big_two", "three_player").steps if isinstance(action, Give)]
    assert len(given.cards) == 1
    assert kept("big_two", "singapore").steps[-1][1] == Stop()
    interrupted = kept("big_two", "da_lao_er")
    acting = zip(interrupted.positions(), interrupted.steps, strict=False)
    assert any(seat not in match.awaited and isinstance(action, Play) for match, (seat, action) in acting)
    assert any("draws" in dict(match.view(None).facts) for match in kept("big_two", "indonesia").positions())
    assert dict(kept("big_two", "three_player_draw").replay().view(None).facts)["reshuffles"] == 3
    assert any(kept("big_two", "lectio_tiles").replay().payments)


def test_the_shuffle_is_pinned() -> None:
    rng = SeededRandom("seed")
    assert [rng.getrandbits(32) for _ in range(4)] == BITS
    assert [rng.randrange(52) for _ in range(12)] == NUMBERS
    assert rng.random() == FRACTION
    assert write(shuffled(pack(), SeededRandom("seed"))) == ORDER


def test_seeds_and_commitments_are_pinned() -> None:
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
