"""People react: from the button on the board to their seat, and never with an edit that would not have come anyway."""

from __future__ import annotations

from tests.people.big_a import OTHERS, WINDOW_1, WINDOW_2, show_nothing, start_draw
from tests.people.test_choosing import count_edits
from tests.people.test_options import open_options
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

REACT = "😀"


async def test_a_reaction_is_shown_at_its_seat_with_the_next_move(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", "cleo", "dev")
    choice = await here.press("cleo", table, REACT)
    assert list(private_reply(choice).buttons) == ["👏", "😱", "🔥", "😂", "gg"]
    assert "3 left in this hand" in private_reply(choice).text
    before, seen = count_edits(here), here.read_board(table)
    given = private_reply(await here.press_on("cleo", choice, "🔥"))
    assert given.text.startswith("🔥 shows on your seat with the next move.")
    assert "2 left in this hand" in given.text
    await here.press("ann", table, "My hand")
    assert (count_edits(here), here.read_board(table)) == (before, seen)
    await here.act("ann", table)
    (line,) = (line for line in here.read_board(table).text.splitlines() if "🔥" in line)
    assert "**cleo**" in line
    for sign in ("👏", "gg"):
        await here.press_on("cleo", choice, sign)
    assert all(disabled for _, disabled in private_reply(choice).buttons.values())
    again = await here.forge(here.people["cleo"], choice, f"bg:{table.id}:reacted:1.0")
    assert "all your reactions" in private_reply(again).text


async def test_only_players_of_the_running_hand_can_react(here: World) -> None:
    table = await here.start_table("ben")
    assert private_reply(await here.press("dev", table, REACT)).text.startswith("You're not at **Big Two, table 1**")
    choice = await here.press("ben", table, REACT)
    await here.leave("ben")
    assert "while a hand is being played" in private_reply(await here.press_on("ben", choice, "👏")).text


async def test_a_reaction_does_not_reveal_a_secret_answer(here: World) -> None:
    table = await start_draw(here)
    choice = await here.press("ann", table, REACT)
    before, seen = count_edits(here), here.read_board(table)
    await here.press_on("ann", choice, "😱")
    await show_nothing(here, table, *OTHERS)
    assert WINDOW_1 in seen.text
    assert (count_edits(here), here.read_board(table)) == (before, seen)
    await show_nothing(here, table, "ann")
    board = here.read_board(table).text
    assert WINDOW_2 in board
    assert "😱" in board


async def test_reactions_are_set_by_the_host_without_new_agreements(here: World) -> None:
    lobby = await here.open_table()
    await here.press("ben", lobby, "Join")
    edition = lobby.row.edition
    chosen = await open_options(here, lobby)
    await chosen.press("More…")
    await chosen.choose("rule_reactions", "live chicken")
    assert (lobby.row.pace.reactions, lobby.row.edition) == ("teasing", edition)
    await here.fill_up("ann", lobby)
    await here.press("ann", lobby, "Start")
    assert "🐔" in private_reply(await here.press("ben", lobby, REACT)).buttons
