"""A match ends when all who play agree; one without an end of its own also after a day without an objection."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.results import MatchEnding
from bot.rules.core.asks import Ready, Stop
from bot.table.core import clock_rules, ending, play
from bot.table.core.commands import AccessFound, Act, Leave, TakeBack, Vacate
from bot.table.core.votes import current_vote
from tests.table.game import ANN, BEN, CAT, Game, said
from tests.table.world import PEOPLE

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def between(players: int = 3, pace: str = "live 1m+0s", hands: int | None = None) -> Game:
    """Return a match after its first hand. hands: its length, None for an open match."""
    game = Game(pace, players, hands=hands)
    play_hand(game)
    return game


def play_hand(game: Game) -> None:
    """Play the hand to its end."""
    while not game.match.game.result:
        game.play_awaited()


def ready(game: Game, *users: UserId) -> None:
    """Send Ready for these players."""
    for user in users:
        game.send(Act(user, Ready()))


def ask(game: Game, *users: UserId) -> None:
    """Send a request to end for these players."""
    for user in users:
        game.send(Act(user, Stop()))


def be_late(game: Game) -> UserId:
    """Miss deadlines until a house player takes a seat; return its owner."""
    while not (late := [chair.user for chair in game.row.chairs if chair.house and chair.user]):
        user = game.awaited
        game.ring()
        game.send(AccessFound(user, lost=False))
    return late[0]


def is_asked(game: Game) -> bool:
    """Tell whether anyone wants the match to end."""
    return current_vote(game.row.chairs) == "end"


def end_of(game: Game) -> tuple[str, MatchEnding | None, bool]:
    """Return whether the match is over, why, and whether it counts."""
    return game.row.phase, game.row.ended, game.row.counts


def test_a_match_ends_when_all_agree_and_one_player_alone_ends_nothing() -> None:
    game = between()
    ask(game, ANN, ANN, BEN)
    assert (game.row.phase, game.time_left) == ("playing", DAY)
    ask(game, CAT)
    assert end_of(game) == ("over", "agreed", True)
    assert [(step.action, step.by) for step in game.row.steps[-1:]] == [("stop", "person")]


def test_all_finished_hands_count_when_a_match_ends_early() -> None:
    game = between(players=4)
    ready(game, *PEOPLE[:4])
    play_hand(game)
    totals = game.match.totals
    ask(game, *PEOPLE[:4])
    assert (game.match.totals, len(game.match.results)) == (totals, 2)
    assert end_of(game) == ("over", "agreed", True)


def test_a_hand_that_is_not_finished_does_not_count() -> None:
    for hands in (None, 5):
        game = between(players=2, hands=hands)
        ready(game, ANN, BEN)
        assert game.send_refused(Act(game.awaited, Stop())).sentence == play.YOUR_MOVE
        ask(game, game.other_player(game.awaited), game.awaited)
        assert (end_of(game), len(game.match.results)) == (("over", "agreed", True), 1)


def test_a_match_without_a_finished_hand_closes_without_a_result() -> None:
    game = Game(hands=5, players=2)
    ask(game, game.other_player(game.awaited))
    assert said(game.send(Act(game.awaited, Stop()))) == [ending.UNPLAYED]
    assert game.row.phase == "closed"


@pytest.mark.parametrize("who", [ANN, BEN])
def test_a_ready_player_continues_and_the_next_hand_is_dealt_as_usual(who: UserId) -> None:
    game = between()
    ask(game, ANN)
    ready(game, who)
    assert not is_asked(game)
    assert game.time_left == MINUTE
    game.ring()
    assert game.match.deal == 2


def test_a_ready_player_may_agree_or_refuse_to_end_the_match() -> None:
    game = between()
    ready(game, BEN)
    ask(game, ANN)
    ready(game, BEN)
    assert not is_asked(game)
    game = between(players=2)
    ready(game, BEN)
    ask(game, ANN, BEN)
    assert game.row.phase == "over"


def test_repeated_requests_do_not_delay_the_next_hand() -> None:
    game = between()
    ready(game, BEN, CAT)
    ask(game, ANN)
    assert is_asked(game)
    ready(game, BEN)
    assert (game.match.deal, is_asked(game)) == (2, False)


def test_a_day_without_objection_ends_a_match_and_a_second_request_restarts_no_day() -> None:
    game = between()
    ask(game, ANN)
    game.advance(hours=20)
    ask(game, BEN)
    assert said(game.ring(hours=3, minutes=59)) == []
    assert said(game.ring(minutes=1)) == [clock_rules.SILENCE]
    assert end_of(game) == ("over", "silence", True)
    assert game.row.steps[-1].by == "clock"


def test_without_a_clock_a_play_withdraws_a_request_and_a_silent_day_ends_the_match() -> None:
    game = between(players=2, pace="none")
    ready(game, ANN, BEN)
    ask(game, game.other_player(game.awaited))
    game.play_awaited()
    assert not is_asked(game)
    ask(game, game.other_player(game.awaited))
    game.ring(days=1)
    assert (end_of(game), len(game.match.results)) == (("over", "silence", True), 1)


def test_a_request_to_end_during_a_hand_keeps_the_move_deadline() -> None:
    game = between(players=2)
    ready(game, ANN, BEN)
    left = game.time_left
    ask(game, game.other_player(game.awaited))
    assert (is_asked(game), game.time_left) == (True, left)


@pytest.mark.parametrize("pace", ["live 1m+0s", "none"])
@pytest.mark.parametrize(
    "end", [{"match_end": "deals", "deals": 3}, {"match_end": "target", "target": 500}, {"match_end": "chips_or_deals"}]
)
def test_a_match_with_a_fixed_end_is_not_ended_by_silence(end: dict[str, Any], pace: str) -> None:
    game = Game(pace, 2, changes=end, hands=None)
    play_hand(game)
    ask(game, ANN)
    assert game.time_left < DAY
    game.ring()
    assert (game.row.phase, game.match.deal, is_asked(game)) == ("playing", 2, True)
    game.play_awaited()
    assert not is_asked(game), "the next play withdraws the wish"


def test_a_player_who_left_has_no_vote_on_the_end() -> None:
    for hands in (None, 5):
        game = between(hands=hands)
        ask(game, ANN, CAT)
        game.send(Leave(BEN))
        assert end_of(game) == ("over", "agreed", True)


def test_a_player_who_was_only_late_has_a_day_to_object() -> None:
    game = Game("live 1m+0s house", 2, hands=None)
    late = be_late(game)
    play_hand(game)
    ask(game, game.other_player(late))
    assert game.row.phase == "playing"
    game.ring(days=1)
    assert end_of(game) == ("over", "silence", True)


def test_a_player_who_was_late_has_to_agree_to_the_early_end_of_a_match() -> None:
    game = Game("live 1m+0s house", 2, hands=5)
    late = be_late(game)
    play_hand(game)
    ask(game, game.other_player(late))
    assert game.row.phase == "playing"
    game.send(TakeBack(late))
    ask(game, late)
    assert end_of(game) == ("over", "agreed", True)


def test_deleting_a_player_withdraws_their_request_and_their_pending_vote() -> None:
    game = between()
    ask(game, BEN)
    delete(game, BEN)
    assert not is_asked(game)
    game = between()
    ask(game, ANN, CAT)
    delete(game, BEN)
    assert end_of(game) == ("over", "agreed", True)


def delete(game: Game, user: UserId) -> None:
    """Delete the data of a player, and let the table learn of it."""
    seat = game.chair(user).seat
    game.world.delete(user)
    game.send(Vacate(seat, ""))
