"""Finished matches as files: read back, replayed, and refused if inconsistent."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import Pass, Ready
from bot.rules.matches.match_file import ExportedMatch, UnreadableMatch, describe_match, export, faults
from bot.rules.matches.record import Record
from bot.rules.matches.seal import chain_seed, deal_seed, partly_opened, seal
from bot.rules.variants.registration import VERSION
from bot.show.kit.card_symbols import symbols
from tests.golden.test_golden import stored_record
from tests.laws.matches import PRESETS
from tests.people.test_checking import run_command_line
from tests.support.scenes import matches

DOCS = Path(__file__).parents[1] / "docs"
KEY = "5a" * 32
QUICK = [(game, preset) for game, preset in PRESETS if game in {"big_two", "tien_len", "big_little_a"}]


@cache
def match() -> ExportedMatch:
    """A match of two hands as it leaves."""
    *_, (_, steps) = matches("film")
    record = Record(GAMES["big_two"], "pagat", seed="film", options={"match_end": "deals", "deals": 2}, steps=steps)
    found = export(record, ("Ann", "Ben", "大老二", "Dev"), record.replay().places)
    assert found is not None
    return found


def chained(seed: str = chain_seed(KEY)) -> Record:
    """A whole match of Tiến Lên whose seed is a chain, as new ones are."""
    record = Record(GAMES["tien_len"], "simple", seed=seed, options={"match_end": "deals", "deals": 2})
    now = record.begin()
    while not now.over:
        seat = min(now.to_act)
        action = Ready() if now.game.result is not None else plain_action(now.view(seat))
        assert action is not None
        record, now = record.then(seat, action), now.act(seat, action)
    return record


@pytest.mark.parametrize(("game", "preset"), QUICK)
def test_every_recorded_match_survives_export_and_import(game: str, preset: str) -> None:
    record = stored_record(game, preset)
    last = record.replay()
    found = export(record, tuple(f"P{seat}" for seat in range(last.rules.players)), last.places)
    assert found is not None
    assert ExportedMatch.from_json(found.to_json(), GAMES) == found
    assert list(faults(found)) == []


@given(
    names=st.lists(st.text(max_size=40), min_size=4, max_size=4), points=st.lists(st.integers(), min_size=4, max_size=4)
)
def test_exports_are_read_back_for_any_player_names(names: list[str], points: list[int]) -> None:
    found = replace(match(), players=tuple(names), points=tuple(points))
    assert ExportedMatch.from_json(found.to_json(), GAMES) == found


def test_unfinished_hands_are_not_exported() -> None:
    record = chained()
    cut = replace(record, steps=record.steps[:-3])
    found = export(cut, ("A", "B", "C", "D"), cut.replay().places)
    assert found is not None
    assert list(faults(found)) == []
    assert found.record.seed == partly_opened(chain_seed(KEY), 1)
    assert KEY not in found.to_json()
    assert deal_seed(chain_seed(KEY), 2) not in found.to_json()
    with pytest.raises(ValueError, match="hand 2 is not open"):
        deal_seed(found.record.seed, 2)
    assert seal(found.record.seed, 1, 1) == seal(chain_seed(KEY), 1, 1)
    assert export(replace(record, steps=record.steps[:3]), ("A", "B", "C", "D"), (1, 2, 3, 4)) is None


def wrong(found: ExportedMatch) -> list[str]:
    """Return what is wrong with a match, in sentences."""
    return list(map(str, faults(found)))


def test_an_illegal_step_is_reported_with_its_article() -> None:
    found = match()
    steps = found.record.steps
    seat, _ = steps[0]
    forbidden = replace(found, record=replace(found.record, steps=((seat, Pass()), *steps[1:])))
    (fault,) = wrong(forbidden)
    assert fault.startswith(f"Step 1 of {len(steps)}, 'pass' of seat {seat + 1}, breaks article ")
    points = (1, *found.points[1:])
    told = f"The points are {', '.join(map(str, found.points))}, not {', '.join(map(str, points))}."
    assert wrong(replace(found, points=points)) == [told]
    (other,) = wrong(replace(found, committed="0" * 64))
    assert "not the one that was committed to" in other
    assert wrong(replace(found, players=("Ann",)))[-1] == "There are 1 players, but these rules are for 4."


def test_another_format_is_refused() -> None:
    with pytest.raises(UnreadableMatch, match="another version of the format"):
        ExportedMatch.from_json(match().to_json().replace('"format": 1', '"format": 4'), GAMES)


def test_the_command_line_verifies_and_describes_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.json"
    path.write_text(match().to_json(), encoding="utf-8")
    code, told = run_command_line(capsys, f"record verify {path}")
    first = (
        f"Everything checks out: version {VERSION} of the rules allowed every action, the points and places follow "
        "from the hands, and the cards from the commitment."
    )
    assert (code, told.splitlines()[0]) == (0, first)
    assert told.splitlines()[1].endswith("who sat there, and whether it had stakes.")
    code, told = run_command_line(capsys, f"record show {path}")
    assert code == 0
    assert told.splitlines() == list(describe_match(match(), symbols))
    assert "Hand 2" in told
    assert run_command_line(capsys, f"record verify {tmp_path / 'none.json'}")[0] == 1


def test_a_described_match_counts_penalties_like_the_end_card() -> None:
    found = match()
    told = list(describe_match(found))
    assert told[-4:] == [
        f"{seat + 1} {name}: {points} points, place {place}"
        for seat, (name, points, place) in enumerate(zip(found.players, found.points, found.places, strict=True))
    ]
    first, second = (
        [int(one.replace("\u2212", "-")) for one in line.removeprefix("  points: ").split(", ")]
        for line in told
        if line.startswith("  points: ")
    )
    assert [one + other for one, other in zip(first, second, strict=True)] == list(found.points)


def test_the_export_format_matches_its_schema() -> None:
    schema = json.loads((DOCS / "match.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    example = (DOCS / "match.example.json").read_text(encoding="utf-8")
    for text in (match().to_json(), example):
        jsonschema.validate(json.loads(text), schema)
    found = ExportedMatch.from_json(example, GAMES)
    assert list(faults(found)) == []
    assert found.to_json() == example
    fields = set(schema["properties"])
    page = (DOCS / "matches.md").read_text(encoding="utf-8")
    assert {field for field in fields if f"`{field}`" in page} == fields
