"""When and where players of slow tables are notified: decided without Discord and without a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.notifications import notice_policy
from bot.delivery.notifications.notice_policy import DueNotice, NoticePlan, NoticeRecipient, plan_notices
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.preferences import NOTICE_CHANNELS
from bot.domain.working_hours import Hours, WorkSchedule
from bot.store.rows import NoticeKind, PendingTurn, TurnNotice

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)  # a Monday
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ANN, GUILD, HERE, THERE, DM = UserId(1), GuildId(9), ChannelId(10), ChannelId(11), ChannelId(99)
SLEEPS = WorkSchedule(
    (Hours(datetime(2025, 1, 1, tzinfo=UTC), "Europe/Berlin", bed=23, night=8),)
)  # up at 7, which is 6 in UTC


def turn(table: int, since: datetime = NOON, home: ChannelId = HERE, hours: float = 24, **more: object) -> PendingTurn:
    """Return a turn that has been waiting since a time, with a number of hours."""
    plain = PendingTurn(
        TableId(table),
        ANN,
        "1 0",
        since,
        notice_policy.notice_due_at(since, None),
        since + hours * 0.8 * HOUR,
        since + hours * HOUR,
        False,
        GUILD,
        home,
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def sent(at: datetime, lane: ChannelId | None = HERE, kind: NoticeKind = "turn", *, over: bool = False) -> TurnNotice:
    """Return a notice of then."""
    return TurnNotice(ANN, GUILD if lane else None, lane or DM, MessageId(int(at.timestamp())), kind, at, over, over)


def plan(
    now: datetime, *turns: PendingTurn, told: tuple[TurnNotice, ...] = (), who: NoticeRecipient | None = None
) -> NoticePlan:
    """Return what Ann is told then."""
    return plan_notices(who or NoticeRecipient(ANN, "here", WorkSchedule()), turns, told, now)


def tables(call: DueNotice) -> list[int]:
    """Which tables a notice names, in order."""
    return [each.table_id for each in call.turns]


def test_a_notice_is_sent_once_after_a_few_seconds() -> None:
    first = turn(1)
    assert plan(NOON, first) == NoticePlan(next=NOON + notice_policy.NOTICE_AFTER)
    (call,) = plan(NOON + notice_policy.NOTICE_AFTER, first).calls
    assert (call.kind, call.lane, tables(call)) == ("turn", HERE, [1])
    told = replace(first, told=NOON)
    assert plan(NOON + HOUR, told, told=(sent(NOON),)) == NoticePlan(next=first.remind)


def test_a_player_who_just_acted_gets_a_later_notice() -> None:
    assert notice_policy.notice_due_at(NOON, NOON - MINUTE) == NOON + MINUTE
    assert notice_policy.notice_due_at(NOON, NOON - HOUR) == NOON + notice_policy.NOTICE_AFTER


def test_later_waiting_tables_are_added_to_the_notice() -> None:
    told, fresh = replace(turn(1), told=NOON), turn(2, NOON + 10 * MINUTE)
    now = plan(NOON + 11 * MINUTE, told, fresh, told=(sent(NOON),))
    assert now == NoticePlan(joined=frozenset({TableId(2)}), next=told.remind)
    much_later = plan(NOON + 5 * HOUR, told, fresh, told=(sent(NOON),))
    assert much_later == NoticePlan(joined=frozenset({TableId(2)}), next=told.remind), (
        "not again until one has been played"
    )


def test_a_further_notice_comes_after_half_an_hour_at_the_earliest() -> None:
    fresh, before = turn(2, NOON + 10 * MINUTE), (sent(NOON, over=True),)
    assert plan(NOON + 11 * MINUTE, fresh, told=before) == NoticePlan(next=NOON + notice_policy.MIN_NOTICE_INTERVAL)
    assert len(plan(NOON + notice_policy.MIN_NOTICE_INTERVAL, fresh, told=before).calls) == 1


def test_a_reminder_is_sent_when_most_of_the_time_has_passed() -> None:
    told = replace(turn(1, hours=10), told=NOON)
    (call,) = plan(NOON + 8 * HOUR, told, told=(sent(NOON),)).calls
    assert call.kind == "reminder"
    reminded = replace(told, reminded=True)
    assert plan(NOON + 9 * HOUR, reminded, told=(sent(NOON),)) == NoticePlan()


def test_notices_of_the_night_are_sent_together_in_the_morning_by_deadline() -> None:
    night = datetime(2026, 1, 5, 23, tzinfo=UTC)
    late, soon = turn(1, night, hours=24), turn(2, night + HOUR, hours=8)
    direct = NoticeRecipient(ANN, "direct", SLEEPS)
    up = datetime(2026, 1, 6, 6, tzinfo=UTC)
    assert plan(night + 2 * HOUR, late, soon, who=direct) == NoticePlan(next=up)
    (call,) = plan(up, late, soon, who=direct).calls
    assert tables(call) == [2, 1]


def test_a_public_notice_does_not_reveal_the_waking_time() -> None:
    night, up = datetime(2026, 1, 5, 23, tzinfo=UTC), datetime(2026, 1, 6, 6, tzinfo=UTC)
    told = {plan(up, turn(1, night), who=NoticeRecipient(UserId(user), "here", SLEEPS)).next for user in range(20)}
    assert len(told) == 20
    assert all(at and up < at < up + HOUR for at in told)
    assert plan(up, turn(1, night), who=NoticeRecipient(ANN, "here", replace(SLEEPS, shared=True))).calls


def test_a_notice_waits_for_quiet_hours_and_the_channel_budget() -> None:
    until = NOON + 3 * HOUR
    closed = NoticeRecipient(ANN, "here", WorkSchedule(), closed={HERE: until})
    assert plan(NOON + MINUTE, turn(1), turn(2, home=THERE), who=closed).calls[0].lane == THERE
    assert plan(NOON + MINUTE, turn(1), who=closed) == NoticePlan(next=until)
    assert plan(until, turn(1), who=closed).calls


def test_users_and_channels_have_an_hourly_notice_budget() -> None:
    before = tuple(sent(NOON - n * MINUTE, over=True) for n in range(notice_policy.PER_PERSON))
    after = NOON - (notice_policy.PER_PERSON - 1) * MINUTE + HOUR
    assert plan(NOON + MINUTE, turn(1), told=before, who=NoticeRecipient(ANN, "direct", WorkSchedule())) == NoticePlan(
        next=after
    )
    assert notice_policy.next_free_at([NOON] * (notice_policy.PER_CHANNEL - 1), notice_policy.PER_CHANNEL, NOON) == NOON
    assert (
        notice_policy.next_free_at([NOON] * notice_policy.PER_CHANNEL, notice_policy.PER_CHANNEL, NOON) == NOON + HOUR
    )


def test_a_private_thread_has_its_own_quiet_hours_and_the_budget_of_its_owner() -> None:
    own, until = ChannelId(77), NOON + 3 * HOUR
    who = NoticeRecipient(ANN, "thread", WorkSchedule(), closed={HERE: until}, lanes={HERE: own})
    assert [call.lane for call in plan(NOON + MINUTE, turn(1), who=who).calls] == [own], "the channel is of no account"
    assert plan(NOON + MINUTE, turn(1), who=replace(who, closed={own: until})) == NoticePlan(next=until)
    before = tuple(sent(NOON - n * MINUTE, over=True) for n in range(notice_policy.PER_PERSON))
    assert not plan(NOON + MINUTE, turn(1), told=before, who=who).calls


def test_a_notice_in_a_channel_names_only_its_tables() -> None:
    calls = plan(NOON + MINUTE, turn(1), turn(2, home=THERE), turn(3)).calls
    assert {call.lane: tables(call) for call in calls} == {HERE: [1, 3], THERE: [2]}


def test_a_player_who_chose_both_gets_direct_and_channel_notices() -> None:
    calls = plan(NOON + MINUTE, turn(1), turn(2, home=THERE), who=NoticeRecipient(ANN, "both", WorkSchedule())).calls
    assert {call.lane: tables(call) for call in calls} == {None: [1, 2], HERE: [1], THERE: [2]}


def test_a_digest_is_sent_each_morning_while_tables_wait() -> None:
    who, waits = NoticeRecipient(ANN, "digest", SLEEPS), turn(1, hours=1)
    morning = datetime(2026, 1, 6, 6, tzinfo=UTC)
    assert plan(NOON + 5 * HOUR, waits, who=who) == NoticePlan(next=morning), "no reminder either"
    (call,) = plan(morning, waits, who=who).calls
    assert (call.kind, call.lane) == ("digest", None)
    told = (sent(morning, None, "digest"),)
    assert plan(morning + HOUR, waits, told=told, who=who) == NoticePlan(next=morning + 24 * HOUR)
    assert plan(morning + 26 * HOUR, waits, told=told, who=who).calls, "late rather than not at all"


def test_a_digest_waits_for_a_working_day() -> None:
    off = WorkSchedule((replace(SLEEPS.hours[0], off=(1, 2)),))
    assert plan(NOON, turn(1), who=NoticeRecipient(ANN, "digest", off)).next == datetime(2026, 1, 8, 6, tzinfo=UTC)


hours = st.builds(
    Hours,
    st.just(datetime(2025, 1, 1, tzinfo=UTC)),
    st.sampled_from(["Asia/Manila", "Pacific/Auckland", "Asia/Kolkata"]),
    bed=st.integers(0, 23),
    night=st.sampled_from([0, 3, 8, 12]),
)


@given(
    st.sampled_from(NOTICE_CHANNELS),
    hours,
    st.lists(st.tuples(st.integers(0, 3000), st.sampled_from([HERE, THERE])), max_size=6),
)
def test_every_player_is_notified_of_every_table_within_all_limits(
    choice: str, night: Hours, begin: list[tuple[int, ChannelId]]
) -> None:
    """Two days and more without play: looks at the planned times find each notice sent once."""
    who = NoticeRecipient(ANN, choice, WorkSchedule((night,)))  # type: ignore[arg-type]
    all_turns = {n: turn(n, NOON + at * MINUTE, home, hours=1000) for n, (at, home) in enumerate(begin)}
    told: list[TurnNotice] = []
    now, end = NOON, NOON + 96 * HOUR
    while now < end:
        waiting = [each for each in all_turns.values() if each.since <= now]
        does = plan(now, *waiting, told=tuple(reversed(told)), who=who)
        assert not (does.calls and who.schedule.end_of_rest(now))
        told.extend(sent(now, call.lane, call.kind) for call in does.calls)
        for number in does.joined.union(*(call.told for call in does.calls)):
            all_turns[number] = replace(all_turns[number], told=now)
        begins = min((each.since for each in all_turns.values() if each.since > now), default=end)
        assert does.next is None or does.next > now
        now = min(begins, does.next or end)
    assert all(each.told for each in all_turns.values())
    by_lane = [notice.channel for notice in told if notice.kind == "turn"]
    assert len(by_lane) == len(set(by_lane)), "nobody plays, so there is one notice in each place"
