"""The lobby: joining and leaving, the terms of the match, agreement, and the start. Pure.

The terms (rules with hands and stake, and the pace) have a number, their edition, incremented by every change, so a
player only ever agrees to the terms on the player's own screen.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta

from bot.ai import levels
from bot.domain.chairs import Cut, Level, Revision, by_seat
from bot.domain.contests import Duplicate
from bot.domain.effects import DealCall, DuplicateInvitation, Effect, Signpost, ThreadOpening
from bot.domain.ids import ChannelId, UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import Barred, Outdated, Outside, Refused, Unseen
from bot.rules.core.turns import order_of_turns
from bot.rules.matches.seal import cut_from_words, with_cut, with_independent_hands
from bot.rules.variants.registration import VERSION
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core import lobby_conditions
from bot.table.core.chairs import Chairs
from bot.table.core.commands import (
    AddHousePlayer,
    Agree,
    ChangeLevel,
    ChangePace,
    ChangeRules,
    CloseLobby,
    CutCards,
    FillSeats,
    FollowStakes,
    Join,
    PlayDuplicate,
    RemovePlayer,
    Start,
)
from bot.table.core.eligibility import is_counted
from bot.table.core.ending import closed
from bot.table.core.facts import (
    AskedWaiters,
    BarredUntil,
    Facts,
    HandDuration,
    NumberOf,
    PlaceOf,
    RecentDeletions,
    Replay,
    Separation,
)
from bot.table.core.lobby_conditions import check_nobody_twice, check_unplayed, hands_of, of_hands, parts_of
from bot.table.core.play import after_step
from bot.table.core.state import Decision, TableState, Writes, announcement, record_of, ruleset_of, shown
from bot.table.core.suspension import check_not_suspended

MIN_READING_TIME = timedelta(seconds=2)  # between another player's change and an agreement
STAKES_ON = N_("This server plays for stakes now. Everyone at {table} has to agree to that first.")
STAKES_OFF = N_("This server doesn't play for stakes any more. Everyone at {table} has to agree to that first.")
BEGUN = N_("This match has already started.")
OTHER_RULES = N_("The rules have changed since that button was shown. Check them, then press again.")
JUST_CHANGED = N_("{name} just changed the rules. Check them, then press again.")
CLOSED = N_("{people}: {name} closed {table} before it started.")
OWN_CHOICE = N_("Someone here is on your don't-play-with list. /my choices lets you change that.")
NO_SEAT = N_("There's no seat for you at this table. Find another one, or open your own with /deal.")
SAME_RULES = N_("Several tables play the same deals by the same rules. Only the pace can change here.")
HERE_NOW = N_("The match has begun. Here's the table now.")
UNCUT = N_("Several tables play the same deals, so nobody cuts the cards here.")
ALREADY = N_("Several tables already play these deals.")
ASKED_FIRST = N_("Someone else is first in line and has been asked. If they don't answer, the seat is free {when}.")
NOT_READY = N_("These players haven't agreed to the rules yet: {names}. Wait until they press Ready, or remove them.")


# Checks


def check_lobby(state: TableState, facts: Facts | None = None) -> None:
    """Raise Outdated after the start of the match, or at a closed table."""
    if state.row.phase == "closed":
        raise Outdated("This table is closed.")
    if state.row.phase != "lobby":
        raise Outdated(BEGUN, HERE_NOW)


def check_joinable(state: TableState, facts: Facts, user: UserId) -> None:
    """Raise Outside for a user without a seat after the start of the match.

    Raises Outdated as `check_lobby` does.
    """
    if state.row.phase in ("playing", "over") and seating.seat_of(state.row.chairs, user) is None:
        raise Outside(BEGUN)
    check_lobby(state, facts)


def check_host(state: TableState, facts: Facts, user: UserId) -> None:
    """Raise Refused unless this user hosts this table, an active lobby.

    The error is Outdated for another user than the host and for a former lobby.
    """
    check_closing(state, facts, user)
    check_not_suspended(state)


def check_closing(state: TableState, facts: Facts, user: UserId) -> None:
    """Raise Outdated unless this user hosts this lobby, suspended or not."""
    check_lobby(state, facts)
    if user != state.row.host:
        raise Outdated("Only the host can do that.")


def check_start(state: TableState, facts: Facts, user: UserId, edition: int, *, filling: bool = False) -> None:
    """Raise Refused unless this user may deal now.

    Only the host may, with every seat taken and every player's agreement. edition: of the terms shown to the host.
    filling: whether house players will take the free seats.
    """
    check_host(state, facts, user)
    check_seen(state, facts, user, edition)
    ruleset_of(state.row).renewed()
    free = state.row.seats - len(state.row.chairs)
    if free and not filling:
        raise Refused("This game needs {seats} players: {free} more, people or bots.", seats=state.row.seats, free=free)
    missing = seating.without_agreement(state.row.chairs, edition)
    if missing:
        raise Refused(NOT_READY, names=[chair.name for chair in missing])


def check_seen(state: TableState, facts: Facts, user: UserId, edition: int) -> None:
    """Raise Unseen for terms shown before their latest change, or changed too recently."""
    if edition != state.row.edition:
        raise Unseen(OTHER_RULES)
    last = state.row.revised
    if last and last.by != user and facts.now < last.at + MIN_READING_TIME:
        raise Unseen(JUST_CHANGED, name=last.name)


def check_welcome(channel: ChannelId, user: UserId, facts: Facts) -> None:
    """Raise Barred for a user removed from a table in this channel within the last day.

    A thread belongs to its channel.
    """
    whole = facts.ask(PlaceOf(channel)).channel
    for room in dict.fromkeys((channel, whole)):
        until = facts.ask(BarredUntil(room, user))
        if until is not None:
            raise Barred(until)


def check_newcomer(state: TableState, user: UserId, facts: Facts) -> None:
    """Raise Refused for a block between this user and one of the players.

    Only the author of a block learns of it. At a duplicate table nobody plays the same deals twice.
    """
    apart = facts.ask(Separation(user, seating.people(state.row.chairs)))
    if apart != "no":
        raise Refused(OWN_CHOICE if apart == "own" else NO_SEAT)
    check_unplayed(state, user, facts)


def check_not_promised(state: TableState, user: UserId, facts: Facts, seats: Collection[int]) -> None:
    """Raise Refused if all of these free seats wait for answers of people first in line.

    In a lobby, any chair will do.
    """
    row, asked = state.row, [other for other in facts.ask(AskedWaiters()) if other.user != user]
    first = [
        other
        for other in asked
        if (row.phase == "lobby" or other.seat in seats) and seating.seat_of(row.chairs, other.user) is None
    ]
    if first and len(first) >= len(seats):
        raise Refused(ASKED_FIRST, when=min(other.until for other in first))


# Players come and go


def join(state: TableState, command: Join, facts: Facts) -> Decision:
    """Give a player the wanted seat, or else the first free one.

    Raises Refused, and Unseen for terms not seen.
    """
    user, row = command.user, state.row
    check_joinable(state, facts, user)
    check_not_suspended(state)
    check_welcome(row.channel, user, facts)
    check_newcomer(state, user, facts)
    if (free := row.seats - len(row.chairs)) > 0 and seating.seat_of(row.chairs, user) is None:
        check_not_promised(state, user, facts, range(free))
    called = seating.unique_name(row.chairs, user, command.name, facts.reserved)
    chairs = seating.joined(
        row.chairs, order_of_seats(row), user, called, agreed=command.edition, wanted=command.wanted
    )
    check_seen(state, facts, user, command.edition)
    deletions = facts.ask(RecentDeletions((*seating.people(row.chairs), user)))
    return reseated_lobby(replace(state, recent_deletions=deletions), chairs, facts)


def agree(state: TableState, command: Agree, facts: Facts) -> Decision:
    """Note that a player agrees to the terms. Raises Refused, and Unseen for terms not seen."""
    check_lobby(state, facts)
    check_not_suspended(state)
    seat = seating.own_seat(state.row.chairs, command.user)
    check_seen(state, facts, command.user, command.edition)
    return reseated_lobby(state, seating.with_agreement(state.row.chairs, seat, command.edition), facts)


def cut_cards(state: TableState, command: CutCards, facts: Facts) -> Decision:
    """Put a player's word on top of the seed, in place of an earlier one; "" takes it back.

    Raises Refused.
    """
    user, word = command.user, command.word
    check_lobby(state, facts)
    check_not_suspended(state)
    seat = seating.own_seat(state.row.chairs, user)
    if state.row.duplicate_id is not None:
        raise Refused(UNCUT)
    others = tuple(cut for cut in state.row.cuts if cut.user != user)
    cuts = (*others, Cut(user, seat, word)) if word else others
    return Decision(replace(state, row=replace(state.row, cuts=cuts)))


def add_house_player(state: TableState, command: AddHousePlayer, facts: Facts) -> Decision:
    """Put a house player on the first free seat. Raises Refused."""
    check_host(state, facts, command.user)
    level = _level(state.row, command.level)
    return reseated_lobby(state, seating.with_house_player(state.row.chairs, order_of_seats(state.row), level), facts)


def fill_seats(state: TableState, command: FillSeats, facts: Facts) -> Decision:
    """Put house players on all free seats. Raises Refused."""
    check_host(state, facts, command.user)
    level = _level(state.row, command.level)
    return reseated_lobby(state, seating.filled(state.row.chairs, order_of_seats(state.row), level), facts)


def change_level(state: TableState, command: ChangeLevel, facts: Facts) -> Decision:
    """Let the house players of the table play at a level. Raises Refused."""
    check_host(state, facts, command.user)
    level = _level(state.row, command.level)
    return reseated_lobby(state, seating.levelled(state.row.chairs, lambda _: level), facts)


def remove_player(state: TableState, command: RemovePlayer, facts: Facts) -> Decision:
    """Free a seat whose player still has this name. Raises Refused."""
    user, seat, chairs = command.user, command.seat, state.row.chairs
    check_host(state, facts, user)
    if seat == seating.seat_of(chairs, user):
        raise Refused("Use Leave to give up your own seat.")
    if command.name not in {chair.name for chair in chairs if chair.seat == seat}:
        raise Outdated("Nobody has that seat any more.")
    return reseated_lobby(state, seating.emptied(chairs, seat), facts)


def close_lobby(state: TableState, command: CloseLobby, facts: Facts) -> Decision:
    """Close the lobby, and tell its other players. Raises Refused."""
    user = command.user
    check_closing(state, facts, user)
    host = next(chair for chair in state.row.chairs if chair.user == user)
    others = tuple(other for other in seating.people(state.row.chairs) if other != user)
    if not others:
        return closed(state)
    return closed(state).with_effects(announcement(CLOSED, about=[host], called=others, name=host.name))


def reseated_lobby(state: TableState, chairs: Chairs, facts: Facts) -> Decision:
    """Return the decision for new chairs of a lobby; a lobby without people closes."""
    people = seating.people(chairs)
    if not people:
        return closed(state)
    deletions = {user: at for user, at in state.recent_deletions.items() if user in people}
    row = state.row
    deadline = row.deadline if row.suspended_since else facts.durations.for_lobby(row.pace, facts.now, row.deadline)
    row = replace(row, chairs=chairs, deadline=deadline)
    return shown(replace(state, row=row, recent_deletions=deletions))


def order_of_seats(row: TableRow) -> tuple[int, ...]:
    """Return the seats in the order of joining: the order of turns."""
    return order_of_turns(ruleset_of(row).rules, 1)


def _level(row: TableRow, wanted: Level) -> Level:
    """Return the actual level of house players for a wanted level."""
    return level_at(wanted, ruleset_of(row), duplicate=row.duplicate_id is not None)


def level_at(wanted: Level, rules: Ruleset, *, duplicate: bool) -> Level:
    """Return the game's level of house players nearest to the wanted one.

    In a duplicate always PLAIN, so players of the same deals meet the same house players.
    """
    return Level.PLAIN if duplicate else levels.nearest_level(wanted, rules.rules)


# Terms


def change_rules(state: TableState, command: ChangeRules, facts: Facts) -> Decision:
    """Change the rules; every other player must agree again.

    Raises Refused, and the errors of the change.
    """
    check_host(state, facts, command.user)
    return _revised(state, command.user, command.change(ruleset_of(state.row)), state.row.pace, facts=facts)


def change_pace(state: TableState, command: ChangePace, facts: Facts) -> Decision:
    """Change the pace; every other player must agree again, unless only reactions change.

    Raises Refused.
    """
    check_host(state, facts, command.user)
    row, pace = state.row, command.pace
    if replace(row.pace, reactions=pace.reactions) == pace != row.pace:
        return shown(replace(state, row=replace(row, pace=pace)))
    return _revised(state, command.user, ruleset_of(state.row), command.pace, facts=facts)


def play_duplicate(state: TableState, command: PlayDuplicate, facts: Facts) -> Decision:
    """Let other tables play the same deals.

    Removes cut words, and all players must agree again. Raises Refused.
    """
    user, row = command.user, state.row
    check_host(state, facts, user)
    if row.duplicate_id is not None:
        raise Refused(ALREADY)
    rules = ruleset_of(row)
    rules = lobby_conditions.revised_rules(facts.server, rules, of_hands(rules, hands_of(rules)), row.pace)
    new = Duplicate(
        0,
        row.guild,
        row.home,
        user,
        rules.game,
        rules.preset,
        rules.plain_changes,
        rules.rules.players,
        with_independent_hands(row.seed),
        facts.now,
        row.pace,
        together=True,
    )
    number = facts.ask(NumberOf(new))
    name = next(chair.name for chair in row.chairs if chair.user == user)
    invitation = DuplicateInvitation(row.home, number, user, name, hands=hands_of(rules))
    anew = replace(state, row=replace(row, duplicate_id=number, seed=new.seed, cuts=()))
    return _with_new_terms(anew, user, new=rules, pace=row.pace, facts=facts, before=row).with_effects(invitation)


def _revised(state: TableState, user: UserId, new: Ruleset, pace: Pace, *, facts: Facts) -> Decision:
    """Return the decision for changed terms, if different."""
    before = ruleset_of(state.row)
    new = lobby_conditions.revised_rules(facts.server, before, new, pace)
    if (new, pace) == (before, state.row.pace):
        return Decision(state)
    if new != before and state.row.duplicate_id is not None:
        raise Refused(SAME_RULES)
    if (pace.kind == "live") != (state.row.pace.kind == "live"):
        lobby_conditions.check_lobby_limits(user, pace, facts)
    return _with_new_terms(state, user, new=new, pace=pace, facts=facts, before=state.row)


def _with_new_terms(
    state: TableState, user: UserId, *, new: Ruleset, pace: Pace, facts: Facts, before: TableRow
) -> Decision:
    """Put terms in force, with agreement due from every player except this user.

    before: the row with the old terms.
    """
    row, new = state.row, new.renewed()
    duration = facts.ask(HandDuration(new.game, pace))
    name = next(chair.name for chair in row.chairs if chair.user == user)
    duplicate = row.duplicate_id is not None
    stakes = lobby_conditions.has_stakes(facts.server, new, row.duplicate_id)
    seated = seating.levelled(row.chairs, lambda level: level_at(level, new, duplicate=duplicate))
    row = replace(
        row,
        preset=new.preset,
        options=new.plain_changes,
        rules=new.version,
        seats=new.rules.players,
        pace=lobby_conditions.pace_with_stakes(pace) if stakes and not row.stakes else pace,
        stakes=stakes,
        edition=row.edition + 1,
        chairs=seating.with_editor_agreed(seating.resized(seated, new.rules.players), user, row.edition),
        revised=_revision(before, user, name, facts),
        deadline=facts.durations.for_lobby(pace, facts.now, row.deadline),
    )
    return shown(replace(state, row=row, hand_duration=duration))


def _revision(row: TableRow, user: UserId, name: str, facts: Facts) -> Revision:
    """Return a change of terms, with the earlier terms for comparison.

    For a series of changes by one user without any agreement in between: the terms before the first change.
    """
    last = row.revised
    others = [chair for chair in row.chairs if chair.user not in (None, user)]
    if last and last.by == user and others and all(chair.agreed != row.edition for chair in others):
        return Revision(by=user, name=name, at=facts.now, preset=last.preset, options=last.options, pace=last.pace)
    return Revision(by=user, name=name, at=facts.now, preset=row.preset, options=row.options, pace=row.pace)


def follow_stakes(state: TableState, command: FollowStakes, facts: Facts) -> Decision:
    """Ask for agreement again after the server switched stakes on or off.

    A lobby without stakes continues. A table without a change is not written: a write would make it recently touched.
    """
    decision = _with_stakes_of_server(state, facts) if state.row.phase == "lobby" else None
    return decision.with_writes(Writes(sent=command.sent)) if decision else Decision(state)


def _with_stakes_of_server(state: TableState, facts: Facts) -> Decision | None:
    """Return a lobby with its server's stakes; None for stakes already agreed to."""
    row, rules = state.row, ruleset_of(state.row)
    stakes = lobby_conditions.has_stakes(facts.server, rules, row.duplicate_id)
    if stakes == row.stakes:
        return None
    new = lobby_conditions.without_forbidden_stake(facts.server, rules)
    pace = lobby_conditions.pace_with_stakes(row.pace) if stakes else row.pace
    row = replace(row, options=new.plain_changes, pace=pace, stakes=stakes, edition=row.edition + 1)
    return shown(replace(state, row=row), announcement(STAKES_ON if stakes else STAKES_OFF))


# The start


def start(state: TableState, command: Start, facts: Facts) -> Decision:
    """Deal the first hand, or continue from the steps of a practice hand.

    Raises Refused as `check_start`.
    """
    check_start(state, facts, command.user, command.edition)
    if other := _with_stakes_of_server(state, facts):
        return replace(other, refusal=Unseen(OTHER_RULES))
    check_nobody_twice(state, facts)
    row, home = state.row, command.home
    counted = is_counted(row, ruleset_of(row))
    row = _cards_cut(replace(row, rules=row.rules if row.steps else VERSION))
    match = facts.ask(Replay(record_of(row)))
    place = facts.ask(PlaceOf(home or row.home, row.place))
    deletions = facts.ask(RecentDeletions(seating.people(row.chairs))) if counted else state.recent_deletions
    row = replace(row, counts=counted, place=place, unrated=counted and bool(deletions))
    effects: tuple[Effect, ...] = () if row.solo else (DealCall(),)
    if home and row.message:
        effects = (*effects, ThreadOpening(home), Signpost(row.home, row.message, home))
    if home:
        row = replace(row, home=home, message=None)
    begun = replace(state, row=row, match=match, recent_deletions=deletions)
    writes = Writes(sent=command.sent, parts=parts_of(row, row.chairs))
    return after_step(state, begun, facts).with_effects(*effects).with_writes(writes)


def _cards_cut(row: TableRow) -> TableRow:
    """Return the row with the cut words of the present players, and the seed mixed with them."""
    cuts = seating.cuts_of(row.chairs, row.cuts)
    if not cuts:
        return replace(row, cuts=())
    return replace(row, cuts=cuts, seed=with_cut(row.seed, cut_from_words(by_seat(cuts, row.seats))))
