"""The film of a match: every step as the whole record has it, come by from the beginning of its hand alone."""

from __future__ import annotations

import random
from itertools import groupby

import pytest
from hypothesis import given

from bot.games import GAMES
from bot.rules.film import Film
from bot.rules.record import Record
from tests.lawful import lawful
from tests.laws.matches import dice, records, steps


def played_out(record: Record, rng: random.Random, hands: int) -> Record:
    for _, seat, action in steps(record.begin(), rng, hands=hands):
        record = record.then(seat, action)
    return record


@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_the_one_of_the_whole_record(name: str) -> None:
    @lawful(3)
    @given(record=records(name, next(iter(GAMES[name].presets))), rng=dice)
    def law(record: Record, rng: random.Random) -> None:
        record = played_out(record, rng, 3)
        every = list(record.positions())
        film = Film(record, len(record.steps))
        for at in range(0, len(record.steps), 7):
            assert not film.whole
            film.take(record.steps[at : at + 7])
        assert film.whole
        assert [each.match.number for each in film.openings] == list(range(1, len(every[-1].results) + 1))
        happened = zip(every, record.steps, every[1:], strict=False)
        visible = [list(group) for _, group in groupby(happened, lambda each: each[0].moment)]
        assert film.shots(0, ())[0].match == every[0]
        for step, group in enumerate(visible[: film.last], 1):
            deal = film.deal_of(step)
            first, end = film.plies(deal)
            (shot,) = (each for each in film.shots(deal, record.steps[first:end]) if each.step == step and each.before)
            assert (shot.step, shot.match, shot.before) == (step, group[-1][2], group[0][0])
            assert [(done.before, (done.seat, done.action)) for done in shot.done] == [each[:2] for each in group]

    law()
