"""The film of a match: every step as the whole record has it, come by from the beginning of its hand alone."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import groupby

import pytest

from bot.rules.core.actions import Again
from bot.rules.matches.match import Match
from bot.rules.matches.openings import Openings
from bot.rules.matches.record import Record
from bot.rules.matches.replay import Film, Shot
from bot.rules.matches.seal import on_its_own
from tests.laws.matches import PRESETS, by_dice, chosen
from tests.support.lawful import scaled

HANDS = 3
AGAIN = 0.01  # of the actions
HALF = 0.5  # of the matches: their hands stand each on its own


def played_out(record: Record, rng: random.Random) -> Record:
    """Return a match of some hands, of which one or the other is dealt again in its middle."""
    match = record.begin()
    while not match.over and len(match.results) < HANDS:
        again = match.game.result is None and rng.random() < AGAIN
        seat, action = (0, Again()) if again else chosen(match, rng)
        record, match = record.then(seat, action), match.act(seat, action)
    return record


@pytest.fixture(scope="module", params=PRESETS, ids="-".join)
def filmed(request: pytest.FixtureRequest) -> list[tuple[Record, list[Match]]]:
    """Matches of each preset in turn, played out, with every position; the hands of some stand each on its own."""
    name, preset = request.param
    rng, found = random.Random(f"film {name} {preset}"), []
    for _ in range(scaled(1)):
        record = by_dice(name, preset, rng)
        on_their_own = replace(record, seed=on_its_own(record.seed)) if rng.random() < HALF else record
        record = played_out(on_their_own, rng)
        found.append((record, list(record.positions())))
    return found


def in_pieces(record: Record) -> Film:
    """Return its film, made as it is read: a few actions at a time."""
    film = Film(record, len(record.steps))
    for at in range(0, len(record.steps), 7):
        assert not film.whole
        film.take(record.steps[at : at + 7])
    return film


def shows(film: Film, record: Record, every: list[Match]) -> None:
    """Assert that each step that can be seen is the one of the whole record, and led there by what was done."""
    happened = zip(every, record.steps, every[1:], strict=False)
    visible = [list(group) for _, group in groupby(happened, lambda each: each[0].moment)]
    assert film.whole
    assert film.last == max((match.moment for match in every if match.game.result), default=0)
    assert film.shots(0, ())[0].match == every[0]
    shown = [shot for deal in range(film.deal_of(film.last) + 1) for shot in of_deal(film, record, deal)]
    assert [shot.step for shot in shown] == list(range(1, film.last + 1))
    for shot, group in zip(shown, visible, strict=False):
        assert (shot.match, shot.before) == (group[-1][2], group[0][0])
        assert [(done.before, (done.seat, done.action)) for done in shot.done] == [each[:2] for each in group]


def of_deal(film: Film, record: Record, deal: int) -> list[Shot]:
    """Return the steps that are played out from a deal."""
    first, end = film.plies(deal)
    shots = [shot for shot in film.shots(deal, record.steps[first:end]) if shot.before]
    assert {film.deal_of(shot.step) for shot in shots} <= {deal}
    return shots


@pytest.mark.rotates(3)
def test_every_step_is_the_one_of_the_whole_record_also_by_what_is_kept(
    filmed: list[tuple[Record, list[Match]]],
) -> None:
    for record, every in filmed:
        taken = in_pieces(record)
        kept = Openings.read(taken.known.written())
        assert kept == taken.known == Openings.of(every[-1])
        assert kept.written() == taken.known.written()  # the kinds of the values as well
        shows(taken, record, every)
        shows(Film(record, len(record.steps), kept), record, every)
        assert {each.number for each in taken.openings} == set(range(1, len(every[-1].results) + 1))


@pytest.mark.rotates(3)
def test_of_a_match_that_goes_on_every_hand_can_be_seen_that_is_over_and_nothing_else(
    filmed: list[tuple[Record, list[Match]]],
) -> None:
    rng = random.Random(0)
    for record, every in filmed:
        for ply in rng.sample(range(len(every)), 5):
            so_far = replace(record, steps=record.steps[:ply])
            film = Film(so_far, ply, Openings.of(every[ply]))
            shows(film, so_far, every[: ply + 1])
            over = len(every[ply].results)
            assert film.empty == (not over)
            deals = range(film.deal_of(film.last) + 1) if over else ()
            assert {shot.match.number for deal in deals for shot in of_deal(film, so_far, deal)} <= set(
                range(1, over + 1)
            )
