"""Sentences to the player who reads them: "you" never has a verb in the third person, nor stands next to cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest

from bot.club.puzzles import puzzle_scene_of
from bot.domain.contests import PUZZLES_PER_WEEK, PuzzleWeek, Streak
from bot.games import GAMES
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.contests.puzzles import unsolved_puzzle
from bot.show.hand.hand import hand
from tests.golden.play import DATA_FOLDER
from tests.support.law_settings import sampled
from tests.support.scenes import EN, persons_on_seats, scene, texts
from tests.test_puzzles import there

THIRD_PERSON = re.compile(r"\b[Yy]ou (has|leads|is|was|plays|takes|holds|passes|wins|goes)\b")
WITH_CARDS = re.compile(r"(?<!gave )\b[Yy]ou (`|[\dAKQJ]+[♢♣♡♠])")
every_game = pytest.mark.parametrize("game", GAMES)


def positions(game: str) -> Iterator[Match]:
    """Yield the positions of the golden matches of a game, while a hand is played."""
    for path in sorted(DATA_FOLDER.glob(f"{game}.*.json")):
        record = Record.from_json(path.read_text(encoding="utf-8"), GAMES)
        yield from (match for match in record.positions() if match.game.result is None)


def check(said: str) -> None:
    """Check that no sentence of a text treats its reader as a third person."""
    assert not THIRD_PERSON.search(said), said
    assert not WITH_CARDS.search(said), said


@every_game
def test_no_puzzle_speaks_of_its_reader_in_the_third_person(game: str) -> None:
    week = PuzzleWeek(game, date(2026, 11, 23), (None,) * PUZZLES_PER_WEEK, Streak(0, 0, 0))
    for number, each in enumerate(there(game)):
        asked = puzzle_scene_of(each, number % PUZZLES_PER_WEEK, "Ann")
        check(texts(unsolved_puzzle(week, number % PUZZLES_PER_WEEK, asked, EN)))


@every_game
def test_no_hand_speaks_of_its_reader_in_the_third_person(game: str) -> None:
    seated = [(match, seat) for match in positions(game) for seat in range(match.rules.players)]
    with_phase = [(match, seat) for match, seat in seated if match.view(seat).phase_note]
    for number, (match, seat) in enumerate((*sampled(with_phase, 9), *sampled(seated, 40))):
        check(texts(hand(scene(match, number, seat, chairs=persons_on_seats(match)), EN, where="Home")))
