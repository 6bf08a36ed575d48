"""Votes of the players of a table: their effects, the waiting for answers, the refusals."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.chairs import Vote
from bot.domain.ids import UserId
from bot.domain.pace import Pace
from bot.domain.refusals import Refused
from bot.rules.core.asks import Again, Ready, read_action
from bot.show.table.votes import KINDS, PACE, STOPS, which_pace
from bot.table.core import agreements, play
from bot.table.core.commands import (
    AccessFound,
    Act,
    CastVote,
    Leave,
    OfferSeat,
    Resume,
    ReturnFromBreak,
    Substitute,
    Veto,
)
from tests.support.scenes import EN, selects
from tests.table.game import ANN, BEN, CAT, MO, Game, said
from tests.table.screens import board_text, menu_options, scene_of
from tests.table.world import PEOPLE, name_of

DAN = PEOPLE[3]
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def asked_for(game: Game) -> Vote:
    """Return what all are asked for, "" for nothing."""
    return next((chair.vote for chair in game.row.chairs if chair.vote not in ("", "granted")), "")


def agreed(game: Game, vote: Vote) -> Game:
    """Start a vote as Ann and agree for all others."""
    game.send(CastVote(ANN, vote, first=True))
    for chair in game.row.chairs:
        if chair.user not in (None, ANN) and not chair.house and asked_for(game):
            assert chair.user is not None
            game.send(CastVote(chair.user, vote))
    return game


def after_a_hand(**options: int) -> Game:
    """Return a match of two in its second hand."""
    game = Game(players=2, hands=3, **options)  # type: ignore[arg-type]
    while not game.match.game.result:
        game.play_awaited()
    for user in (ANN, BEN):
        game.send(Act(user, Ready()))
    return game


def replaced(game: Game, owner: UserId, by: UserId) -> None:
    """Substitute another player for the owner of a seat."""
    game.send(OfferSeat(owner))
    game.send(Substitute(by, name_of(by), game.chair(owner).seat))


# What it comes to


def test_a_vote_does_not_wait_for_a_player_who_left() -> None:
    game = Game()
    game.send(CastVote(ANN, "pause", first=True))
    game.send(CastVote(BEN, "pause"))
    assert not game.row.paused
    game.send(Leave(CAT))
    assert game.row.paused
    game.send(ReturnFromBreak(ANN))
    game.send(Leave(BEN))
    assert not game.row.paused


def test_a_redealt_hand_replaces_the_old_one() -> None:
    game = Game()
    before = game.match.game
    agreed(game, "again")
    assert isinstance(read_action(game.row.steps[-1].action), Again)
    assert (game.match.number, game.match.deal) == (1, 2)
    assert game.match.game != before


def test_a_match_cancelled_by_vote_is_closed() -> None:
    game = Game()
    for user in (ANN, BEN):
        game.send(CastVote(user, "cancel", first=user == ANN))
    assert said(game.send(CastVote(CAT, "cancel"))) == [agreements.CALLED_OFF_TOGETHER]
    assert game.row.phase == "closed"


def test_a_player_who_concedes_comes_last() -> None:
    game = after_a_hand()
    game.send(CastVote(ANN, "concede", first=True))
    assert "ann would like to give up: the match would end here. Waiting for ben to agree." in board_text(game)
    assert said(game.send(CastVote(BEN, "concede"))) == [agreements.CONCEDED]
    assert (game.row.phase, game.row.ended) == ("over", "agreed")
    assert scene_of(game, ANN).tally.places == (2, 1)


@pytest.mark.parametrize("pace", ["relaxed 8h", "live 1m+1m"])
def test_a_break_keeps_the_remaining_time(pace: str) -> None:
    game = Game(pace)
    game.advance(seconds=50)
    left = game.time_left
    agreed(game, "pause")
    game.advance(hours=30)
    for user in (ANN, BEN):
        game.send(ReturnFromBreak(user))
    assert game.row.paused
    assert said(game.send(ReturnFromBreak(CAT))) == [agreements.ALL_BACK]
    assert game.time_left == left


def test_a_moderator_may_end_a_break() -> None:
    game = agreed(Game(), "pause")
    game.send(Resume(MO))
    assert (game.row.paused, asked_for(game)) == (False, "")


def test_the_clock_runs_during_a_vote() -> None:
    game = Game("live 1m+0s")
    late = game.awaited
    game.advance(seconds=30)
    game.send(CastVote(ANN, "pause", first=True))
    assert game.time_left == MINUTE / 2
    game.send(Veto(game.other_player(ANN)))
    assert game.time_left == MINUTE / 2
    game.ring(seconds=30)
    game.send(AccessFound(late, lost=False))
    assert [step.by for step in game.row.steps] == ["clock"]


# Another pace


def test_a_pace_change_by_vote_takes_no_time_away() -> None:
    game = Game("relaxed 8h house seat12h")
    game.advance(hours=5)
    game.send(CastVote(BEN, "to_daily", first=True))
    assert "ben would like another pace: A move a day. Waiting for ann and cat to agree." in board_text(game)
    game.send(CastVote(CAT, "to_daily"))
    assert game.row.pace.kind == "relaxed"
    assert said(game.send(CastVote(ANN, "to_daily"))) == [agreements.ANOTHER_PACE]
    assert game.row.pace == Pace("daily", on_timeout="house", away=12 * HOUR)
    assert game.time_left == 2 * DAY
    game.advance(hours=1)
    agreed(game, "to_relaxed_8h")
    assert game.time_left == 47 * HOUR, "as much as the awaited player had"
    assert game.row.pace == Pace("relaxed", move=8 * HOUR, on_timeout="house", away=12 * HOUR)


def test_players_can_agree_on_live_and_no_clock() -> None:
    game = agreed(Game("relaxed"), "to_live")
    assert game.row.times == ()
    assert game.time_left <= 3 * MINUTE
    agreed(game, "to_none")
    assert game.row.deadline is None
    game.play_awaited()
    agreed(game, "to_relaxed")
    assert game.time_left == DAY


def test_a_refused_pace_delays_a_vote_on_another_pace() -> None:
    game = Game("relaxed")
    game.send(CastVote(ANN, "to_live", first=True))
    game.send(Veto(BEN))
    assert game.send_refused(CastVote(ANN, "to_none", first=True)).sentence == play.UNWANTED
    assert asked_for(game) == ""


def test_only_other_paces_of_the_server_are_offered() -> None:
    game = Game("relaxed")

    def offered() -> list[str]:
        (menu,) = selects(which_pace(scene_of(game, ANN), EN))
        return [KINDS[int(each.value)] for each in menu.options]

    assert offered() == ["to_live", "to_relaxed_8h", "to_daily", "to_daily_12h", "to_none"]
    game.world.server = replace(game.world.server, slow=False)
    assert offered() == ["to_live"]


# What is not asked


def test_conceding_needs_a_finished_hand() -> None:
    game = Game(players=2, hands=3)
    all_but_giving_up = *(str(KINDS.index(vote)) for vote in STOPS if vote != "concede"), PACE
    assert menu_options(game, ANN)["propose"] == all_but_giving_up
    assert str(KINDS.index("concede")) in menu_options(after_a_hand(), ANN)["propose"]
    assert game.send_refused(CastVote(ANN, "concede", first=True)).sentence == agreements.NOTHING_TO_LOSE


def test_only_one_vote_runs_at_a_time() -> None:
    game = Game()
    game.send(CastVote(ANN, "pause", first=True))
    for user in (ANN, BEN):
        assert "propose" not in menu_options(game, user)
    game.send(Veto(ANN))
    assert "propose" in menu_options(game, BEN)


def test_a_refusal_blocks_the_same_vote_for_its_askers_even_after_withdrawal() -> None:
    for refuses in (BEN, ANN):
        game = Game()
        game.send(CastVote(ANN, "pause", first=True))
        game.send(Veto(refuses))
        assert "would like" not in board_text(game)
        assert game.send_refused(CastVote(ANN, "pause", first=True)).sentence == play.UNWANTED
        game.send(CastVote(ANN, "cancel", first=True))
        game.send(Veto(CAT))
        game.send(CastVote(CAT, "pause", first=True))
        assert "cat would like a break." in board_text(game)


def test_a_supporter_of_a_refused_vote_cannot_repeat_it_at_once() -> None:
    game = Game()
    game.send(CastVote(ANN, "pause", first=True))
    game.send(CastVote(BEN, "pause"))
    game.send(Veto(CAT))
    for user in (ANN, BEN):
        assert game.send_refused(CastVote(user, "pause", first=True)).sentence == play.UNWANTED
    game.advance(minutes=10)
    game.send(CastVote(BEN, "pause", first=True))
    assert asked_for(game) == "pause"


def test_a_play_withdraws_a_vote_which_can_be_repeated() -> None:
    game = Game()
    game.send(CastVote(ANN, "pause", first=True))
    game.play_awaited()
    assert asked_for(game) == ""
    assert game.send_refused(CastVote(BEN, "pause")).sentence == agreements.NO_LONGER_ASKED
    game.send(CastVote(ANN, "pause", first=True))
    assert asked_for(game) == "pause"


def test_a_substituted_player_votes_after_their_return() -> None:
    game = Game("live 1m+0s house", players=2)
    late = game.awaited
    game.ring(minutes=1)
    game.send(AccessFound(late, lost=False))
    game.send(CastVote(game.other_player(late), "cancel", first=True))
    assert f"Waiting for {name_of(late)} 🤖 to agree." in board_text(game)
    assert game.send_refused(CastVote(late, "cancel")).sentence == play.TAKE_BACK
    assert game.row.phase == "playing"


# Nothing is undone for a player without a say


@pytest.mark.parametrize("vote", ["again", "cancel"])
def test_2_8_no_hand_can_be_undone_after_a_player_left_or_was_replaced(vote: Vote) -> None:
    for gone in (lambda game: game.send(Leave(BEN)), lambda game: replaced(game, BEN, DAN)):
        game = Game(players=2, hands=2)
        gone(game)
        assert str(KINDS.index(vote)) not in menu_options(game, ANN)["propose"]
        assert game.send_refused(CastVote(ANN, vote, first=True)).sentence == agreements.SOMEBODY_LEFT
        assert game.row.steps == ()
    assert game.send_refused(CastVote(DAN, vote, first=True)).sentence == agreements.SOMEBODY_LEFT
    assert isinstance(game.send_refused(CastVote(ANN, vote)), Refused)


@pytest.mark.parametrize("vote", ["again", "cancel"])
def test_2_8_the_departure_of_an_undecided_player_undoes_no_hand(vote: Vote) -> None:
    for gone in (lambda game: game.send(Leave(CAT)), lambda game: replaced(game, CAT, DAN)):
        game = Game(hands=2)
        game.send(CastVote(ANN, vote, first=True))
        game.send(CastVote(BEN, vote))
        gone(game)
        assert (game.row.phase, game.match.deal, game.row.steps) == ("playing", 1, ())
        assert asked_for(game) == "", "nobody is asked any more for what cannot be"
    assert isinstance(game.send_refused(CastVote(DAN, vote)), Refused)


def test_2_8_departed_and_substituted_players_have_no_vote() -> None:
    game = Game(hands=2)
    game.send(CastVote(ANN, "pause", first=True))
    replaced(game, BEN, DAN)
    game.send(Leave(CAT))
    for user in (BEN, CAT):
        assert isinstance(game.send_refused(CastVote(user, "pause")), Refused)
        assert isinstance(game.send_refused(Veto(user)), Refused)
    assert not game.row.paused, "who sits there now has not agreed"
