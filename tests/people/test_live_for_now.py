"""A slow table with all players present is played live for a while, without loss for any player."""

from __future__ import annotations

from typing import Any

from bot.domain.pace import Pace
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import NOT_SEATED, SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

SLOW = Pace.read("relaxed 8h")
BACK = "Back to our own pace"


async def start_attended_table(here: World, **options: Any) -> Table:
    """Start a slow table at which Ann, Ben and Cleo have just played."""
    table = await here.start_table("ben", "cleo", pace="relaxed 8h", **options)
    await here.play_directly("ann", table, "3d")
    while len({step.seat for step in table.row.steps if step.by == "person"}) < 3:
        await here.act(here.current_player(table) or "", table)
    return table


def live_offer(here: World, table: Table) -> str | None:
    """The label of the offer on the board."""
    return next((label for label in here.read_board(table).buttons if label.startswith("Play live?")), None)


async def test_a_live_session_starts_on_the_board_and_open_hands_when_all_agree(here: World) -> None:
    table = await start_attended_table(here)
    assert live_offer(here, table) == "Play live? 0 of 3 agree"
    turn, deadline = here.current_player(table), table.row.deadline
    assert deadline is not None
    shown = {name: await here.open_hand(name, table) for name in ("ann", "ben", "cleo")}
    slow = f"<t:{int(deadline.at.timestamp())}:R>"
    assert all(slow in private_reply(hand).text for hand in shown.values())
    await here.press("ben", table, "Play live? 0 of 3 agree")
    assert not any(chair.live_ply for chair in table.scene(here.ann.id).chairs), "nobody sees who has agreed"
    refused = private_reply(await here.press("dev", table, "Play live? 1 of 3 agree"))
    assert refused.text.startswith(NOT_SEATED)
    await here.press("ann", table, "Play live? 1 of 3 agree")
    await here.press("cleo", table, "Play live? 2 of 3 agree")
    assert (table.row.pace.kind, table.row.own_pace) == ("live", SLOW)
    assert here.channel_texts(table)[-1].endswith("with no penalty for being late.")
    assert not any(slow in private_reply(hand).text for hand in shown.values()), "there is another time for the move"
    assert (live_offer(here, table), here.current_player(table)) == (None, turn)


async def test_agreements_to_play_live_survive_a_restart_and_one_tap_ends_the_session(here: World) -> None:
    table = await start_attended_table(here)
    await here.press("ann", table, "Play live? 0 of 3 agree")
    await here.restart()
    table = await here.reload(table)
    for count, name in enumerate(("ben", "cleo"), 1):
        await here.press(name, table, f"Play live? {count} of 3 agree")
    assert table.row.pace.kind == "live"
    await here.advance(seconds=50)
    await here.press("ben", table, BACK)
    assert table.row.pace == SLOW
    assert here.channel_texts(table)[-1].endswith("Everyone has the same time left as before.")
    kept = await here.parts.store.tables.load(table.id)
    assert kept is not None
    assert (kept.pace, kept.times) == (SLOW, table.row.times)


async def test_an_absent_player_ends_the_live_session_even_after_a_restart(here: World) -> None:
    table = await start_attended_table(here)
    ply = table.state.ply
    for count, name in enumerate(("ann", "ben", "cleo")):
        await here.press(name, table, f"Play live? {count} of 3 agree")
    await here.advance(minutes=2, seconds=5)
    assert (table.row.pace.kind, table.state.ply) == ("live", ply)
    await here.restart()
    table = await here.reload(table)
    await here.advance(minutes=2, seconds=5)
    assert (table.row.pace, table.state.ply) == (SLOW, ply)
