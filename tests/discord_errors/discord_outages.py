"""Plays while Discord fails: moves without waiting for Discord, and checks after its recovery."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.ai.plain import plain_action
from bot.rules.core.asks import Play
from bot.rules.core.cards import write
from bot.show.kit.custom_ids import Press
from bot.show.table.board import board
from bot.show.table.table_picture import picture
from bot.table.table import Table
from tests.support.law_settings import is_thorough
from tests.support.world import World

SEND, EDIT = "/channels/*/messages", "/channels/*/messages/*"
MOVES = 3  # to play before a match counts as continuing
RETRIES_DURATION = 110.0  # seconds of all three retries of a board


async def move(here: World, table: Table, name: str | None = None) -> None:
    """Let the asked player play by command; wait for the bot, not for Discord."""
    table = await here.parts.tables.get(table.id)  # an idle table is loaded again as a new object
    name = name or here.current_player(table)
    assert name is not None
    person = here.people[name]
    view = table.scene(person.id).view
    assert view is not None
    action = plain_action(view)
    typed = write(action.cards) if isinstance(action, Play) else "pass"
    where = here.channel if table.row.home not in here.env.backend.channels else here.channel_of(table)
    await person.slash(where, "turn", move=typed, table=table.id)


async def wait(here: World, seconds: float = RETRIES_DURATION) -> None:
    """Let simulated time pass, even while Discord fails."""
    await here.env.advance_time(seconds)


def board_ply(here: World, table: Table) -> int:
    """Return the ply of the table if its board is current, otherwise -1."""
    scene, seen = table.scene(None), here.read_board(table)
    assert {Press.read(address).table for address, _ in seen.buttons.values()} == {table.id}
    words = here.parts.localization.words_for_table(scene)
    drawn = board(scene, words, picture(scene, words) if here.board(table).attachments else None)
    texts = [part.content for part in drawn.walk_children() if isinstance(part, ui.TextDisplay)]
    return table.state.ply if seen.text == "\n".join(texts).strip() else -1


def count_boards(here: World, table: Table) -> int:
    """Count the board messages of a table in its present and former channels."""
    homes = {table.row.channel, table.row.home} & set(here.env.backend.channels)
    messages = [each for home in homes for each in here.env.backend.messages[home].values()]
    screens = [each for each in messages if not (each.is_ephemeral or each.content)]
    return sum(f"'bg:{table.id}:" in str(each.components) for each in screens)


async def check_match_continues(here: World, table: Table) -> None:
    """Play some moves (in thorough trials the whole match); assert that the board becomes current."""
    if is_thorough():
        await finish_match(here, table)
        return
    await wait(here)
    for _ in range(MOVES):
        if (table := await here.reload(table)).stage == "playing":
            await move(here, table)
    await here.settle()
    if board_ply(here, table) != table.state.ply:
        await wait(here)
    assert board_ply(here, table) == table.state.ply


async def finish_match(here: World, table: Table) -> None:
    """Play to the end of the match; assert that the board shows the end."""
    await wait(here)
    while (table := await here.parts.tables.get(table.id)).stage != "over":
        if table.stage == "between":
            await wait(here, 3600)
        else:
            await move(here, table)
    await wait(here)
    assert board_ply(here, table) == table.state.ply
    assert "Rematch" in here.read_board(table).buttons


async def start_match(here: World, *people: str, **options: Any) -> Table:
    """Start a match, by default of one hand without a clock."""
    return await here.start_table(*people, **{"hands": 1, "pace": "none", **options})
