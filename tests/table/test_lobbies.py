"""How long a lobby waits, when its host is reminded, and how many lobbies may wait at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.chairs import Level
from bot.domain.effects import Reminder
from bot.domain.pace import DAILY, LIVE, RELAXED, Deadline, Pace
from bot.domain.refusals import Refused
from bot.domain.server_settings import ServerSettings
from bot.table.core import chairs, lobby_conditions
from bot.table.core.commands import (
    Agree,
    ChangePace,
    ChangeRules,
    EndSuspension,
    FillSeats,
    Leave,
    RemovePlayer,
    Ring,
    Start,
    Suspend,
)
from bot.table.core.facts import CountOpenLobbies
from tests.table.game import ANN, BEN, Game
from tests.table.world import PEOPLE, START, Event, name_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SLOW = ("relaxed", "relaxed 8h", "daily", "none")
ALL, OF_YOURS = lobby_conditions.FULL_SLOW, lobby_conditions.FULL_SLOW_OF_YOURS


def in_lobby(pace: str) -> Game:
    """Return a lobby at this pace, of Ann, its host, and Ben."""
    return Game(pace, players=2, started=False)


def reminds(event: Event) -> bool:
    """Tell whether the host is reminded."""
    return event.decision is not None and event.decision.effects == (Reminder(0),)


def test_a_live_lobby_closes_after_half_an_hour_without_a_reminder() -> None:
    game = in_lobby("live")
    assert game.row.deadline == Deadline(START + 30 * MINUTE)
    assert not reminds(game.ring())
    assert (game.row.phase, game.world.now) == ("closed", START + 30 * MINUTE)


@pytest.mark.parametrize("pace", SLOW)
def test_a_slow_lobby_closes_after_three_days_with_a_reminder_a_day_before(pace: str) -> None:
    game = in_lobby(pace)
    assert reminds(game.ring())
    assert game.world.now == START + 2 * DAY
    assert not reminds(game.send(Ring()))
    assert not reminds(game.ring())
    assert (game.row.phase, game.world.now) == ("closed", START + 3 * DAY)


def test_a_click_renews_the_lobby_time_without_a_second_reminder() -> None:
    game = in_lobby("daily")
    game.advance(days=1)
    game.send(Agree(BEN, 1))
    assert reminds(game.ring())
    assert game.world.now == START + 3 * DAY
    game.advance(hours=1)
    game.send(ChangePace(ANN, RELAXED))
    assert not reminds(game.ring())
    assert (game.row.phase, game.world.now) == ("closed", START + 6 * DAY + HOUR)


def test_changing_the_pace_sets_the_lobby_time_of_that_pace() -> None:
    game = in_lobby("live")
    game.send(ChangePace(ANN, DAILY))
    assert game.row.deadline == Deadline(START + 3 * DAY, START + 2 * DAY)
    assert reminds(game.ring())
    game.send(ChangePace(ANN, LIVE))
    assert game.row.due == START + 2 * DAY + 30 * MINUTE
    game.send(ChangePace(ANN, DAILY))
    assert game.row.due == START + 5 * DAY, "the host has been reminded"


def test_a_suspension_keeps_the_reminder() -> None:
    game = in_lobby("none")
    assert reminds(game.ring())
    game.send(Suspend())
    game.advance(days=1)
    game.send(EndSuspension())
    assert game.row.due == START + 6 * DAY


@pytest.mark.parametrize("pace", SLOW)
def test_an_older_deadline_is_kept_until_a_click(pace: str) -> None:
    old = Deadline(START + 30 * MINUTE)
    game, other = in_lobby(pace), in_lobby(pace)
    for each in (game, other):
        each.world.state = replace(each.world.state, row=replace(each.row, deadline=old))
    game.ring(minutes=29)
    assert game.row.deadline == old
    game.ring(minutes=1)
    assert game.row.phase == "closed"
    other.send(Agree(BEN, 1))
    assert other.row.deadline == Deadline(START + 3 * DAY, START + 2 * DAY)


def test_a_table_with_a_free_seat_does_not_start() -> None:
    game = Game(players=4, started=False)
    game.send(Leave(PEOPLE[3]))
    assert str(game.send_refused(Start(ANN, None, 1))).startswith("This game needs ")
    assert game.row.phase == "lobby"


def test_2_2_seats_are_taken_in_the_order_of_turns() -> None:
    game = Game(preset="denexa", players=4, started=False)
    seats = {chair.user: chair.seat for chair in game.row.chairs}
    assert seats == dict(zip(PEOPLE[:4], (0, 3, 2, 1), strict=True)), "clockwise is towards the lower number here"


def test_reducing_the_seats_keeps_people_and_removes_house_players() -> None:
    game = Game(players=2, started=False, hands=None)

    def seats(count: int) -> list[str]:
        game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(seats=count)))
        return [chair.name for chair in game.row.chairs if not chair.house]

    assert seats(4) == ["ann", "ben"]
    game.send(FillSeats(ANN, Level.EASY))
    assert (seats(3), len(game.row.chairs)) == (["ann", "ben"], 3)
    assert (seats(2), len(game.row.chairs)) == (["ann", "ben"], 2)
    assert (seats(4), game.row.options) == (["ann", "ben"], {})


def test_reducing_the_seats_never_removes_people_who_move_up_instead() -> None:
    game = Game(players=4, started=False, hands=None)
    fewer = ChangeRules(ANN, lambda rules: rules.with_wishes(seats=3))
    assert game.send_refused(fewer).sentence == chairs.TOO_MANY_PEOPLE
    game.send(Leave(BEN))
    game.send(fewer)
    assert [(chair.seat, chair.name) for chair in game.row.chairs] == [(0, "ann"), (1, "cat"), (2, "dan")]


def test_removing_an_undecided_player_lets_the_match_start() -> None:
    game = Game(players=4, started=False)
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(hands=3)))
    for user in PEOPLE[1:4]:
        game.send(RemovePlayer(ANN, game.chair(user).seat, name_of(user)))
    game.send(FillSeats(ANN, Level.EASY))
    game.send(Start(ANN, None, game.row.edition))
    assert game.row.phase == "playing"


# Limits


@pytest.mark.parametrize(("there", "own", "sentence"), [(10, 0, ALL), (3, 3, OF_YOURS), (9, 2, None)])
def test_slow_lobbies_are_limited_to_three_a_user_and_ten_a_server(there: int, own: int, sentence: str | None) -> None:
    game = in_lobby("live")
    game.world.lobbies = {True: (20, 5), False: (there, own)}
    if sentence is None:
        assert CountOpenLobbies(ANN, live=False) in game.send(ChangePace(ANN, DAILY)).questions
    else:
        refusal = game.send_refused(ChangePace(ANN, DAILY))
        assert isinstance(refusal, Refused)
        assert refusal.sentence == sentence
        assert game.row.pace == LIVE


def test_a_lower_server_limit_applies_to_slow_lobbies_too() -> None:
    game = in_lobby("live")
    game.world.server = ServerSettings(lobbies=5, lobbies_each=1)
    game.world.lobbies[False] = (1, 1)
    game.send_refused(ChangePace(ANN, DAILY))
    game.world.lobbies[False] = (5, 0)
    game.send_refused(ChangePace(ANN, DAILY))
    game.world.lobbies[False] = (4, 0)
    game.send(ChangePace(ANN, DAILY))


def test_switching_a_lobby_to_live_checks_the_live_limits() -> None:
    game = in_lobby("none")
    game.world.lobbies = {True: (5, 5), False: (0, 0)}
    game.send_refused(ChangePace(ANN, LIVE))
    game.send(ChangePace(ANN, DAILY))  # slow before and after: nothing is asked
    game.world.lobbies[True] = (19, 4)
    game.send(ChangePace(ANN, LIVE))
    game.world.lobbies[True] = (20, 5)
    game.send(ChangePace(ANN, Pace("live", move=MINUTE)))
