"""What becomes of a late player at a table in Discord, where an option of the game says so.

Each fate once; every moment at which a player can be late stands in rules/test_late.py.
"""

from __future__ import annotations

from typing import Any

from bot.games import GAMES
from bot.rules.variants.ruleset import write_code
from bot.store.rows import TableRow
from bot.table.table import Table
from tests.rules.timeouts import PAIRS
from tests.support.message_text import private_reply
from tests.support.world import World

LATE_AFTER = 121  # seconds after which a player is late


async def time_out_first_lead(here: World, on_timeout: str, **options: Any) -> tuple[Table, TableRow]:
    """Time out ann's first lead; return the table and its stored row."""
    here.deal = PAIRS
    rules = write_code(GAMES["big_little_a"], "standard", {"on_timeout": on_timeout})
    table = await here.start_table("ben", "cleo", "dev", rules=rules, **options)
    await here.advance(seconds=LATE_AFTER)
    return table, await stored_table(here, table)


async def stored_table(here: World, table: Table) -> TableRow:
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    return row


async def test_the_clock_plays_the_weakest_action_for_a_late_player(here: World) -> None:
    _, row = await time_out_first_lead(here, "least", stake=1)
    assert [(step.seat, step.action, step.by) for step in row.steps] == [(0, "1n", "clock")]
    assert (row.phase, [chair.house for chair in row.chairs]) == ("playing", [False] * 4)


async def test_a_house_player_substitutes_for_a_late_player_until_they_return(here: World) -> None:
    table, row = await time_out_first_lead(here, "substitute")
    assert (row.phase, [chair.house for chair in row.chairs]) == ("playing", [True, False, False, False])
    assert {(step.seat, step.by) for step in row.steps} == {(0, "house")}  # nothing was done by the clock
    notice = next(
        said for said in here.channel_of(table).history() if "A bot keeps the seat warm until" in said.content
    )
    hand = await here.people["ann"].click(notice, label="Take my seat back")
    assert "Your 11 cards" in private_reply(hand).text
    assert not any(chair.house for chair in (await stored_table(here, table)).chairs)
    refused = await here.people["ben"].click(notice, label="Take my seat back")
    assert private_reply(refused).text == "You're already playing."


async def test_the_match_ends_unfinished_on_a_timeout_if_the_rules_say_so(here: World) -> None:
    table, row = await time_out_first_lead(here, "abort")
    assert (row.phase, row.steps, row.deadline) == ("closed", (), None)
    assert not any("wins" in said for said in (*here.channel_texts(table), here.read_board(table).text))
    assert any("so the match ends unfinished" in said for said in here.channel_texts(table))
