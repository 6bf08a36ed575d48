"""The desk: what waits for a player, and one table after the other played at in the same message."""

from __future__ import annotations

from simcord import UserHandle
from simcord.results import InteractionResult

from bot.table.table import Table
from tests.people.test_notices import direct, outside, waits_for_ben, wants
from tests.support.message_text import Shown, private
from tests.support.world import World

PLAYS = ("Play", "Pass")


async def desk(here: World, name: str) -> InteractionResult:
    """Let a player see their desk."""
    shown = await here.people[name].slash(here.channel, "desk")
    await here.settle()
    return shown


def can(shown: Shown, *labels: str) -> str | None:
    """Return the first enabled button with this prefix."""
    return next((name for name, (_, off) in shown.buttons.items() if name.startswith(labels) and not off), None)


async def play(here: World, name: str, shown: InteractionResult) -> InteractionResult:
    """Let a user take the suggestion of the open hand."""
    if can(private(shown), "Hint"):
        shown = await here.press_on(name, shown, "Hint")
    label = can(private(shown), *PLAYS)
    assert label is not None
    return await here.press_on(name, shown, label)


async def two(here: World) -> tuple[Table, Table]:
    """Let two tables wait for Ben, of which the second has less time."""
    tables = [await here.start_table("ben", pace=pace) for pace in ("relaxed 20h", "relaxed 10h")]
    for table in tables:
        await here.lay("ann", table, "3d 3c")
    return tables[0], tables[1]


async def test_the_desk_counts_waiting_tables_and_lists_the_most_urgent_first(here: World) -> None:
    for pace, hours in (("relaxed 100h", 7), ("relaxed 20h", 0)):
        await here.lay("ann", await here.start_table("ben", pace=pace), "3d 3c")
        await here.later(hours=hours)
    text = private(await desk(here, "ben")).text
    assert "2 tables are waiting for you. 1 of them for more than six hours." in text
    assert text.index("table 2") < text.index("table 1")
    assert text.count("**Your turn!** · ends <t:") == 2, "If someone runs out of time, the game goes on"


async def test_the_desk_shows_and_plays_table_after_table_in_one_message(here: World) -> None:
    first, second = await two(here)
    shown = await here.press_on("ben", await desk(here, "ben"), "Play them here")
    assert "table 2" in private(shown).text
    assert "Your turn" in private(shown).text
    for number in (1, 2):
        shown = await here.press_on("ben", shown, "Next table")
        assert f"table {number}" in private(shown).text
    shown = await here.press_behind("ben", shown)
    assert "Next table" not in private(shown).buttons
    shown = await here.press_on("ben", shown, "Back to my cards")
    assert "Next table" in private(shown).buttons, "it stays a desk while cards are picked"
    shown = await play(here, "ben", shown)
    assert here.turn(second) != "ben"
    assert "table 1" in private(shown).text
    assert "Done at Big Two, table 2." in private(shown).text
    shown = await here.press_on("ben", shown, "All my tables")
    assert "Your tables" in private(shown).text
    await here.act("ben", first)
    assert "Your tables" in private(shown).text, "no table follows there any more"


async def test_a_desk_still_works_after_a_restart_whichever_button_is_pressed(here: World) -> None:
    first, _ = await two(here)
    shown = await here.press_on("ben", await desk(here, "ben"), "Play them here")
    await here.restart()
    shown = await here.press_on("ben", shown, "Next table")
    assert "table 1" in private(shown).text
    await here.restart()
    shown = await play(here, "ben", shown)
    assert "table 2" in private(shown).text
    await here.restart()
    shown = await play(here, "ben", shown)
    assert here.turn(await here.again(first)) != "ben"
    assert "Your tables" in private(shown).text
    assert "Play them here" not in private(shown).buttons


async def test_the_desk_skips_tables_that_its_owner_cannot_see(here: World) -> None:
    await two(here)
    here.guild.remove_member(here.people["ben"])
    ben = outside(here, "ben")
    await ben.send_dm("Hello")
    await here.later(minutes=5)
    mine = await ben.slash("desk")
    await here.settle()
    assert mine.response is not None
    answer = await ben.click(mine.response.message, label="Play them here")
    await here.settle()
    assert "Next table" not in private(answer).buttons


async def test_a_direct_message_about_several_tables_is_a_desk_even_after_a_restart(here: World) -> None:
    await wants(here, "ben", "direct")
    first, second = await waits_for_ben(here, "relaxed 20h"), await waits_for_ben(here, "relaxed 10h")
    await here.later(seconds=9.5)
    (message,) = direct(here, "ben")
    assert "table 2" in Shown.of(message).text
    ben = outside(here, "ben")
    await suggested(here, ben)
    assert here.turn(second) != "ben"
    (message,) = direct(here, "ben")
    assert "table 1" in Shown.of(message).text
    await here.restart()
    first = await here.again(first)
    await suggested(here, ben)
    assert here.turn(first) != "ben"
    assert direct(here, "ben") == []


async def suggested(here: World, ben: UserHandle) -> None:
    """Let Ben take the suggestion in his direct message."""
    (message,) = direct(here, "ben")
    if can(Shown.of(message), "Hint"):
        await ben.click(message, label="Hint")
        (message,) = direct(here, "ben")
    label = can(Shown.of(message), *PLAYS)
    assert label is not None
    await ben.click(message, label=label)
    await here.settle()
