"""Levels of house players: chosen in a lobby, shown with their names, stored with the result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from simcord.results import InteractionResult

from bot.ai import plain
from bot.ai_pool.pool import MovePool, PoolDurations
from bot.domain.chairs import Level
from bot.rules.core.asks import write_action
from bot.rules.variants.ruleset import Ruleset
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import DOTS
from bot.table.core.commands import ChangeRules, PlayDuplicate
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.people.test_practice import open_practice
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World, world

ONE_HAND = "B2:std+match=deals,hands=1"


def house_levels(table: Table) -> list[Level]:
    """How well the house players at a table play."""
    return [chair.level for chair in table.row.chairs if chair.house]


async def choose_level(here: World, name: str, shown: InteractionResult, level: str) -> InteractionResult:
    """Choose a level in the lobby menu."""
    assert shown.response is not None
    (menu,) = [menu for menu in private_reply(shown).selects if f":{Verb.LEVEL}" in menu]
    result = await here.people[name].select(shown.response.message, [level], custom_id=menu)
    await here.settle()
    return result


async def test_the_level_chosen_by_the_host_applies_here_and_next_time(here: World) -> None:
    table = await here.open_table()
    await here.press("ann", table, "Add a bot")
    assert "**Mei 🤖**: easy" in here.read_board(table).text
    shown = await choose_level(here, "ann", await here.press("ann", table, DOTS), "good")
    assert "**Mei 🤖★**: medium" in here.read_board(table).text
    await here.press_on("ann", shown, "Add a bot")
    assert house_levels(table) == ["good", "good"]
    await here.restart()
    table = await here.open_table()
    await here.press("ann", table, "Play now")
    assert house_levels(table) == ["good"] * 3
    assert "Mei 🤖★" in here.read_board(table).text
    other = await here.open_table("ben")
    await here.press("ben", other, "Play now")
    assert house_levels(other) == ["kind"] * 3, "what somebody else has chosen"
    assert "**Mei 🤖** ·" in here.read_board(other).text


async def test_only_the_host_chooses_and_only_before_the_first_card(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    address = str(Press(table.id, Verb.LEVEL))
    assert address not in private_reply(await here.press("ben", table, DOTS)).selects
    shown = await here.press("ann", table, DOTS)
    await here.press("ann", table, "Play now")
    assert private_reply(await choose_level(here, "ann", shown, "strong")).text.startswith("The match has begun.")
    assert house_levels(table) == ["kind", "kind"]


async def test_the_menu_offers_distinct_levels_and_none_at_duplicate_tables(
    here: World,
) -> None:
    await here.parts.preferences.change(here.ann.id, level=Level.HARD)
    table = await here.open_table()
    await here.press("ann", table, "Add a bot")
    assert house_levels(table) == ["strong"]
    assert await offered_levels(here, table) == ("kind", "good", "strong")
    await table.do(ChangeRules(here.ann.id, lambda rules: Ruleset.of(rules.known, "taiwan_latta")))
    assert house_levels(table) == ["good"], "nobody is better there"
    assert await offered_levels(here, table) == ("kind", "good")
    await table.do(PlayDuplicate(here.ann.id))
    assert house_levels(table) == [Level.PLAIN]
    await here.settle()
    shown = await here.press("ann", table, DOTS)
    assert str(Press(table.id, Verb.LEVEL)) not in private_reply(shown).selects
    await here.press_on("ann", shown, "Add a bot")
    assert house_levels(table) == [Level.PLAIN] * 2


async def offered_levels(here: World, table: Table) -> tuple[str, ...]:
    """The levels offered to the host."""
    await here.settle()
    return private_reply(await here.press("ann", table, DOTS)).selects[str(Press(table.id, Verb.LEVEL))]


async def test_practice_uses_the_level_chosen_last(here: World) -> None:
    await here.parts.preferences.change(here.ann.id, level=Level.MEDIUM)
    _, table = await open_practice(here, "ann", game="big_two")
    assert house_levels(table) == ["good"] * 3
    await here.parts.preferences.change(here.ann.id, level=Level.HARD)
    _, table = await open_practice(here, "ann", game="tien_len")
    assert house_levels(table) == ["strong"] * 3
    _, table = await open_practice(here, "ann", game="big_two", preset="taiwan_latta")
    assert house_levels(table) == ["good"] * 3, "nobody is better there"


async def test_a_finished_match_shows_the_levels_of_house_players(here: World) -> None:
    here.deal = SHORT_HANDS
    await here.parts.preferences.change(here.ann.id, level=Level.MEDIUM)
    table = await here.start_table("ben", rules=ONE_HAND)
    await here.leave("ben", table)  # a house player plays on for him, as plainly as for every player who is away
    await here.play_hand(table)
    result = await here.parts.store.results.finished(table.id)
    assert result
    assert [one.level for one in result.outcome.standings] == ["", "", "good", "good"]
    said = (await here.slash("ann", "matches list")).text
    assert said.count("🤖★") == 2
    assert "ben 🤖 (left)" in said
    await here.press("ann", table, "Rematch")
    again = await here.parts.tables.get(max(await here.parts.store.tables.open_tables()))
    assert house_levels(again) == ["good"] * 3


async def test_the_same_clicks_on_the_same_deal_get_the_same_replies(here: World) -> None:
    here.deal = SHORT_HANDS
    records = []
    for _ in range(2):
        table = await here.start_table(rules=ONE_HAND)
        assert house_levels(table) == ["kind"] * 3
        await here.play_hand(table)
        records.append([step.action for step in table.row.steps])
    assert records[0] == records[1]


async def test_a_table_of_an_earlier_release_keeps_the_plain_level(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table(rules=ONE_HAND)

    async def work(connection: Any) -> None:
        await connection.exec_driver_sql("UPDATE chairs SET level = ''")

    await here.parts.store._gate.run(work)
    await here.restart()
    table = await here.reload(table)
    before = len(table.row.steps)
    await here.play_hand(table)
    record = record_of(table.row)
    for ply, step in enumerate(table.row.steps):
        if ply >= before and step.by == "house":
            view = replace(record, steps=record.steps[:ply]).replay().view(step.seat)
            action = plain.plain_action(view)
            assert action
            assert write_action(action) == step.action


async def test_a_match_continues_when_a_worker_process_is_killed(tmp_path: Path) -> None:
    async with world(tmp_path, thinkers=MovePool(times=PoolDurations(thinking=0.05))) as here:
        await here.parts.preferences.change(here.ann.id, level=Level.HARD)
        table = await here.start_table(rules=ONE_HAND)
        assert "Mei 🤖★★" in here.read_board(table).text
        for _ in range(2):
            name = here.current_player(table)
            assert name
            await here.act(name, table)
            assert here.current_player(table) == name or table.stage != "playing", "all three have played"
            for thinker in here.bot.launch.move_pool.all:
                thinker.process.kill()
