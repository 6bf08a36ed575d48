"""A player leaves a match, or misses moves: the others play on, and the seat waits for its owner."""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.rules.core.asks import Ready
from bot.table.core import clock_rules
from bot.table.core.commands import AccessFound, Act, ActAsHouse, Leave, TakeBack
from bot.table.core.play import house_seats
from bot.table.core.time_control import MISSES_TO_LOSE_SEAT
from tests.table.game import ANN, BEN, CAT, Game, said


def miss(game: Game, late: UserId) -> list[str]:
    """Play to a player's turn and miss it; return the announcements."""
    while game.awaited != late:
        game.play_awaited()
    game.ring(seconds=game.time_left.total_seconds())
    return said(game.send(AccessFound(late, lost=False)))


def test_three_missed_moves_in_a_row_lose_the_seat_until_it_is_taken_back() -> None:
    game = Game("live 1m+0s", hands=3)
    most = MISSES_TO_LOSE_SEAT["live"]
    for missed in range(1, most):
        assert miss(game, BEN) == []
        assert (game.chair(BEN).misses, game.chair(BEN).house) == (missed, False)
    assert miss(game, BEN) == [clock_rules.KEPT_WARM[most]]
    assert [step.by for step in game.row.steps if step.seat == game.chair(BEN).seat] == ["clock"] * most
    assert (game.chair(BEN).house, game.chair(BEN).away) == (True, "late")
    game.send(TakeBack(BEN))
    assert (game.chair(BEN).house, game.chair(BEN).misses) == (False, 0)


def test_a_timely_move_resets_the_misses() -> None:
    game = Game("live 1m+0s")
    miss(game, BEN)
    while game.chair(BEN).misses:
        game.play_awaited()
    assert [step.by for step in game.row.steps if step.seat == game.chair(BEN).seat] == ["clock", "person"]


def test_house_players_do_not_play_alone_and_every_leaver_can_return() -> None:
    game = Game(players=2)
    game.send(Leave(BEN))
    game.send(Leave(ANN))
    steps = game.row.steps
    assert house_seats(game.world.state) == ()
    game.ring(days=1)
    assert (game.row.phase, game.row.steps) == ("playing", steps)
    game.send(TakeBack(BEN))
    while not game.match.game.result:
        game.play_awaited()
    assert {step.by for step in game.row.steps} == {"person", "house"}


def test_the_result_marks_players_who_left() -> None:
    game = Game(players=2)
    game.send(Leave(BEN))
    while not game.match.over:
        event = game.play_awaited()
    assert event.decision is not None
    assert event.decision.writes.outcome is not None
    left = {each.user for each in event.decision.writes.outcome.standings if each.left}
    assert left == {BEN}


def test_between_hands_house_players_are_ready_at_once_and_people_are_awaited() -> None:
    game = Game("relaxed 8h", hands=2)
    while not game.match.game.result:
        game.play_awaited()
    game.send(Leave(BEN))
    seat = game.chair(BEN).seat
    assert house_seats(game.world.state) == (seat,)
    game.send(ActAsHouse(game.match.moment, game.match.awaited, ((seat, Ready()),)))
    assert game.match.awaited == {game.chair(user).seat for user in (ANN, CAT)}
    for user in (ANN, CAT):
        game.send(Act(user, Ready()))
    assert game.match.deal == 2
