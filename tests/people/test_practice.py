"""Practice: a hand alone with house players, as often as one likes."""

from __future__ import annotations

from simcord.results import InteractionResult

from bot.rules.actions import Pass, Play
from bot.table.house_seats import least
from bot.table.practice import LEFT
from bot.table.table import Table
from tests.reading import private
from tests.world import World


async def practise(here: World, name: str, **options: str) -> tuple[InteractionResult, Table]:
    """Let somebody practise; return their hand, and its table."""
    shown = await here.people[name].slash(here.channel, "learn practice", **options)
    await here.settle()
    return shown, await own(here, name)


async def own(here: World, name: str) -> Table:
    """Return the one table at which somebody practises."""
    (row,) = [row for row in await here.bot.store.seated(here.people[name].id) if row.alone == "practice"]
    return await here.bot.tables.get(row.id)


async def test_one_practises_alone_and_it_counts_for_nothing(here: World) -> None:
    before = here.requests("POST", "/channels/*/messages")
    shown, table = await practise(here, "ann", game="tien_len")
    assert "Practice: Tiến Lên" in private(shown).text
    while table.row.open:
        view = table.scene(here.ann.id).view
        assert view is not None
        action = least(view)
        assert isinstance(action, Play | Pass)
        await table.act(here.ann.id, action)
        await here.settle()
    assert not table.row.counts
    assert here.requests("POST", "/channels/*/messages") == before
    assert shown.response is not None
    again = await here.press_on("ann", shown, "Another hand")
    assert "Practice: Tiến Lên" in private(again).text
    assert (await own(here, "ann")).id != table.id
    assert table.row.options == (await own(here, "ann")).row.options


async def test_one_goes_on_with_the_hand_one_has_and_other_rules_take_its_place(here: World) -> None:
    _, first = await practise(here, "ann", game="big_two")
    _, same = await practise(here, "ann", game="big_two")
    assert same.id == first.id
    _, other = await practise(here, "ann", game="big_little_a")
    assert other.id != first.id
    assert (await here.again(first)).row.phase == "closed"
    await here.restart()
    assert (await practise(here, "ann", game="big_little_a"))[1].id == other.id


async def test_nobody_else_has_to_do_with_it_and_what_is_left_is_closed(here: World) -> None:
    shown, table = await practise(here, "ann", game="big_two")
    for address in (f"bg:{table.id}:hand", f"bv:another:{table.id}"):
        refused = await here.forge(here.people["ben"], (await practise(here, "ben"))[0], address)
        assert "There is no such table here." in private(refused).text
    assert shown.response is not None
    await here.later(days=LEFT.days, hours=2)
    assert (await here.again(table)).row.phase == "closed"
