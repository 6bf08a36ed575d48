"""What a person presses again and again leaves no row each time: rows in every table of the store are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import metadata
from tests.people.test_days import open_working_hours
from tests.people.test_duplicate import create_duplicate, press_invitation
from tests.people.test_playing_on import PLAY_ON, middle_step, open_replay_step, play_weak_match
from tests.people.test_practice import open_practice, play_weakest, practice_table
from tests.support.message_text import private_reply
from tests.support.world import World

REPETITIONS = 6
WARM_UP_PRESSES = 3  # presses after which all rows are there that one of it leaves

Press = Callable[[], Awaitable[object]]


async def count_rows(here: World) -> Counter[str]:
    """Count the rows of each table of the store."""

    async def count(connection: AsyncConnection) -> Counter[str]:
        found = {table.name: select(func.count()).select_from(table) for table in metadata.sorted_tables}
        return Counter({name: (await connection.execute(query)).scalar_one() for name, query in found.items()})

    return await here.parts.store._gate.run(count)


async def play_on(here: World) -> Press:
    """Play on alone from a moment of a match."""
    table = await play_weak_match(here)
    shown = await open_replay_step(here, "ann", table, middle_step(table))
    behind = await here.press_in_menu("ann", shown)
    return lambda: here.press_on("ann", behind, PLAY_ON)


async def other_rules(here: World) -> Press:
    """Practise by other rules than before."""
    games = ["big_two", "tien_len"]

    async def press() -> None:
        games.reverse()
        await open_practice(here, "ann", game=games[0])

    return press


async def other_cards(here: World) -> Press:
    """Deal other cards to practise with."""

    async def press() -> None:
        shown, table = await open_practice(here, "ann", game="tien_len")
        await here.forge(here.ann, shown, f"bv:another:{table.id}")
        assert (await practice_table(here, "ann")).id != table.id

    return press


async def taken_back(here: World) -> Press:
    """Do something, and take it back."""
    shown, _ = await open_practice(here, "ann", game="big_two")

    async def press() -> None:
        table = await practice_table(here, "ann")
        await play_weakest(here, table)
        await here.forge(here.ann, shown, f"bg:{table.id}:undo")

    return press


async def lesson(here: World) -> Press:
    """Begin a lesson."""
    return lambda: here.ann.slash(here.channel, "learn how", game="big_two")


async def puzzles(here: World) -> Press:
    """Begin the puzzles of the week."""

    async def press() -> None:
        shown = await here.ann.slash(here.channel, "learn puzzles", game="big_two")
        await here.settle()
        await here.press_on(
            "ann", shown, "Start solving" if "Start solving" in private_reply(shown).buttons else "Continue"
        )

    return press


async def day_deal(here: World) -> Press:
    """Go on with the deal of the day."""

    async def press() -> None:
        shown = await here.ann.slash(here.channel, "learn daily")
        await here.settle()
        there = private_reply(shown).buttons
        await here.press_on("ann", shown, next(label for label in there if label in ("Deal the cards", "Keep playing")))

    return press


async def part(here: World) -> Press:
    """Go on with a part in a duplicate."""
    await create_duplicate(here)
    return lambda: press_invitation(here, "ben", "Deal the cards")


async def house_rules(here: World) -> Press:
    """Save house rules, and delete them."""

    async def press() -> None:
        await here.ann.slash(here.channel, "houserules save", name="Friday", rules="hk")
        await here.ann.slash(here.channel, "houserules delete", name="Friday")

    return press


async def hours(here: World) -> Press:
    """Say where one is, elsewhere each time."""
    cities = ["Berlin", "Tokyo"]

    async def press() -> None:
        cities.reverse()
        await open_working_hours(here, "ann", city=cities[0])

    return press


async def seat(here: World) -> Press:
    """Join a lobby, and leave it."""
    table = await here.open_table()

    async def press() -> None:
        await here.press("ben", table, "Join")
        await here.leave("ben", table)

    return press


async def watching(here: World) -> Press:
    """Watch a match, and stop watching it."""
    table = await here.start_table("ben")

    async def press() -> None:
        for label in ("Watch", "✓ Watch"):
            shown = await here.press("cleo", table, "⋯")
            await here.press_on("cleo", shown, label)

    return press


ACTIONS = (
    play_on,
    other_rules,
    other_cards,
    taken_back,
    lesson,
    puzzles,
    day_deal,
    part,
    house_rules,
    hours,
    seat,
    watching,
)


@pytest.mark.rotates(4)
@pytest.mark.parametrize("make", ACTIONS, ids=lambda make: make.__name__)
async def test_1_4_repeated_clicks_leave_no_further_rows(
    here: World, make: Callable[[World], Awaitable[Press]]
) -> None:
    press = await make(here)
    for _ in range(WARM_UP_PRESSES):
        await press()
        here.pulse.at += 1
    before = await count_rows(here)
    for _ in range(REPETITIONS):
        await press()
        here.pulse.at += 1
    await here.settle()
    after = await count_rows(here)
    actions = after.pop("actions") - before.pop("actions")
    assert after == before
    assert actions < REPETITIONS, "what house players do before it is one's turn is now more, now less"
