"""What holds at every table after every step, whatever was sent. Each function looks at one event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from string import Formatter
from typing import TypeAlias

from bot.domain.chairs import Chair
from bot.domain.effects import Announcement
from bot.domain.ids import UserId
from bot.domain.refusals import Refused
from bot.rules.core.asks import Stop, write_action
from bot.table.core import commands as say
from bot.table.core.chairs import NO_HOST, people
from bot.table.core.decide import decide
from bot.table.core.eligibility import ends_in_silence, result_owner
from bot.table.core.facts import NumberOf
from bot.table.core.lobby import MIN_READING_TIME
from bot.table.core.play import next_premove
from bot.table.core.state import TableState, change_between, record_of
from bot.table.core.time_control import HOUSE_NUDGE
from tests.table.world import DURATIONS, Event, World

Invariant: TypeAlias = Callable[[Event, World], None]

RINGS = 2  # after which nothing is due that was: the end of a pause, and then a premove
REPLAYED = 0.01  # of all steps, after which the record is replayed


def a_refusal_leaves_the_state(event: Event, world: World) -> None:
    """A refused command changes nothing and writes nothing."""
    if event.refusal is not None:
        assert event.after is event.before
        assert not any(isinstance(question, NumberOf) for question in event.questions)


def deciding_is_pure(event: Event, world: World) -> None:
    """The same command, state and facts give the same decision."""
    if event.decision is not None and world.dice.random() < 0.05:
        assert decide(event.before, event.command, event.facts) == event.decision


def steps_only_grow(event: Event, world: World) -> None:
    """Steps are only appended and numbered, and the match equals their replay."""
    before, after = event.before.row.steps, event.after.row.steps
    assert after[: len(before)] == before
    assert [step.ply for step in after[len(before) :]] == list(range(len(before), len(after)))
    assert all(step.at == event.now for step in after[len(before) :])
    match = event.after.match
    if match is not None:
        assert match.ply == len(after)
        if world.dice.random() < REPLAYED:
            assert record_of(event.after.row).replay() == match


def steps_are_their_players(event: Event, world: World) -> None:
    """A player's step comes from a command of that player, a house player's from a seat that a house player has."""
    chairs, command = event.before.row.chairs, event.command
    for step in event.after.row.steps[len(event.before.row.steps) :]:
        chair = chairs[step.seat]
        if step.by == "house":
            assert chair.house
        elif step.by == "person" and isinstance(command, say.Act) and len(event.after.row.steps) == step.ply + 1:
            assert chair.house is False
        elif step.by == "clock":
            ends = isinstance(command, say.LoseChannel) and step.action == write_action(Stop())
            assert ends or isinstance(command, say.Ring | say.AccessFound)
        elif step.by == "order":
            assert not chair.house or isinstance(command, say.Ring | say.ActAsHouse)


def the_change_makes_the_next_row(event: Event, world: World) -> None:
    """The law of the typed difference: the change that is written makes the next row of the row before."""
    if event.decision is not None:
        before, after = event.before.row, event.after.row
        change = change_between(before, after, event.now, writes=event.decision.writes)
        assert (change.after(before) if change else before) == after


def over_means_a_result(event: Event, world: World) -> None:
    """A finished match has its outcome, an open match has none, and an outcome never changes."""
    before, after = event.before.row, event.after.row
    if event.decision is not None:
        over = before.phase == "playing" and after.phase == "over"
        outcome = event.decision.writes.outcome
        begun_and_over = before.phase == "lobby" and after.phase == "over"
        assert (outcome is not None) == (over or begun_and_over)
        assert (outcome is None) or (outcome.counts, outcome.ended) == (after.counts, after.ended)
    if not before.open and not isinstance(event.command, say.NoteBoard):
        assert (after.phase, after.chairs, after.steps, after.counts) == (
            before.phase,
            before.chairs,
            before.steps,
            before.counts,
        )
    assert (before.phase, after.phase) != ("playing", "lobby")


def nothing_is_due_at_an_ended_table(event: Event, world: World) -> None:
    """A table that is over or closed has no deadline and no times."""
    row = event.after.row
    if not row.open:
        assert (row.deadline, row.times) == (None, ())


def is_somebody_awaited(state: TableState) -> bool:
    """Tell whether the table waits for an event that comes automatically."""
    row, match = state.row, state.match
    if row.phase == "lobby" or row.paused or match is None:
        return True
    if not people(row.chairs) or ends_in_silence(match, row.chairs, row.pace):
        return True
    if match.game.result or row.pace.kind != "none" or match.game.secrecy.tick is not None:
        return True
    return not match.game.secrecy.together and any(row.chairs[seat].house for seat in match.awaited)


def a_deadline_wherever_something_has_to_happen(event: Event, world: World) -> None:
    """An open table has a deadline, unless it waits for people without a clock."""
    state = event.after
    if not state.row.open or world.vacant is not None or state.row.deadline is not None:
        return
    assert not is_somebody_awaited(state), "nothing is due"


def house_players_are_nudged(event: Event, world: World) -> None:
    """With a house player to move, the deadline restarts house players."""
    match, row = event.after.match, event.after.row
    if match is None or row.phase != "playing" or row.paused or world.vacant:
        return
    if match.game.result or match.game.secrecy.together or not people(row.chairs):
        return
    if any(row.chairs[seat].house for seat in match.awaited) and not ends_in_silence(match, row.chairs, row.pace):
        assert row.deadline is not None
        assert row.deadline.at <= event.now + HOUSE_NUDGE, row.deadline


def a_ring_leaves_nothing_due(event: Event, world: World) -> None:
    """A ring completes due work, even twice: no ring leaves itself due for ever."""
    state = event.after
    for _ in range(RINGS):
        if not isinstance(event.command, say.Ring) or not state.row.open or not is_due(state, event.now):
            return
        state = world.look_at(state, say.Ring(), event.now).after
    assert not is_due(state, event.now), (state.row.deadline, state.row.premove_at)


def is_due(state: TableState, now: datetime) -> bool:
    """Tell whether the clock has work now."""
    return state.row.due is not None and state.row.due <= now


def clocks_run_of_the_awaited(event: Event, world: World) -> None:
    """At a slow table exactly the clocks of the awaited people run: none in a pause, none for house players."""
    row, match = event.after.row, event.after.match
    if world.vacant is not None:
        return
    awaited = frozenset[int]()
    if match is not None and row.phase == "playing" and not row.paused and row.pace.slow:
        alone = not match.game.result and not match.game.secrecy.together
        house = any(row.chairs[seat].house for seat in match.awaited)
        awaited = match.awaited if alone and not house else awaited
    assert {time.seat for time in row.times if time.since is not None} == awaited
    assert all(time.since is None or time.since <= event.now for time in row.times)


def premoves_are_due_when_awaited(event: Event, world: World) -> None:
    """A moment is set for a premove exactly while an awaited player has one."""
    state, row = event.after, event.after.row
    if row.phase == "playing" and state.match is not None and world.vacant is None and event.decision is not None:
        waits = next_premove(row.chairs, state.match) is not None
        if row.premove_at is None:
            assert not waits or row.chairs != event.before.row.chairs, "a premove is never carried out"


def counting_never_comes_back(event: Event, world: World) -> None:
    """An uncounted match never counts again."""
    if event.before.row.phase == "playing":
        assert event.before.row.counts or not event.after.row.counts


def the_host_plays(event: Event, world: World) -> None:
    """The host of an open table is a present player, none, or a late player without another person."""
    row = event.after.row
    if row.open and event.decision is not None and row.host != NO_HOST and world.vacant is None:
        late = any((chair.user, chair.away) == (row.host, "late") for chair in row.chairs)
        assert row.host in people(row.chairs) or (late and not people(row.chairs))


def one_question_at_a_time(event: Event, world: World) -> None:
    """The players are never asked for two things, and each question has a number of its own."""
    asked = {chair.vote for chair in event.after.row.chairs} - {"", "granted"}
    assert len(asked) <= 1
    was = {chair.vote for chair in event.before.row.chairs} - {"", "granted"}
    if event.decision is not None:
        new = bool(asked) and asked != was
        assert event.after.row.votes == event.before.row.votes + new


def seats_keep_their_owners(event: Event, world: World) -> None:
    """During a match no seat comes or goes, and each result stays with the player who began there."""
    before, after = event.before.row, event.after.row
    if before.phase == "playing":
        assert [chair.seat for chair in after.chairs] == list(range(before.seats))
        assert [result_owner(chair) for chair in after.chairs] == [result_owner(chair) for chair in before.chairs]
        assert (after.seed, after.options, after.preset) == (before.seed, before.options, before.preset)


def nobody_sits_twice(event: Event, world: World) -> None:
    """No player has two seats."""
    seated = [chair.user for chair in event.after.row.chairs if chair.user is not None]
    assert len(seated) == len(set(seated))


def removed_players_stay_removed(event: Event, world: World) -> None:
    """A player whom a moderator removed never acts on that seat again; only a substitute may take it."""
    if event.before.row.phase != "playing":
        return
    for was, now in zip(event.before.row.chairs, event.after.row.chairs, strict=True):
        if was.away == "removed" and not now.house:
            assert now.user != was.user


def sittings_tell_who_acts(event: Event, world: World) -> None:
    """Sittings name the acting player of each seat."""
    before, after = event.before.row, event.after.row
    change = change_between(before, after, event.now) if event.decision else None
    if change is None or after.phase not in ("playing", "over"):
        return
    acting = {} if before.phase == "lobby" else {chair.seat: _acting(chair) for chair in before.chairs}
    acting |= {sitting.seat: (sitting.user, sitting.house) for sitting in change.sittings}
    assert acting == {chair.seat: _acting(chair) for chair in after.chairs}


def _acting(chair: Chair) -> tuple[UserId | None, bool]:
    return (None if chair.house else chair.user), chair.house


def a_stopped_table_does_not_play(event: Event, world: World) -> None:
    """No action at a paused table before it resumes."""
    row = event.before.row
    if row.paused and row.phase == "playing" and event.after.row.paused:
        assert event.after.row.steps == row.steps


def deadlines_are_near(event: Event, world: World) -> None:
    """No deadline exceeds the longest duration here."""
    row = event.after.row
    if row.open and row.deadline is not None:
        assert row.deadline.at - event.now <= timedelta(days=60)
        assert row.deadline.remind_at is None or row.deadline.remind_at <= row.deadline.at


def the_next_hand_is_near(event: Event, world: World) -> None:
    """Between two hands a table waits no longer than for the next hand, unless it waits for players or objections."""
    row, match = event.after.row, event.after.match
    if match is None or not match.game.result or row.phase != "playing" or row.paused or not people(row.chairs):
        return
    if not ends_in_silence(match, row.chairs, row.pace) and world.vacant is None:
        assert row.deadline is not None
        assert row.deadline.at <= DURATIONS.for_next_hand(row.pace, event.now, is_solo=False).at


def announcements_are_complete(event: Event, world: World) -> None:
    """What all players are told has a value for each of its fields, and names the users whom its names stand for."""
    said = event.decision.effects if event.decision else ()
    chairs = (*event.before.row.chairs, *event.after.row.chairs)
    for told in (effect for effect in said if isinstance(effect, Announcement)):
        wanted = {name for _, name, _, _ in Formatter().parse(told.sentence) if name}
        assert wanted <= {*told.values, "table", "people", "channel", "reason"}, told
        for chair in chairs:
            if chair.user is not None and chair.user > 0 and chair.name in told.values.values():
                assert chair.user in told.users, told


def substitutes_have_seen_nothing(event: Event, world: World) -> None:
    """A substitute has not had a seat in this match; only the owner of a seat comes back to it."""
    command = event.command
    if isinstance(command, say.Substitute) and event.refusal is None:
        chair = event.before.row.chairs[command.seat]
        assert command.user not in world.seated or command.user in (chair.user, chair.owner)
    if isinstance(command, say.CallOff | say.EndMatch | say.Pause | say.Expel) and event.refusal is None:
        assert command.by.user not in world.seated or event.before.row.phase == "lobby"


def a_stopped_clock_goes_on_for_a_reason(event: Event, world: World) -> None:
    """A suspended table resumes when it can be shown, a break with all players, a pause by a moderator or the clock."""
    before, after = event.before.row, event.after.row
    if not before.paused or after.paused or not after.open:
        return
    if before.suspended_since:
        assert isinstance(event.command, say.EndSuspension)
    elif isinstance(event.command, say.Ring):
        assert before.deadline is not None
        assert before.deadline.at <= event.now
    elif not isinstance(event.command, say.Resume):
        assert "pause" in {chair.vote for chair in before.chairs}


def terms_are_seen(event: Event, world: World) -> None:
    """Nobody agrees to other terms than those on their screen, and no match begins without the consent of all."""
    command, row = event.command, event.before.row
    if event.refusal is not None or row.phase != "lobby":
        return
    if isinstance(command, say.Join | say.Agree | say.Start):
        assert command.edition == row.edition
        last = row.revised
        assert last is None or last.by == command.user or event.now >= last.at + MIN_READING_TIME
    if event.after.row.phase in ("playing", "over"):
        assert all(chair.agreed == row.edition for chair in row.chairs if chair.user is not None)
        assert len(row.chairs) == row.seats


def a_refusal_can_be_told(event: Event, world: World) -> None:
    """Each refusal has what its sentence needs."""
    if isinstance(event.refusal, Refused):
        assert str(event.refusal)


def who_breaks_off_cannot_undo_a_loss(event: Event, world: World) -> None:
    """A match that a late player breaks off counts only without a clock; a match has a place from its first card on."""
    row, match = event.after.row, event.after.match
    if event.after.row.phase == "playing" and match is not None:
        assert not row.counts or match.rules.late_policy != "abort" or row.pace.kind == "none"
        assert row.place is not None
        assert row.place.channel
        if isinstance(event.command, say.CastVote) and event.before.row.pace != row.pace:
            assert row.counts == (
                event.before.row.counts and (match.rules.late_policy != "abort" or row.pace.kind == "none")
            )


def who_acts_has_missed_nothing(event: Event, world: World) -> None:
    """A player who acts has no missed moves while the match continues."""
    if isinstance(event.command, say.Act) and event.after.moment != event.before.moment and event.after.row.open:
        acted = [chair for chair in event.after.row.chairs if chair.user == event.command.user]
        assert all(chair.misses == 0 for chair in acted)


ALWAYS: tuple[Invariant, ...] = (
    a_refusal_can_be_told,
    who_breaks_off_cannot_undo_a_loss,
    who_acts_has_missed_nothing,
    announcements_are_complete,
    substitutes_have_seen_nothing,
    a_stopped_clock_goes_on_for_a_reason,
    terms_are_seen,
    a_refusal_leaves_the_state,
    deciding_is_pure,
    steps_only_grow,
    steps_are_their_players,
    the_change_makes_the_next_row,
    over_means_a_result,
    nothing_is_due_at_an_ended_table,
    a_deadline_wherever_something_has_to_happen,
    house_players_are_nudged,
    a_ring_leaves_nothing_due,
    clocks_run_of_the_awaited,
    premoves_are_due_when_awaited,
    counting_never_comes_back,
    the_host_plays,
    one_question_at_a_time,
    seats_keep_their_owners,
    nobody_sits_twice,
    removed_players_stay_removed,
    sittings_tell_who_acts,
    a_stopped_table_does_not_play,
    deadlines_are_near,
    the_next_hand_is_near,
)
