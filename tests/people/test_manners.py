"""How long house players take: the delay reveals nothing of their cards, level or thoughts (39, 2.6)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.ai import plain
from bot.ai.levels import Evaluation
from bot.ai.plain import passes_openly, timeout_action
from bot.ai_pool.moves import MoveRequest, choose_action
from bot.ai_pool.pool import MovePool, PoolDurations
from bot.domain.chairs import Level
from bot.rules.core.asks import Action, Name, NameAsk, Pass, Play, write_action
from bot.rules.core.cards import cards
from bot.rules.core.game import View
from bot.table import house_players as manners
from bot.table.fact_lookup import match_of
from bot.table.house_players import HouseDelay
from bot.table.table import Table
from tests.people.a_bao import ANN_STARTS
from tests.people.big_a import CLUBS_SEED
from tests.people.test_asks import ANNS_BOMB
from tests.people.test_big_little_a import TWO_JOKERS
from tests.people.test_moderators import create_role
from tests.people.test_practice import open_practice, play_weakest
from tests.people.test_presence import set_roles
from tests.support.world import World, world

DELAY = 1.9
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEVELS = (Level.EASY, Level.MEDIUM, Level.HARD)
BRIEF = PoolDurations(thinking=0.05)  # of a processor, which is no simulated time
NEVER = 60.0  # seconds of thinking, which is longer than any house player takes
SPANS = {"live": (1.3, 2.5), "relaxed 8h": (0.8, 1.5)}  # seconds


@pytest.mark.parametrize(("live", "span"), [(True, (1.3, 2.5)), (False, (0.8, 1.5))])
def test_the_delay_of_house_players_is_within_bounds(live: bool, span: tuple[float, float]) -> None:
    known, (least, most) = HouseDelay(), span
    waits = [known.wait(moment, NOON, DELAY, live=live) for moment in range(2000)]
    assert least <= min(waits) < least + 0.05
    assert most - 0.05 < max(waits) <= most
    assert sum(waits) / len(waits) == pytest.approx((least + most) / 2, abs=0.05)
    assert known.wait(2001, NOON, 2 * DELAY, live=live) >= 2 * least
    assert known.wait(2002, NOON, 0, live=live) == 0


def test_a_secret_answer_does_not_change_the_delay() -> None:
    """An answer in secret is an action as well, but no moment."""
    known = HouseDelay()
    first = known.wait(7, NOON, DELAY)
    later = NOON + timedelta(seconds=1)
    assert known.wait(7, later, DELAY) == pytest.approx(first - 1)


def test_a_delay_that_has_passed_is_drawn_again() -> None:
    """After a pause, or for a substitute: at once would leave no time to think, and thinking would show."""
    known = HouseDelay()
    known.wait(7, NOON, DELAY)
    assert 1.3 <= known.wait(7, NOON + timedelta(minutes=1), DELAY) <= 2.5


class SlowMovePool:
    """Thinks for some simulated seconds, then returns the first choice of the level."""

    def __init__(self, seconds: float, wished: Callable[[MoveRequest], Action | None] | None = None) -> None:
        self.seconds = seconds
        self.wished = wished or (
            lambda request: choose_action(request.view, request.level, request.dice, is_time_up=lambda: True)
        )

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return the action of a house player."""
        await asyncio.sleep(self.seconds)
        return self.wished(request)

    async def evaluate(self, _view: View, _done: Action | None = None) -> Evaluation | None:
        """Return nothing."""
        return None


class HouseAction(NamedTuple):
    """How long a house player took for an action. free: whether it could have done something else."""

    seconds: float
    action: str
    leads: bool
    free: bool


async def house_actions(table: Table) -> list[HouseAction]:
    """Return the actions of house players so far, without publicly forced passes."""
    found = list[HouseAction]()
    steps = table.row.steps
    for before, step in pairwise(steps):
        match = await match_of(replace(table.row, steps=steps[: step.ply], phase="playing"))
        assert match
        view = match.view(step.seat)
        if step.by == "house" and passes_openly(match) is None:
            free = len(view.plays.first(2)) + (view.trick.top is not None) > 1
            found.append(HouseAction((step.at - before.at).total_seconds(), step.action, view.trick.top is None, free))
    return found


async def play_beside_house(
    here: World, thinker: SlowMovePool | None, level: Level, pace: str, count: int
) -> tuple[Table, list[HouseAction]]:
    """Play a match of two prompt persons beside two house players of a level.

    thinker: the chooser of these moves; None for the bot's processes.
    """
    manners.RANDOM.seed(1)
    await here.parts.preferences.change(here.ann.id, level=level)
    table = await here.open_table(pace=pace)
    if thinker is not None:
        table.house._env = replace(table.house._env, move_chooser=thinker)
    await here.press("ben", table, "Join")
    await here.fill_up("ann", table)
    await here.press("ann", table, "Start")
    while sum(step.by == "house" for step in table.row.steps) < count:
        if name := here.current_player(table):
            await here.act(name, table)
        else:
            await here.advance(seconds=0.5)
    return table, (await house_actions(table))[: count - 2]


def expected_delays(pace: str, count: int) -> list[float]:
    """Return the times that dice with the same seed give."""
    (timeout_action, most), same = SPANS[pace], random.Random(1)
    return [same.uniform(timeout_action, most) for _ in range(count)]


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the random delays reproducible."""
    monkeypatch.setattr(manners, "RANDOM", random.Random(1))


@pytest.mark.rotates(2)
@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("pace", SPANS)
async def test_2_6_the_delay_does_not_depend_on_thinking_time_or_action(tmp_path: Path, pace: str) -> None:
    done = list[HouseAction]()
    async with world(tmp_path, house_delay_seconds=DELAY) as here:
        for level, seconds in zip(LEVELS, (0.0, 0.5, NEVER), strict=True):
            _, found = await play_beside_house(here, SlowMovePool(seconds), level, pace, 5)
            assert [each.seconds for each in found] == pytest.approx(expected_delays(pace, len(found)), abs=1e-4), level
            done += found
    assert {each.action == "pass" for each in done} == {True, False}
    assert {each.leads for each in done} == {True, False}
    assert {each.free for each in done} == {True, False}


@pytest.mark.usefixtures("seeded")
async def test_2_6_the_delay_is_the_same_with_worker_processes(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=DELAY, thinkers=MovePool(times=BRIEF)) as here:
        _, found = await play_beside_house(here, None, Level.HARD, "live", 6)
    assert [each.seconds for each in found] == pytest.approx(expected_delays("live", len(found)), abs=1e-4)


@pytest.mark.usefixtures("seeded")
async def test_2_6_thinking_stops_at_the_drawn_delay_with_the_best_play_so_far(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=DELAY) as here:
        table, _ = await play_beside_house(here, SlowMovePool(NEVER), Level.HARD, "relaxed 8h", 4)
    for step in table.row.steps:
        match = await match_of(replace(table.row, steps=table.row.steps[: step.ply], phase="playing"))
        assert match
        assert step.action == write_action(plain.plain_action(match.view(step.seat)) or Pass())


# One time after each thing that all see, whatever happens in secret or beside it: in delays that a test can stop in

LONG = 12.0  # seconds: 8.2 to 15.8 at a live table, so that a world at rest does not let them pass


def is_full_delay(seconds: float) -> bool:
    """Tell whether house players take so long at a live table."""
    return 1.3 * LONG / DELAY <= seconds <= 2.5 * LONG / DELAY


@pytest.fixture
async def slowly(tmp_path: Path, seeded: None) -> AsyncIterator[World]:
    """A world whose house players take long."""
    async with world(tmp_path, house_delay_seconds=LONG) as here:
        yield here


async def start_at(
    here: World, *people: str, thinking: SlowMovePool | None = None, **options: Any
) -> tuple[Table, datetime]:
    """Start a match of these persons and house players; return the time of the deal."""
    table = await here.open_table(**options)
    if thinking is not None:
        table.house._env = replace(table.house._env, move_chooser=thinking)
    for name in people:
        await here.press(name, table, "Join")
    await here.fill_up("ann", table)
    dealt = here.env.now()
    await here.press("ann", table, "Start")
    return table, dealt


async def seconds_until_house_acts(here: World, table: Table, since: datetime) -> float:
    """Advance time until a house player acts; return the seconds since a moment."""
    for _ in range(35):
        if step := next((step for step in table.row.steps if step.at > since and step.by == "house"), None):
            return (step.at - since).total_seconds()
        await here.advance(seconds=2)
    raise AssertionError("no house player acts")


async def test_2_6_a_secret_answer_restarts_no_house_player(slowly: World) -> None:
    slowly.deal = ANN_STARTS
    table, dealt = await start_at(slowly, "ben", thinking=SlowMovePool(2), rules="AB:std")
    await slowly.advance(seconds=3)
    await slowly.press("ann", table, "Pass")
    assert await seconds_until_house_acts(slowly, table, dealt) == pytest.approx(
        expected_delays("live", 1)[0] * LONG / DELAY, abs=1e-4
    )
    assert [(step.seat, step.by) for step in table.row.steps] == [(0, "person"), (2, "house"), (3, "house")]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("names", [[], ["ann"], ["ann", "ben"]])
async def test_2_6_a_shared_question_stays_open_equally_long_for_any_answers(slowly: World, names: list[str]) -> None:
    """Some may have nothing to decide, like Ben in the second round of questions."""
    slowly.deal = CLUBS_SEED
    table, dealt = await start_at(
        slowly, "ben", thinking=SlowMovePool(0, lambda request: timeout_action(request.view)), rules="BA:std"
    )
    for name in ("ann", "ben"):
        await slowly.press(name, table, "Don't show")
    await seconds_until_house_acts(slowly, table, dealt)
    asked = table.row.steps[-1].at
    await slowly.advance(seconds=2)
    for name in names:
        await slowly.press(name, table, "Don't show")
    assert await seconds_until_house_acts(slowly, table, asked) == pytest.approx(5 * LONG, abs=0.6)


async def test_2_6_a_house_player_plays_and_names_jokers_without_a_second_delay(slowly: World) -> None:
    """A house player that took its time for each of them, or none for the second, would say what comes."""

    def wished(request: MoveRequest) -> Action | None:
        if isinstance(request.view.ask, NameAsk):
            return Name(request.view.ask.cards[0])
        return Play(cards("JK JK")) if request.view.trick.top is None else Pass()

    slowly.deal = TWO_JOKERS
    table, _ = await start_at(slowly, "ben", "cleo", thinking=SlowMovePool(1, wished), rules="LA:named", seats=4)
    await slowly.advance(seconds=30)
    left = slowly.env.now()
    await slowly.leave("ann", table)
    assert is_full_delay(await seconds_until_house_acts(slowly, table, left)), "nor does a substitute act sooner"
    first, second, *_ = table.row.steps
    assert (first.action, second.seat, second.at) == ("JK JK", 0, first.at)


async def test_2_6_a_turn_does_not_wait_for_plays_out_of_turn(slowly: World) -> None:
    """House players have begun to think whether they want to come in, when Ben plays in his turn."""
    slowly.deal = ANNS_BOMB
    table, _ = await start_at(slowly, "ben", thinking=SlowMovePool(0, wish_in_turn), rules="B2:dle")
    await slowly.play_directly("ann", table, "3d")
    await slowly.advance(seconds=3)
    played = slowly.env.now()
    await slowly.play_directly("ben", table, "4h")
    assert is_full_delay(await seconds_until_house_acts(slowly, table, played))


def wish_in_turn(request: MoveRequest) -> Action | None:
    """Return the wish of a house player that never comes in out of turn."""
    return choose_action(request.view) if request.view.seat in request.view.awaited else None


async def start_awaiting_house(here: World) -> Table:
    """Start a match in which a house player is awaited."""
    table, _ = await start_at(here, "ben")
    await here.play_directly("ann", table, "3d")
    await here.play_directly("ben", table)
    await here.advance(seconds=1)
    return table


@pytest.mark.rotates(2)
@pytest.mark.parametrize("seconds", [1, 60])
async def test_2_6_house_players_take_a_full_delay_after_a_pause(slowly: World, seconds: float) -> None:
    set_roles(slowly, "dev", create_role(slowly, manage_messages=True))
    table = await start_awaiting_house(slowly)
    await slowly.slash("dev", "table pause")
    await slowly.advance(seconds=seconds)
    resumed = slowly.env.now()
    await slowly.slash("dev", "table resume")
    assert is_full_delay(await seconds_until_house_acts(slowly, table, resumed))


async def test_2_6_house_players_take_a_full_delay_after_a_stop(slowly: World) -> None:
    table = await start_awaiting_house(slowly)
    await slowly.advance(seconds=2)
    await slowly.stop()
    started = slowly.env.now()
    await slowly.start()
    assert is_full_delay(await seconds_until_house_acts(slowly, await slowly.reload(table), started))


async def test_2_6_house_players_have_no_delay_in_practice(slowly: World) -> None:
    _, table = await open_practice(slowly, "ann")
    while not any(step.by == "house" for step in table.row.steps):
        await play_weakest(slowly, table)
    assert {one.at - before.at for before, one in pairwise(table.row.steps) if one.by == "house"} == {timedelta()}
