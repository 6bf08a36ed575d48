"""When and where somebody is told that slow tables wait for them, so that people thank for it.

Pure. Nobody is told while their day stands still, nor where they have just acted. Tables that begin to wait one after
the other are one notice, and there is no other until one of them has gone on; then only a reminder, when most of the
time is gone. Whoever wants to hear of it once a day does so in their own morning. Refuses to know how a notice is sent,
and what stands in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Final, TypeAlias

from bot.domain.ids import ChannelId, TableId, UserId
from bot.domain.preferences import Notices
from bot.domain.working_hours import DAY, HOUR, Day, at_hour, zone_of
from bot.store.rows import Notice, NoticeKind, Turn
from bot.table.core.pace import REMIND_AT

CALL_AFTER: Final = timedelta(seconds=9)  # of a turn
JUST_ACTED: Final = timedelta(minutes=2)  # in which whoever has acted at a table needs no telling
GATHER: Final = timedelta(minutes=30)  # between two notices
PER_PERSON, PER_CHANNEL = 3, 12  # notices in an hour
MORNING: Final = 8  # the hour of whoever has not said when they get up
FAR: Final = datetime.max.replace(tzinfo=UTC)

Lane: TypeAlias = ChannelId | None  # where somebody is told: in a channel or thread, or (None) by direct message


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who may have to be told something.

    choice: where they want to hear of it. day: when they have time. closed: until when there are no calls in a channel.
    lanes: of tables in these channels they are told elsewhere: in a thread of their own, or where it will be.
    """

    user: UserId
    choice: Notices
    day: Day
    closed: Mapping[ChannelId, datetime] = field(default_factory=dict)
    lanes: Mapping[ChannelId, ChannelId] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """A notice to be sent now, of all tables that wait there, what runs out first first. told: of which it is news."""

    kind: NoticeKind
    lane: Lane
    turns: tuple[Turn, ...]
    told: frozenset[TableId]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done now. joined: tables that are only added to a notice that stands. next: when to look again."""

    calls: tuple[Call, ...] = ()
    joined: frozenset[TableId] = frozenset()
    next: datetime | None = None


def ready(since: datetime, acted: datetime | None) -> datetime:
    """Return when somebody is told at the earliest of a turn that began then. acted: when they last did there."""
    return max(since + CALL_AFTER, acted + JUST_ACTED if acted else since)


def reminded(turn: Turn, before: Turn | None, day: Day | None) -> Turn:
    """Return a turn with its reminder when most of their own time is gone, for whoever has the same end as others.

    Else whoever sleeps when most of it is gone for all would not be reminded. before: as it was noted. day: theirs.
    """
    if day is None or turn.remind is None or turn.ends is None:
        return turn
    since = before.since if before and before.asked == turn.asked else turn.since
    return replace(turn, remind=day.runs_out(since, day.active(since, turn.ends) * REMIND_AT))


def moved(before: Turn, turn: Turn, now: datetime) -> Turn:
    """Return a turn that was noted before with when its time is up now.

    Who was reminded is reminded once more where that end is over by now, or was put off by more than a little.
    """
    over = before.ends is not None and before.ends <= now and turn.ends != before.ends
    again = over or (turn.remind is not None and turn.remind > now + HOUR)
    return replace(before, remind=turn.remind, ends=turn.ends, reminded=before.reminded and not again)


def reads_otherwise(turn: Turn, before: Turn) -> bool:
    """Tell whether what told somebody of a turn is not true any more, now that there is another time for it.

    By the hour: an edit that changes nothing for whoever reads would tell that somebody has chosen other hours.
    """
    return _whole(turn.ends) != _whole(before.ends)


def _whole(at: datetime | None) -> int | None:
    return None if at is None else -int(-at.timestamp() // HOUR.total_seconds())


def kind_now(kind: NoticeKind, turns: Iterable[Turn]) -> NoticeKind:
    """Return as what a notice of these turns stands: a reminder of a time that has begun anew is none any more."""
    return "turn" if kind == "reminder" and not any(turn.reminded for turn in turns) else kind


def decided(who: Who, turns: Iterable[Turn], sent: Sequence[Notice], now: datetime) -> Plan:
    """Return what somebody is told now of the tables that wait for them. sent: what they were told, latest first."""
    waiting = soonest(turns)
    if not waiting:
        return Plan()
    if wakes := who.day.resting(now):
        return Plan(next=wakes)
    if who.choice == "digest":
        return _digest(who.day, waiting, sent, now)
    plans = [_in_lane(who, lane, theirs, sent, now) for lane, theirs in _lanes(who, waiting)]
    calls = tuple(call for plan in plans for call in plan.calls)
    return Plan(
        calls + (_beside(who, calls, waiting, now) if who.choice == "both" else ()),
        frozenset().union(*(plan.joined for plan in plans)),
        min((plan.next for plan in plans if plan.next), default=None),
    )


def soonest(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Return turns in the order in which their time runs out; where there is no clock, the longest wait first."""
    return tuple(sorted(turns, key=lambda turn: (turn.ends or FAR, turn.since, turn.table_id)))


def free_again(times: Sequence[datetime], most: int, now: datetime) -> datetime:
    """Return when there may be one more in an hour than these, of which there may be so many."""
    within = sorted(at for at in times if at > now - HOUR)
    return within[-most] + HOUR if len(within) >= most else now


def _lanes(who: Who, turns: tuple[Turn, ...]) -> list[tuple[Lane, tuple[Turn, ...]]]:
    if who.choice not in ("here", "thread"):
        return [(None, turns)]
    lanes = [who.lanes.get(turn.home, turn.home) for turn in turns]
    return [
        (lane, tuple(turn for turn, there in zip(turns, lanes, strict=True) if there == lane))
        for lane in dict.fromkeys(lanes)
    ]


def _in_lane(who: Who, lane: Lane, turns: tuple[Turn, ...], sent: Sequence[Notice], now: datetime) -> Plan:
    """Return what somebody is told in one place."""
    there = [notice for notice in sent if (None if notice.guild is None else notice.channel) == lane]
    fresh = [turn for turn in turns if turn.told is None]
    reminds = min((turn.remind for turn in turns if turn.remind and not turn.reminded), default=FAR)
    begins, joined = min((turn.ready for turn in fresh), default=FAR), frozenset[TableId]()
    if any(not notice.over for notice in there):  # it stands, so these are only added to it
        joined = frozenset(turn.table_id for turn in fresh if turn.ready <= now)
        later, calls = min((turn.ready for turn in fresh if turn.ready > now), default=FAR), reminds
    else:
        gathered = max((notice.at + GATHER for notice in there if notice.kind == "turn"), default=begins)
        later, calls = FAR, min(reminds, max(begins, gathered))
    at = max(calls, _open(who, lane, sent, now)) if calls < FAR else FAR
    if at > now:
        after = min(at, later)
        return Plan(joined=joined, next=None if after == FAR else after)
    told = frozenset(turn.table_id for turn in turns if turn.told is not None or turn.ready <= now)
    late = any(turn.remind and not turn.reminded and turn.remind <= now for turn in turns)
    named = tuple(turn for turn in turns if turn.table_id in told) or turns
    call = Call("reminder" if late else "turn", lane, named, frozenset(turn.table_id for turn in named))
    return Plan((call,), next=now + CALL_AFTER)


def _open(who: Who, lane: Lane, sent: Sequence[Notice], now: datetime) -> datetime:
    """Return when somebody may be told something in a place as far as that is not about any table."""
    at = free_again([notice.at for notice in sent], PER_PERSON, now)
    if lane is None:
        return at
    return max(at, who.closed.get(lane, now), now if who.day.shared else _veiled(who, now))


def _veiled(who: Who, now: datetime) -> datetime:
    """Return until when nobody is called aloud who has just got up and tells nobody when: it would tell all.

    That is a part of an hour that cannot be foreseen, and is the same all day.
    """
    rests = replace(who.day, outages=()).rests(now - HOUR, now)
    if not rests:
        return now
    woke = rests[-1][1]
    digest = hashlib.blake2s(f"{who.user} {woke.isoformat()}".encode(), digest_size=2).digest()
    return woke + HOUR * (int.from_bytes(digest) / 2**16)


def _beside(who: Who, calls: tuple[Call, ...], turns: tuple[Turn, ...], now: datetime) -> tuple[Call, ...]:
    """Return the calls in the channels that go with direct messages, where there may be one now."""
    told = [turn for turn in turns if turn.told is None or (turn.remind and turn.remind <= now and not turn.reminded)]
    homes = dict.fromkeys(turn.home for call in calls for turn in call.turns if turn in told)
    return tuple(
        Call(call.kind, home, mine, call.told)
        for call in calls
        for home in homes
        if who.closed.get(home, now) <= now and (who.day.shared or _veiled(who, now) <= now)
        if (mine := tuple(turn for turn in call.turns if turn.home == home))
    )


def _digest(day: Day, turns: tuple[Turn, ...], sent: Sequence[Notice], now: datetime) -> Plan:
    """Return what somebody is told who wants to hear of it once a day."""
    last = max((notice.at for notice in sent if notice.kind == "digest"), default=None)
    since = min(turn.since for turn in turns)
    due = _morning(day, max(since, last) if last else since)
    if due > now:
        return Plan(next=due)
    return Plan((Call("digest", None, turns, frozenset(turn.table_id for turn in turns)),), next=_morning(day, now))


def _morning(day: Day, after: datetime) -> datetime:
    """Return somebody's first morning after a moment, on which they have time; be it that the bot was away then."""
    day = replace(day, outages=())
    hours = day.at(after) or day.chosen
    zone = zone_of(hours.zone) if hours else zone_of("UTC")
    up = (hours.bed + hours.night) % 24 if hours and hours.night else MORNING
    date = after.astimezone(zone).date()
    while True:
        morning = at_hour(datetime.combine(date, time(up)), zone)
        if morning > after and day.resting(morning) is None:
            return morning
        date += DAY
