"""Commands of moderators. Pure.

The sender of a command checks the moderator's permissions.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.effects import MessageDeletion, Redraw
from bot.domain.ids import ChannelId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Barred, Outdated, Refused
from bot.store.rows import Moderation, SeatBan
from bot.table.core import chairs as seating
from bot.table.core import votes
from bot.table.core.commands import CallOff, EndMatch, Expel, MoveTable, OfferSeatOf, Pause, Repost, Resume
from bot.table.core.deadlines import stopped, stopped_clock_deadline, with_deadline
from bot.table.core.ending import closed, over
from bot.table.core.facts import Facts, MarkOf, PlaceOf
from bot.table.core.lobby import CLOSED, check_welcome, reseated_lobby
from bot.table.core.lobby_conditions import elsewhere
from bot.table.core.seats import ends_without, given_up, has_sat_here, offerable
from bot.table.core.state import Decision, Moderator, TableState, Writes, announcement, shown
from bot.table.core.suspension import resume_clock

AWAY = timedelta(days=1)  # for which a removed player sits down at no table in the same channel
OWN_TABLE = N_("You're playing here, so another moderator has to do that.")
OWN_DEALS = N_("You're playing the same deals at another table, so another moderator has to do that.")
NO_MATCH = N_("There's no match at this table right now.")
PAUSED = N_("{moderator} paused {table}. All clocks are stopped, and nobody can play until a moderator resumes it.")
PAUSE_OVER = N_("{table} was paused for a week, so it resumes now.")
RESUMED = N_("{moderator} resumed {table}.")
ENDED = N_("{moderator} stopped {table}. The match is saved, but it doesn't count.")
CALLED_OFF = N_("{moderator} canceled {table}. Nothing counts.")
REMOVED = N_("{moderator} removed {name} from {table}. A bot takes over; {name} can sit here again in a day.")
REMOVED_BEFORE = N_("{moderator} removed {name} from {table}. {name} can sit here again in a day.")
REDRAWN = N_("{moderator} reposted {table}.")
MOVED = N_("{moderator} moved {table} here.")
STAYS = N_("Other tables play the same deals, so this one stays where only its players can see it.")
UNWELCOME = N_("A moderator removed {name} from a table here. {name} can join again {when}.")
OFFERED_FOR = N_("{moderator} offers {name}'s seat. Anyone not at the table can take it with the button on the board.")
PRESENT = N_("That player hasn't been away for long enough.")


def pause(state: TableState, command: Pause, facts: Facts) -> Decision:
    """Stop the clock of a match, and block all players. Raises Refused."""
    by = command.by
    check_in_match(state, facts, by)
    if state.row.paused:
        raise Outdated("This table is already paused.")
    until = stopped_clock_deadline(state, facts.durations.for_pause(facts.now))
    state = with_deadline(stopped(state, facts), until)
    row = replace(state.row, paused=True, suspended_since=None, chairs=votes.without_vote(state.row.chairs))
    return shown(replace(state, row=row), announcement(PAUSED, by=by)).with_writes(_noted(state, by, "pause", facts))


def resume(state: TableState, command: Resume, facts: Facts) -> Decision:
    """Continue a paused match. Raises Refused."""
    by = command.by
    check_in_match(state, facts, by)
    if not state.row.paused:
        raise Outdated("This table isn't paused.")
    # a suspended table is resumed by being shown, where the bot can write again
    decision = shown(state) if state.row.suspended_since else resume_clock(state, facts)
    return decision.with_effects(announcement(RESUMED, by=by)).with_writes(_noted(state, by, "resume", facts))


def end_pause(state: TableState, facts: Facts) -> Decision | None:
    """Continue a match after a forgotten pause."""
    if not state.row.paused or state.row.suspended_since:
        return None
    return resume_clock(state, facts).with_effects(announcement(PAUSE_OVER))


def end_match(state: TableState, command: EndMatch, facts: Facts) -> Decision:
    """End a match as it stands; without a finished hand there is no result. Raises Refused."""
    by = command.by
    check_in_match(state, facts, by)
    assert state.match is not None
    noted = _noted(state, by, "end", facts)
    if not state.match.results:
        return closed(state).with_effects(announcement(CALLED_OFF, by=by)).with_writes(noted)
    return over(state, "moderator", facts).with_effects(announcement(ENDED, by=by)).with_writes(noted)


def call_off(state: TableState, command: CallOff, facts: Facts) -> Decision:
    """Close a lobby, or a match without any result. Raises Refused."""
    by = command.by
    check_outsider(state, facts, by)
    if state.row.phase == "playing":
        message = announcement(CALLED_OFF, by=by)
    else:
        message = announcement(CLOSED, by=by, called=seating.people(state.row.chairs), name=by.name)
    return closed(state).with_effects(message).with_writes(_noted(state, by, "cancel", facts))


def expel(state: TableState, command: Expel, facts: Facts) -> Decision:
    """Remove a player from a seat, with a one-day ban from the tables of the channel.

    Raises Refused. In a match a house player takes over, and the result stays with the removed player.
    """
    by, seat, name = command.by, command.seat, command.name
    check_outsider(state, facts, by)
    chair = next((chair for chair in state.row.chairs if (chair.seat, chair.name) == (seat, name)), None)
    if chair is None or chair.user is None or chair.away == "removed":
        raise Outdated("Nobody has that seat any more.")
    noted = _noted(state, by, "remove", facts, seat=seat, barred=chair.user)
    if state.row.phase == "lobby":
        decision = reseated_lobby(state, seating.emptied(state.row.chairs, seat), facts)
        return decision.with_effects(announcement(REMOVED_BEFORE, by=by, about=[chair], name=name)).with_writes(noted)
    chairs = seating.handed_to_house(state.row.chairs, seat, "removed")
    sentence = REMOVED_BEFORE if ends_without(state, seat, chairs) else REMOVED
    message = announcement(sentence, by=by, about=[chair], name=name)
    return given_up(state, seat, chairs, facts).with_effects(message).with_writes(noted)


def offer_seat_of(state: TableState, command: OfferSeatOf, facts: Facts) -> Decision:
    """Let a substitute take the seat of an absent player. Raises Refused."""
    by, seat, name = command.by, command.seat, command.name
    check_in_match(state, facts, by)
    if (seat, name) not in [(chair.seat, chair.name) for chair in state.row.chairs]:
        raise Outdated("Nobody has that seat any more.")
    if seat not in offerable(state, facts):
        raise Refused(PRESENT)
    chairs = seating.with_offer(state.row.chairs, seat, "moderator")
    message = announcement(OFFERED_FOR, by=by, about=[chairs[seat]], name=name)
    return shown(state.seated(chairs), message).with_writes(_noted(state, by, "offer", facts, seat=seat))


def repost(state: TableState, command: Repost, facts: Facts) -> Decision:
    """Repost the board. Raises Refused."""
    by = command.by
    check_open(state)
    if by is None:
        return Decision(state, effects=(Redraw(anew=True),))
    check_outsider(state, facts, by)
    message = announcement(REDRAWN, by=by), Redraw(anew=True)
    return Decision(state, effects=message, writes=_noted(state, by, "redraw", facts))


def move(state: TableState, command: MoveTable, facts: Facts) -> Decision:
    """Continue in another channel. Raises Refused."""
    by, channel = command.by, command.channel
    check_open(state)
    if state.row.stays:
        raise Refused(STAYS)
    if command.as_host and by.user != state.row.host:
        raise Refused("Only the host can do that.")
    if not command.as_host:
        check_outsider(state, facts, by)
    if channel == state.row.home:
        raise Refused("This table is already here.")
    if command.as_host:
        _check_players_welcome(state, channel, facts)
    playing = state.row.phase == "playing"
    place = facts.ask(PlaceOf(channel)) if playing else state.row.place
    old = (MessageDeletion(state.row.home, state.row.message),) if state.row.message else ()
    row = replace(state.row, home=channel, channel=channel, message=None, place=place)
    decision = shown(replace(state, row=row), announcement(MOVED, by=by), *old)
    return decision.with_writes(_noted(state, by, "move", facts))


def _check_players_welcome(state: TableState, channel: ChannelId, facts: Facts) -> None:
    """Raise Refused if a player of this table may not sit down in the other channel."""
    for chair in state.row.chairs:
        if chair.user is None:
            continue
        try:
            check_welcome(channel, chair.user, facts)
        except Barred as barred:
            raise Refused(UNWELCOME, name=chair.name, when=barred.values["when"]) from None


def check_open(state: TableState, facts: Facts | None = None) -> None:
    """Raise Refused at a closed table or after the end of the match."""
    if not state.row.open:
        raise Outdated("This table is closed." if state.row.phase == "closed" else "This match is over.")


def check_outsider(state: TableState, facts: Facts, by: Moderator) -> None:
    """Raise Refused for a moderator with a stake in the match.

    A stake is a seat here, now or before, or the same deals elsewhere.
    """
    check_open(state)
    if has_sat_here(state, by.user, facts):
        raise Refused(OWN_TABLE)
    if elsewhere(state, [by.user], facts):
        raise Refused(OWN_DEALS)


def check_in_match(state: TableState, facts: Facts, by: Moderator) -> None:
    """Raise Refused also before the start of the match."""
    check_outsider(state, facts, by)
    if state.row.phase != "playing":
        raise Outdated(NO_MATCH)


def _noted(
    state: TableState, by: Moderator, what: str, facts: Facts, *, seat: int | None = None, barred: UserId | None = None
) -> Writes:
    """Return the record of a moderator's act. barred: the banned user, if any."""
    row, now = state.row, facts.now
    bar = SeatBan(row.guild, row.channel, facts.ask(MarkOf(barred)), now + AWAY) if barred else None
    return Writes(moderation=Moderation(now, by.user, what, seat, bar))
