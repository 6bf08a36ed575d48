"""Slow tables and reserves: whose clock runs when, what is given to whom is late, and what board and hand say of it."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.domain.effects import Reminder
from bot.domain.ids import UserId
from bot.domain.pace import Pace, SeatTime
from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.rules.core.asks import Pass
from bot.show.hand.hand import hand
from bot.show.table.table_picture import filling
from bot.table.core import clock_rules
from bot.table.core.commands import (
    AccessFound,
    Act,
    EndSuspension,
    GrantTime,
    Pause,
    RecomputeDeadline,
    Resume,
    Suspend,
)
from tests.support.scenes import EN, texts
from tests.table.game import BEN, MO, Game, said
from tests.table.screens import board_text, public_scene, scene_of
from tests.table.world import START

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LONG_AGO = START - 30 * DAY
NIGHT = Hours(LONG_AGO, "UTC", bed=23, night=8)  # begins 14 hours after the start of a game, at nine
DUE = re.compile(r"<t:(\d+):R>")


def lives(game: Game, user: UserId, *hours: Hours, **more: Any) -> None:
    """Set the working hours of a player."""
    game.world.days[user] = WorkSchedule(hours, **more)
    game.send(RecomputeDeadline())


def awaiting(pace: str, *hours: Hours) -> Game:
    """Return a match at a pace; the awaited player has such hours."""
    game = Game(pace)
    lives(game, game.awaited, *hours)
    return game


def late(game: Game) -> list[str]:
    """Pass the deadline with the late player present; return the announcements."""
    assert game.row.deadline is not None
    gone = game.awaited
    game.ring(seconds=max(game.time_left.total_seconds(), 0))
    return said(game.send(AccessFound(gone, lost=False)))


def text_of_hand(game: Game, user: UserId) -> str:
    """Return what a player reads in their hand."""
    return texts(hand(scene_of(game, user), EN, where="here"))


# Whose clock runs


def test_a_reminder_comes_after_four_fifths_of_the_waking_time() -> None:
    game = awaiting("relaxed 20h", NIGHT)
    for hours, effects in ((23.9, ()), (0.2, (Reminder(0),))):  # 14 hours until bedtime, 8 of sleep, 2 more
        event = game.ring(hours=hours)
        assert event.decision is not None
        assert event.decision.effects == effects


def test_unused_time_at_a_daily_table_accumulates_up_to_its_cap() -> None:
    game = awaiting("daily 6h+24h", NIGHT)
    assert game.time_left == 32 * HOUR
    slow = game.seat
    game.advance(hours=13)
    game.play_awaited()
    assert SeatTime(slow, 17 * HOUR) in game.row.times, "24, less 13, and 6 more"
    quick = game.seat
    game.play_awaited()
    assert [time.seat for time in game.row.times if time.seat == quick] == [], "who has all there is stands nowhere"


def test_a_player_out_of_time_has_the_increment_of_a_move() -> None:
    game = awaiting("daily 6h+24h")
    slow = game.seat
    assert late(game) == [clock_rules.GRACE]
    assert game.time_left == 12 * HOUR
    late(game)
    assert [step.by for step in game.row.steps] == ["clock"]
    assert SeatTime(slow, 6 * HOUR) in game.row.times


def test_clocks_stop_on_days_off_and_on_vacation_unless_the_table_refuses_vacations() -> None:
    away = (Vacation(date(2026, 3, 3), date(2026, 3, 4)),)
    for pace, hours in (("relaxed 8h", 15 + 72 + 8), ("relaxed 8h away", 15 + 8)):
        game = Game(pace)
        lives(game, game.awaited, Hours(LONG_AGO, "UTC", off=(0, 3)), vacations=away)  # it is a Monday
        assert game.time_left == hours * HOUR, pace
    lobby = Game("relaxed 8h away", started=False)
    assert "Vacations don't stop the clock here." in board_text(lobby)


def test_changed_hours_apply_from_the_next_day_even_to_a_running_clock() -> None:
    game = awaiting("relaxed 20h")
    assert game.time_left == 20 * HOUR
    day = game.world.day_of(game.awaited)
    game.world.days[game.awaited] = day.with_hours(Hours(LONG_AGO, "UTC", bed=22, night=8), game.world.now)
    game.send(RecomputeDeadline())
    assert game.time_left == 26 * HOUR  # the rest of that night, from midnight to six


def test_no_time_passes_at_a_stopped_table() -> None:
    for stop, resume in ((Pause(MO), Resume(MO)), (Suspend(), EndSuspension())):
        game = awaiting("relaxed 20h", NIGHT)
        game.advance(hours=10)
        game.send(stop)
        game.advance(hours=30)  # until three in the afternoon
        game.send(resume)
        assert game.time_left == 16 * HOUR  # from seven on


def test_a_shared_question_gives_each_player_the_full_time() -> None:
    game = Game("relaxed 8h", 5, {BEN: 7}, game="big_a", preset="quick")
    assert game.match.game.secrecy.together
    assert game.time_left == 10 * HOUR  # half of it, from when Ben gets up


# Who is late


def test_a_nudge_table_reminds_once_in_each_span() -> None:
    game = Game("relaxed 8h nudge")
    slow, reminders = game.awaited, 0
    for hours in (3.2, 3.2, 1.6) * 4:
        event = game.ring(hours=hours)
        if game.world.state.access_check is not None:
            event = game.send(AccessFound(slow, lost=False))
        assert event.decision is not None
        reminders += sum(isinstance(effect, Reminder) for effect in event.decision.effects)
    assert (game.awaited, game.chair(slow).misses, game.row.steps) == (slow, 0, ())
    assert (reminders, game.time_left) == (8, 8 * HOUR), "before each span is over, and when it is"


def test_time_granted_to_a_slow_player_is_limited() -> None:
    game = Game("relaxed 8h house")
    slow, friend = game.awaited, game.other_player(game.awaited)
    for _ in range(3):
        game.send(GrantTime(friend, None))
        game.ring(hours=11.9)
    assert game.send_refused(GrantTime(friend, None)).sentence == clock_rules.ENOUGH
    late(game)
    assert game.chair(slow).house


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("pass", "Late players pass; the second time in a row"),
        ("house", "If you're late, a bot takes over until you're back."),
        ("nudge", "Nobody's ever too late here; I just remind"),
    ],
)
def test_the_lobby_shows_the_timeout_action(policy: str, says: str) -> None:
    assert says in board_text(Game(f"relaxed 8h {policy}", started=False))


@pytest.mark.parametrize(("pace", "asked"), [("live", False), ("live asked", True)])
def test_a_table_may_ask_every_player_without_automatic_passes(pace: str, *, asked: bool) -> None:
    lobby = Game(pace, started=False)
    assert ("Players with too few cards to beat a play are asked, too." in board_text(lobby)) is asked
    game = Game(pace, seed="2732")
    while game.row.phase == "playing":
        action = plain_action(game.match.view(game.seat))
        assert action is not None
        game.send(Act(game.awaited, action))
    assert any(step.by == "order" for step in game.row.steps) is not asked


# What board and hand say


def test_a_board_rounds_a_deadline_that_would_reveal_hidden_hours() -> None:
    for shared, rounded in ((False, True), (True, False)):
        game = Game("relaxed 8h")
        game.advance(minutes=7)
        game.play_awaited()
        lives(game, game.awaited, NIGHT, shared=shared)
        whole = START + 8 * HOUR + (HOUR if rounded else 7 * MINUTE)
        assert DUE.findall(board_text(game)) == [str(int(whole.timestamp()))]


def test_a_board_shows_asleep_only_for_shared_hours_at_slow_tables() -> None:
    asleep = Hours(LONG_AGO, "UTC", bed=7, night=8)
    for pace, shared, said_so in (("relaxed 8h", True, True), ("relaxed 8h", False, False), ("live", True, False)):
        game = Game(pace)
        lives(game, game.awaited, asleep, shared=shared)
        until = int((START + 6 * HOUR).timestamp())
        assert (f" is asleep until <t:{until}:R>" in board_text(game)) is said_so, (pace, shared)
        assert (game.time_left < HOUR) is (pace == "live")


def test_2_7_the_reserve_is_shown_with_the_time_for_a_move() -> None:
    lobby = Game("live 2m+1m", started=False)
    assert "Live: 2 minutes a move, 1 minute in reserve" in board_text(lobby)
    assert "2 minutes a move, 1 minute in reserve" in (filling(public_scene(lobby), EN).alt_text or "")
    game = Game("live 2m+1m", players=2)
    slow, whole, half = game.awaited, "incl. 1 minute reserve", "incl. 30 seconds reserve"
    assert re.search(rf"'s turn · ends <t:\d+:R> \({whole}\)", board_text(game))
    assert re.search(rf"### Your turn · ends <t:\d+:R>\n-# {whole}\n", text_of_hand(game, slow))
    game.advance(seconds=150)
    game.play_awaited()
    assert whole in board_text(game), "of the other one, who has all of it"
    passes(game)
    assert (game.awaited, half in board_text(game)) == (slow, True)
    game.advance(seconds=150)
    passes(game)
    passes(game)
    assert game.awaited == slow
    assert "'s turn · ends <t:" in board_text(game)
    assert "reserve" not in board_text(game), "nothing is left of it"


def passes(game: Game) -> None:
    """Pass for the awaited player, or play the weakest action."""
    view = game.match.view(game.seat)
    game.send(Act(game.awaited, Pass())) if view.trick.moves else game.play_awaited()


def test_2_7_all_time_is_a_reserve_at_a_daily_table_and_none_at_a_relaxed_one() -> None:
    lobby = Game("daily 6h+24h", started=False)
    assert "1 day in total, each move adds 6 hours" in (filling(public_scene(lobby), EN).alt_text or "")
    assert re.search(r"ends <t:\d+:R>, reserve included", board_text(Game("daily 6h+24h")))
    assert "reserve" not in board_text(Game("relaxed 8h"))


@pytest.mark.parametrize(("hands", "says"), [(1, "A match takes about 4 days."), (4, "A match takes about 2 weeks.")])
def test_the_estimated_duration_is_a_default_before_five_matches(hands: int, says: str) -> None:
    assert says in board_text(Game("relaxed", 4, hands=hands, started=False))


def test_the_lobby_shows_the_absence_before_a_seat_can_be_offered() -> None:
    for pace, span in (("relaxed", "3 days"), ("relaxed seat12h", "12 hours")):
        says = f"A moderator can offer the seat of a player who hasn't moved for {span}."
        assert says in board_text(Game(pace, started=False))
    assert Pace.read("relaxed seat12h").away == 12 * HOUR
