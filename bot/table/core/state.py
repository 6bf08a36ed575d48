"""The state of a table, decisions, and the changes to write. Values only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.domain.chairs import Chair
from bot.domain.contests import DuplicateSeat
from bot.domain.effects import Announcement, Effect, PendingEffect, Value
from bot.domain.ids import UserId
from bot.domain.pace import Deadline
from bot.domain.rating import RatingChange
from bot.domain.refusals import Refused
from bot.domain.results import DetailedScore, MatchOutcome, Sitting
from bot.domain.working_hours import WorkSchedule
from bot.games import GAMES
from bot.rules.core.asks import read_action
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import NEVER, NO_MESSAGE, Moderation, TableChange, TableRow
from bot.table.core.chairs import Chairs, people, sittings


@dataclass(frozen=True, slots=True)
class Moderator:
    """A moderator at work on a table. name: readable by all players there."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class AccessCheck:
    """A question to Discord about a late player's access to the table.

    deadline: the last moment to wait for the answer, as in the row meanwhile. since: the first question about this
    deadline.
    """

    deadline: Deadline
    since: datetime


@dataclass(frozen=True, slots=True)
class TableState:
    """A table between two commands.

    row, match: the saved row, and the match of its record; None before the first deal. working_hours: of the owners of
    seats, at a slow table. The rest lives in memory only. access_check: the pending one. recent_deletions: in a lobby,
    of its players. hand_duration: at the lobby's pace. rating_changes: by the finished match, by seat.
    """

    row: TableRow
    _: KW_ONLY
    match: Match | None = None
    working_hours: Mapping[UserId, WorkSchedule] = field(default_factory=dict)
    access_check: AccessCheck | None = None
    recent_deletions: Mapping[UserId, datetime] = field(default_factory=dict)
    hand_duration: timedelta | None = None
    rating_changes: Mapping[int, RatingChange] = field(default_factory=dict)

    @property
    def ply(self) -> int:
        """The number of actions so far."""
        return len(self.row.steps)

    @property
    def moment(self) -> int:
        """The number of public actions so far."""
        return self.match.moment if self.match else 0

    @property
    def sealed(self) -> bool:
        """Whether the latest action is known to its player only."""
        return bool(self.match and self.match.game.secrecy.sealed)

    @property
    def hours(self) -> Mapping[int, WorkSchedule]:
        """The working hours of the owners, by seat; a clock without an entry always runs."""
        owners = ((chair.seat, chair.user) for chair in self.row.chairs if chair.user is not None)
        return {seat: self.working_hours[user] for seat, user in owners if user in self.working_hours}

    @property
    def missing(self) -> frozenset[int]:
        """The awaited users; for a secret question, those without an answer."""
        if self.match is None or self.row.phase != "playing":
            return frozenset()
        waiting = (self.row.chairs[seat] for seat in self.match.awaited)
        return frozenset(chair.user for chair in waiting if chair.user is not None and not chair.house)

    def reread(self, row: TableRow, match: Match | None) -> TableState:
        """Return the state with the saved row; values in memory survive for present players only."""
        users = people(row.chairs)
        deletions = {user: at for user, at in self.recent_deletions.items() if user in users}
        changes = {seat: one for seat, one in self.rating_changes.items() if row.chairs[seat].user is not None}
        return replace(self, row=row, match=match, recent_deletions=deletions, rating_changes=changes)

    def seated(self, chairs: Chairs) -> TableState:
        """Return the state with these chairs; equal chairs leave the state unchanged."""
        return self if chairs == self.row.chairs else replace(self, row=replace(self.row, chairs=chairs))


@dataclass(frozen=True, slots=True, kw_only=True)
class Writes:
    """The rows appended to the store beside the new row.

    substitute: the mark of a new substitute. parts: new seats in a duplicate. sent: the key of the outbox effect
    completed by this decision.
    """

    outcome: MatchOutcome | None = None
    score: DetailedScore | None = None
    openings: str = field(default="", repr=False)
    moderation: Moderation | None = None
    substitute: str | None = None
    parts: tuple[DuplicateSeat, ...] = ()
    sent: str = ""

    def __or__(self, other: Writes) -> Writes:
        """Return both; `other` takes precedence."""
        given = {part.name: value for part in fields(other) if (value := getattr(other, part.name)) != part.default}
        return replace(self, **given) if given else self


NO_WRITES: Final = Writes()


# What follows a decision at once, in memory; the effects of the outbox are those of `bot.domain.effects`


@dataclass(frozen=True, slots=True)
class Changed:
    """The table looks different: redraw its screens and call the awaited players."""


@dataclass(frozen=True, slots=True)
class Suspended:
    """Notify the players directly of the suspension, because the channel is closed to the bot."""


@dataclass(frozen=True, slots=True)
class CheckAccess:
    """Ask Discord about a late player's access; the answer arrives as `AccessFound`."""

    user: UserId


@dataclass(frozen=True, slots=True)
class ClockResumed:
    """The awaited house players draw a new delay."""


@dataclass(frozen=True, slots=True)
class PremoveFailed:
    """Log a failed premove; the table asks its player instead."""

    error: Illegal


Signal: TypeAlias = Changed | Suspended | CheckAccess | ClockResumed | PremoveFailed
CHANGED: Final = Changed()


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a command.

    state: the next state. effects: the Discord effects to start after the write, saved in the same transaction.
    signals: immediate consequences. refusal: raised for the command's sender in spite of the change.
    """

    state: TableState
    _: KW_ONLY
    effects: tuple[Effect, ...] = ()
    signals: tuple[Signal, ...] = ()
    writes: Writes = NO_WRITES
    refusal: Refused | None = None

    def then(self, found: Decision) -> Decision:
        """Return this decision and a second one for its state, as one transaction."""
        signals = (*self.signals, *(signal for signal in found.signals if signal not in self.signals))
        effects, writes = (*self.effects, *found.effects), self.writes | found.writes
        return Decision(
            found.state, effects=effects, signals=signals, writes=writes, refusal=self.refusal or found.refusal
        )

    def with_effects(self, *effects: Effect) -> Decision:
        """Return this decision with these effects in front of its own."""
        return replace(self, effects=(*effects, *self.effects))

    def with_writes(self, writes: Writes) -> Decision:
        """Return this decision with additional writes."""
        return replace(self, writes=self.writes | writes)


def shown(state: TableState, *effects: Effect) -> Decision:
    """Return the decision to adopt this state and redraw the table."""
    return Decision(state, effects=effects, signals=(CHANGED,))


def announcement(
    sentence: str,
    *,
    about: Collection[Chair] = (),
    by: Moderator | None = None,
    called: Collection[UserId] = (),
    back: bool = False,
    **values: Value,
) -> Announcement:
    """Return a sentence for all players at a table.

    sentence: an English message id; `{table}` becomes the name of the table, `{moderator}` that of the moderator.
    about: the chairs whose names are among the values. called: the players whom the message mentions, at `{people}`.
    back: whether a player can take the seat back with a button.
    """
    users = {user for chair in about for user in (chair.user, chair.owner) if user is not None}
    if by is not None:
        users.add(by.user)
        values["moderator"] = by.name
    return Announcement(sentence, values=values, users=tuple(sorted(users)), called=tuple(called), back=back)


def record_of(row: TableRow) -> Record:
    """Return the record of a row's match so far; secret until the end of the match."""
    steps = tuple((step.seat, read_action(step.action)) for step in row.steps)
    return Record(GAMES[row.game], row.preset, seed=row.seed, options=row.options, steps=steps, version=row.rules)


def ruleset_of(row: TableRow) -> Ruleset:
    """Return the rules of a row's table, in the version of its match."""
    return Ruleset.of(GAMES[row.game], row.preset, row.options, row.rules)


def change_between(
    before: TableRow,
    after: TableRow,
    at: datetime,
    *,
    writes: Writes = NO_WRITES,
    effects: tuple[PendingEffect, ...] = (),
) -> TableChange | None:
    """Return the change that makes `after` of `before`; None for no change.

    writes, effects: added to the change. The law: ``change.after(before) == after``. Unchanged columns stay out, as do
    new but equal tuples.
    """
    if before == after and writes == NO_WRITES and not effects:
        return None
    rests = (before.paused, before.held, before.suspended_since) != (after.paused, after.held, after.suspended_since)
    return TableChange(
        at=at,
        steps=after.steps[len(before.steps) :],
        phase=None if before.phase == after.phase else after.phase,
        host=None if before.host == after.host else after.host,
        home=None if before.home == after.home else after.home,
        channel=None if before.channel == after.channel else after.channel,
        message=None if before.message == after.message else after.message or NO_MESSAGE,
        preset=None if before.preset == after.preset else after.preset,
        options=None if before.options == after.options else after.options,
        rules=None if before.rules == after.rules else after.rules,
        seats=None if before.seats == after.seats else after.seats,
        seed=None if before.seed == after.seed else after.seed,
        pace=None if before.pace == after.pace else after.pace,
        own_pace=None if before.own_pace == after.own_pace else after.own_pace,
        edition=None if before.edition == after.edition else after.edition,
        revised=None if before.revised == after.revised else after.revised,
        stakes=None if before.stakes == after.stakes else after.stakes,
        duplicate_id=None if before.duplicate_id == after.duplicate_id else after.duplicate_id,
        chairs=() if before.chairs == after.chairs else after.chairs,
        cuts=None if before.cuts == after.cuts else after.cuts,
        counts=None if before.counts == after.counts else after.counts,
        unrated=None if before.unrated == after.unrated else after.unrated,
        place=None if before.place == after.place else after.place,
        votes=None if before.votes == after.votes else after.votes,
        touch_deadline=before.deadline != after.deadline,
        deadline=None if before.deadline == after.deadline else after.deadline,
        times=None if before.times == after.times else after.times,
        premove_at=None if before.premove_at == after.premove_at else after.premove_at or NEVER,
        paused=after.paused if rests else None,
        held=after.held if rests else None,
        suspended_since=after.suspended_since if rests else None,
        ended=None if before.ended == after.ended else after.ended,
        sittings=_new_sittings(before, after),
        outcome=writes.outcome,
        score=writes.score,
        openings=writes.openings,
        moderation=writes.moderation,
        sits_in=writes.substitute,
        parts=writes.parts,
        sent=writes.sent,
        effects=effects,
    )


def _new_sittings(before: TableRow, after: TableRow) -> tuple[Sitting, ...]:
    """Return the seats with a new acting user or house player."""
    if "playing" not in (before.phase, after.phase) and after.phase != "over":
        return ()
    return sittings(() if before.phase == "lobby" else before.chairs, after.chairs, len(after.steps))
