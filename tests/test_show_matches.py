"""Finished matches, and stepping through one."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from discord import ui

from bot.domain.chairs import Chair
from bot.domain.ids import TableId
from bot.domain.results import FinishedMatch, MatchOutcome, SeatResult
from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.replay import marks
from bot.rules.matches.score import is_low_score_best
from bot.show.kit.card_symbols import symbol
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import MAX_OPTIONS, PrivateScreen
from bot.show.kit.words import Words, words
from bot.show.matches.moment_codes import MomentCode
from bot.show.matches.replay import ReplayStep, replay
from bot.show.matches.replay_menu import replay_menu
from bot.show.pictures.canvas import Picture
from bot.show.pictures.table import TableDrawing
from bot.show.table.board import board
from bot.show.table.match_list import HISTORY, MATCHES_PER_PAGE, history, nearest
from bot.table.core.eligibility import standings_of
from tests.laws.matches import PRESETS, short, steps
from tests.support.replays import FullReplay
from tests.support.scenes import (
    CHAIRS,
    EN,
    NOW,
    check_limits,
    custom_ids,
    drawn_view,
    matches,
    person,
    scene,
    selects,
    texts,
    words_of_every_language,
)

OUTCOME = MatchOutcome(
    5,
    datetime(2026, 1, 1, tzinfo=UTC),
    tuple(
        SeatResult(
            seat=seat, user=person(seat), name=f"N_{seat}", house=False, place=4 - seat, points=10 * (4 - seat), net=0
        )
        for seat in range(4)
    ),
)
TWO_HANDS = {"match_end": "deals", "deals": 2}
MATCHES = [
    FinishedMatch(table=TableId(table), number=table, game="big_two", preset="pagat", outcome=OUTCOME)
    for table in range(1, 13)
]


def page_of_matches(page: int, w: Words) -> PrivateScreen:
    return history(
        MATCHES[page * MATCHES_PER_PAGE : (page + 1) * MATCHES_PER_PAGE], page, len(MATCHES), w, where="Here"
    )


def test_finished_matches_come_five_a_page() -> None:
    for w in words_of_every_language():
        for page in range(3):
            check_limits(page_of_matches(page, w))
    last = page_of_matches(2, words("en"))
    assert [each.value for each in selects(last)[0].options] == ["11", "12"]
    assert "🥇 N\\_3 10 · 🥈 N\\_2 20 · 🥉 N\\_1 30 · 4\\. N\\_0 40" in texts(last)


# Signs


def ended(game: str, preset: str) -> Match:
    """Return a match played to its end, or for two hands without one."""
    rng = random.Random(f"{game} {preset}")
    for match, seat, action in steps(short(GAMES[game], preset, "signs", {}, {}).begin(), rng, hands=2):
        after = match.act(seat, action)
    return after


def signs(text: str) -> dict[str, str]:
    """Return the signed number after each name, whatever cards its seat holds."""
    bare = re.sub(r"\d+ cards?|out|[*!·★●👉⚠]", "", text)
    return dict(re.findall(r"(P\d)\s+([+\u2212]?\d+)", bare))


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_2_3_signs_of_points_are_consistent_across_screens(game: str, preset: str) -> None:
    match = ended(game, preset)
    chairs = tuple(Chair(seat, person(seat), f"P{seat}") for seat in range(match.rules.players))
    card = signs(texts(board(scene(match, stage="over", chairs=chairs), EN)))
    assert len(card) == match.rules.players
    low = is_low_score_best(match.rules)
    assert all(sign[0] in "+\u22120" for sign in card.values()) is (not low or not any(match.totals))

    outcome = MatchOutcome(2, NOW, standings_of(match, chairs))
    changes = short(GAMES[game], preset, "", {}, {}).options
    listed = FinishedMatch(
        table=TableId(1),
        number=1,
        game=game,
        preset=preset,
        outcome=outcome,
        options=json.loads(json.dumps(dict(changes))),
    )
    assert signs(texts(history([listed], 0, 1, EN, where="Here"))) == card

    playing = scene(match, stage="playing", chairs=chairs)
    assert signs("\n".join(line for line in texts(board(playing, EN)).splitlines() if "point" in line)) == card


@pytest.mark.parametrize(
    ("page", "before", "after"), [(0, (-1, True), (1, False)), (1, (0, False), (2, False)), (2, (1, False), (3, True))]
)
def test_the_pages_lead_to_their_neighbours(page: int, before: tuple[int, bool], after: tuple[int, bool]) -> None:
    buttons = [
        each for each in drawn_view(page_of_matches(page, words("en"))).walk_children() if isinstance(each, ui.Button)
    ]
    wanted = [(str(Browse.to(HISTORY, to, "", "", "")), disabled) for to, disabled in (before, after)]
    assert [(each.custom_id, each.disabled) for each in buttons] == wanted


def test_a_single_page_has_no_page_buttons() -> None:
    view = history(MATCHES[:MATCHES_PER_PAGE], 0, MATCHES_PER_PAGE, words("en"), where="Here")
    assert not any(isinstance(each, ui.Button) for each in drawn_view(view).walk_children())


@pytest.mark.parametrize(
    ("page", "count", "at"), [(-1, 12, 0), (2, 12, 2), (3, 12, 2), (99, 10, 1), (99, 0, 0), (0, 0, 0), (1, 5, 0)]
)
def test_a_missing_page_becomes_the_nearest(page: int, count: int, at: int) -> None:
    assert nearest(page, count) == at


def test_the_history_marks_departed_players_and_unrated_matches() -> None:
    ended = tuple(replace(each, left=each.seat != 2, house=each.seat != 2) for each in OUTCOME.standings)
    shown = history(
        [replace(MATCHES[0], outcome=replace(OUTCOME, standings=ended, counts=False))], 0, 1, words("en"), where="Here"
    )
    assert "🥇 N\\_3 🤖 (left) 10 · 🥈 N\\_2 20" in texts(shown)
    assert "-# This match is unrated." in texts(shown)
    assert [each.description for each in selects(shown)[0].options] == ["Nobody stayed to the end."]


def test_an_empty_history_is_stated() -> None:
    view = history([], 0, 0, words("en"), where="Here")
    check_limits(view)
    assert "No finished matches here yet." in texts(view)


@pytest.fixture(scope="module")
def playback() -> FullReplay:
    *_, (_, steps) = matches("film")
    return FullReplay.of(5, 3, Record(GAMES["big_two"], "pagat", seed="film", options=TWO_HANDS, steps=steps), CHAIRS)


@pytest.mark.rotates(6)
@pytest.mark.parametrize("part", range(6))
def test_every_step_of_a_match_can_be_shown(playback: FullReplay, part: int) -> None:
    """In one turn each step in one of six voices, in another turn in another."""
    for number, w in enumerate(words_of_every_language()):
        for step in range((part + number) % 6, playback.last + 1, 6):
            check_limits(playback.screen(step, w))


def test_a_replay_shows_all_hands(playback: FullReplay) -> None:
    read = texts(playback.screen(0, words("en")))
    assert all(symbol(card) in read for hand in playback.snapshot(0).match.game.hands for card in hand)  # type: ignore[attr-defined]
    assert "The cards are dealt." in read


def test_2_3_a_replay_has_the_point_signs_of_the_end_card(playback: FullReplay) -> None:
    last = playback.snapshot(playback.last).match
    read = texts(playback.screen(playback.last, words("en")))
    assert max(last.totals) > 0, "in this match the lowest score wins"
    for total in last.totals:
        assert f" · {total} point" in read


def test_the_buttons_lead_to_the_neighbours_and_the_ends(playback: FullReplay) -> None:
    def targets(step: int) -> list[tuple[str, ...]]:
        return [Browse.read(each).args for each in custom_ids(playback.screen(step, words("en")))][:4]

    last = str(playback.last)
    assert targets(3) == [
        ("5", "0", "first", "all", ""),
        ("5", "2", "back", "all", ""),
        ("5", "4", "on", "all", ""),
        ("5", last, "last", "all", ""),
    ]
    assert len(set(targets(0))) == len(set(targets(1))) == 4


def test_next_trick_steps_through_all_leads_to_the_end(playback: FullReplay) -> None:
    def onward(name: str, step: int) -> int:
        shown = playback.screen(step, words("en"), seat=1)
        (args,) = (args for each in custom_ids(shown) if (args := Browse.read(each).args)[2:3] == (name,))
        assert args[3] == "1"
        return int(args[1])

    leads = {mark.step for deal in range(2) for mark in marks(playback.hand(deal)) if mark.kind == "trick"}
    ends = {next(each.step for each in playback.hand(deal) if each.match.game.result) for deal in range(2)}
    way = [0]
    while (step := onward("trick", way[-1])) != way[-1]:
        way.append(step)
    assert way == sorted({0, *leads, *ends, playback.deals[1]})
    assert [onward("hand", step) for step in (0, playback.deals[1] - 1, playback.deals[1], playback.last)] == [
        playback.deals[1],
        playback.deals[1],
        playback.deals[1],
        playback.last,
    ]


def test_a_replay_from_one_seat_shows_only_its_cards_below_the_picture(playback: FullReplay) -> None:
    step, w = playback.last // 2, words("en")
    snapshot = playback.snapshot(step)
    drawn = Picture(TableDrawing((), cards=(), title=""), "the table")
    for picture, seat, lines in ((drawn, 1, 1), (drawn, None, 4), (None, 1, 4), (None, None, 4)):
        frame = ReplayStep(snapshot, playback.hand(snapshot.match.deal - 1), seat=seat, picture=picture)
        assert len(re.findall(r" · \d+ cards?\b", texts(replay(playback.replayed, frame, w)))) == lines


def test_one_menu_has_every_view_and_room_for_hands_and_moments(playback: FullReplay) -> None:
    for step in (0, playback.last // 2, playback.last):
        (menu,) = selects(playback.screen(step, words("en")))
        kinds = Counter(each.value[0] for each in menu.options)
        assert kinds["v"] == len(CHAIRS) + 1
        assert kinds["h"] == 2
        assert kinds["m"]
        assert kinds.total() <= MAX_OPTIONS


def test_the_menu_of_a_step_leads_back_to_it_and_to_the_review_it_came_from(playback: FullReplay) -> None:
    w, snapshot = words("en"), playback.snapshot(3)
    for seat, review in ((None, ""), (1, "p2"), (0, "h1")):
        frame = ReplayStep(snapshot, playback.hand(0), seat=seat, review=review)
        menu, step = replay_menu(playback.replayed, frame, w), replay(playback.replayed, frame, w)
        check_limits(menu)
        assert str(MomentCode(TableId(5), 3)) in texts(menu)
        args = ("5", "3", "here", "all" if seat is None else str(seat), review)
        assert Browse("replay", args) in map(Browse.read, custom_ids(menu))
        back = {"p2": "bv:look_on:5:2", "h1": "bv:look_closely:5:1"}.get(review)
        assert [each for each in custom_ids(step) if "look" in each] == ([back] if back else [])


def test_a_replay_can_jump_to_hands(playback: FullReplay) -> None:
    (menu,) = selects(playback.screen(playback.last, words("en")))
    assert [(each.label, each.value) for each in menu.options if each.value.startswith("h")] == [
        ("Hand 1", "h0"),
        ("Hand 2", f"h{playback.deals[1]}"),
    ]
    assert playback.snapshot(playback.deals[1]).match.view(None).counts == (13, 13, 13, 13)


def test_a_running_match_cannot_be_replayed(playback: FullReplay) -> None:
    with pytest.raises(ValueError, match="not over"):
        FullReplay.of(
            5,
            3,
            Record(GAMES["big_two"], "pagat", seed="film", options=TWO_HANDS, steps=playback.record.steps[:-1]),
            CHAIRS,
        )


def test_a_match_ended_in_a_hand_shows_complete_hands_only(playback: FullReplay) -> None:
    middle = playback.deals[1] + 3
    cut = Record(GAMES["big_two"], "pagat", seed="film", options=TWO_HANDS, steps=playback.record.steps[:middle])
    shown = FullReplay.of(5, 3, cut, CHAIRS, ended=True)
    assert shown.snapshot(shown.last).match.game.result
    assert shown.deals == [0]


def test_the_rules_name_every_kind_of_play() -> None:
    every = [Options(quads_form="both", five_order="royal_separate", sf_form=form) for form in ("five", "plus_two")]
    kinds = {row.kind for options in every for row in BigTwo(options).groups.table.rows}
    assert kinds == set(BigTwo().names)
