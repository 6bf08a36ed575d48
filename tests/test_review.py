"""A look back at finished matches: whatever it says is held against the record, played out anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.games import GAMES
from bot.house.plain import choose
from bot.rules.actions import Action, Pass, Play
from bot.rules.asks import PlayAsk
from bot.rules.cards import Cards
from bot.rules.film import Film, Shot
from bot.rules.game import View
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.review import Finding, deciding, missed, review, turned
from bot.table.house_seats import least, wish
from tests.golden.test_golden import every_preset, kept

FEW = 3  # hands of a match


def hands(record: Record) -> Iterator[tuple[Shot, ...]]:
    """Give the steps of the first hands of a match."""
    film = Film.of(record, ended=True)
    for deal in range(len(film.openings))[:FEW]:
        first, end = film.plies(deal)
        yield film.shots(deal, record.steps[first:end])


def clumsy(name: str, seed: str) -> Record:
    """Return the record of a hand that people play who put down anything, and pass when they need not."""
    rng, record = random.Random(seed), Record(GAMES[name], next(iter(GAMES[name].presets)), seed)
    match = record.begin()
    steps = list[tuple[int, Action]]()
    while match.game.result is None:
        view = match.view(min(match.awaited))
        assert view.seat is not None
        plays = list(view.plays.first(20)) if isinstance(view.ask, PlayAsk) else []
        idle = isinstance(view.ask, PlayAsk) and view.ask.may_pass and (not plays or rng.random() < 0.3)
        action: Action = Play(rng.choice(plays).cards) if plays and not idle else wish(view) or least(view)
        steps.append((view.seat, Pass() if idle else action))
        match = match.act(*steps[-1])
    return replace(record, steps=tuple(steps))


def _cards(did: Action) -> Cards:
    assert isinstance(did, Play)
    return did.cards


def found(shots: tuple[Shot, ...]) -> list[Finding]:
    return list(missed((done for shot in shots for done in shot.done), choose, decided=True))


def at(record: Record, finding: Finding) -> tuple[Match, Action]:
    """Return the match in which the seat of a finding was to play, and what it did."""
    positions = pairwise(record.positions())
    for (before, _), (seat, action) in zip(positions, record.steps, strict=True):
        if before.moment == finding.step and seat == finding.seat and isinstance(action, Play | Pass):
            return before, action
    raise AssertionError(finding)


@pytest.mark.parametrize("name", GAMES)
def test_who_could_have_gone_out_could_and_did_not(name: str) -> None:
    seen = 0
    for seed in map(str, range(16)):
        record = clumsy(name, seed)
        for one in (one for shots in hands(record) for one in found(shots) if one.kind == "out"):
            before, did = at(record, one)
            held = before.game.view(one.seat).hand
            assert did != Play(held)
            assert one.combo is not None
            assert sorted(map(str, one.combo.cards)) == sorted(map(str, held))
            ended = before.game.act(one.seat, Play(held))
            assert not (ended.result.left[one.seat] if ended.result else ended.view(one.seat).hand)
            seen += 1
    assert seen


@every_preset
def test_a_house_player_does_what_is_said_of_it_and_nobody_did(name: str, preset: str) -> None:
    record = kept(name, preset)
    for shots in hands(record):
        for one in found(shots):
            if one.kind in {"play", "other", "pass"}:
                before, did = at(record, one)
                wanted = choose(before.game.view(one.seat))
                assert wanted is not None
                before.act(one.seat, wanted)
                assert one.kind == "play" or one.did == before.game.view(one.seat).verify(_cards(did))
                if one.combo is None:
                    assert (type(wanted), type(did)) == (Pass, Play)
                else:
                    assert isinstance(wanted, Play)
                    assert one.combo == before.game.view(one.seat).verify(wanted.cards)
                    assert did != wanted


@every_preset
def test_a_house_player_is_shown_what_the_seat_saw(name: str, preset: str) -> None:
    record, seen = kept(name, preset), list[View]()

    def advice(view: View) -> Action | None:
        seen.append(view)
        return choose(view)

    for shots in hands(record):
        list(missed((done for shot in shots for done in shot.done), advice, decided=False))
    assert seen
    assert all(view.seat is not None and view.seat in view.to_act for view in seen)


@every_preset
def test_where_it_turned_somebody_else_held_the_fewest_before(name: str, preset: str) -> None:
    for shots in hands(kept(name, preset)):
        one = turned(shots)
        if one is None:
            continue
        counts = {shot.step: shot.match.view(None).counts for shot in shots}
        assert [seat for seat, count in enumerate(counts[one.step]) if count == min(counts[one.step])] == [one.seat]
        for step, held in counts.items():
            others = [count for seat, count in enumerate(held) if seat != one.seat]
            if step > one.step and step != max(counts):
                assert held[one.seat] <= min(others), "nobody else is ahead from there on"


@every_preset
def test_the_deciding_hand_is_the_first_of_those_after_which_the_winner_leads(name: str, preset: str) -> None:
    positions = list(kept(name, preset).positions())
    ends = [match for before, match in pairwise(positions) if match.game.result and not before.game.result]
    assert ends
    decided = deciding(ends)
    won = {seat for seat, place in enumerate(ends[-1].places) if place == 1}
    leads = [any(end.places[seat] == 1 for seat in won) for end in ends]
    assert all(leads[decided:])
    assert decided == 0 or not leads[decided - 1]


def test_there_is_something_of_each_kind_in_recorded_matches() -> None:
    records = [kept(game, preset) for game in GAMES for preset in GAMES[game].presets]
    kinds = {one.kind for record in records for shots in hands(record) for one in found(shots)}
    assert {"play", "other"} <= kinds
    assert any(turned(shots) for record in records for shots in hands(record))


def test_the_first_page_has_one_of_each_kind_and_what_matters_most() -> None:
    ahead = Finding("ahead", 9, 1, 0)
    outs = [Finding("out", step, 1, 1, weight=(step,)) for step in (3, 7)]
    plays = [Finding("play", 4, 1, 2, weight=(4,)), Finding("pass", 5, 1, 3, weight=(5,))]
    made = review([*plays, *outs, ahead])
    assert made.first == (ahead, outs[1], plays[1])
    assert made.more == (outs[0], plays[0])
    assert review([]).first == ()
