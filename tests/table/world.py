"""A small world around one table: a clock, the answers to its questions, and its state. No Discord, no store, no tasks.

`World.send` does what the shell of a table does: it takes the working hours of the present owners, decides, answers
questions and decides again, and adopts the next state. What Discord and the store would know is a few dictionaries.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from bot.ai_pool.moves import SeatAction, play_out_hand
from bot.domain.chairs import Chair
from bot.domain.contests import Duplicate
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.pace import Deadline
from bot.domain.preferences import BlockState
from bot.domain.refusals import Refused
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.domain.working_hours import WorkSchedule
from bot.games import GAMES
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow, Waiter
from bot.table.core import facts as asked
from bot.table.core.chairs import people
from bot.table.core.commands import Command
from bot.table.core.decide import decide
from bot.table.core.eligibility import UNRATED_FOR
from bot.table.core.facts import Facts, MissingFact, Question
from bot.table.core.state import CheckAccess, Decision, TableState
from bot.table.core.time_control import Durations

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
CHANNEL, THREAD, ELSEWHERE = ChannelId(10), ChannelId(11), ChannelId(12)
DURATIONS = Durations()
MAX_QUESTIONS = 60
NAMES = ("ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "leo")
PEOPLE = tuple(UserId(101 + at) for at in range(len(NAMES)))
MODERATORS = (UserId(901), UserId(902))


@dataclass(frozen=True)
class Event:
    """The outcome of a command. questions: the number of decisions before the last one."""

    command: Command
    before: TableState
    now: datetime
    decision: Decision | None
    refusal: Refused | Illegal | None
    facts: Facts
    questions: tuple[Question[object], ...]

    @property
    def after(self) -> TableState:
        """The next state; the same one where the command was refused."""
        return self.decision.state if self.decision else self.before


@dataclass
class World:
    """One table and what is around it.

    days: of people who have said when they sleep. blind: people without access to the channel. writable: whether the
    bot may write there. checking: the player about whom Discord is asked. vacant: a seat whose owner's data was
    deleted, which the table has still to be told. seated: who has had a seat in the match. line: who
    is asked to take a free seat. lobbies: how many other lobbies are open on the server, and how many of them are the
    host's, live ones (True) and slow ones.
    decisions: how often anything was decided.
    """

    state: TableState
    now: datetime = START
    dice: random.Random = field(default_factory=lambda: random.Random(0))
    server: ServerSettings = DEFAULT_SETTINGS
    writable: bool = True
    days: dict[UserId, WorkSchedule] = field(default_factory=dict)
    blind: set[UserId] = field(default_factory=set)
    bars: dict[tuple[ChannelId, str], datetime] = field(default_factory=dict)
    apart: dict[frozenset[UserId], UserId] = field(default_factory=dict)
    deletions: dict[UserId, datetime] = field(default_factory=dict)
    substitutes: set[str] = field(default_factory=set)
    duplicates: dict[int, Duplicate] = field(default_factory=dict)
    elsewhere: set[UserId] = field(default_factory=set)
    outages: tuple[tuple[datetime, datetime], ...] = ()
    lobbies: dict[bool, tuple[int, int]] = field(default_factory=lambda: {True: (0, 0), False: (0, 0)})
    checking: UserId | None = None
    vacant: tuple[int, Chair] | None = None
    seated: set[UserId] = field(default_factory=set)
    line: tuple[Waiter, ...] = ()
    decisions: int = 0

    @property
    def row(self) -> TableRow:
        """The table as the store would have it."""
        return self.state.row

    def day_of(self, user: UserId) -> WorkSchedule:
        """Return when the day of a person runs."""
        return replace(self.days.get(user, WorkSchedule()), outages=self.outages)

    # Deciding

    def send(self, command: Command) -> Event:
        """Decide a command and adopt the decision."""
        event = self.try_out(command)
        if event.decision is not None:
            self._adopt(event.decision)
        return event

    def try_out(self, command: Command) -> Event:
        """Decide a command and leave the table as it is."""
        return self.look_at(self.state, command, self.now)

    def look_at(self, state: TableState, command: Command, now: datetime) -> Event:
        """Return the outcome of a command in any state."""
        state, questions = self._with_hours(state), list[Question[object]]()
        facts = Facts(now, durations=DURATIONS, server=self.server)
        while True:
            assert len(questions) < MAX_QUESTIONS, f"{command} asks for ever: {questions[-3:]}"
            self.decisions += 1
            try:
                found = decide(state, command, facts)
            except MissingFact as missing:
                questions.append(missing.question)
                facts = facts.knowing(missing.question, self._answer(missing.question))
            except (Refused, Illegal) as refusal:
                return Event(command, state, now, None, refusal, facts, tuple(questions))
            else:
                return Event(command, state, now, found, None, facts, tuple(questions))

    def _with_hours(self, state: TableState) -> TableState:
        """Return the state with the working hours of the present owners, as the shell takes them under its lock."""
        if not state.row.pace.slow or not state.row.open:
            return state
        owners = [chair.user for chair in state.row.chairs if chair.user is not None]
        return replace(state, working_hours=self._working_hours(owners, vacations=state.row.pace.vacations))

    def _adopt(self, decision: Decision) -> None:
        self.state = decision.state
        for signal in decision.signals:
            if isinstance(signal, CheckAccess):
                self.checking = signal.user
        writes = decision.writes
        if writes.substitute:
            self.substitutes.add(writes.substitute)
        if writes.moderation and writes.moderation.bar:
            bar = writes.moderation.bar
            self.bars[bar.channel, bar.mark] = bar.until

    # Answering

    def _working_hours(self, users: Collection[UserId], *, vacations: bool) -> Mapping[UserId, WorkSchedule]:
        return {user: self.day_of(user).working(vacations=vacations) for user in users}

    def _apart(self, user: UserId, players: Collection[UserId]) -> BlockState:
        by = {self.apart[pair] for pair in self.apart if user in pair and pair & set(players)}
        return "no" if not by else "own" if user in by else "theirs"

    def _answer(self, question: Question[object]) -> object:  # noqa: PLR0911, PLR0912
        match question:
            case asked.CanWrite():
                return self.writable
            case asked.PlaceOf(channel, noted):
                return noted or AccessChannel(CHANNEL if channel == THREAD else channel)
            case asked.BarredUntil(channel, user):
                until = self.bars.get((channel, mark_of(user)))
                return until if until and until > self.now else None
            case asked.Separation(user, players):
                return self._apart(user, players)
            case asked.SeatedElsewhere(_, users):
                return frozenset(users) & self.elsewhere
            case asked.DuplicateOf(number):
                return self.duplicates.get(number)
            case asked.NumberOf(new):
                number = 1 + len(self.duplicates)
                self.duplicates[number] = replace(new, number=number)
                return number
            case asked.ForgottenAt(user):
                return self.deletions.get(user)
            case asked.RecentDeletions(users):
                since = self.now - UNRATED_FOR
                return {user: at for user in users if (at := self.deletions.get(user)) and at >= since}
            case asked.MarkOf(user):
                return mark_of(user)
            case asked.HasSubstituted(mark):
                return mark in self.substitutes
            case asked.AskedWaiters():
                return tuple(waiter for waiter in self.line if self.now < waiter.until)
            case asked.LineLength():
                return len(self.line)
            case asked.WorkingHours(users, vacations):
                return self._working_hours(users, vacations=vacations)
            case asked.HandDuration():
                return None
            case asked.RatingChanges():
                return {}
            case asked.CountOpenLobbies(_, live):
                return self.lobbies[live]
            case asked.Replay(record):
                return record.replay()
            case asked.PlayedOut(_, match):
                return played_out(match)
            case asked.PremoveDelay():
                return timedelta(seconds=self.dice.uniform(3, 8))
        raise AssertionError(f"Nobody answers {question}.")

    # What happens around the table

    def go_away(self, span: timedelta) -> None:
        """Simulate downtime: deadlines move, clocks of slow tables stop, and memory is lost.

        As `bot.store.repositories.table_changes.resume` has it, followed by a load of the table.
        """
        since, self.now = self.now, self.now + span
        self.outages = (*self.outages, (since, self.now))
        row, deadline, self.checking = self.row, self.row.deadline, None
        if deadline and not (deadline.remind_at and any(time.since for time in row.times)):
            row = replace(
                row,
                deadline=_shifted(deadline, span),
                suspended_since=row.suspended_since and row.suspended_since + span,
            )
        self.state = replace(self.state, row=row, access_check=None)

    def delete(self, user: UserId) -> None:
        """Delete the data of a person, as `bot.store.erasure.personal_rows` takes them out of an open table."""
        self.deletions[user] = self.now
        self.days.pop(user, None)
        row, mark = self.row, mark_of(user)
        chair = next((chair for chair in row.chairs if chair.user == user), None)
        began = any(chair.owner == user for chair in row.chairs)
        if not row.open or (chair is None and not began and row.host != user):
            return
        others = [chair for chair in row.chairs if chair.user not in (None, user)]
        if not others or (row.phase == "lobby" and row.host == user):
            row = replace(row, phase="closed", deadline=None, times=())
        elif row.phase == "lobby":
            row = replace(row, chairs=tuple(chair for chair in row.chairs if chair.user != user))
        else:
            heirs = [chair for chair in others if not chair.house]
            last = chair.seat if chair else -1
            heirs.sort(key=lambda one: (one.seat <= last, one.seat))
            host = row.host if row.host != user else heirs[0].user if heirs else UserId(0)
            row = replace(row, host=host or UserId(0), chairs=tuple(_without(each, user, mark) for each in row.chairs))
            self.vacant = (chair.seat, chair) if chair and not chair.house else None
        self.state = replace(self.state, row=row)


def _without(chair: Chair, user: UserId, mark: str) -> Chair:
    """Return a chair without a person whose data is deleted."""
    if chair.user == user:
        chair = replace(chair, house=True, misses=0, away="left", vote="", premoves="", mark=mark)
        if chair.owner_name:
            return replace(chair, user=chair.owner, name=chair.owner_name, owner=None, owner_name="")
        return replace(chair, user=None, name="👤")
    if chair.owner == user:
        return replace(chair, owner=None, owner_name="👤", mark=mark)
    return chair


def _shifted(deadline: Deadline, by: timedelta) -> Deadline:
    remind, since = deadline.remind_at, deadline.shut_out
    return replace(deadline, at=deadline.at + by, remind_at=remind and remind + by, shut_out=since and since + by)


def mark_of(user: UserId) -> str:
    """Return the mark by which a person is recognised."""
    return f"mark of {user}"


def name_of(user: UserId) -> str:
    """Return what a person is called."""
    return NAMES[PEOPLE.index(user)] if user in PEOPLE else f"mod {user}"


def played_out(match: Match) -> tuple[Match, tuple[SeatAction, ...]]:
    """Return a match played to its end by house players, with their actions."""
    done = list[SeatAction]()
    while not match.over:
        match, more = play_out_hand(match)
        done += more
    return match, tuple(done)


def lobby(rules: Ruleset, host: UserId, seed: str, pace: str = "live", *, created: datetime = START) -> TableState:
    """Return a new lobby with its host on the first seat, as the cogs open one."""
    from bot.domain.pace import Pace

    chairs, wanted = (Chair(0, host, name_of(host), agreed=1),), Pace.read(pace)
    return TableState(
        TableRow(
            TableId(1),
            1,
            GuildId(1),
            CHANNEL,
            CHANNEL,
            None,
            host,
            rules.game,
            rules.preset,
            rules.plain_changes,
            rules.rules.players,
            seed,
            wanted,
            "lobby",
            created,
            chairs,
            deadline=DURATIONS.for_lobby(wanted, created, None),
            rules=rules.version,
        )
    )


def owners(state: TableState) -> tuple[UserId, ...]:
    """Return the people who act for themselves."""
    return people(state.row.chairs)


PRESETS = [(game, preset) for game, known in GAMES.items() for preset in known.presets]
