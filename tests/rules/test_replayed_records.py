"""The replay of a match: every step as the whole record has it, come by from the beginning of its hand alone."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import groupby

import pytest

from bot.rules.core.asks import Again
from bot.rules.matches.match import Match
from bot.rules.matches.record import Openings, Record
from bot.rules.matches.replay import Playback, Snapshot
from bot.rules.matches.seal import with_independent_hands
from tests.laws.matches import PRESETS, by_dice, chosen
from tests.support.law_settings import scaled

HANDS = 3
AGAIN = 0.01  # of the actions
HALF = 0.5  # of the matches: their hands stand each on its own


def played_out(record: Record, rng: random.Random) -> Record:
    """Return a match of some hands, one of them redealt halfway."""
    match = record.begin()
    while not match.over and len(match.results) < HANDS:
        again = match.game.result is None and rng.random() < AGAIN
        seat, action = (0, Again()) if again else chosen(match, rng)
        record, match = record.then(seat, action), match.act(seat, action)
    return record


@pytest.fixture(scope="module", params=PRESETS, ids="-".join)
def replayed(request: pytest.FixtureRequest) -> list[tuple[Record, list[Match]]]:
    """Matches of each preset in turn, played out, with every position; the hands of some stand each on its own."""
    name, preset = request.param
    rng, found = random.Random(f"film {name} {preset}"), []
    for _ in range(scaled(1)):
        record = by_dice(name, preset, rng)
        on_their_own = replace(record, seed=with_independent_hands(record.seed)) if rng.random() < HALF else record
        record = played_out(on_their_own, rng)
        found.append((record, list(record.positions())))
    return found


def in_pieces(record: Record) -> Playback:
    """Return its replay, made as it is read: a few actions at a time."""
    playback = Playback(record, len(record.steps))
    for at in range(0, len(record.steps), 7):
        assert not playback.whole
        playback.feed(record.steps[at : at + 7])
    return playback


def shows(playback: Playback, record: Record, every: list[Match]) -> None:
    """Assert that each visible step equals the full record's and follows the action."""
    happened = zip(every, record.steps, every[1:], strict=False)
    visible = [list(group) for _, group in groupby(happened, lambda each: each[0].moment)]
    assert playback.whole
    assert playback.last == max((match.moment for match in every if match.game.result), default=0)
    assert playback.snapshots(0, ())[0].match == every[0]
    shown = [
        snapshot for deal in range(playback.deal_of(playback.last) + 1) for snapshot in of_deal(playback, record, deal)
    ]
    assert [snapshot.step for snapshot in shown] == list(range(1, playback.last + 1))
    for snapshot, group in zip(shown, visible, strict=False):
        assert (snapshot.match, snapshot.before) == (group[-1][2], group[0][0])
        assert [(done.before, (done.seat, done.action)) for done in snapshot.done] == [each[:2] for each in group]


def of_deal(playback: Playback, record: Record, deal: int) -> list[Snapshot]:
    """Return the steps that are played out from a deal."""
    first, end = playback.plies(deal)
    snapshots = [snapshot for snapshot in playback.snapshots(deal, record.steps[first:end]) if snapshot.before]
    assert {playback.deal_of(snapshot.step) for snapshot in snapshots} <= {deal}
    return snapshots


@pytest.mark.rotates(3)
def test_every_step_replayed_from_stored_openings_equals_the_full_replay(
    replayed: list[tuple[Record, list[Match]]],
) -> None:
    for record, every in replayed:
        taken = in_pieces(record)
        kept = Openings.read(taken.known.written())
        assert kept == taken.known == Openings.of(every[-1])
        assert kept.written() == taken.known.written()  # the kinds of the values as well
        shows(taken, record, every)
        shows(Playback(record, len(record.steps), kept), record, every)
        assert {each.number for each in taken.openings} == set(range(1, len(every[-1].results) + 1))


@pytest.mark.rotates(3)
def test_a_running_match_replays_finished_hands_only(
    replayed: list[tuple[Record, list[Match]]],
) -> None:
    rng = random.Random(0)
    for record, every in replayed:
        for ply in rng.sample(range(len(every)), 5):
            so_far = replace(record, steps=record.steps[:ply])
            playback = Playback(so_far, ply, Openings.of(every[ply]))
            shows(playback, so_far, every[: ply + 1])
            over = len(every[ply].results)
            assert playback.empty == (not over)
            deals = range(playback.deal_of(playback.last) + 1) if over else ()
            assert {snapshot.match.number for deal in deals for snapshot in of_deal(playback, so_far, deal)} <= set(
                range(1, over + 1)
            )
