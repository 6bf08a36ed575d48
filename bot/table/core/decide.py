"""The decision of a table: from state, command and facts to next state and effects.

Pure and complete.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.domain.effects import MessageDeletion
from bot.table.core import agreements, clock_rules, commands, lobby, moderation, play, seats, suspension
from bot.table.core import votes as ballots
from bot.table.core.chairs import host_after
from bot.table.core.commands import Command
from bot.table.core.ending import broken_off, closed, with_ratings
from bot.table.core.facts import Facts, PlaceOf
from bot.table.core.state import Decision, TableState, Writes


def decide(state: TableState, command: Command, facts: Facts) -> Decision:
    """Return the decision on a command.

    Raises Refused, TooLate or Illegal, and MissingFact for a missing fact.
    """
    decision = _decide(state, command, facts)
    row, after = state.row, decision.state.row
    if after.chairs is row.chairs:
        return decision
    begins = ballots.current_vote(after.chairs) not in ("", ballots.current_vote(row.chairs))
    host = host_after(row.host, row.chairs, after.chairs)
    if host == row.host and not begins:
        return decision
    after = replace(after, host=host, votes=row.votes + 1 if begins else row.votes)
    return replace(decision, state=replace(decision.state, row=after))


def _decide(state: TableState, command: Command, facts: Facts) -> Decision:
    if isinstance(command, commands.LobbyCommand):
        return _decide_in_lobby(state, command, facts)
    if isinstance(command, commands.MatchCommand):
        return _decide_in_match(state, command, facts)
    if isinstance(command, commands.SeatCommand):
        return _decide_on_seat(state, command, facts)
    if isinstance(command, commands.ModeratorCommand):
        return _decide_for_moderator(state, command, facts)
    if isinstance(command, commands.ClockCommand):
        return _decide_by_clock(state, command, facts)
    return _decide_on_housekeeping(state, command, facts)


def _decide_in_lobby(state: TableState, command: commands.LobbyCommand, facts: Facts) -> Decision:
    match command:
        case commands.Join():
            return lobby.join(state, command, facts)
        case commands.Agree():
            return lobby.agree(state, command, facts)
        case commands.CutCards():
            return lobby.cut_cards(state, command, facts)
        case commands.ChangeRules():
            return lobby.change_rules(state, command, facts)
        case commands.ChangePace():
            return lobby.change_pace(state, command, facts)
        case commands.FollowStakes():
            return lobby.follow_stakes(state, command, facts)
        case commands.PlayDuplicate():
            return lobby.play_duplicate(state, command, facts)
        case commands.AddHousePlayer():
            return lobby.add_house_player(state, command, facts)
        case commands.FillSeats():
            return lobby.fill_seats(state, command, facts)
        case commands.ChangeLevel():
            return lobby.change_level(state, command, facts)
        case commands.RemovePlayer():
            return lobby.remove_player(state, command, facts)
        case commands.CloseLobby():
            return lobby.close_lobby(state, command, facts)
        case commands.Start():
            return lobby.start(state, command, facts)
        case _:
            assert_never(command)


def _decide_in_match(state: TableState, command: commands.MatchCommand, facts: Facts) -> Decision:
    match command:
        case commands.Act():
            return play.act(state, command, facts)
        case commands.ActAsHouse():
            return play.act_as_house(state, command, facts)
        case commands.SavePremove():
            return play.save_premove(state, command, facts)
        case commands.WithdrawPremoves():
            return play.withdraw_premoves(state, command, facts)
        case commands.GrantTime():
            return clock_rules.grant_time(state, command, facts)
        case commands.PlayLive():
            return agreements.play_live(state, command.user, facts)
        case commands.EndLiveSession():
            return agreements.end_live_session(state, command.user, facts)
        case commands.CastVote():
            return agreements.cast_vote(state, command, facts)
        case commands.Veto():
            return agreements.veto(state, command, facts)
        case commands.ReturnFromBreak():
            return agreements.return_from_break(state, command, facts)
        case _:
            assert_never(command)


def _decide_on_seat(state: TableState, command: commands.SeatCommand, facts: Facts) -> Decision:
    match command:
        case commands.Leave():
            return seats.leave(state, command, facts)
        case commands.RemoveAbsent():
            return seats.remove_absent(state, command, facts)
        case commands.TakeBack():
            return seats.take_back(state, command, facts)
        case commands.OfferSeat():
            return seats.offer_seat(state, command, facts)
        case commands.KeepSeat():
            return seats.keep_seat(state, command, facts)
        case commands.Substitute():
            return seats.substitute(state, command, facts)
        case commands.Vacate():
            return seats.vacate(state, command, facts)
        case _:
            assert_never(command)


def _decide_for_moderator(state: TableState, command: commands.ModeratorCommand, facts: Facts) -> Decision:
    match command:
        case commands.Pause():
            return moderation.pause(state, command, facts)
        case commands.Resume():
            return moderation.resume(state, command, facts)
        case commands.EndMatch():
            return moderation.end_match(state, command, facts)
        case commands.CallOff():
            return moderation.call_off(state, command, facts)
        case commands.Expel():
            return moderation.expel(state, command, facts)
        case commands.OfferSeatOf():
            return moderation.offer_seat_of(state, command, facts)
        case commands.Repost():
            return moderation.repost(state, command, facts)
        case commands.MoveTable():
            return moderation.move(state, command, facts)
        case _:
            assert_never(command)


def _decide_by_clock(state: TableState, command: commands.ClockCommand, facts: Facts) -> Decision:
    match command:
        case commands.Ring():
            return clock_rules.ring(state, facts)
        case commands.RecomputeDeadline():
            return clock_rules.recompute(state, facts)
        case commands.AccessFound():
            return clock_rules.access_found(state, command, facts)
        case commands.Suspend():
            return suspension.suspend(state, facts)
        case commands.EndSuspension():
            return suspension.end_suspension(state, facts)
        case _:
            assert_never(command)


def _decide_on_housekeeping(state: TableState, command: commands.HousekeepingCommand, facts: Facts) -> Decision:
    match command:
        case commands.LoseChannel():
            return _channel_lost(state, command, facts)
        case commands.Close():
            return closed(state) if state.row.open else Decision(state)
        case commands.NoteBoard():
            return _board_noted(state, command)
        case commands.NoteRatings():
            return with_ratings(state, facts)
        case _:
            assert_never(command)


def _channel_lost(state: TableState, command: commands.LoseChannel, facts: Facts) -> Decision:
    if not state.row.open:
        return Decision(state)
    place = command.place or facts.ask(PlaceOf(state.row.channel, state.row.place))
    return broken_off(state, facts, place)


def _board_noted(state: TableState, command: commands.NoteBoard) -> Decision:
    """Save the board's message, and delete the former one.

    At a table moved meanwhile, delete the new message instead.
    """
    row, sent = state.row, Writes(sent=command.sent)
    if command.home != row.home:
        return Decision(state, effects=(MessageDeletion(command.home, command.message),), writes=sent)
    old = () if row.message in (None, command.message) else (MessageDeletion(command.home, row.message),)
    return Decision(replace(state, row=replace(row, message=command.message)), effects=old, writes=sent)
