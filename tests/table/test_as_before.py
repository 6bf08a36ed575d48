"""Stored rows and actions of a table are unchanged, though one decision replaces several writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from types import SimpleNamespace
from typing import cast

import pytest

from bot.ai.plain import timeout_action
from bot.ai_pool.moves import MoveRequest
from bot.domain.chairs import Chair
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.pace import DAILY, LIVE, RELAXED
from bot.domain.results import Sitting
from bot.domain.working_hours import WorkSchedule
from bot.games import GAMES
from bot.rules.core.asks import Action, write_action
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import MatchStep, TableRow
from bot.store.store import Store
from bot.table.core.commands import CastVote, Command, FollowStakes, Leave, Vacate
from bot.table.core.decide import decide
from bot.table.core.facts import Facts, LineLength, Question
from bot.table.core.state import NO_WRITES, Decision, TableState, change_between, record_of
from bot.table.environment import Environment, TablePublisher
from bot.table.house_players import HousePlayers
from bot.table.table import Table

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANN, BEN, HOUSE = UserId(1), UserId(2), None


def dealt(
    *users: UserId | None, game: str = "tien_len", preset: str = "simple", wishes: int | None = None
) -> TableState:
    """Return a match without a clock of these players in the order of seats, None for a house player, with Ann as host.

    wishes: the number of hands; None for the preset's.
    """
    rules = Ruleset.of(GAMES[game], preset).with_wishes(seats=len(users), hands=wishes)
    chairs = tuple(
        Chair(seat, user, f"player {seat}", house=user is None, agreed=user is not None)
        for seat, user in enumerate(users)
    )
    row = TableRow(
        TableId(1),
        1,
        GuildId(1),
        ChannelId(5),
        ChannelId(5),
        None,
        ANN,
        game,
        preset,
        rules.plain_changes,
        rules.rules.players,
        "7" * 64,
        LIVE,
        "playing",
        NOW,
        chairs,
        rules=rules.version,
        place=AccessChannel(ChannelId(5)),
    )
    return TableState(row, match=record_of(row).replay())


def after_a_hand(state: TableState) -> TableState:
    """Return the state of a match after its first hand, played as by players who are always late."""
    match, steps = state.match, list[MatchStep]()
    assert match is not None
    while not match.results:
        seat = min(match.awaited)
        action = timeout_action(match.view(seat))
        match = match.act(seat, action)
        steps.append(MatchStep(len(steps), seat, write_action(action), "clock", NOW))
    return replace(state, match=match, row=replace(state.row, steps=tuple(steps)))


def waiting_player(state: TableState) -> UserId:
    """Return a player on turn not."""
    assert state.match is not None
    return next(c.user for c in state.row.chairs if c.user is not None and c.seat not in state.match.awaited)


def decided(state: TableState, *commands: Command) -> Decision:
    """Return the decision of the last of several commands, applied in turn."""
    decision = Decision(state)
    for command in commands:
        decision = decide(decision.state, command, Facts(NOW).knowing(cast("Question[object]", LineLength()), 0))
    return decision


def test_the_vote_that_ends_a_match_without_a_hand_is_not_stored() -> None:
    state = next(one for one in (dealt(ANN, HOUSE), dealt(HOUSE, ANN)) if one.match and not _is_to_move(one, ANN))
    after = decided(state, CastVote(ANN, "end", first=True)).state.row
    assert (after.phase, after.chairs, after.votes) == ("closed", state.row.chairs, 0)


def _is_to_move(state: TableState, user: UserId) -> bool:
    return user in state.missing


def test_a_host_who_concedes_is_replaced_at_the_end() -> None:
    state = after_a_hand(dealt(ANN, BEN, wishes=3))
    asked = decided(state, CastVote(ANN, "concede", first=True), CastVote(BEN, "concede")).state.row
    assert (asked.phase, asked.host) == ("over", BEN)


@pytest.mark.parametrize("hands", [0, 1])
def test_a_host_who_leaves_an_ending_match_is_replaced(hands: int) -> None:
    state = dealt(ANN, BEN, wishes=3)
    if waiting_player(state) != BEN:
        state = dealt(BEN, ANN, wishes=3)
    state = after_a_hand(state) if hands else state
    state = replace(state, row=replace(state.row, counts=True))
    before = decided(state, CastVote(BEN, "end", first=True)).state.row
    after = decided(state, CastVote(BEN, "end", first=True), Leave(ANN)).state.row
    change = change_between(before, after, NOW)
    seat = next(chair.seat for chair in before.chairs if chair.user == ANN)
    assert (after.phase, after.host) == ("over" if hands else "closed", BEN)
    assert change is not None
    assert change.sittings == (Sitting(seat, len(after.steps), None, house=True, away="left"),)


def test_a_table_closed_by_deletion_stores_no_further_chairs() -> None:
    state = dealt(ANN, HOUSE)
    gone = replace(state.row.chairs[0], user=None, house=True, away="left")
    state = replace(state, row=replace(state.row, chairs=(gone, state.row.chairs[1])))
    after = decided(state, Vacate(0, "end")).state.row
    assert (after.phase, after.chairs, after.votes) == ("closed", state.row.chairs, 0)


def test_a_stakes_switch_without_effect_writes_nothing() -> None:
    state = dealt(ANN, BEN)
    closed = replace(state, row=replace(state.row, phase="closed"))
    assert [decided(one, FollowStakes("key")).writes for one in (state, closed)] == [NO_WRITES, NO_WRITES]


class NoHours:
    """A repository of people without working hours."""

    async def work_schedules(self, _users: Collection[UserId]) -> Mapping[UserId, WorkSchedule]:
        """Return nothing."""
        return {}


async def test_viewing_a_slow_table_triggers_no_house_player() -> None:
    row = dealt(HOUSE, ANN).row
    env = Environment(
        cast(Store, SimpleNamespace(people=NoHours())), cast(TablePublisher, None), lambda: NOW, lambda _: None
    )
    swapped = tuple(replace(c, house=not c.house, user=ANN if c.house else HOUSE) for c in row.chairs)
    for pace, chairs in product((RELAXED, DAILY), (row.chairs, swapped)):
        table = await Table.load(replace(row, pace=pace, chairs=chairs), env)
        assert not table.house.acting


class Stub:
    """A table without moves."""

    def __init__(self, state: TableState) -> None:
        self.id = state.row.id
        self.state = state
        self.moved_on = ""
        self.sent = list[Command]()

    async def do(self, command: Command) -> None:
        """Take a command and do nothing."""
        self.sent.append(command)

    def pause(self, value: bool) -> None:
        """Pause the table or let it go on."""
        self.state = replace(self.state, row=replace(self.state.row, paused=value))

    def step_in_secret(self) -> None:
        """Add a secret step."""
        row = self.state.row
        self.state = replace(self.state, row=replace(row, steps=(*row.steps, MatchStep(9, 0, "pass", "person", NOW))))


def with_eager_house_player() -> tuple[Stub, int]:
    """Return a table at which one house player may act out of turn, and the seat of that player."""
    state = dealt(ANN, BEN, HOUSE, HOUSE, game="big_two", preset="da_lao_er")
    match = state.match
    assert match is not None
    seat = min(match.awaited)
    match = match.act(seat, timeout_action(match.view(seat)))
    eager = max(match.to_act - match.awaited)
    chairs = tuple(replace(c, house=c.seat == eager, user=None if c.seat == eager else ANN) for c in state.row.chairs)
    table = Stub(TableState(replace(state.row, chairs=chairs), match=match))
    return table, eager


async def asked_of(table: Stub, happens: Callable[[], None]) -> list[int | None]:
    """Return the seats whose house players think in turn, started until idle.

    happens: while the first of them thinks.
    """
    asked = list[int | None]()

    class Thinker:
        async def choose(self, thought: MoveRequest) -> Action | None:
            asked.append(thought.view.seat)
            if len(asked) == 1:
                happens()
            return None

    env = Environment(
        cast(Store, None), cast(TablePublisher, None), lambda: NOW, lambda _: None, move_chooser=Thinker()
    )
    house = HousePlayers(table, env)
    for _ in range(4):
        house.start()
        await house.ended()
        table.pause(False)
    return asked


async def test_a_house_player_interrupted_by_a_pause_may_still_act_out_of_turn() -> None:
    table, eager = with_eager_house_player()
    assert await asked_of(table, lambda: table.pause(True)) == [eager, eager]
    assert len(table.sent) == 2


async def test_a_house_player_thinks_once_despite_secret_answers() -> None:
    table, eager = with_eager_house_player()
    assert await asked_of(table, table.step_in_secret) == [eager]


async def test_a_house_player_thinks_once_about_a_position() -> None:
    table, eager = with_eager_house_player()
    assert await asked_of(table, lambda: None) == [eager]
