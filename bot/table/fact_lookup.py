"""Looks up the facts for a decision: in the store, at Discord, by a worker or by a draw."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from bot.ai_pool.moves import SeatAction, play_out_hand
from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.pace import Pace
from bot.domain.server_settings import DEFAULT_SETTINGS
from bot.domain.working_hours import WorkSchedule
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.runtime.workers import Workers
from bot.store.rows import TableRow
from bot.table import house_players
from bot.table.core import facts as questions
from bot.table.core.chairs import people
from bot.table.core.eligibility import UNRATED_FOR
from bot.table.core.facts import Facts, MissingFact, Question
from bot.table.core.state import TableState, record_of
from bot.table.environment import Environment
from bot.table.transcripts import MIN_FOR_WORKER, Transcript, replay_transcript

if TYPE_CHECKING:  # worker processes import this module, and need no database
    from bot.store.store import Store

R = TypeVar("R")


async def apply_rule(rule: Callable[[Facts], R], env: Environment, guild: GuildId, table: TableId | None = None) -> R:
    """Return the result of a pure rule, and look up each fact for which the rule asks.

    Raises the rule's errors, and StoreError.
    """
    server = env.server_settings.get(guild, DEFAULT_SETTINGS)
    facts = Facts(env.now(), durations=env.durations, server=server, reserved=env.reserved)
    while True:
        try:
            return rule(facts)
        except MissingFact as missing:
            question = missing.question
        facts = facts.knowing(question, await _look_up(question, facts, env, guild, table=table))


async def _look_up(  # noqa: PLR0911
    question: Question[object], facts: Facts, env: Environment, guild: GuildId, *, table: TableId | None
) -> object:
    """Return a fact known at Discord, by a worker or by a draw, else a fact in the store."""
    match question:
        case questions.CanWrite(channel):
            return env.may_write(channel)
        case questions.PlaceOf(channel, noted):
            return await env.find_place(guild, channel, noted)
        case questions.WorkingHours(users, vacations):
            return await working_hours(users, env, vacations=vacations)
        case questions.Replay(record):
            return await _replayed(record, env.workers)
        case questions.PlayedOut(_, match):
            return await _played_out(match, env.workers)
        case questions.PremoveDelay():
            share = house_players.RANDOM.uniform(house_players.MIN_PREMOVE_DELAY, house_players.MAX_PREMOVE_DELAY)
            return timedelta(seconds=env.house_delay * share)
        case _:
            return await _read_from_store(question, facts, env.store, guild, table=table)


async def _read_from_store(  # noqa: C901, PLR0911, PLR0912
    question: Question[object], facts: Facts, store: Store, guild: GuildId, *, table: TableId | None
) -> object:
    match question:
        case questions.BarredUntil(channel, user):
            return await store.moderations.barred_until(channel, store.deletions.mark(user), facts.now)
        case questions.Separation(user, players):
            return await store.social.block_between(user, players)
        case questions.SeatedElsewhere(number, users):
            return await store.duplicates.elsewhere(number, users, table)
        case questions.DuplicateOf(number):
            return await store.duplicates.load(number)
        case questions.NumberOf(new):
            return await store.duplicates.add(new)
        case questions.ForgottenAt(user):
            return await store.deletions.forgotten(user)
        case questions.RecentDeletions(users):
            return await store.deletions.deleted_since(set(users), facts.now - UNRATED_FOR)
        case questions.MarkOf(user):
            return store.deletions.mark(user)
        case questions.HasSubstituted(mark):
            assert table is not None
            return await store.tables.has_sat_in(table, mark)
        case questions.AskedWaiters():
            assert table is not None
            return await store.seat_queue.asked(table, facts.now)
        case questions.LineLength():
            assert table is not None
            return len(await store.seat_queue.of_table(table))
        case questions.HandDuration(game, pace):
            return await store.results.hand_duration(guild, game, pace)
        case questions.RatingChanges(number):
            return await store.leaderboards.changes(number)
        case questions.CountOpenLobbies(host, live):
            return await store.tables.lobbies(guild, host, live=live)
        case _:
            raise AssertionError(f"Nobody answers {question}.")


async def working_hours(
    users: Collection[UserId], env: Environment, *, vacations: bool
) -> Mapping[UserId, WorkSchedule]:
    """Return the working hours of these users. vacations: whether vacations stop a clock."""
    schedules = await env.store.people.work_schedules(list(users))
    return {user: schedule.working(vacations=vacations) for user, schedule in schedules.items()}


async def with_working_hours(state: TableState, env: Environment) -> TableState:
    """Return the state with current working hours, at a slow table.

    Unchanged hours leave the state as it is.
    """
    row = state.row
    if not row.pace.slow or not row.open:
        return state
    owners = [chair.user for chair in row.chairs if chair.user is not None]
    hours = await working_hours(owners, env, vacations=row.pace.vacations)
    return state if hours == state.working_hours else replace(state, working_hours=hours)


async def match_of(row: TableRow, workers: Workers | None = None) -> Match | None:
    """Replay the match of a row off the event loop; None before its start.

    workers: for a long one.
    """
    if row.phase == "lobby" or len(row.chairs) < row.seats:
        return None
    if workers is not None and len(row.steps) >= MIN_FOR_WORKER:
        return await workers.call_for_table(replay_transcript, Transcript.of(row, row.steps))
    return await asyncio.to_thread(lambda: record_of(row).replay())


async def _replayed(record: Record, workers: Workers) -> Match:
    if len(record.steps) >= MIN_FOR_WORKER:
        return await workers.call_for_table(replay_transcript, Transcript.of_record(record))
    return await asyncio.to_thread(record.replay)


async def _played_out(match: Match, workers: Workers) -> tuple[Match, tuple[SeatAction, ...]]:
    done = list[SeatAction]()
    while not match.over:
        match, more = await workers.call(play_out_hand, match)
        done += more
    return match, tuple(done)


async def load_state(row: TableRow, env: Environment) -> TableState:
    """Return the state of a row, with its match replayed.

    A lobby gets its facts, a counted match that is over the changes of ratings.
    """
    state = TableState(row, match=await match_of(row, env.workers))
    if row.phase == "lobby":
        return await with_lobby_facts(state, env)
    changes = await env.store.leaderboards.changes(row.id) if row.phase == "over" and row.counts else {}
    return replace(state, rating_changes=changes)


async def with_lobby_facts(state: TableState, env: Environment) -> TableState:
    """Return a lobby's state with its hand duration and its players' recent data deletions."""
    row, since = state.row, env.now() - UNRATED_FOR
    return replace(
        state,
        hand_duration=await hand_duration(row.guild, row.game, row.pace, env),
        recent_deletions=await env.store.deletions.deleted_since(set(people(row.chairs)), since),
    )


async def hand_duration(guild: GuildId, game: str, pace: Pace, env: Environment) -> timedelta | None:
    """Return the duration of a hand on a server; None if unknown."""
    return await env.store.results.hand_duration(guild, game, pace)
