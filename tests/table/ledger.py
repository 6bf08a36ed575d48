"""The remaining time of each seat, accounted for a second time and independently of the table's own columns.

Time is taken from a seat only while its turn runs, in its owner's working hours at a slow table. A turn is a seat and
the moment of the match at which it was asked; as long as a clock is stopped, whatever player has the seat, the
remaining time of a turn stays what it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.domain.effects import Reminder
from bot.domain.ids import UserId
from bot.rules.matches.match import Match
from bot.store.rows import TableRow
from bot.table.core import commands as say
from bot.table.core import time_control
from bot.table.core.chairs import people
from bot.table.core.eligibility import ends_in_silence
from bot.table.core.state import TableState
from bot.table.core.time_control import HOUSE_NUDGE, TimeControl, is_live_session
from tests.table.world import DURATIONS, START, Event, World

NONE, GRANTED = timedelta(), timedelta(hours=12)
TINY = timedelta(milliseconds=1)  # by which rounding may differ


@dataclass(frozen=True)
class Turn:
    """A turn of a seat.

    left: its remaining time. stopped: whether its clock was stopped since it began to run last. settled: whether what
    stays of it is noted among the banks already, since its player has left. given_up: whether its player has left.
    """

    moment: int
    left: timedelta
    stopped: bool = False
    settled: bool = False
    given_up: bool = False


@dataclass
class Asked:
    """A question to several players at the same time. used: by seat, how much of their time has passed since."""

    moment: int
    whole: timedelta
    used: dict[int, timedelta] = field(default_factory=dict)


@dataclass
class Ledger:
    """The accounts of one table.

    turns: of the seats in this hand that were asked last. banks: the time that stays from turn to turn, where it is
    not whole. kept: the turns and banks from before a live session. noted: when time was taken last. asked: the
    question to all that is open. deserted: since when all have left. reminded: the moment and time of the last
    reminder. touched: when the players or the terms of the lobby last changed. host_reminded: whether its host was.
    """

    turns: dict[int, Turn] = field(default_factory=dict)
    banks: dict[int, timedelta] = field(default_factory=dict)
    kept: tuple[dict[int, Turn], dict[int, timedelta]] = field(default_factory=lambda: ({}, {}))
    noted: datetime | None = None
    asked: Asked | None = None
    deserted: datetime | None = None
    reminded: tuple[int, datetime] | None = None
    touched: datetime = START
    host_reminded: bool = False

    def enter(self, event: Event, world: World) -> None:
        """Take the time that has passed, hold the event against it, and note what it changes."""
        before, after = event.before, event.after
        if before.row.phase == "playing":
            self._take(before, event.now, world)
            self._check_late(event, world)
            self._check_deserted(event)
            self._check_reminder(event)
        elif before.row.phase == "lobby":
            self._check_lobby(event)
        self.noted = event.now
        if after.row.phase == "playing" and after.match is not None and event.decision is not None:
            if after.row.pace != before.row.pace:
                self._other_pace(before, after)
            self._note(event, before, after, after.match)

    def leave_out(self, since: datetime, until: datetime, world: World) -> None:
        """Leave out the time during which the bot was away."""
        if world.row.phase == "playing":
            self._take(world.state, since, world)
        self.noted = until
        self.touched += until - since

    # The time that passes

    def _take(self, state: TableState, now: datetime, world: World) -> None:
        since = self.noted or now
        for seat in running_seats(state):
            if seat in self.turns:
                turn = self.turns[seat]
                self.turns[seat] = replace(turn, left=turn.left - active(state, seat, since, now, world))
        if self.asked is not None and not state.row.paused:
            ticks = state.match is not None and state.match.game.secrecy.tick is not None
            for seat in self.asked.used:
                self.asked.used[seat] += now - since if ticks else active(state, seat, since, now, world)

    # What a timeout asks

    def _check_late(self, event: Event, world: World) -> None:
        """Nobody is timed out before their time was used, nor in their night, on a day off or in a vacation."""
        before, match = event.before, event.before.match
        if match is None or match.game.result or event.decision is None:
            return
        if not timed_out(event):
            return
        if match.game.secrecy.together:
            self._check_all_late(event, match, world)
            return
        late = [seat for seat in match.awaited if seat in self.turns and self.turns[seat].left <= TINY]
        assert late, f"nobody is late: {self.turns}"
        if before.row.pace.slow:
            assert any(not rests(before, seat, event.now, world) for seat in late), "timed out at rest"

    def _check_all_late(self, event: Event, match: Match, world: World) -> None:
        assert self.asked is not None
        assert self.asked.moment == match.moment
        whole, chairs = self.asked.whole, event.before.row.chairs
        for seat in match.awaited:
            if not chairs[seat].house and seat in self.asked.used:
                assert self.asked.used[seat] >= whole - TINY, f"seat {seat} had {self.asked.used[seat]} of {whole}"
            if event.before.row.pace.slow and match.game.secrecy.tick is None and not chairs[seat].house:
                assert not rests(event.before, seat, event.now, world), "timed out at rest"

    def _check_deserted(self, event: Event) -> None:
        """A match that all have left waits for them for a week, whatever stopped its clock meanwhile."""
        if people(event.after.row.chairs):
            self.deserted = None
        elif self.deserted is None:
            self.deserted = event.now
        elif isinstance(event.command, say.Ring) and event.before.row.running and not event.after.row.open:
            assert event.now - self.deserted >= DURATIONS.deserted, f"deserted since {self.deserted} only"

    def _check_reminder(self, event: Event) -> None:
        """Nobody is reminded twice of the same deadline."""
        late, said = event.before.row.deadline, event.decision.effects if event.decision else ()
        if late is None or late.remind_at is None or not any(isinstance(effect, Reminder) for effect in said):
            return
        if late.at <= event.now or not isinstance(event.command, say.Ring):
            return  # they were late, and are reminded of that
        reminded = (event.before.moment, late.remind_at)
        assert reminded != self.reminded, "reminded twice"
        self.reminded = reminded

    def _check_lobby(self, event: Event) -> None:
        """A live lobby closes after half an hour; any other after three days, its host reminded once, a day before."""
        before, after, rings = event.before.row, event.after.row, isinstance(event.command, say.Ring)
        lasts = timedelta(minutes=30) if before.pace.kind == "live" else timedelta(days=3)
        if rings and before.running and after.phase == "closed":
            assert event.now - self.touched >= lasts, f"untouched since {self.touched} only"
        if event.decision and any(isinstance(effect, Reminder) for effect in event.decision.effects):
            assert before.pace.kind != "live"
            assert not self.host_reminded, "reminded twice"
            assert event.now - self.touched >= timedelta(days=2)
            self.host_reminded = True
        if (before.chairs, before.revised, before.suspended_since) != (
            after.chairs,
            after.revised,
            after.suspended_since,
        ):
            self.touched = event.now

    # What is noted

    def _note(self, event: Event, before: TableState, after: TableState, match: Match) -> None:
        control, row = DURATIONS.time_control(after.row.pace), after.row
        self._note_question(before, after, match)
        self._stop_those_who_left(event, control)
        if control is not None:
            self._end_turns(before, after, match, control)
        if control is None or row.paused:
            self._stop(before, event.now)
        if control is None or row.paused or (awaits_access(after) and not row.pace.slow):
            return
        self._adjust(event, control)
        for seat in running_seats(after):
            turn, actual = self.turns.get(seat), remaining(after, seat, event.now)
            if turn is not None and until_answer(turn, after, event.now) is not None:
                continue
            if turn is not None:
                self._check_same_turn(event, seat, turn, actual, control)
            else:
                self._check_new_turn(event, seat, actual, control)
            self.turns[seat] = Turn(match.moment, actual)

    def _check_same_turn(self, event: Event, seat: int, turn: Turn, actual: timedelta, control: TimeControl) -> None:
        """Within a turn no time comes or goes but what has passed, been granted, or been given again."""
        if not turn.stopped:
            assert abs(actual - turn.left) <= TINY, f"seat {seat} has {actual} instead of {turn.left}"
            return
        whole = self._whole(event.after, seat, control)
        if turn.given_up and is_live_session(event.after.row) and abs(actual - whole) <= TINY:
            return  # a live session costs nobody anything, and remembers of nobody what was left
        waits = HOUSE_NUDGE if turn.given_up or event.after.row.pace.slow else NONE
        expected = max(turn.left, waits) if turn.left > TINY else whole
        assert abs(actual - expected) <= TINY, f"seat {seat} has {actual} instead of {expected}"

    def _check_new_turn(self, event: Event, seat: int, actual: timedelta, control: TimeControl) -> None:
        """A new turn begins with the whole time for a move, or with the reserve that is left, at a daily table."""
        bank = self.banks.get(seat)
        expected = control.begun(bank)
        if bank is not None and event.after.row.pace.slow and not control.grows:
            expected = max(bank, control.move)  # more was left at another pace
        assert abs(actual - expected) <= TINY, f"a new turn of seat {seat} has {actual} instead of {expected}"

    def _end_turns(self, before: TableState, after: TableState, match: Match, control: TimeControl) -> None:
        """Note the remaining time of moved seats."""
        for seat, turn in [(seat, turn) for seat, turn in self.turns.items() if turn.moment != match.moment]:
            del self.turns[seat]
            if not turn.settled:
                self._settle(seat, turn, before, after, control)

    def _settle(self, seat: int, turn: Turn, before: TableState, after: TableState, control: TimeControl) -> None:
        kept, chair, was = self.banks.pop(seat, None), after.row.chairs[seat], before.row.chairs[seat]
        if after.row.pace.slow:
            left = control.ended(None, turn.left)
        elif was.house:  # it has moved before the table heard that the data of the player was deleted
            left = kept
        elif awaits_access(before) or turn.left <= TINY:  # the deadline was that of an answer, not of a move
            left = time_control.bank(after.row.times, seat)
        else:
            late = chair.house or chair.misses > was.misses
            left = control.ended(kept, NONE if late else turn.left)
        if left is not None:
            self.banks[seat] = left

    def _stop(self, state: TableState, now: datetime) -> None:
        """Note the stop of every clock; an expired one keeps a full move, unless an answer is due."""
        control, running = DURATIONS.time_control(state.row.pace), running_seats(state)
        for seat, turn in self.turns.items():
            left = turn.left
            if control is not None and seat in running and left <= TINY:
                left = max(until_answer(turn, state, now) or NONE, NONE) or self._whole(state, seat, control)
            self.turns[seat] = replace(turn, left=left, stopped=True)

    def _whole(self, state: TableState, seat: int, control: TimeControl) -> timedelta:
        """Return the time of a whole move of a seat whose turn has begun already."""
        return control.move if state.row.pace.slow else control.begun(self.banks.get(seat))

    def _stop_those_who_left(self, event: Event, control: TimeControl | None) -> None:
        """Note the stopped clocks of departed players, even if the store removed them earlier."""
        before, after = event.before, event.after
        for seat, turn in self.turns.items():
            vacant = isinstance(event.command, say.Vacate) and event.command.seat == seat
            if after.row.chairs[seat].house and (not before.row.chairs[seat].house or vacant):
                if not after.row.pace.slow and control is not None and after.row.paused:
                    self.banks |= {seat: NONE} if control.reserve else {}  # it stays behind with the seat
                elif not after.row.pace.slow and control is not None:
                    self._settle(seat, turn, before, after, control)
                late = after.row.chairs[seat].away == "late"
                left = turn.left if late else until_answer(turn, before, event.now) or turn.left
                self.turns[seat] = Turn(turn.moment, left, stopped=True, settled=not after.row.pace.slow, given_up=True)

    def _other_pace(self, before: TableState, after: TableState) -> None:
        """Every player has at least as much time at another pace as before or as at a new table."""
        if is_live_session(after.row):
            turns = {seat: replace(turn, stopped=True) for seat, turn in self.turns.items()}
            self.kept, self.turns, self.banks = (turns, self.banks), {}, {}
            return
        if is_live_session(before.row):
            self.turns, self.banks = self.kept
            return
        control, turns, banks = DURATIONS.time_control(after.row.pace), self.turns, self.banks
        self.turns, self.banks = {}, {}
        if control is not None and before.row.pace.slow and after.row.pace.slow:
            least = control.begun(None)
            self.turns = {seat: turn for seat, turn in turns.items() if turn.left > least}
            self.banks = {seat: left for seat, left in banks.items() if left > least and seat not in turns}

    def _adjust(self, event: Event, control: TimeControl) -> None:
        """Note time that is given: by other players, as a grace period, to a substitute, or again to a late player."""
        before, after = event.before.row, event.after
        for seat in running_seats(after):
            turn = self.turns.get(seat)
            if turn is None or until_answer(turn, after, event.now) is not None:
                continue
            more = remaining(after, seat, event.now) - turn.left
            anew = self._whole(after, seat, control)
            late, first = turn.left <= TINY, not any(step.seat == seat for step in before.steps)
            if isinstance(event.command, say.GrantTime):
                left = turn.left + GRANTED
            elif isinstance(event.command, say.Substitute) and event.command.seat == seat:
                left = anew
            elif isinstance(event.command, say.Ring | say.AccessFound) and late and more > TINY:
                left = turn.left + GRANTED if first and before.pace.slow and abs(more - GRANTED) <= TINY else anew
            else:
                continue
            self.turns[seat] = replace(turn, left=left)

    def _note_question(self, before: TableState, after: TableState, match: Match) -> None:
        """Note a question to several players at the same time."""
        if match.game.result or not match.game.secrecy.together:
            self.asked = None
            return
        span = DURATIONS.move(after.row.pace)
        tick = match.game.secrecy.tick
        if self.asked is not None and self.asked.moment == match.moment and before.row.pace == after.row.pace:
            if after.row.pace.slow and tick is None:
                self._note_substitutes(self.asked, before, after)
            return
        whole = timedelta(seconds=tick) if tick is not None else span / 2 if span else NONE
        self.asked = Asked(match.moment, whole, dict.fromkeys(match.awaited, NONE))

    @staticmethod
    def _note_substitutes(asked: Asked, before: TableState, after: TableState) -> None:
        """Give a full move to players of a taken-over seat."""
        for was, now in zip(before.row.chairs, after.row.chairs, strict=True):
            if now.seat in asked.used and was.user != now.user and not now.house:
                asked.used[now.seat] = NONE


def until_answer(turn: Turn, state: TableState, now: datetime) -> timedelta | None:
    """Return the time until Discord's answer about a late player at a live table; None for a deadline of another kind.

    The bot may have asked without remembering.
    """
    late = state.row.deadline
    if state.row.pace.slow or turn.left > TINY or late is None or late.remind_at is None or not late.reminded:
        return None
    return late.at - now if late.at - now <= DURATIONS.answer else None


def awaits_access(state: TableState) -> bool:
    """Tell whether the deadline is not that of a move, since a late player may have lost access."""
    late, check = state.row.deadline, state.access_check
    return late is not None and (
        (check is not None and check.deadline == late) or (late.shut_out is not None and late.remind_at is None)
    )


def running_seats(state: TableState) -> frozenset[int]:
    """Return the seats of the people whose time passes now."""
    row, match = state.row, state.match
    if match is None or row.phase != "playing" or row.paused or row.pace.kind == "none":
        return frozenset()
    if match.game.result or match.game.secrecy.together or ends_in_silence(match, row.chairs, row.pace):
        return frozenset()
    house = any(row.chairs[seat].house for seat in match.awaited)
    return frozenset() if house or not people(row.chairs) else match.awaited


def active(state: TableState, seat: int, since: datetime, now: datetime, world: World) -> timedelta:
    """Return how much of a seat's time has passed between two moments."""
    user = state.row.chairs[seat].user
    if user is None or not state.row.pace.slow:
        return now - since
    return world.day_of(user).working(vacations=state.row.pace.vacations).active(since, now)


def rests(state: TableState, seat: int, now: datetime, world: World) -> bool:
    """Tell whether the owner of a seat sleeps or is away."""
    user: UserId | None = state.row.chairs[seat].user
    if user is None:
        return False
    return world.day_of(user).working(vacations=state.row.pace.vacations).end_of_rest(now) is not None


def remaining(state: TableState, seat: int, now: datetime) -> timedelta:
    """Return how much time the table says that a seat has left."""
    row: TableRow = state.row
    if not row.pace.slow:
        assert row.deadline is not None, "a clock runs without a deadline"
        return row.deadline.at - now
    time = next(time for time in row.times if time.seat == seat)
    assert time.since is not None
    day = state.hours.get(seat)
    return time.left - (day.active(time.since, now) if day else now - time.since)


def timed_out(event: Event) -> bool:
    """Tell whether a player was late: was acted for, lost the seat or was reminded once the time was over."""
    before, after = event.before.row, event.after.row
    if any(step.by == "clock" for step in after.steps[len(before.steps) :]):
        return True
    pairs = zip(before.chairs, after.chairs, strict=True)
    if any(now.away == "late" != was.away or now.misses > was.misses for was, now in pairs):
        return True
    said = event.decision.effects if event.decision else ()
    reminded = any(isinstance(effect, Reminder) for effect in said)
    return reminded and before.deadline is not None and before.deadline.at <= event.now
