"""What the board says of a table's decisions, each a few lines: the terms of a lobby, and which matches count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.chairs import Level
from bot.domain.ids import UserId
from bot.domain.pace import Pace
from bot.domain.refusals import Unseen
from bot.games import GAMES
from bot.rules.core.asks import Ready
from bot.rules.variants.ruleset import read_code
from bot.table.core import lobby
from bot.table.core.commands import (
    AccessFound,
    Act,
    AddHousePlayer,
    Agree,
    ChangePace,
    ChangeRules,
    Join,
    Leave,
    Ring,
    Start,
)
from tests.table.game import ANN, BEN, Game, said
from tests.table.screens import board_text
from tests.table.world import PEOPLE, THREAD, name_of

FOR_FUN = "Rated once two people are in."
COUNTS = "Rated match."
BREAKS_OFF = "Just for fun: by these rules, running out of time ends the match, so it can't count."


def lobby_of(code: str, seats: int, pace: str = "live", there: int = 2) -> Game:
    """Return a lobby with a rule code, a number of seats, and a number of seated persons."""
    known, preset, changes = read_code(code, GAMES)
    game = Game(pace, seats, started=False, game=known.name, preset=preset, changes=changes, hands=None)
    game.world.server = replace(game.world.server, stakes=True)
    for user in PEOPLE[there:seats]:
        game.send(Leave(user))
    return game


def join(game: Game, user: UserId) -> None:
    """Join under the present terms."""
    game.send(Join(user, name_of(user), game.row.edition))


def set_stake(game: Game, stake: int) -> None:
    """Change the stake as the host."""
    game.send(ChangeRules(ANN, lambda rules: rules.but(stake=stake)))


# Whether the match will count


def test_a_lobby_says_whether_the_match_will_count() -> None:
    game = lobby_of("B2:std", 4, there=1)
    assert FOR_FUN in board_text(game)
    game.send(AddHousePlayer(ANN, Level.MEDIUM))
    assert FOR_FUN in board_text(game)
    join(game, BEN)
    assert "Rated at 67% because bots are playing." in board_text(game)
    game.send(Leave(BEN))
    assert FOR_FUN in board_text(game)


def test_a_lobby_says_that_its_rules_are_too_unusual_to_be_rated() -> None:
    assert COUNTS in board_text(lobby_of("B2:std+triples=false,flushes=false,pass=locked,stake=5", 2))
    far = board_text(lobby_of("B2:std+triples=false,flushes=false,pass=locked,pile=face_up", 2))
    assert "Unrated: the rules are too far from the usual ones. It still counts." in far


@pytest.mark.parametrize(("pace", "said"), [("live", BREAKS_OFF), ("slow", BREAKS_OFF), ("none", COUNTS)])
def test_a_match_that_a_timeout_ends_does_not_count(pace: str, said: str) -> None:
    assert said in board_text(lobby_of("LA:std+late=abort", 4, pace))


# What has changed


def test_returning_to_agreed_rules_is_a_change_too() -> None:
    game = lobby_of("B2:std", 2)
    set_stake(game, 0)
    set_stake(game, 1)
    assert "**ben**: hasn't agreed to these rules yet" in board_text(game)
    assert "everything's back to how it was" in board_text(game)


def test_the_lobby_shows_changes_and_their_author() -> None:
    game = lobby_of("B2:hk", 4)
    assert "changed this" not in board_text(game)
    set_stake(game, 5)
    stamp = f"<t:{int(game.world.now.timestamp())}:R>"
    assert f"✏️ ann changed this {stamp}: stake 1 → stake 5" in board_text(game)
    game.send(ChangePace(ANN, Pace.read("none")))
    assert ": stake 1 → stake 5; Live → No clock" in board_text(game)  # all that Ben has not agreed to
    game.advance(seconds=2)
    game.send(Agree(BEN, game.row.edition))
    game.send(ChangeRules(ANN, lambda rules: type(rules).of(rules.known, "singapore")))
    assert ": Hong Kong → Singapore" in board_text(game)


def test_a_later_host_must_agree_to_earlier_changes() -> None:
    game = lobby_of("B2:std", 4)
    set_stake(game, 0)
    game.send(Leave(ANN))
    assert game.row.host == BEN
    assert isinstance(game.send_refused(Start(BEN, THREAD, game.row.edition)), Unseen), "what somebody else has changed"
    game.advance(seconds=2)
    for _ in range(3):
        game.send(AddHousePlayer(BEN, Level.MEDIUM))
    assert "**ben** (host): hasn't agreed to these rules yet" in board_text(game)
    assert game.send_refused(Start(BEN, THREAD, game.row.edition)).sentence == lobby.NOT_READY
    game.send(Agree(BEN, game.row.edition))
    game.send(Start(BEN, THREAD, game.row.edition))
    assert game.row.phase == "playing"


def test_a_host_can_start_right_after_their_own_change() -> None:
    game = lobby_of("B2:std", 2, there=1)
    game.send(AddHousePlayer(ANN, Level.MEDIUM))
    set_stake(game, 5)
    game.send(Start(ANN, THREAD, game.row.edition))
    assert game.row.phase == "playing"


# Being late


def test_two_misses_in_a_row_lose_the_seat_at_a_slow_table() -> None:
    game = Game("slow", 2)
    late = game.awaited
    is_late(game)  # there is more time for a first move
    assert game.chair(late).misses == 0
    for missed in (1, 2):
        news = is_late(game)
        assert (game.chair(late).misses, game.chair(late).house) == (missed, missed == 2)
        while game.row.phase == "playing" and game.awaited != late and missed == 1:
            game.play_awaited()
    assert "{name} missed two moves in a row. A bot keeps the seat warm until {name} takes it back." in news


def test_a_player_not_ready_in_time_is_not_awaited() -> None:
    game = Game(players=2, hands=2)
    while game.match.game.result is None:
        game.play_awaited()
    game.send(Act(ANN, Ready()))
    game.advance(seconds=59)
    game.send(Ring())
    assert game.match.deal == 1
    game.ring()
    assert "Hand 2 of 2" in board_text(game)
    assert [step.by for step in game.row.steps if step.action == "ready"] == ["person", "clock"]


def is_late(game: Game) -> list[str]:
    """Miss the deadline of the awaited player; return the announcements."""
    late = game.awaited
    game.ring(days=1, seconds=1)
    return said(game.send(AccessFound(late, lost=False)))
