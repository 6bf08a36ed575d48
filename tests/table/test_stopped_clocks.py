"""A stopped clock belongs to the turn in which it was stopped: no other turn starts with its remainder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.ai.plain import timeout_action
from bot.domain.chairs import Chair
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.pace import LIVE, NO_CLOCK, Pace
from bot.games import GAMES
from bot.rules.core.asks import Stop
from bot.rules.matches.match import Match
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.table.core import facts as asked
from bot.table.core.commands import (
    Act,
    ActAsHouse,
    Command,
    EndLiveSession,
    EndSuspension,
    Leave,
    Pause,
    PlayLive,
    Resume,
    Start,
    Suspend,
    TakeBack,
)
from bot.table.core.decide import decide
from bot.table.core.facts import Facts, MissingFact
from bot.table.core.state import Moderator, TableState
from bot.table.core.time_control import Durations

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND, MINUTE, HOUR, WEEK = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(weeks=1)
RELAXED, DAILY = Pace("relaxed", move=8 * HOUR), Pace("daily", move=8 * HOUR, reserve=48 * HOUR)
HOUSE = 10 * SECOND  # after which house players are started once more
CHANNEL, BY = ChannelId(5), Moderator(UserId(90), "Mo")


class Game:
    """A match of Big Two between two to four people, with a clock of its own."""

    def __init__(self, pace: Pace, players: int = 3, hands: int | None = None) -> None:
        rules = Ruleset(GAMES["big_two"], "pagat").with_wishes(seats=players, hands=hands)
        chairs = tuple(Chair(seat, UserId(seat + 1), f"P{seat}", agreed=1) for seat in range(players))
        row = TableRow(
            TableId(1),
            1,
            GuildId(1),
            CHANNEL,
            CHANNEL,
            None,
            UserId(1),
            "big_two",
            "pagat",
            rules.plain_changes,
            players,
            "seed",
            pace,
            "lobby",
            NOON,
            chairs,
        )
        self.now, self.state = NOON, TableState(row)
        self.do(Start(UserId(1), None, 1))

    def do(self, command: Command, after: timedelta = timedelta()) -> None:
        """Send a command, some time after the last one."""
        self.now += after
        facts = Facts(self.now)
        while True:
            try:
                decision = decide(self.state, command, facts)
            except MissingFact as missing:
                facts = facts.knowing(missing.question, answer(missing.question))
            else:
                self.state = decision.state
                return

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    @property
    def awaited(self) -> UserId:
        (seat,) = self.match.awaited
        return UserId(seat + 1)

    @property
    def left(self) -> timedelta | None:
        """How much time the table still waits for its present turn."""
        deadline = self.state.row.deadline
        return None if deadline is None else deadline.at - self.now

    def move(self, after: timedelta = timedelta()) -> None:
        """Play the weakest action of the awaited player."""
        (seat,) = self.match.awaited
        self.do(Act(self.awaited, timeout_action(self.match.view(seat))), after)

    def house_moves(self) -> None:
        (seat,) = self.match.awaited
        self.do(ActAsHouse(self.match.moment, self.match.awaited, ((seat, timeout_action(self.match.view(seat))),)))

    def go_round(self) -> None:
        """Move quickly once for each player."""
        for _ in range(self.state.row.seats):
            self.move(SECOND)


# answers of a plain evening
NOTHING = {asked.BarredUntil: None, asked.HasSubstituted: False, asked.AskedWaiters: (), asked.LineLength: 0}


def answer(question: asked.Question[object]) -> object:
    match question:
        case asked.PlaceOf():
            return AccessChannel(CHANNEL)
        case asked.Replay(record):
            return record.replay()
        case asked.MarkOf(user):
            return f"mark {user}"
        case asked.BarredUntil() | asked.HasSubstituted() | asked.AskedWaiters() | asked.LineLength():
            return NOTHING[type(question)]
        case asked.RecentDeletions() | asked.WorkingHours():
            return {}
        case _:
            raise AssertionError(question)


def live_session(game: Game, after: timedelta) -> UserId:
    """Start a live session some time into a turn; return the awaited player."""
    game.go_round()
    ann = game.awaited
    game.now += after
    for seat in range(game.state.row.seats):
        game.do(PlayLive(UserId(seat + 1)))
    assert game.state.row.pace.kind == "live"
    return ann


@pytest.mark.parametrize(("pace", "waited", "left"), [(RELAXED, 7 * HOUR, 8 * HOUR), (DAILY, 40 * HOUR, 16 * HOUR)])
def test_a_turn_after_a_live_session_has_its_regular_time(pace: Pace, waited: timedelta, left: timedelta) -> None:
    """At a relaxed table all of it; at a daily one what was left, and the time that each move adds."""
    game = Game(pace)
    ann = live_session(game, waited)
    game.move(SECOND)
    game.do(EndLiveSession(ann))
    while game.awaited != ann:
        game.move(SECOND)
    assert game.left == left


def test_a_turn_interrupted_by_a_live_session_resumes_with_the_remaining_time() -> None:
    game = Game(RELAXED)
    ann = live_session(game, 7 * HOUR)
    game.do(EndLiveSession(ann), MINUTE)
    assert (game.awaited, game.left) == (ann, HOUR)


@pytest.mark.parametrize(("pace", "waited", "left"), [(LIVE, 100 * SECOND, 80 * SECOND), (RELAXED, 7 * HOUR, HOUR)])
def test_a_player_returning_in_a_pause_has_the_remaining_time_of_the_turn(
    pace: Pace, waited: timedelta, left: timedelta
) -> None:
    game = Game(pace)
    ann = game.awaited
    game.do(Leave(ann), waited)
    game.do(Pause(BY), SECOND)
    game.do(TakeBack(ann), HOUR)
    game.do(Resume(BY), HOUR)
    assert (game.awaited, game.left) == (ann, left)


@pytest.mark.parametrize("pace", [LIVE, RELAXED, DAILY])
def test_a_player_returning_in_a_pause_has_at_least_the_house_delay(pace: Pace) -> None:
    game = Game(pace)
    ann, left = game.awaited, game.left
    assert left is not None
    game.do(Leave(ann), left - SECOND)
    game.do(Pause(BY), SECOND)
    game.do(TakeBack(ann))
    game.do(Resume(BY))
    assert game.left == HOUSE


@pytest.mark.parametrize(("pace", "waited"), [(LIVE, 100 * SECOND), (RELAXED, 7 * HOUR), (DAILY, 40 * HOUR)])
def test_leaving_repeatedly_does_not_renew_the_time(pace: Pace, waited: timedelta) -> None:
    game = Game(pace)
    ann = game.awaited
    game.now += waited
    left = game.left
    for stopped in range(3):
        early, late = (Leave(ann), Pause(BY)) if stopped % 2 else (Pause(BY), Leave(ann))
        game.do(early)
        game.do(late)
        game.do(TakeBack(ann), HOUR)
        game.do(Resume(BY))
    assert game.left == left


def test_leaving_does_not_renew_the_time_without_a_house_player() -> None:
    """All have left a match that counts, so house players wait for a player to come back."""
    game = Game(RELAXED, players=2)
    ann, ben = game.awaited, UserId(3 - game.awaited)
    game.do(Leave(ben))
    game.do(Leave(ann), 7 * HOUR)
    game.do(TakeBack(ann), HOUR)
    assert game.left == HOUR


@pytest.mark.parametrize("pace", [LIVE, RELAXED, DAILY])
def test_a_turn_after_a_house_player_has_its_full_time(pace: Pace) -> None:
    game = Game(pace)
    ann, full = game.awaited, game.left
    game.now += 90 * SECOND
    left = game.left
    game.do(Pause(BY))
    game.do(Leave(ann), HOUR)
    game.do(Resume(BY), HOUR)
    game.house_moves()
    game.do(TakeBack(ann))
    while game.awaited != ann:
        game.move(SECOND)
    assert full is not None
    assert left is not None
    assert game.left == {"live": 2 * MINUTE, "relaxed": full, "daily": full}[pace.kind]


@pytest.mark.parametrize("pace", [LIVE, RELAXED, DAILY, NO_CLOCK])
def test_an_awaited_house_player_is_due_after_a_pause(pace: Pace) -> None:
    game = Game(pace)
    game.do(Pause(BY), MINUTE)
    game.do(Leave(game.awaited), HOUR)
    game.do(Resume(BY), HOUR)
    assert game.left == HOUSE


@pytest.mark.parametrize("pace", [LIVE, RELAXED, NO_CLOCK])
def test_a_turn_starts_for_an_absent_player_on_their_return(pace: Pace) -> None:
    """Ann has left before her turn came, so that no clock of hers was stopped in it."""
    game = Game(pace)
    full, (ben,) = game.left, game.match.awaited
    ann = UserId((ben + 1) % 3 + 1)
    game.do(Leave(ann))
    game.move(SECOND)
    if game.awaited != ann:  # the order of turns goes the other way
        game.move(SECOND)
    game.do(Suspend())
    game.do(TakeBack(ann), MINUTE)
    game.do(EndSuspension(), MINUTE)
    assert (game.awaited, game.left) == (ann, full)


@pytest.mark.parametrize("pace", [LIVE, RELAXED, DAILY])
@pytest.mark.parametrize("late", [False, True])
def test_an_unawaited_turn_keeps_its_own_time_through_a_stopped_clock(pace: Pace, *, late: bool) -> None:
    """All have left, and the table waits a week for a player; Ann, who had not begun her turn, is back in a pause."""
    game = Game(pace, players=2)
    full, ben = game.left, game.awaited
    ann = UserId(3 - ben)
    game.do(Leave(ann))
    game.move()
    game.do(Leave(ben))
    assert (game.awaited, game.left) == (ann, WEEK)
    game.do(Suspend(), WEEK + SECOND if late else MINUTE)
    game.do(TakeBack(ann))
    game.do(EndSuspension())
    assert (game.awaited, game.left) == (ann, full)


@pytest.mark.parametrize("pace", [LIVE, RELAXED, NO_CLOCK])
@pytest.mark.parametrize("stops", [(Pause(BY), Resume(BY)), (Suspend(), EndSuspension())])
def test_a_pause_does_not_turn_the_objection_period_into_a_wait_for_the_next_hand(
    pace: Pace, stops: tuple[Command, Command]
) -> None:
    """A player has wished to end the match, and a pause takes that back."""
    game = Game(pace)
    while game.match.game.result is None:
        game.move()
    between = game.left
    game.do(Act(UserId(1), Stop()))
    assert game.left == 24 * HOUR
    for stop in stops:
        game.do(stop, SECOND)
    assert game.left == between


def test_the_next_hand_does_not_wait_out_the_week_of_a_deserted_table() -> None:
    game = Game(LIVE, hands=2)
    while game.match.game.result is None:
        game.move()
    for seat in range(3):
        game.do(Leave(UserId(seat + 1)))
    game.do(Suspend(), MINUTE)
    game.do(TakeBack(UserId(1)), MINUTE)
    game.do(EndSuspension(), MINUTE)
    assert game.left == Durations().between_solo
