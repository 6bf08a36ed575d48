"""A slow table with all players present is played live for a while, without loss for any player."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.ids import UserId
from bot.domain.pace import Pace
from bot.table.core import agreements
from bot.table.core.agreements import agreeing, players_present
from bot.table.core.commands import AccessFound, EndLiveSession, OfferSeat, PlayLive, Substitute
from tests.table.game import ANN, BEN, Game, said
from tests.table.world import PEOPLE, name_of

DAN, SLOW = PEOPLE[3], Pace.read("relaxed 8h")


def all_there(hands: int = 1) -> Game:
    """Return a slow table of three at which each has just played."""
    game = Game("relaxed 8h", hands=hands)
    go_round(game)
    return game


def go_round(game: Game) -> None:
    """Play once for each player, within a few seconds."""
    for _ in range(3):
        game.advance(seconds=2)
        game.play_awaited()


def live(hands: int = 1) -> Game:
    """Return such a table after all have agreed to play live."""
    game = all_there(hands)
    for user in PEOPLE[:3]:
        game.send(PlayLive(user))
    assert game.row.pace.kind == "live"
    return game


def is_offered(game: Game) -> bool:
    """Tell whether the players may agree to play live now."""
    return bool(players_present(game.row, game.match))


def ready_to(game: Game) -> set[UserId]:
    """Return who has agreed to play live."""
    there = agreeing(game.row, players_present(game.row, game.match))
    return {chair.user for chair in game.row.chairs if chair.seat in there and chair.user}


def test_each_agreement_counts_once_and_the_last_starts_the_live_session() -> None:
    game = all_there()
    game.send(PlayLive(BEN))
    game.send(PlayLive(BEN))
    assert (ready_to(game), game.row.pace) == ({BEN}, SLOW)
    game.send(PlayLive(ANN))
    assert said(game.send(PlayLive(game.other_player(ANN, BEN)))) == [agreements.LIVE_NOW]
    assert (game.row.pace.kind, game.row.own_pace) == ("live", SLOW)
    assert game.time_left <= timedelta(minutes=2)


def test_no_live_session_is_offered_after_a_slow_move() -> None:
    game = Game("relaxed 8h")
    game.play_awaited()
    game.advance(minutes=5)
    game.play_awaited()
    game.play_awaited()
    assert not is_offered(game)


def test_an_agreement_to_play_live_expires() -> None:
    game = all_there()
    game.send(PlayLive(ANN))
    assert ready_to(game) == {ANN}
    game.advance(minutes=10)
    go_round(game)
    assert (is_offered(game), ready_to(game)) == (True, set())


def test_a_substitute_counts_as_present_after_their_own_move() -> None:
    game = all_there()
    away = game.other_player(game.awaited)
    game.send(OfferSeat(away))
    game.send(Substitute(DAN, name_of(DAN), game.chair(away).seat))
    assert not is_offered(game)
    while game.awaited != DAN:
        game.play_awaited()
    assert not is_offered(game)
    game.play_awaited()
    assert is_offered(game)


def test_any_player_can_end_a_live_session_which_restores_the_clocks() -> None:
    game = live()
    before = {time.seat: time.left for time in game.row.times}
    assert not any(time.since for time in game.row.times)
    game.advance(seconds=50)
    assert said(game.send(EndLiveSession(BEN))) == [agreements.SLOW_AGAIN]
    assert game.row.pace == SLOW
    assert {time.seat: time.left for time in game.row.times} == before
    assert sum(time.since is not None for time in game.row.times) == 1
    assert game.time_left > timedelta(hours=7)


def test_an_absent_player_ends_the_live_session_without_a_miss() -> None:
    game = live()
    away, steps = game.awaited, game.row.steps
    for pace in ("live", "relaxed"):
        game.ring(seconds=game.time_left.total_seconds())
        game.send(AccessFound(away, lost=False))
        assert (game.row.pace.kind, game.row.steps) == (pace, steps)
    assert not any(chair.misses or chair.house for chair in game.row.chairs)


def test_a_match_that_ends_in_a_live_session_keeps_its_own_pace() -> None:
    game = live()
    while not game.match.over:
        game.play_awaited()
    assert (game.row.phase, game.row.pace) == ("over", SLOW)
