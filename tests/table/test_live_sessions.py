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
    """Let each play once, within a few seconds."""
    for _ in range(3):
        game.later(seconds=2)
        game.plays()


def live(hands: int = 1) -> Game:
    """Return such a table after all have agreed to play live."""
    game = all_there(hands)
    for user in PEOPLE[:3]:
        game.does(PlayLive(user))
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
    game.does(PlayLive(BEN))
    game.does(PlayLive(BEN))
    assert (ready_to(game), game.row.pace) == ({BEN}, SLOW)
    game.does(PlayLive(ANN))
    assert said(game.does(PlayLive(game.other(ANN, BEN)))) == [agreements.LIVE_NOW]
    assert (game.row.pace.kind, game.row.own_pace) == ("live", SLOW)
    assert game.left <= timedelta(minutes=2)


def test_no_live_session_is_offered_after_a_slow_move() -> None:
    game = Game("relaxed 8h")
    game.plays()
    game.later(minutes=5)
    game.plays()
    game.plays()
    assert not is_offered(game)


def test_an_agreement_to_play_live_expires() -> None:
    game = all_there()
    game.does(PlayLive(ANN))
    assert ready_to(game) == {ANN}
    game.later(minutes=10)
    go_round(game)
    assert (is_offered(game), ready_to(game)) == (True, set())


def test_a_substitute_counts_as_present_after_their_own_move() -> None:
    game = all_there()
    away = game.other(game.awaited)
    game.does(OfferSeat(away))
    game.does(Substitute(DAN, name_of(DAN), game.chair(away).seat))
    assert not is_offered(game)
    while game.awaited != DAN:
        game.plays()
    assert not is_offered(game)
    game.plays()
    assert is_offered(game)


def test_any_player_can_end_a_live_session_which_restores_the_clocks() -> None:
    game = live()
    before = {time.seat: time.left for time in game.row.times}
    assert not any(time.since for time in game.row.times)
    game.later(seconds=50)
    assert said(game.does(EndLiveSession(BEN))) == [agreements.SLOW_AGAIN]
    assert game.row.pace == SLOW
    assert {time.seat: time.left for time in game.row.times} == before
    assert sum(time.since is not None for time in game.row.times) == 1
    assert game.left > timedelta(hours=7)


def test_an_absent_player_ends_the_live_session_without_a_miss() -> None:
    game = live()
    away, steps = game.awaited, game.row.steps
    for pace in ("live", "relaxed"):
        game.rings(seconds=game.left.total_seconds())
        game.does(AccessFound(away, lost=False))
        assert (game.row.pace.kind, game.row.steps) == (pace, steps)
    assert not any(chair.misses or chair.house for chair in game.row.chairs)


def test_a_match_that_ends_in_a_live_session_keeps_its_own_pace() -> None:
    game = live()
    while not game.match.over:
        game.plays()
    assert (game.row.phase, game.row.pace) == ("over", SLOW)
