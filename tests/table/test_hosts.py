"""A departed host is replaced by the next person in seat order, for good."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.table.core.chairs import NO_HOST
from bot.table.core.commands import (
    AccessFound,
    Expel,
    Join,
    Leave,
    OfferSeat,
    RemoveAbsent,
    Substitute,
    TakeBack,
    Vacate,
)
from tests.table.game import ANN, BEN, CAT, MO, Game
from tests.table.world import PEOPLE, name_of

DAN = PEOPLE[3]


def leave(game: Game) -> None:
    game.send(Leave(ANN))


def be_removed(game: Game) -> None:
    game.send(Expel(MO, 0, name_of(ANN)))


def leave_the_server(game: Game) -> None:
    game.send(RemoveAbsent(ANN))


def be_late(game: Game) -> None:
    while not game.chair(ANN).house:
        if game.awaited != ANN:
            game.play_awaited()
        else:
            game.ring()
            game.send(AccessFound(ANN, lost=False))


def offer_the_seat(game: Game) -> None:
    game.send(OfferSeat(ANN))
    game.send(Substitute(DAN, name_of(DAN), 0))


def delete_their_data(game: Game) -> None:
    game.world.delete(ANN)
    game.send(Vacate(0, ""))


WAYS = (leave, be_removed, leave_the_server, be_late, offer_the_seat, delete_their_data)


@pytest.mark.parametrize("go", WAYS)
def test_the_next_person_in_seat_order_follows_a_departing_host(go: Callable[[Game], None]) -> None:
    game = Game("live 1m+0s house")
    assert game.row.host == ANN
    go(game)
    assert game.row.host == BEN


def test_house_players_are_skipped_and_seat_order_wraps_around() -> None:
    game = Game()
    game.send(Leave(BEN))
    game.send(Leave(ANN))
    assert game.row.host == CAT
    while game.awaited != CAT:
        game.play_awaited()  # house players
    game.send(TakeBack(ANN))
    assert game.row.host == CAT, "nobody is host again with the seat"
    game.send(Leave(CAT))
    assert game.row.host == ANN


def test_in_a_lobby_the_next_host_is_by_seat_not_by_arrival() -> None:
    game = Game(players=3, started=False)
    game.send(Leave(CAT))
    game.send(Leave(ANN))
    for user in (ANN, CAT):
        game.send(Join(user, name_of(user), 1))
    assert [chair.user for chair in game.row.chairs] == [ANN, BEN, CAT]
    game.send(Leave(BEN))
    assert game.row.host == CAT


def test_a_table_of_house_players_has_no_host() -> None:
    game = Game()
    for user in (ANN, BEN, CAT):
        game.send(Leave(user))
    game.send(TakeBack(ANN))
    assert (game.row.phase, game.row.host) == ("playing", NO_HOST)


def test_a_late_host_alone_with_house_players_stays_host() -> None:
    game = Game("live 1m+0s house", players=2)
    game.send(Leave(BEN))
    while not game.chair(ANN).house:
        if game.awaited == BEN:
            game.play_awaited()
        else:
            game.ring()
            game.send(AccessFound(ANN, lost=False))
    game.send(TakeBack(ANN))
    assert game.row.host == ANN
