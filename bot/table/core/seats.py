"""Seats during a match: leaving, substitution, return, and lost access to the channel."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.chairs import Chair
from bot.domain.effects import ShutOutNotice
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Deadline, max_absence
from bot.domain.refusals import Refused
from bot.rules.matches.match import Match
from bot.table.core import chairs as seating
from bot.table.core import votes
from bot.table.core.agreements import OVER, counted, is_on_break, seat_in_match, without_unfair_vote
from bot.table.core.chairs import Chairs
from bot.table.core.commands import KeepSeat, Leave, OfferSeat, RemoveAbsent, Substitute, TakeBack, Vacate
from bot.table.core.deadlines import (
    asked_seats,
    fresh_move,
    late_seat,
    new_deadline,
    recomputed,
    time_control_of,
    transition,
    with_deadline,
)
from bot.table.core.ending import closed, ended
from bot.table.core.facts import AskedWaiters, Facts, HasSubstituted, LineLength, MarkOf, WorkingHours
from bot.table.core.lobby import check_newcomer, check_not_promised, check_welcome, reseated_lobby
from bot.table.core.lobby_conditions import parts_of
from bot.table.core.play import NOT_WHILE_PAUSED, house_seats, reseated
from bot.table.core.state import AccessCheck, CheckAccess, Decision, TableState, Writes, announcement, shown
from bot.table.core.suspension import check_not_suspended, resume_clock
from bot.table.core.time_control import ALWAYS, is_live_session

DELETED = UserId(-1)  # stands for a player whose data is deleted, until the seat is given up
DESERTED = N_("Nobody's at {table} any more, so it's closed.")
LEFT = N_("{name} left. A bot takes over until {name} comes back or someone else takes the seat.")
LEFT_WITH_LINE = N_("{name} left. A bot takes over. The next in line can have the seat unless {name} is back first.")
GONE = N_("{name} isn't on this server any more, so a bot takes over.")
GAVE_BACK = N_(
    "{name} isn't playing for {owner} any more. A bot takes over until {owner} comes back or someone else takes the "
    "seat."
)
GAVE_BACK_WITH_LINE = N_(
    "{name} isn't playing for {owner} any more. A bot takes over. The next in line can have the seat unless {owner} is "
    "back first."
)
OFFERED = N_("{name} offers their seat. Anyone not at the table can take it with the button on the board.")
KEPT = N_("{name} keeps their seat.")
SITS_IN = N_("{name} takes over for {owner}. The result still counts for {owner}.")
BACK = N_("{name} is back.")
HOUSE_MOVES = N_("A bot is just making a move on that seat. Try again in a moment.")
HOUSE_MOVES_FOR_YOU = N_("A bot is just making your move. Take your seat back in a moment.")
HAS_SEEN = N_(
    "You've already sat at this table in this match and know some cards, so someone else has to take this seat."
)


# Giving a seat up


def leave(state: TableState, command: Leave, facts: Facts) -> Decision:
    """Give up a seat: in the lobby for good, in a match to a house player at once."""
    seat = seating.own_seat(state.row.chairs, command.user)
    if state.row.phase == "lobby":
        return reseated_lobby(state, seating.emptied(state.row.chairs, seat), facts)
    if state.row.phase != "playing":
        raise Refused("This match is over, so there's nothing to leave.")
    return _left_match(state, seat, LEFT_WITH_LINE if facts.ask(LineLength()) else LEFT, facts)


def remove_absent(state: TableState, command: RemoveAbsent, facts: Facts) -> Decision:
    """Free the seat of a user without access to the server or lobby; nothing without a seat."""
    chairs = state.row.chairs
    chair = next((chair for chair in chairs if chair.user == command.user and not chair.house), None)
    if chair is None or state.row.phase not in ("lobby", "playing"):
        return Decision(state)
    if state.row.phase == "playing":
        return _left_match(state, chair.seat, GONE, facts)
    message = announcement(command.sentence, about=[chair], name=chair.name)
    return reseated_lobby(state, seating.emptied(chairs, chair.seat), facts).with_effects(message)


def _left_match(state: TableState, seat: int, sentence: str, facts: Facts) -> Decision:
    if state.row.chairs[seat].house:
        raise Refused("A bot is already playing for you here.")
    gone, chairs = state.row.chairs[seat], seating.handed_to_house(state.row.chairs, seat)
    decision = given_up(state, seat, chairs, facts)
    if gone.owner_name:
        message = GAVE_BACK_WITH_LINE if facts.ask(LineLength()) else GAVE_BACK
        return decision.with_effects(announcement(message, about=[gone], name=gone.name, owner=gone.owner_name))
    if is_deserted(state, seat, chairs):
        return decision
    return decision.with_effects(announcement(sentence, about=[gone], name=gone.name))


def given_up(state: TableState, seat: int, chairs: Chairs, facts: Facts) -> Decision:
    """Give a seat to a house player.

    End the match, or the break, if all remaining players had agreed to that.
    """
    if is_deserted(state, seat, chairs):
        return closed(state, DESERTED)
    chairs = without_unfair_vote(state.seated(chairs)).row.chairs
    left = reseated(state, chairs, facts)
    if _is_agreed(chairs):
        return left.then(ended(left.state, votes.ending_seats(chairs)[0], "agreed", facts))
    return left.then(_without_player(state, left.state, facts))


def _without_player(before: TableState, state: TableState, facts: Facts) -> Decision:
    """Return the decision after the departure of the last awaited player."""
    asked = votes.current_vote(state.row.chairs)
    if is_on_break(before) and not asked:
        return resume_clock(state, facts)
    if asked and not state.row.paused:
        return counted(state, facts, state)
    return Decision(state)


def ends_without(state: TableState, seat: int, chairs: Chairs) -> bool:
    """Tell whether the match ends at the departure of a seat's player.

    chairs: after the departure.
    """
    return is_deserted(state, seat, chairs) or _is_agreed(chairs)


def is_deserted(state: TableState, seat: int, chairs: Chairs) -> bool:
    """Tell whether a table with an uncounted match has lost all players."""
    return seating.is_only_person(chairs, seat) and not state.row.counts


def _is_agreed(chairs: Chairs) -> bool:
    return bool(votes.ending_seats(chairs)) and not votes.undecided_seats(chairs)


def vacate(state: TableState, command: Vacate, facts: Facts) -> Decision:
    """Continue the match without a player after a data deletion.

    The other players keep the time and the say of an ordinary departure.
    """
    chairs, seat = state.row.chairs, command.seat
    if state.row.phase != "playing" or not chairs[seat].house:
        return Decision(state)
    if is_deserted(state, seat, chairs):
        return closed(state, DESERTED)
    player = replace(chairs[seat], user=DELETED, house=False, away="", vote=command.vote)
    before = state.seated(seating.changed(chairs, player))
    decision = given_up(before, seat, chairs, facts)
    row = decision.state.row
    host = seating.host_after(row.host, before.row.chairs, row.chairs)
    return replace(decision, state=replace(decision.state, row=replace(row, host=host)))


# Taking a seat


def take_back(state: TableState, command: TakeBack, facts: Facts) -> Decision:
    """Return a seat from a house player to its owner. Raises Refused."""
    if state.row.phase != "playing":
        seating.own_seat(state.row.chairs, command.user)
        raise Refused("This match is over.")
    seat, chairs = seating.taken_back_by(state.row.chairs, command.user)
    check_welcome(state.row.channel, command.user, facts)  # a substitute hides that the owner was removed
    _check_between_moves(state, seat, HOUSE_MOVES_FOR_YOU)
    decision = reseated(state, seating.after_join(chairs, seat, state.ply), facts)
    if state.row.pace.slow and chairs[seat].user != state.row.chairs[seat].user:  # a substitute's working hours held
        decision = replace(decision, state=_with_own_hours(decision.state, seat, facts))
    return decision.with_effects(announcement(BACK, about=[chairs[seat]], name=chairs[seat].name))


def substitute(state: TableState, command: Substitute, facts: Facts) -> Decision:
    """Give a substitute an offered seat, or a person in line the seat offered to them.

    Raises Refused.
    """
    user, seat = command.user, command.seat
    if state.row.phase != "playing":
        raise Refused(OVER)
    check_not_suspended(state)
    if state.row.paused:
        raise Refused(NOT_WHILE_PAUSED)
    if seating.seat_of(state.row.chairs, user) is not None:
        raise Refused(seating.SEATED)
    called = seating.unique_name(state.row.chairs, user, command.name, facts.reserved)
    chairs = seating.substituted(state.row.chairs, seat, user, called)
    check_not_promised(state, user, facts, [seat])
    if not state.row.chairs[seat].offered and (user, seat) not in _promises(facts):
        raise Refused(seating.NOT_OFFERED)
    if chairs[seat].owner_name:
        _check_new(state, user, facts)
    _check_between_moves(state, seat, HOUSE_MOVES)
    return _took_seat(state, seat, chairs, facts)


def _promises(facts: Facts) -> set[tuple[UserId, int | None]]:
    """Return the people in line who are asked to take a seat, with the seat."""
    return {(asked.user, asked.seat) for asked in facts.ask(AskedWaiters())}


def _check_new(state: TableState, user: UserId, facts: Facts) -> None:
    """Raise Refused for a user barred from this seat, or who knows a hand of this match."""
    if has_sat_here(state, user, facts):
        raise Refused(HAS_SEEN)
    check_welcome(state.row.channel, user, facts)
    check_newcomer(state, user, facts)


def has_sat_here(state: TableState, user: UserId, facts: Facts) -> bool:
    """Tell whether a user has or had a seat in this match, even after a data deletion."""
    if any(user in (chair.user, chair.owner) for chair in state.row.chairs):
        return True
    mark = facts.ask(MarkOf(user))
    return mark in {chair.mark for chair in state.row.chairs} or facts.ask(HasSubstituted(mark))


def _took_seat(state: TableState, seat: int, chairs: Chairs, facts: Facts) -> Decision:
    """Seat a substitute or a returning owner, with a full move for the present position."""
    match = state.match
    assert match is not None
    after = without_unfair_vote(state.seated(seating.after_join(chairs, seat, state.ply)))
    chair = after.row.chairs[seat]
    after = transition(state, after, facts)
    if match.awaited == {seat} and not match.game.result and not match.game.secrecy.together:
        after = fresh_move(after, match, seat, facts)
    if state.row.pace.slow:
        after = _with_own_hours(after, seat, facts)
    if not chair.owner_name:
        return shown(after, announcement(BACK, about=[chair], name=chair.name))
    assert chair.user is not None
    message = announcement(SITS_IN, about=[chair], name=chair.name, owner=chair.owner_name)
    writes = Writes(substitute=facts.ask(MarkOf(chair.user)), parts=parts_of(state.row, (chair,)))
    return shown(after, message).with_writes(writes)


def _with_own_hours(state: TableState, seat: int, facts: Facts) -> TableState:
    """Return the state with the working hours of the present owners, and the new deadline.

    seat: with a new owner. A question to several players begins again, also for an answered seat, because answers are
    secret.
    """
    owners, match = tuple(chair.user for chair in state.row.chairs if chair.user is not None), state.match
    state = replace(state, working_hours=facts.ask(WorkingHours(owners, state.row.pace.vacations)))
    asked = match is not None and match.game.secrecy.together and seat in asked_seats(match)
    if asked and match is not None and not state.row.paused:
        return with_deadline(state, new_deadline(state, match, facts))
    deadline: Deadline | None = recomputed(state, facts)
    return state if deadline is None else with_deadline(state, deadline)


def _check_between_moves(state: TableState, seat: int, sentence: str) -> None:
    """Raise Refused while a house player makes the move of this seat.

    Otherwise each departure would give a returning player new time for the same move.
    """
    match = state.match
    if match is None or match.game.result or match.game.secrecy.together:
        return
    if seat in house_seats(state):
        raise Refused(sentence)


# Offering a seat


def offer_seat(state: TableState, command: OfferSeat, facts: Facts) -> Decision:
    """Offer this player's seat to substitutes; the player plays on until then. Raises Refused."""
    seat = seat_in_match(state, command.user)
    chair = state.row.chairs[seat]
    if chair.offered:
        return Decision(state)
    chairs = seating.with_offer(state.row.chairs, seat, "owner")
    return shown(state.seated(chairs), announcement(OFFERED, about=[chair], name=chair.name))


def keep_seat(state: TableState, command: KeepSeat, facts: Facts) -> Decision:
    """Withdraw the offer of a seat. Raises Refused."""
    seat = seat_in_match(state, command.user)
    chair = state.row.chairs[seat]
    if not chair.offered:
        return Decision(state)
    return shown(
        state.seated(seating.with_offer(state.row.chairs, seat, "")), announcement(KEPT, about=[chair], name=chair.name)
    )


def offerable(state: TableState, facts: Facts) -> frozenset[int]:
    """Return the seats open to a moderator's offer.

    These are held by a house player, or belong to a long absent player.
    """
    chairs = state.row.chairs if state.row.phase == "playing" else ()
    return frozenset(
        chair.seat for chair in chairs if chair.user and not chair.offered and _is_away(state, chair, facts)
    )


def _is_away(state: TableState, chair: Chair, facts: Facts) -> bool:
    """Tell whether a player has been away for the table's limit.

    A slow table counts working hours. During a secret question no player is away, to keep the answers so far secret. In
    a live session every player is present.
    """
    row, match, control = state.row, state.match, time_control_of(state, facts)
    if chair.house:
        return True
    if match is None or row.paused or is_live_session(row):
        return False
    if match.game.secrecy.together or chair.seat not in match.awaited:
        return False
    latest = row.steps[-1].at if row.steps else row.created
    day = state.hours.get(chair.seat, ALWAYS) if row.pace.slow else ALWAYS
    move, reserve = (control.move, control.reserve) if control else (None, timedelta())
    return day.active(latest, facts.now) >= max_absence(row.pace, move, reserve)


STAND_IN = N_(
    "{name} hasn't been able to see or use {table} for a day, so a bot takes over. Since nobody can "
    "tell who caused that, the match is unrated."
)


def start_access_check(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Ask Discord whether the late player can see the table, for as long as a move at most."""
    chair, late = state.row.chairs[late_seat(state, match)], state.row.deadline
    if match.game.secrecy.together or chair.user is None or late is None or _has_waited(state, late, facts):
        return None
    since = _asked_since(state, late) or facts.now
    until = facts.durations.while_asked(late, facts.now)
    state = replace(with_deadline(state, until), access_check=AccessCheck(until, since))
    return Decision(state, signals=(CheckAccess(chair.user),))


def _has_waited(state: TableState, late: Deadline, facts: Facts) -> bool:
    """Tell whether the wait for an answer has lasted as long as a move."""
    asking, most = _asked_since(state, late), facts.durations.move(state.row.pace) or facts.durations.shut_out
    return asking is not None and facts.now - asking >= most


def _asked_since(state: TableState, late: Deadline) -> datetime | None:
    """Return the time of the first check of this deadline's player; None without a check."""
    check = state.access_check
    return check.since if check and check.deadline == late else None


def awaits_answer(state: TableState) -> bool:
    """Tell whether the table waits for an answer about the late player."""
    late = state.row.deadline
    return late is not None and _asked_since(state, late) is not None and state.row.running


def lost_access(state: TableState, chair: Chair, user: UserId, facts: Facts) -> Decision:
    """Wait for a player without access, and check again.

    After a day a house player takes over.
    """
    late = state.row.deadline
    assert late is not None
    now, durations, since = facts.now, facts.durations, late.shut_out
    if since and now - since >= durations.shut_out:
        chairs = seating.handed_to_house(state.row.chairs, chair.seat, "late")
        decision = reseated(replace(state, row=replace(state.row, counts=False)), chairs, facts)
        return decision.with_effects(announcement(STAND_IN, about=[chair], name=chair.name))
    notice = () if since else (ShutOutNotice(user),)
    until = replace(durations.for_retry(since or now, now, durations.shut_out), shut_out=since or now)
    return shown(with_deadline(state, until), *notice)


def regained_access(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Give a player a full move's time after regained access.

    None without lost access, or if the time was given before. A player who loses access again gets another wait,
    limited to a day in total.
    """
    late = state.row.deadline
    assert late is not None
    if not late.shut_out or late.remind_at:  # the time of a move has its reminder, the wait for access has none
        return None
    fresh = fresh_move(state, match, late_seat(state, match), facts)
    if fresh.row.deadline is None or fresh is state:
        return Decision(state)
    return shown(with_deadline(fresh, replace(fresh.row.deadline, shut_out=late.shut_out)))
