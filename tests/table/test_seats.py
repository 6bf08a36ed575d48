"""Seats that change hands in a match: substitutes, offers, absences, ratings."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.refusals import Refused
from bot.domain.working_hours import Hours, WorkSchedule
from bot.table.core import chairs, moderation, play, seats
from bot.table.core.commands import (
    AccessFound,
    KeepSeat,
    Leave,
    OfferSeat,
    OfferSeatOf,
    Pause,
    Resume,
    Start,
    Substitute,
    TakeBack,
)
from tests.table.game import ANN, BEN, CAT, MO, Game, said
from tests.table.screens import board_text
from tests.table.world import PEOPLE, START, THREAD, name_of

DAN, EVE = PEOPLE[3:5]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TAKE = "Take over for ann"


def offered(pace: str = "relaxed 8h") -> Game:
    """Return a match in which Ann, who is awaited, offers her seat."""
    game = Game(pace)
    assert game.awaited == ANN
    assert said(game.send(OfferSeat(ANN))) == [seats.OFFERED]
    return game


def taken(pace: str = "relaxed 8h") -> Game:
    """Return a match in which Dan has taken Ann's seat."""
    game = offered(pace)
    assert TAKE in board_text(game)
    assert said(game.send(Substitute(DAN, name_of(DAN), 0))) == [seats.SITS_IN]
    assert TAKE not in board_text(game)
    assert "dan is playing for ann." in board_text(game)
    return game


def times_out(game: Game) -> None:
    """Miss the deadline of the awaited player once."""
    late = game.awaited
    game.ring(seconds=max(game.time_left.total_seconds(), 0))
    game.send(AccessFound(late, lost=False))


def may_be_offered(game: Game, seat: int = 0) -> bool:
    """Tell whether a moderator may offer a seat now, without offering it."""
    return game.world.try_out(OfferSeatOf(MO, seat, game.row.chairs[seat].name)).refusal is None


def test_a_present_or_former_player_cannot_take_another_seat() -> None:
    game = offered()
    assert game.send_refused(Substitute(BEN, name_of(BEN), 0)).sentence == chairs.SEATED
    game.send(Substitute(DAN, name_of(DAN), 0))
    game.send(OfferSeat(CAT))
    assert game.send_refused(Substitute(ANN, name_of(ANN), 2)).sentence == seats.HAS_SEEN
    game.send(Leave(DAN))
    assert game.send_refused(Substitute(DAN, name_of(DAN), 2)).sentence == seats.HAS_SEEN
    game.send(Substitute(EVE, name_of(EVE), 2))


def test_a_withdrawn_seat_offer_cannot_be_taken() -> None:
    game = offered()
    assert said(game.send(KeepSeat(ANN))) == [seats.KEPT]
    assert TAKE not in board_text(game)
    for seat in (0, 1, 2, 77):
        assert game.send_refused(Substitute(DAN, name_of(DAN), seat)).sentence == chairs.NOT_OFFERED


def test_a_leaving_substitute_returns_the_seat() -> None:
    game = taken()
    assert said(game.send(Leave(DAN))) == [seats.GAVE_BACK]
    chair = game.row.chairs[0]
    assert (chair.user, chair.name, chair.owner, chair.house) == (ANN, "ann", None, True)
    game.play_awaited()
    game.send(TakeBack(ANN))
    assert not game.chair(ANN).house


def test_a_late_substitute_returns_the_seat() -> None:
    game = taken("relaxed 1h house")
    times_out(game)  # there are 12 hours more at a first move
    times_out(game)
    assert game.row.chairs[0].house
    game.play_awaited()
    game.send(TakeBack(ANN))
    assert (game.chair(ANN).name, game.chair(ANN).house) == ("ann", False)


def test_the_result_stays_with_the_original_player() -> None:
    game = taken()
    while game.row.phase == "playing":
        event = game.play_awaited()
    assert event.decision is not None
    assert event.decision.writes.outcome is not None
    first = event.decision.writes.outcome.standings[0]
    assert (first.user, first.name, first.left) == (ANN, "ann", True)


def test_an_offer_ends_with_the_match() -> None:
    game = Game()
    game.send(OfferSeat(ANN))
    while game.row.phase == "playing":
        game.play_awaited()
    assert TAKE not in board_text(game)
    refused = game.send_refused(Substitute(DAN, name_of(DAN), 0))
    assert isinstance(refused, Refused)
    assert refused.sentence == play.NO_MATCH_NOW


def test_a_moderator_can_offer_the_seat_of_an_absent_player_until_they_return() -> None:
    game = Game("relaxed 1h house")
    assert not may_be_offered(game)
    times_out(game)
    times_out(game)
    assert game.row.chairs[0].house
    assert said(game.send(OfferSeatOf(MO, 0, "ann"))) == [moderation.OFFERED_FOR]
    assert "Take over for ann 🤖" in board_text(game)
    game.play_awaited()
    game.send(TakeBack(ANN))
    assert "Take over" not in board_text(game)


def test_the_table_sets_the_absence_before_a_seat_can_be_offered() -> None:
    game = Game("relaxed 20h nudge seat12h")
    game.advance(hours=11)
    assert not may_be_offered(game)
    game.advance(hours=1)
    assert may_be_offered(game)


def test_sleep_does_not_count_as_absence() -> None:
    game = Game("relaxed 20h nudge seat15h")
    game.world.days[ANN] = WorkSchedule((Hours(START - 9 * DAY, "UTC", bed=23, night=8),))
    for hours, may in ((22, False), (0.9, False), (0.1, True)):  # 14 of them until bedtime, and 8 of sleep
        game.advance(hours=hours)
        assert may_be_offered(game) is may, hours


def test_2_1_only_dealt_players_decide_whether_a_match_is_rated() -> None:
    game = Game(players=3)
    game.world.delete(CAT)
    assert not game.row.unrated, "a match that runs stays as it was"
    game.world.deletions[DAN] = game.world.now
    game.send(OfferSeat(ANN))
    game.send(Substitute(DAN, name_of(DAN), game.chair(ANN).seat))
    assert not game.row.unrated
    again = Game(started=False)
    again.world.deletions[CAT] = again.world.now
    again.send(Start(ANN, THREAD, 1))
    assert again.row.unrated


def test_a_pause_keeps_the_access_wait() -> None:
    game = Game("relaxed")
    gone = game.awaited
    game.ring(seconds=game.time_left.total_seconds())
    game.send(AccessFound(gone, lost=True))
    assert game.row.deadline is not None
    since = game.row.deadline.shut_out
    assert since is not None
    game.send(Pause(MO))
    game.advance(hours=5)
    game.send(Resume(MO))
    assert game.row.deadline.shut_out == since
    assert game.time_left == DAY, "there is the time of a whole move"
