"""Examples of what a table decides, each a few lines: what the clock does, how seats change, what players agree on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.effects import Announcement, Redraw, Reminder, ShutOutNotice
from bot.domain.ids import TableId
from bot.domain.pace import DAILY, Pace, with_times_of
from bot.domain.rating import RankedMatch
from bot.domain.refusals import TooLate, Unseen
from bot.domain.working_hours import Hours
from bot.games import GAMES
from bot.rules.core.asks import Pass, Stop
from bot.table.core import (
    agreements,
    chairs,
    clock_rules,
    eligibility,
    lobby,
    lobby_conditions,
    moderation,
    play,
    seats,
    suspension,
)
from bot.table.core.chairs import NO_HOST
from bot.table.core.commands import (
    AccessFound,
    Act,
    Agree,
    CallOff,
    CastVote,
    ChangePace,
    ChangeRules,
    CloseLobby,
    EndMatch,
    EndSuspension,
    Expel,
    GrantTime,
    Join,
    Leave,
    OfferSeat,
    OfferSeatOf,
    Pause,
    PlayDuplicate,
    PlayLive,
    RecomputeDeadline,
    Repost,
    Resume,
    ReturnFromBreak,
    Ring,
    SavePremove,
    Start,
    Substitute,
    Suspend,
    TakeBack,
    Vacate,
    Veto,
)
from bot.table.core.state import CheckAccess
from tests.table.game import ANN, BEN, CAT, MO, Game, said
from tests.table.world import CHANNEL, PEOPLE, START, THREAD, name_of

SOON = timedelta(seconds=12)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DAN, GUS = PEOPLE[3], PEOPLE[6]


# The clock


def test_the_membership_of_a_late_player_is_checked_before_the_clock_acts() -> None:
    game = Game("live 1m+0s")
    late = game.awaited
    asked = game.ring(minutes=1)
    assert asked.decision is not None
    assert asked.decision.signals == (CheckAccess(late),)
    game.send(AccessFound(late, lost=False))
    assert [step.by for step in game.row.steps] == ["clock"]
    assert game.chair(late).misses == 1


def test_slow_moves_use_up_the_reserve_of_a_live_table() -> None:
    game = Game("live 1m+1m")
    slow = game.awaited
    assert game.time_left == 2 * MINUTE
    game.advance(seconds=90)
    game.play_awaited()
    assert game.time_left == 2 * MINUTE
    while game.awaited != slow:
        game.play_awaited()
    assert game.time_left == MINUTE + timedelta(seconds=30)


def test_a_reminder_comes_once_before_the_deadline() -> None:
    game = Game("relaxed 10h")
    event = game.ring(hours=8)
    assert event.decision is not None
    assert event.decision.effects == (Reminder(0),)
    assert game.send(Ring()).decision == event.decision.__class__(game.world.state)


def test_the_first_move_of_a_slow_match_has_a_grace_period() -> None:
    game = Game("relaxed 1h")
    late = game.awaited
    game.ring(hours=1)
    assert said(game.send(AccessFound(late, lost=False))) == [clock_rules.GRACE]
    assert game.time_left == 12 * HOUR
    game.ring(hours=12)
    game.send(AccessFound(late, lost=False))
    assert [step.by for step in game.row.steps] == ["clock"]


def test_a_house_player_substitutes_at_once_if_the_table_says_so() -> None:
    game = Game("live 1m+0s house")
    late = game.awaited
    game.ring(minutes=1)
    assert said(game.send(AccessFound(late, lost=False))) == [clock_rules.SUBSTITUTED]
    assert (game.chair(late).house, game.chair(late).away) == (True, "late")
    assert game.row.steps == ()


def test_the_next_hand_is_dealt_early_to_a_single_person_and_waits_for_returning_players() -> None:
    for pace, usual in (("live", MINUTE), ("relaxed", HOUR), ("none", HOUR)):
        game = Game(pace, hands=2)
        while not game.match.game.result:
            game.play_awaited()
        game.send(Leave(BEN))
        assert game.time_left == usual
        game.send(Leave(CAT))
        assert game.time_left == SOON
        game.advance(seconds=5)
        game.send(TakeBack(BEN))
        assert game.time_left == usual
        game.send(Leave(BEN))
        game.ring()
        assert game.match.deal == 2


def test_the_next_hand_does_not_preempt_a_request_to_end() -> None:
    game = Game("live 1m+0s house", players=2, hands=2)
    while len([chair for chair in game.row.chairs if chair.house]) == 0:
        late = game.awaited
        game.ring(minutes=1)
        game.send(AccessFound(late, lost=False))
    while not game.match.game.result:
        game.play_awaited()
    assert game.time_left == SOON
    (there,) = (chair.user for chair in game.row.chairs if chair.user and not chair.house)
    game.send(Act(there, Stop()))
    assert game.time_left == MINUTE


def test_a_nudge_table_grants_a_new_move_after_a_timeout() -> None:
    game = Game("relaxed 2h nudge")
    late = game.awaited
    game.ring(hours=2)
    event = game.send(AccessFound(late, lost=False))
    assert event.decision is not None
    assert event.decision.effects == (Reminder(0),)
    assert game.time_left == 2 * HOUR


def test_no_player_times_out_at_night() -> None:
    game = Game(
        "relaxed 8h", nights=dict.fromkeys(PEOPLE, 15)
    )  # it is nine: six hours today, two after eleven at night
    assert game.time_left == 16 * HOUR
    game.world.days.clear()
    game.send(RecomputeDeadline())
    assert game.time_left == 8 * HOUR


def test_an_outage_uses_no_time() -> None:
    for pace in ("live 1m+0s", "relaxed 8h"):
        game = Game(pace)
        whole = game.time_left
        game.world.go_away(5 * HOUR)
        game.send(RecomputeDeadline())
        assert game.time_left == whole


def asked_at_nine(pace: str = "relaxed 8h", bed: int = 14) -> Game:
    """Return a match whose players are all asked something at nine, with half of a move's time. bed: Ann's, of UTC."""
    game = Game(pace, 5, {ANN: bed, GUS: 11}, game="big_a", preset="quick")
    assert game.match.game.secrecy.together
    return game


def test_a_question_paused_into_the_night_keeps_the_remaining_time_for_the_morning() -> None:
    for stop, resume in ((Pause(MO), Resume(MO)), (Suspend(), EndSuspension())):
        game = asked_at_nine()
        assert game.time_left == 4 * HOUR
        game.advance(hours=2)
        game.send(stop)
        game.advance(hours=3)
        game.send(resume)
        assert game.time_left == 10 * HOUR  # Ann sleeps for eight hours from now on


def test_a_pause_repeats_no_reminder_of_a_question() -> None:
    game = asked_at_nine()
    event = game.ring()
    assert event.decision is not None
    assert event.decision.effects == (Reminder(0),)
    game.send(Pause(MO))
    game.send(Resume(MO))
    event = game.ring(minutes=1)
    assert event.decision is not None
    assert event.decision.effects == ()


def test_a_question_delayed_into_the_night_keeps_at_least_the_remaining_time() -> None:
    game = asked_at_nine()
    game.advance(hours=2)
    game.world.go_away(3 * HOUR)
    game.send(RecomputeDeadline())
    assert 10 * HOUR <= game.time_left <= 12 * HOUR


def test_the_deadline_of_a_question_follows_the_working_hours_of_its_players() -> None:
    game = asked_at_nine("relaxed", bed=16)
    assert game.time_left == 20 * HOUR
    game.world.days[ANN] = game.world.day_of(ANN).with_hours(Hours(START, "UTC", bed=0, night=8), game.world.now)
    game.send(RecomputeDeadline())
    assert game.time_left == 28 * HOUR


def test_a_substitute_has_full_time_for_a_question() -> None:
    game = asked_at_nine()
    game.send(OfferSeat(BEN))
    game.advance(hours=2)
    game.send(Substitute(GUS, name_of(GUS), game.chair(BEN).seat))
    assert game.time_left == 12 * HOUR  # Gus sleeps for eight of them


def test_granted_time_is_added_to_the_remaining_time() -> None:
    game = Game("relaxed 2h")
    giver = game.other_player(game.awaited)
    game.send(GrantTime(giver, None))
    assert game.time_left == 14 * HOUR
    assert str(game.send_refused(GrantTime(giver, None))).startswith("There's plenty of time")
    assert game.send_refused(GrantTime(game.awaited, None)).sentence == clock_rules.NOTHING_TO_GRANT


def test_leaving_during_a_shared_question_extends_no_deadline() -> None:
    game = Game("slow", players=5, game="big_a", preset="standard")
    deadline = game.row.deadline
    assert len(game.match.awaited) == 5
    game.advance(minutes=8)
    game.send(Leave(CAT))
    assert game.row.deadline == deadline


def test_no_time_is_granted_before_the_first_card() -> None:
    game = Game("relaxed 2h")
    row = replace(game.row, phase="lobby", chairs=game.row.chairs[2:])
    game.world.state = replace(game.world.state, row=row, match=None)
    assert game.send_refused(GrantTime(game.row.chairs[0].user or ANN, None)).sentence == clock_rules.NOTHING_TO_GRANT


# Seats


def test_a_player_who_left_can_return_after_the_house_has_moved() -> None:
    game = Game()
    gone = game.awaited
    game.send(Leave(gone))
    assert game.time_left == timedelta(seconds=10)
    assert game.send_refused(TakeBack(gone)).sentence == seats.HOUSE_MOVES_FOR_YOU
    game.play_awaited()
    assert said(game.send(TakeBack(gone))) == [seats.BACK]
    assert not game.chair(gone).house


def test_a_substitute_has_the_time_of_a_move_and_the_owner_the_result() -> None:
    game = Game("relaxed 8h")
    owner = game.awaited
    game.send(OfferSeat(owner))
    game.advance(hours=7)
    game.send(Substitute(DAN, name_of(DAN), game.seat))
    assert (game.awaited, game.time_left) == (DAN, 8 * HOUR)
    assert (game.chair(DAN).owner, game.world.substitutes) == (owner, {f"mark of {DAN}"})
    assert game.send_refused(Substitute(owner, "x", game.seat)).sentence == chairs.NOT_OFFERED


def test_the_host_role_passes_on_and_is_empty_when_all_have_left() -> None:
    game = Game()
    for user in PEOPLE[:3]:
        assert game.row.host == user
        game.send(Leave(user))
    assert (game.row.host, game.time_left) == (NO_HOST, 7 * DAY)


def test_a_deserted_rated_match_is_played_to_its_end() -> None:
    game = Game()
    for user in PEOPLE[:3]:
        game.send(Leave(user))
    event = game.ring(days=7)
    assert (game.row.phase, game.row.ended) == ("over", "itself")
    assert event.decision is not None
    assert event.decision.writes.outcome is not None


def test_the_match_continues_when_a_players_data_is_deleted() -> None:
    game = Game()
    gone, seat = game.awaited, game.seat
    game.world.delete(gone)
    game.send(Vacate(seat, ""))
    assert game.time_left == timedelta(seconds=10)
    assert gone not in [chair.user for chair in game.row.chairs]


def test_a_match_whose_last_player_was_deleted_waits_a_week() -> None:
    """The clock may ring before the table learns of the deletion."""
    for pace in ("live", "relaxed 8h"):
        game = Game(pace)
        gone, seat = game.awaited, game.seat
        game.send(Leave(game.other_player(gone)))
        game.send(Leave(game.other_player(gone, game.other_player(gone))))
        game.world.delete(gone)
        game.ring(days=1)
        assert game.row.open
        game.send(Vacate(seat, ""))
        assert game.time_left == 7 * DAY
        game.ring()
        assert game.row.phase == "over"


# Agreements


def test_a_unanimous_vote_is_carried_out_and_one_veto_ends_it() -> None:
    game = Game()
    game.send(CastVote(ANN, "cancel", first=True))
    asked_otherwise = game.send_refused(CastVote(game.other_player(ANN), "pause", first=True))
    assert asked_otherwise.sentence == agreements.ASKED_OTHERWISE
    game.send(Veto(game.other_player(ANN)))
    assert [chair.vote for chair in game.row.chairs] == ["", "", ""]
    for user in (game.other_player(ANN), game.other_player(ANN, game.other_player(ANN)), ANN):
        game.send(CastVote(user, "cancel", first=user == game.other_player(ANN)))
    assert game.row.phase == "closed"


def test_a_pause_keeps_the_remaining_time() -> None:
    for pace in ("live 1m+1m", "relaxed 8h", "daily"):
        game = Game(pace)
        game.advance(seconds=50)
        left = game.time_left
        game.send(Pause(MO))
        game.advance(days=2)
        assert game.send_refused(Act(game.awaited, Pass())).sentence.startswith("This table is paused")
        game.send(Resume(MO))
        assert game.time_left == left


def test_a_forgotten_pause_ends_by_itself() -> None:
    game = Game()
    game.send(Pause(MO))
    assert said(game.ring(days=7)) == [moderation.PAUSE_OVER]
    assert not game.row.paused


def test_house_players_wait_during_a_pause_and_people_may_leave() -> None:
    game = Game()
    game.send(Pause(MO))
    game.send(Leave(game.awaited))
    assert play.house_seats(game.world.state) == ()
    assert game.send_refused(Pause(MO)).sentence == "This table is already paused."
    game.send(Resume(MO))
    assert play.house_seats(game.world.state) == (game.seat,)


def test_a_table_that_all_left_during_a_pause_waits_a_week() -> None:
    for pace in ("live", "relaxed", "none"):
        game = Game(pace)
        game.send(Pause(MO))
        for user in PEOPLE[:3]:
            game.send(Leave(user))
        game.send(Resume(MO))
        assert game.time_left == 7 * DAY, pace


def test_the_last_late_player_has_a_full_move_after_returning() -> None:
    for pace, whole in (("live 1m+0s house", MINUTE), ("relaxed 8h house", 8 * HOUR)):
        game = Game(pace, players=2)
        late = game.awaited
        game.play_awaited()
        game.send(Leave(game.awaited))
        game.play_awaited()
        game.ring()
        game.ring()
        game.send(AccessFound(late, lost=False))
        assert game.chair(late).away == "late"
        game.advance(days=1)
        game.send(TakeBack(late))
        assert game.time_left == whole


# Discord


def test_a_suspended_table_resumes_with_its_remaining_time() -> None:
    game = Game("live 1m+1m")
    game.advance(seconds=30)
    left = game.time_left
    game.world.writable = False
    game.send(Ring())
    assert (game.row.paused, game.row.suspended_since) == (True, game.world.now)
    assert game.send_refused(Act(game.awaited, Pass())).sentence == suspension.ASLEEP
    game.ring(days=3)
    game.world.writable = True
    game.send(EndSuspension())
    assert (game.time_left, game.row.suspended_since) == (left, None)


def test_a_match_that_stays_suspended_ends() -> None:
    game = Game()
    game.send(Suspend())
    game.ring(days=30)
    assert game.row.phase == "closed"


def test_a_match_waits_for_a_player_without_access_and_then_does_not_count() -> None:
    game = Game("live 1m+0s")
    late = game.awaited
    assert game.row.counts
    game.ring(minutes=1)
    event = game.send(AccessFound(late, lost=True))
    assert event.decision is not None
    assert event.decision.effects == (ShutOutNotice(late),)
    game.ring(days=1)
    game.send(AccessFound(late, lost=True))
    assert (game.row.counts, game.chair(late).away) == (False, "late")


def test_a_player_who_regains_access_has_a_full_move() -> None:
    game = Game("relaxed 8h")
    late = game.awaited
    game.ring(hours=8)
    game.send(AccessFound(late, lost=True))
    game.ring()
    game.send(AccessFound(late, lost=False))
    assert game.time_left == 8 * HOUR


# Clicks and moderators


def test_a_click_for_an_earlier_moment_is_too_late() -> None:
    game = Game()
    game.play_awaited()
    assert isinstance(game.send_refused(Act(game.awaited, Pass(), 0)), TooLate)


def test_a_premove_is_carried_out_after_a_delay() -> None:
    game = Game("none")
    first = game.awaited
    game.play_awaited()
    last = game.other_player(first, game.awaited)
    game.send(SavePremove(last, kind="pass"))
    assert game.row.premove_at is None
    game.play_awaited()
    assert game.row.premove_at is not None
    game.ring()
    assert game.row.steps[-1].by == "order"


def test_players_may_not_moderate_their_own_table() -> None:
    game = Game()
    assert game.send_refused(CallOff(MO.__class__(ANN, "Ann"))).sentence == moderation.OWN_TABLE
    event = game.send(EndMatch(MO))
    assert (game.row.phase, game.world.state.row.channel) == ("closed", CHANNEL)
    assert event.decision is not None
    assert event.decision.writes.moderation is not None


def test_a_removed_player_sees_a_spectators_view() -> None:
    game = Game()
    seat = game.chair(BEN).seat
    assert chairs.visible_seat(game.row.chairs, seat) == seat
    game.send(Expel(MO, seat, name_of(BEN)))
    assert chairs.visible_seat(game.row.chairs, seat) is None
    assert game.chair(BEN).away == "removed"


def test_matches_are_rated_again_a_month_after_a_data_deletion() -> None:
    for seconds, unrated in ((0, True), (1, False)):
        game = Game(started=False)
        game.world.deletions[CAT] = game.world.now - timedelta(days=30, seconds=seconds)
        game.send(Start(ANN, THREAD, 1))
        assert game.row.unrated is unrated


def test_a_finished_match_is_rated_unless_excluded_or_ended_by_a_moderator() -> None:
    known, match = GAMES["big_two"], RankedMatch(TableId(1), START, (3, -3), {}, preset="pagat")
    assert eligibility.is_rated(known, match)
    assert not eligibility.is_rated(known, replace(match, unrated=True))
    assert not eligibility.is_rated(known, replace(match, ended="moderator"))


def test_a_live_session_is_not_offered_before_every_player_has_acted() -> None:
    game = Game("relaxed 8h")
    game.send_refused(PlayLive(game.awaited))
    assert game.row.own_pace is None


# The lobby


def test_changed_rules_need_new_agreements() -> None:
    game = Game(started=False)
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(hands=3)))
    assert game.row.edition == 2
    assert [chair.agreed for chair in game.row.chairs] == [2, 1, 1]
    assert isinstance(game.send_refused(Agree(PEOPLE[1], 1)), Unseen)
    assert isinstance(game.send_refused(Agree(PEOPLE[1], 2)), Unseen)  # at once, before any player can have read it
    game.advance(seconds=2)
    game.send(Agree(PEOPLE[1], 2))
    assert game.send_refused(Start(ANN, None, 2)).sentence == lobby.NOT_READY
    game.send(Agree(PEOPLE[2], 2))
    assert isinstance(game.send_refused(Start(ANN, THREAD, 1)), Unseen)  # the host's own screen is of before


def test_changes_are_compared_with_the_agreed_rules_of_a_player() -> None:
    game = Game(started=False)
    before = game.row.options
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(hands=2)))
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(hands=3)))
    assert game.row.revised is not None
    assert game.row.revised.options == before
    game.advance(seconds=2)
    game.send(Agree(PEOPLE[1], 3))
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(hands=4)))
    assert game.row.revised.options != before


def test_closing_a_lobby_notifies_its_other_players() -> None:
    game = Game(started=False)
    event = game.send(CloseLobby(ANN))
    assert event.decision is not None
    [told] = event.decision.effects
    assert isinstance(told, Announcement)
    assert (told.sentence, told.called) == (lobby.CLOSED, PEOPLE[1:3])
    assert game.send_refused(CloseLobby(ANN)).sentence == "This table is closed."


def test_the_same_deals_cannot_be_played_twice() -> None:
    game = Game(started=False)
    game.send(Leave(PEOPLE[2]))
    game.send(PlayDuplicate(ANN))
    assert (game.row.duplicate_id, game.row.stays) == (1, True)
    assert game.send_refused(ChangeRules(ANN, lambda rules: rules.with_wishes(hands=3))).sentence == lobby.SAME_RULES
    game.advance(seconds=2)
    game.world.elsewhere = {DAN}
    game.world.deletions[PEOPLE[4]] = game.world.now
    game.world.deletions[PEOPLE[5]] = game.world.now - DAY
    assert game.send_refused(Join(DAN, name_of(DAN), 2)).sentence == lobby_conditions.TWICE
    assert game.send_refused(Join(PEOPLE[4], "eve", 2)).sentence == lobby_conditions.FORGOTTEN
    game.send(Join(PEOPLE[5], "fay", 2))


def test_a_server_limits_games_and_paces() -> None:
    game = Game(started=False)
    game.world.server = replace(game.world.server, games=("tien_len",))
    assert "This server doesn't play Big Two." in str(game.send_refused(ChangePace(ANN, DAILY)))
    game.world.server = replace(game.world.server, games=(), slow=False)
    assert game.send_refused(ChangePace(ANN, DAILY)).sentence == lobby_conditions.ONLY_LIVE


def test_enabling_stakes_gives_late_players_of_a_lobby_more_time() -> None:
    game = Game("live house", started=False)
    game.world.server = replace(game.world.server, stakes=True)
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(stake=0)))
    assert game.row.pace.on_timeout == "house"
    game.send(ChangeRules(ANN, lambda rules: rules.with_wishes(stake=5)))
    assert (game.row.stakes, game.row.pace.on_timeout) == (True, "pass")
    game.send(ChangePace(ANN, replace(game.row.pace, on_timeout="house")))  # as the host says so
    assert game.row.pace.on_timeout == "house"


def test_a_default_timeout_action_follows_the_pace_and_a_chosen_one_stays() -> None:
    live, relaxed = Pace("live", on_timeout="house", hints=True), Pace("relaxed", hints=True)
    assert with_times_of(live, relaxed, stakes=False) == relaxed
    assert with_times_of(relaxed, live, stakes=False) == live
    assert with_times_of(relaxed, live, stakes=True).on_timeout == "pass"
    assert with_times_of(live, relaxed, stakes=True).on_timeout == "house"


# What must not happen


def test_a_vote_for_a_break_before_a_suspension_starts_no_break() -> None:
    game = Game()
    game.send(CastVote(ANN, "pause", first=True))
    game.send(Suspend())
    assert game.send_refused(ReturnFromBreak(ANN)).sentence == agreements.NOT_PAUSED
    assert game.row.suspended_since


def test_a_pause_during_an_access_wait_leaves_a_full_move() -> None:
    game = Game("live 1m+0s")
    late = game.awaited
    game.ring(minutes=1)
    game.send(AccessFound(late, lost=True))
    game.send(Pause(MO))
    game.send(Resume(MO))
    assert game.time_left == MINUTE


def test_a_seat_can_be_offered_only_after_a_long_absence() -> None:
    game = Game("none")
    late = game.chair(game.awaited)
    offer = OfferSeatOf(MO, late.seat, late.name)
    assert game.send_refused(offer).sentence == moderation.PRESENT
    game.advance(days=3)
    game.send(Pause(MO))
    assert game.send_refused(offer).sentence == moderation.PRESENT
    game.send(Resume(MO))
    assert said(game.send(offer)) == [moderation.OFFERED_FOR]
    assert game.chair(game.awaited).offered == "moderator"


def test_a_refused_vote_cannot_be_repeated_at_once() -> None:
    game = Game()
    game.send(CastVote(ANN, "pause", first=True))
    game.send(Veto(game.other_player(ANN)))
    game.advance(minutes=9)
    assert game.send_refused(CastVote(ANN, "pause", first=True)).sentence == play.UNWANTED
    game.advance(minutes=1)
    game.send(CastVote(ANN, "pause", first=True))


def test_a_board_can_be_reposted_until_the_table_ends() -> None:
    game = Game()
    event = game.send(Repost(None))
    assert event.decision is not None
    assert event.decision.effects == (Redraw(anew=True),)
    by_moderator = game.send(Repost(MO)).decision
    assert by_moderator is not None
    assert by_moderator.effects[-1] == Redraw(anew=True)
    game.send(CallOff(MO))
    assert game.send_refused(Repost(None)).sentence == "This table is closed."
