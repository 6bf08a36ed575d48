"""The articles O17 of Big A at a table with a clock: what becomes of whoever is late in play.

Nobody answers during the draw either, so that whoever has to show an ace of hearts leads.
"""

from __future__ import annotations

from bot.rules.big_a.play import BigAGame
from bot.rules.game import Game
from bot.table.table import Table
from tests.world import World

OTHERS = ("ben", "cleo", "dev", "eve")


async def late(here: World, rules: str) -> tuple[Table, int, str]:
    """Let five people be late until somebody was late with the first lead; return who, and their lowest card."""
    here.people["eve"] = here.guild.add_member(here.env.create_user("eve"))
    table = await here.start_table(*OTHERS, rules=rules)
    while not isinstance(hand := playing(table), BigAGame):
        await here.later(seconds=61)
    await here.later(seconds=121)
    return table, hand.turn, str(hand.hands[hand.turn][0])


def playing(table: Table) -> Game:
    """The hand at a table."""
    assert table.match is not None
    return table.match.game


async def test_o17_1_the_lowest_card_is_led(here: World) -> None:
    table, seat, lowest = await late(here, "BA:std+late=least")
    row = await here.bot.store.load(table.id)
    assert row is not None
    assert row.phase == "playing"
    assert [(each.seat, each.action, each.by) for each in row.steps[-1:]] == [(seat, lowest, "clock")]
    assert not any(chair.house for chair in row.chairs)
    await here.later(seconds=121)
    row = await here.bot.store.load(table.id)
    assert row is not None
    assert [(each.seat, each.action, each.by) for each in row.steps[-1:]] == [((seat + 1) % 5, "pass", "clock")]


async def test_o17_2_a_house_player_sits_in(here: World) -> None:
    table, seat, _ = await late(here, "BA:std+late=substitute")
    row = await here.bot.store.load(table.id)
    assert row is not None
    assert row.phase == "playing"
    assert [chair.seat for chair in row.chairs if chair.house] == [seat]
    await here.later(seconds=15)
    row = await here.bot.store.load(table.id)
    assert row is not None
    assert [(each.seat, each.by) for each in row.steps[-1:]] == [(seat, "house")]


async def test_o17_3_the_match_ends_unfinished(here: World) -> None:
    table, _, _ = await late(here, "BA:std+late=abort")
    row = await here.bot.store.load(table.id)
    assert row is None or row.phase not in ("lobby", "playing")
