"""Decides when and where a player gets a notice of waiting slow tables.

Pure. No notice comes outside the player's working hours or right after an action at the table. Tables that begin to
wait one after the other share a notice; the next notice comes only after one of them has moved on, except for a
reminder when most of the time is gone. A daily digest comes in the player's own morning. Sending notices and their
content live elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Final, TypeAlias

from bot.domain.ids import ChannelId, TableId, UserId
from bot.domain.preferences import NoticeChannel
from bot.domain.working_hours import DAY, HOUR, WorkSchedule, at_hour, zone_of
from bot.store.rows import NoticeKind, PendingTurn, TurnNotice
from bot.table.core.time_control import REMIND_AT

NOTICE_AFTER: Final = timedelta(seconds=9)  # after a turn's start
JUST_ACTED: Final = timedelta(minutes=2)  # after an action at a table, a player needs no notice of it
MIN_NOTICE_INTERVAL: Final = timedelta(minutes=30)  # between two notices of turns
PER_PERSON, PER_CHANNEL = 3, 12  # notices per hour
MORNING: Final = 8  # the local hour of the digest for players without sleeping hours
FAR_FUTURE: Final = datetime.max.replace(tzinfo=UTC)

Lane: TypeAlias = ChannelId | None  # where a notice is sent: a channel or thread; None for a direct message


@dataclass(frozen=True, slots=True)
class NoticeRecipient:
    """The recipient of notices.

    choice: the preferred kind of notices. schedule: the working hours. closed: the end of the pause of notices by
    channel or thread. lanes: by channel of a table, the private thread for its notices, or the channel below which to
    open one.
    """

    user: UserId
    choice: NoticeChannel
    schedule: WorkSchedule
    _: KW_ONLY
    closed: Mapping[ChannelId, datetime] = field(default_factory=dict)
    lanes: Mapping[ChannelId, ChannelId] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DueNotice:
    """A notice to send now, of all waiting tables, most urgent first.

    told: the tables that the notice covers.
    """

    kind: NoticeKind
    lane: Lane
    turns: tuple[PendingTurn, ...]
    told: frozenset[TableId]


@dataclass(frozen=True, slots=True)
class NoticePlan:
    """The next steps for a player's notices.

    joined: tables that are only added to a current notice. next: the time of the next decision.
    """

    calls: tuple[DueNotice, ...] = ()
    joined: frozenset[TableId] = frozenset()
    next: datetime | None = None


def notice_due_at(since: datetime, acted: datetime | None) -> datetime:
    """Return the earliest time for a notice of a turn.

    acted: the player's latest action at the table.
    """
    return max(since + NOTICE_AFTER, acted + JUST_ACTED if acted else since)


def reminded(turn: PendingTurn, before: PendingTurn | None, schedule: WorkSchedule | None) -> PendingTurn:
    """Return a simultaneous turn with its reminder at REMIND_AT of the player's own time.

    Otherwise a player asleep at the common reminder would not be reminded. before: the saved turn. schedule: the
    player's working hours.
    """
    if schedule is None or turn.remind is None or turn.ends is None:
        return turn
    since = before.since if before and before.asked == turn.asked else turn.since
    return replace(turn, remind=schedule.runs_out(since, schedule.active(since, turn.ends) * REMIND_AT))


def with_new_deadline(before: PendingTurn, turn: PendingTurn, now: datetime) -> PendingTurn:
    """Return a saved turn with its new deadline.

    A reminded player is reminded again if the old deadline has passed, or was postponed by more than an hour.
    """
    over = before.ends is not None and before.ends <= now and turn.ends != before.ends
    again = over or (turn.remind is not None and turn.remind > now + HOUR)
    return replace(before, remind=turn.remind, ends=turn.ends, reminded=before.reminded and not again)


def is_text_outdated(turn: PendingTurn, before: PendingTurn) -> bool:
    """Tell whether a new deadline makes the text of a notice wrong.

    Compared by whole hours: an edit without a visible change would reveal that a player has changed the working hours.
    """
    return _whole(turn.ends) != _whole(before.ends)


def _whole(at: datetime | None) -> int | None:
    return None if at is None else -int(-at.timestamp() // HOUR.total_seconds())


def kind_now(kind: NoticeKind, turns: Iterable[PendingTurn]) -> NoticeKind:
    """Return the current kind of a notice.

    A reminder becomes a turn notice after its deadline was renewed.
    """
    return "turn" if kind == "reminder" and not any(turn.reminded for turn in turns) else kind


def plan_notices(
    who: NoticeRecipient, turns: Iterable[PendingTurn], sent: Sequence[TurnNotice], now: datetime
) -> NoticePlan:
    """Return the plan for a player's waiting tables.

    sent: the player's recent notices, latest first.
    """
    waiting = soonest(turns)
    if not waiting:
        return NoticePlan()
    if wakes := who.schedule.end_of_rest(now):
        return NoticePlan(next=wakes)
    if who.choice == "digest":
        return _digest(who.schedule, waiting, sent, now)
    plans = [_in_lane(who, lane, theirs, sent, now=now) for lane, theirs in _lanes(who, waiting)]
    calls = tuple(call for plan in plans for call in plan.calls)
    return NoticePlan(
        calls + (_beside(who, calls, waiting, now) if who.choice == "both" else ()),
        frozenset().union(*(plan.joined for plan in plans)),
        min((plan.next for plan in plans if plan.next), default=None),
    )


def soonest(turns: Iterable[PendingTurn]) -> tuple[PendingTurn, ...]:
    """Return turns by deadline; turns without a clock last, the longest wait first."""
    return tuple(sorted(turns, key=lambda turn: (turn.ends or FAR_FUTURE, turn.since, turn.table_id)))


def next_free_at(times: Sequence[datetime], most: int, now: datetime) -> datetime:
    """Return the earliest time at which another notice fits into the hourly budget."""
    within = sorted(at for at in times if at > now - HOUR)
    return within[-most] + HOUR if len(within) >= most else now


def _lanes(who: NoticeRecipient, turns: tuple[PendingTurn, ...]) -> list[tuple[Lane, tuple[PendingTurn, ...]]]:
    if who.choice not in ("here", "thread"):
        return [(None, turns)]
    lanes = [who.lanes.get(turn.home, turn.home) for turn in turns]
    return [
        (lane, tuple(turn for turn, there in zip(turns, lanes, strict=True) if there == lane))
        for lane in dict.fromkeys(lanes)
    ]


def _in_lane(
    who: NoticeRecipient, lane: Lane, turns: tuple[PendingTurn, ...], sent: Sequence[TurnNotice], *, now: datetime
) -> NoticePlan:
    """Return the plan for one place."""
    there = [notice for notice in sent if (None if notice.guild is None else notice.channel) == lane]
    fresh = [turn for turn in turns if turn.told is None]
    reminds = min((turn.remind for turn in turns if turn.remind and not turn.reminded), default=FAR_FUTURE)
    begins, joined = min((turn.ready for turn in fresh), default=FAR_FUTURE), frozenset[TableId]()
    if any(not notice.over for notice in there):  # a current notice exists: new tables are only added to it
        joined = frozenset(turn.table_id for turn in fresh if turn.ready <= now)
        later, calls = min((turn.ready for turn in fresh if turn.ready > now), default=FAR_FUTURE), reminds
    else:
        gathered = max((notice.at + MIN_NOTICE_INTERVAL for notice in there if notice.kind == "turn"), default=begins)
        later, calls = FAR_FUTURE, min(reminds, max(begins, gathered))
    at = max(calls, _open(who, lane, sent, now)) if calls < FAR_FUTURE else FAR_FUTURE
    if at > now:
        after = min(at, later)
        return NoticePlan(joined=joined, next=None if after == FAR_FUTURE else after)
    notified = frozenset(turn.table_id for turn in turns if turn.told is not None or turn.ready <= now)
    late = any(turn.remind and not turn.reminded and turn.remind <= now for turn in turns)
    named = tuple(turn for turn in turns if turn.table_id in notified) or turns
    call = DueNotice("reminder" if late else "turn", lane, named, frozenset(turn.table_id for turn in named))
    return NoticePlan((call,), next=now + NOTICE_AFTER)


def _open(who: NoticeRecipient, lane: Lane, sent: Sequence[TurnNotice], now: datetime) -> datetime:
    """Return the earliest time for a notice in a place, by limits that depend on no table."""
    at = next_free_at([notice.at for notice in sent], PER_PERSON, now)
    if lane is None:
        return at
    return max(at, who.closed.get(lane, now), now if who.schedule.shared else _veiled(who, now))


def _veiled(who: NoticeRecipient, now: datetime) -> datetime:
    """Return the earliest time to ping a player who has just woken.

    For a player who keeps the working hours private: a ping on waking would reveal the hours. The delay is an
    unpredictable part of an hour, constant for each day.
    """
    rests = replace(who.schedule, outages=()).rests(now - HOUR, now)
    if not rests:
        return now
    woke = rests[-1][1]
    digest = hashlib.blake2s(f"{who.user} {woke.isoformat()}".encode(), digest_size=2).digest()
    return woke + HOUR * (int.from_bytes(digest) / 2**16)


def _beside(
    who: NoticeRecipient, calls: tuple[DueNotice, ...], turns: tuple[PendingTurn, ...], now: datetime
) -> tuple[DueNotice, ...]:
    """Return the pings in channels that accompany direct messages, where permitted now."""
    notified = [
        turn for turn in turns if turn.told is None or (turn.remind and turn.remind <= now and not turn.reminded)
    ]
    homes = dict.fromkeys(turn.home for call in calls for turn in call.turns if turn in notified)
    return tuple(
        DueNotice(call.kind, home, mine, call.told)
        for call in calls
        for home in homes
        if who.closed.get(home, now) <= now and (who.schedule.shared or _veiled(who, now) <= now)
        if (mine := tuple(turn for turn in call.turns if turn.home == home))
    )


def _digest(
    schedule: WorkSchedule, turns: tuple[PendingTurn, ...], sent: Sequence[TurnNotice], now: datetime
) -> NoticePlan:
    """Return the plan for a player with the daily digest."""
    last = max((notice.at for notice in sent if notice.kind == "digest"), default=None)
    since = min(turn.since for turn in turns)
    due = _morning(schedule, max(since, last) if last else since)
    if due > now:
        return NoticePlan(next=due)
    return NoticePlan(
        (DueNotice("digest", None, turns, frozenset(turn.table_id for turn in turns)),), next=_morning(schedule, now)
    )


def _morning(schedule: WorkSchedule, after: datetime) -> datetime:
    """Return the player's first morning after a time that is within the working hours.

    Outages do not count.
    """
    schedule = replace(schedule, outages=())
    hours = schedule.at(after) or schedule.chosen
    zone = zone_of(hours.zone) if hours else zone_of("UTC")
    up = (hours.bed + hours.night) % 24 if hours and hours.night else MORNING
    date = after.astimezone(zone).date()
    while True:
        morning = at_hour(datetime.combine(date, time(up)), zone)
        if morning > after and schedule.end_of_rest(morning) is None:
            return morning
        date += DAY
