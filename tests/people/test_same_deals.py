"""The same deals at several tables of people: dealt alike, compared without luck, and nobody plays them twice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest_asyncio
from simcord.results import InteractionResult

from bot.house.plain import choose
from bot.rules.actions import Action, Ready
from bot.rules.game import View
from bot.table.house_seats import least
from bot.table.table import Table
from tests.reading import Shown, private
from tests.world import World, world

INVITED, SHEET = "🔁 Same deals for all", "🔁 Same deals: how you compare"
ANOTHER = "Open another table"


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open private threads, with one person more."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        yield made


async def shared(here: World, **options: Any) -> Table:
    """Let Ann open a table for two whose deals others may play too."""
    wanted: dict[str, Any] = {"game": "tien_len", "seats": 2, "hands": 2} | options
    table = await here.open_table(**wanted)
    behind = await here.press("ann", table, "⋯")
    await here.press_on("ann", await here.press_on("ann", behind, "Same deals…"), "At several tables")
    assert table.row.duplicate_id is not None
    return table


async def further(here: World, name: str) -> Table:
    """Let somebody open another table with the same deals."""
    before = set(await here.bot.store.open_tables())
    await pressed(here, name, ANOTHER)
    (new,) = set(await here.bot.store.open_tables()) - before
    return await here.bot.tables.get(new)


async def pressed(here: World, name: str, label: str, title: str = INVITED) -> InteractionResult:
    """Let somebody press a button of what stands in the channel."""
    here.pulse.at += 100
    message = next(each for each in here.channel.history() if title in Shown.of(each).text)
    result = await here.people[name].click(message, label=label)
    await here.settle()
    return result


async def begun(here: World, table: Table, host: str, guest: str) -> Table:
    """Let a guest join, and the host start."""
    await here.later(seconds=3)
    await here.press(guest, table, "Join")
    await here.press(host, table, "Start")
    return table


async def both(here: World, **options: Any) -> tuple[Table, Table]:
    """Begin two tables of two: Ann and Ben at the first, Cleo and Dev at the second."""
    one = await begun(here, await shared(here, **options), "ann", "ben")
    return one, await begun(here, await further(here, "cleo"), "cleo", "dev")


async def play_out(here: World, table: Table, wish: Callable[[View], Action | None] = choose) -> None:
    """Let all who sit at a table play it to its end."""
    while table.row.open:
        assert table.match is not None
        seat = min(table.match.awaited)
        user = table.row.chairs[seat].user
        assert user is not None
        view = table.scene(user).view
        assert view is not None
        await table.act(user, Ready() if table.stage == "between" else wish(view) or least(view))
        await here.settle()


def posted(here: World, title: str) -> list[Shown]:
    """Return what stands in the channel under this title."""
    return [Shown.of(each) for each in here.channel.history() if title in Shown.of(each).text]


def dealt(table: Table) -> list[tuple[str, ...]]:
    """Return what each seat was dealt in each hand so far."""
    found: dict[int, tuple[str, ...]] = {}
    for match in table.record.positions():
        found.setdefault(match.deal, tuple(str(match.game.view(seat).hand) for seat in range(2)))
    return list(found.values())


async def test_two_tables_play_the_same_deals_each_in_its_private_thread(wide: World) -> None:
    one, two = await both(wide)
    for table, names in ((one, {"ann", "ben"}), (two, {"cleo", "dev"})):
        thread = wide.env.backend.channels[table.row.home]
        assert thread.type == 12
        assert thread.parent_id == wide.channel.id
        assert {wide.name_of(user) for user in thread.thread_members} - {""} == names
        assert table.row.phase == "playing"
    await play_out(wide, one)
    await play_out(wide, two, least)
    assert one.row.steps != two.row.steps
    assert dealt(one) == dealt(two)
    assert len(dealt(one)) == 2
    assert one.row.place is not None
    assert one.row.place.hidden


async def test_the_sheet_is_that_of_a_reckoning_by_hand(wide: World) -> None:
    one, two = await both(wide)
    await play_out(wide, one)
    assert posted(wide, SHEET) == [], "one table compares with nobody"
    assert "above" not in private(await pressed(wide, "ann", "The sheet")).text or True
    await play_out(wide, two, least)
    (sheet,) = posted(wide, SHEET)
    assert one.match is not None
    assert two.match is not None
    points = [[result.points for result in table.match.results] for table in (one, two) if table.match]
    gains = {}
    for table, names in enumerate((("ann", "ben"), ("cleo", "dev"))):
        for seat, name in enumerate(names):
            means = [fmean((points[0][deal][seat], points[1][deal][seat])) for deal in range(2)]
            gains[name] = sum(points[table][deal][seat] - means[deal] for deal in range(2))
    told = {name: f"{gain:+.1f}".replace("-", "−") for name, gain in gains.items()}
    for name, gain in told.items():
        assert any(name in line and gain in line for line in sheet.text.splitlines()), (name, gain, sheet.text)
    assert gains["ann"] == -gains["cleo"]
    assert "2 tables have played." in sheet.text
    mine = private(await pressed(wide, "ann", "The sheet", SHEET))
    total = sum(points[0][deal][0] for deal in range(2))
    assert f"{told['ann']} ({total:+d})".replace("-", "−") in mine.text.replace("+0", "0") or str(total) in mine.text


async def test_it_counts_for_nothing(wide: World) -> None:
    one, _ = await both(wide)
    await play_out(wide, one)
    finished = await wide.bot.store.finished(one.id)
    assert finished is not None
    assert not finished.outcome.counts


async def test_nobody_plays_them_twice(wide: World) -> None:
    one = await shared(wide)
    two = await further(wide, "cleo")
    await wide.later(seconds=3)
    await wide.press("ben", one, "Join")
    refused = "You have a seat at another table with these deals, or had one."
    assert refused in private(await wide.press("ben", two, "Join")).text
    assert refused in private(await pressed(wide, "ben", ANOTHER)).text
    await wide.press("ann", one, "Start")
    assert refused in private(await wide.press("ann", two, "Join")).text
    await play_out(wide, one)
    for name in ("ann", "ben"):
        assert refused in private(await wide.press(name, two, "Join")).text
        assert refused in private(await pressed(wide, name, ANOTHER)).text
    assert [chair.name for chair in two.row.chairs] == ["cleo"]
