"""The desk: what waits for a player, and one table after the other played at in the same message."""

from __future__ import annotations

from simcord import UserHandle
from simcord.results import InteractionResult

from bot.table.table import Table
from tests.people.test_notices import choose_notices, direct_messages, start_awaiting_ben, user_outside_servers
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World

PLAYS = ("Play", "Pass")


async def open_desk(here: World, name: str) -> InteractionResult:
    """Open the desk of a player."""
    shown = await here.people[name].slash(here.channel, "desk")
    await here.settle()
    return shown


def enabled_button(shown: ParsedMessage, *labels: str) -> str | None:
    """Return the first enabled button with this prefix."""
    return next((name for name, (_, off) in shown.buttons.items() if name.startswith(labels) and not off), None)


async def play_suggestion(here: World, name: str, shown: InteractionResult) -> InteractionResult:
    """Play the suggestion of the open hand."""
    if enabled_button(private_reply(shown), "Hint"):
        shown = await here.press_on(name, shown, "Hint")
    label = enabled_button(private_reply(shown), *PLAYS)
    assert label is not None
    return await here.press_on(name, shown, label)


async def start_two_waiting_tables(here: World) -> tuple[Table, Table]:
    """Start two tables that await Ben, the second with less time."""
    tables = [await here.start_table("ben", pace=pace) for pace in ("relaxed 20h", "relaxed 10h")]
    for table in tables:
        await here.play_directly("ann", table, "3d 3c")
    return tables[0], tables[1]


async def test_the_desk_counts_waiting_tables_and_lists_the_most_urgent_first(here: World) -> None:
    for pace, hours in (("relaxed 100h", 7), ("relaxed 20h", 0)):
        await here.play_directly("ann", await here.start_table("ben", pace=pace), "3d 3c")
        await here.advance(hours=hours)
    text = private_reply(await open_desk(here, "ben")).text
    assert "2 tables are waiting for you. 1 of them for more than six hours." in text
    assert text.index("table 2") < text.index("table 1")
    assert text.count("**Your turn!** · ends <t:") == 2, "If someone runs out of time, the game goes on"


async def test_the_desk_shows_and_plays_table_after_table_in_one_message(here: World) -> None:
    first, second = await start_two_waiting_tables(here)
    shown = await here.press_on("ben", await open_desk(here, "ben"), "Play them here")
    assert "table 2" in private_reply(shown).text
    assert "Your turn" in private_reply(shown).text
    for number in (1, 2):
        shown = await here.press_on("ben", shown, "Next table")
        assert f"table {number}" in private_reply(shown).text
    shown = await here.press_in_menu("ben", shown)
    assert "Next table" not in private_reply(shown).buttons
    shown = await here.press_on("ben", shown, "Back to my cards")
    assert "Next table" in private_reply(shown).buttons, "it stays a desk while cards are picked"
    shown = await play_suggestion(here, "ben", shown)
    assert here.current_player(second) != "ben"
    assert "table 1" in private_reply(shown).text
    assert "Done at Big Two, table 2." in private_reply(shown).text
    shown = await here.press_on("ben", shown, "All my tables")
    assert "Your tables" in private_reply(shown).text
    await here.act("ben", first)
    assert "Your tables" in private_reply(shown).text, "no table follows there any more"


async def test_a_desk_still_works_after_a_restart_whichever_button_is_pressed(here: World) -> None:
    first, _ = await start_two_waiting_tables(here)
    shown = await here.press_on("ben", await open_desk(here, "ben"), "Play them here")
    await here.restart()
    shown = await here.press_on("ben", shown, "Next table")
    assert "table 1" in private_reply(shown).text
    await here.restart()
    shown = await play_suggestion(here, "ben", shown)
    assert "table 2" in private_reply(shown).text
    await here.restart()
    shown = await play_suggestion(here, "ben", shown)
    assert here.current_player(await here.reload(first)) != "ben"
    assert "Your tables" in private_reply(shown).text
    assert "Play them here" not in private_reply(shown).buttons


async def test_the_desk_skips_tables_that_its_owner_cannot_see(here: World) -> None:
    await start_two_waiting_tables(here)
    here.guild.remove_member(here.people["ben"])
    ben = user_outside_servers(here, "ben")
    await ben.send_dm("Hello")
    await here.advance(minutes=5)
    mine = await ben.slash("desk")
    await here.settle()
    assert mine.response is not None
    answer = await ben.click(mine.response.message, label="Play them here")
    await here.settle()
    assert "Next table" not in private_reply(answer).buttons


async def test_a_direct_message_about_several_tables_is_a_desk_even_after_a_restart(here: World) -> None:
    await choose_notices(here, "ben", "direct")
    first, second = await start_awaiting_ben(here, "relaxed 20h"), await start_awaiting_ben(here, "relaxed 10h")
    await here.advance(seconds=9.5)
    (message,) = direct_messages(here, "ben")
    assert "table 2" in ParsedMessage.of(message).text
    ben = user_outside_servers(here, "ben")
    await play_suggestion_by_dm(here, ben)
    assert here.current_player(second) != "ben"
    (message,) = direct_messages(here, "ben")
    assert "table 1" in ParsedMessage.of(message).text
    await here.restart()
    first = await here.reload(first)
    await play_suggestion_by_dm(here, ben)
    assert here.current_player(first) != "ben"
    assert direct_messages(here, "ben") == []


async def play_suggestion_by_dm(here: World, ben: UserHandle) -> None:
    """Play the suggestion in Ben's direct message."""
    (message,) = direct_messages(here, "ben")
    if enabled_button(ParsedMessage.of(message), "Hint"):
        await ben.click(message, label="Hint")
        (message,) = direct_messages(here, "ben")
    label = enabled_button(ParsedMessage.of(message), *PLAYS)
    assert label is not None
    await ben.click(message, label=label)
    await here.settle()
