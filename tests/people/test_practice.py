"""Practice: a hand alone with house players, as often as one likes."""

from __future__ import annotations

import pytest
from simcord.results import InteractionResult
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ai.plain import timeout_action
from bot.club.practice import EXPIRES_AFTER
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.core.cards import Cards
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import DOTS
from bot.store.schema import metadata
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import SETTLE_TIMEOUT, SHORT_HANDS, World

DEAL = SHORT_HANDS
RARE = "taiwan_latta"  # rules that nobody plays strongly


async def open_practice(here: World, name: str, **options: str) -> tuple[InteractionResult, Table]:
    """Open practice; return the hand and the table."""
    shown = await here.people[name].slash(here.channel, "learn practice", **options)
    await here.settle()
    return shown, await practice_table(here, name)


async def play_weakest(here: World, table: Table) -> None:
    """Play Ann's weakest action and the replies of house players."""
    await _once(here, table)
    await here.settle()


async def _once(here: World, table: Table) -> None:
    await table.wait_until_idle(SETTLE_TIMEOUT)
    if not table.row.open:
        return
    view = table.scene(here.ann.id).view
    assert view is not None
    with here.env._bot_scope():  # what follows is the bot's, as after a click
        await table.do(Act(here.ann.id, timeout_action(view)))
    await table.wait_until_idle(SETTLE_TIMEOUT)


async def play_to_hand_end(here: World, table: Table) -> None:
    """Play Ann's weakest actions to the end of the hand."""
    while table.row.open:
        await _once(here, table)
    await here.settle()


def house_levels(table: Table) -> set[Level]:
    """How well house players play there."""
    return {chair.level for chair in table.row.chairs if chair.user is None}


def steps_taken(table: Table) -> list[tuple[int, str]]:
    """Return what was done there: by which seats, and what."""
    return [(step.seat, step.action) for step in table.row.steps]


def anns_cards(table: Table, here: World) -> Cards:
    """Return the cards that Ann holds there."""
    view = table.scene(here.ann.id).view
    assert view is not None
    return view.hand


async def practice_table(here: World, name: str) -> Table:
    """Return the one table at which a player practises."""
    (row,) = [row for row in await here.parts.store.tables.seated(here.people[name].id) if row.solo == "practice"]
    return await here.parts.tables.get(row.id)


async def test_a_practice_hand_is_private_and_unrated(here: World) -> None:
    before = here.requests("POST", "/channels/*/messages")
    shown, table = await open_practice(here, "ann", game="tien_len")
    assert "Practice: Tiến Lên" in private_reply(shown).text
    await play_to_hand_end(here, table)
    assert not table.row.counts
    assert here.requests("POST", "/channels/*/messages") == before
    assert shown.response is not None
    again = await here.press_on("ann", shown, "New cards")
    assert "Practice: Tiến Lên" in private_reply(again).text
    assert (await practice_table(here, "ann")).id != table.id
    assert table.row.options == (await practice_table(here, "ann")).row.options


async def test_practice_resumes_the_open_hand_and_other_rules_replace_it(here: World) -> None:
    _, first = await open_practice(here, "ann", game="big_two")
    _, same = await open_practice(here, "ann", game="big_two")
    assert same.id == first.id
    _, other = await open_practice(here, "ann", game="big_little_a")
    assert other.id != first.id
    assert (await here.reload(first)).row.phase == "closed"
    await here.restart()
    assert (await open_practice(here, "ann", game="big_little_a"))[1].id == other.id


async def test_another_user_cannot_use_a_practice_hand_and_an_abandoned_one_closes(here: World) -> None:
    table = await here.start_table("ben")
    shown, own_table = await open_practice(here, "ann", game="big_two")
    theirs = (await open_practice(here, "ben"))[0]
    for verb in ("hand", "same_cards", "next_level", "undo"):
        refused = await here.forge(here.people["ben"], theirs, f"bg:{own_table.id}:{verb}")
        assert private_reply(refused).text == "There's no such table here."
    for who, seen, number in (("ben", theirs, own_table.id), ("ann", shown, table.id)):
        refused = await here.forge(here.people[who], seen, f"bv:another:{number}")
        assert private_reply(refused).text == "There's no such table here."
    refused = await here.forge(here.ann, shown, f"bg:{table.id}:same_cards")
    assert private_reply(refused).text == "There's no such table here."
    await here.advance(days=EXPIRES_AFTER.days, hours=2)
    assert (await here.reload(own_table)).row.phase == "closed"


async def test_2_9_a_practice_hand_survives_a_short_stop_and_has_an_hour_after_a_long_one(
    here: World,
) -> None:
    _, table = await open_practice(here, "ann", game="big_two")
    await here.restart()
    await here.advance(seconds=20)
    assert (await here.reload(table)).row.phase == "playing"
    assert not here.requests("POST", "/channels/*/messages")
    assert not await here.parts.store.outbox.keys()
    await here.stop()
    await here.pass_time_without_bot(days=EXPIRES_AFTER.days, hours=2)
    await here.start()
    await here.advance(minutes=59)
    assert (await here.reload(table)).row.open
    await here.advance(hours=2)
    assert (await here.reload(table)).row.phase == "closed"


async def test_the_practice_level_is_chosen_and_remembered(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two", level="strong")
    assert house_levels(table) == {Level.HARD}
    assert private_reply(shown).text.startswith("-# Practice: Big Two · 🤖★★ hard\n")
    shown, other = await open_practice(here, "ann", game="big_two", preset=RARE)
    assert house_levels(other) == {Level.MEDIUM}, "as well as is known there"
    assert "Practice: Big Two · 🤖★ medium" in private_reply(shown).text
    shown, again = await open_practice(here, "ann", game="big_two", preset=RARE, level="kind")
    assert again.id != other.id
    assert house_levels(again) == {Level.EASY}
    assert (await open_practice(here, "ann", game="big_two", preset=RARE, level="kind"))[1].id == again.id
    assert (await open_practice(here, "ann", game="big_two", preset=RARE))[1].id == again.id
    await here.restart()
    assert house_levels((await open_practice(here, "ann", game="big_two"))[1]) == {Level.EASY}


async def test_only_distinct_levels_of_the_rules_are_offered_and_accepted(here: World) -> None:
    async def names(typed: str, **options: str) -> list[str]:
        found = await here.ann.autocomplete(here.channel, "learn practice", "level", typed, **options)
        return [each["value"] for each in found]

    assert await names("", game="big_two") == ["kind", "good", "strong"]
    assert await names("", game="big_two", preset=RARE) == ["kind", "good"]
    assert await names("oo", game="big_two") == ["good"]
    for level in ("strong", "hopeless"):
        said = await here.slash("ann", "learn practice", game="big_two", preset=RARE, level=level)
        assert "Bots don't have that level under these rules" in said.text
    assert await here.parts.store.tables.seated(here.ann.id) == ()


async def test_the_level_of_the_next_hand_is_chosen_during_a_hand_or_at_its_end(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    assert house_levels(table) == {Level.EASY}
    address = str(Press(table.id, Verb.NEXT_LEVEL))
    menu = await here.press_on("ann", shown, DOTS)
    assert private_reply(menu).selects[address] == ("kind", "good", "strong")
    assert menu.response is not None
    await here.ann.select(menu.response.message, ["good"], custom_id=address)
    assert house_levels(table) == {Level.EASY}, "the hand goes on as it began"
    assert (await here.parts.preferences.of(here.ann.id)).level == Level.MEDIUM
    await play_to_hand_end(here, table)
    ended = await here.forge(here.ann, menu, f"bg:{table.id}:refresh")
    assert address in private_reply(ended).selects
    assert ended.response is not None
    chosen = await here.ann.select(ended.response.message, ["strong"], custom_id=address)
    assert "New cards" in private_reply(chosen).buttons
    await here.press_on("ann", chosen, "New cards")
    assert house_levels(await practice_table(here, "ann")) == {Level.HARD}


async def test_repeating_the_cards_gives_the_same_replies_to_the_same_clicks(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    dealt = anns_cards(table, here)
    await play_weakest(here, table)
    again = await here.press_on("ann", await here.press_on("ann", shown, DOTS), "Same cards again")
    second = await practice_table(here, "ann")
    assert (second.id != table.id, table.row.phase) == (True, "closed")
    assert anns_cards(second, here) == dealt
    assert "Practice: Big Two" in private_reply(again).text
    await play_to_hand_end(here, second)
    ended = await here.forge(here.ann, again, f"bg:{second.id}:refresh")
    assert list(private_reply(ended).buttons)[:2] == ["New cards", "Same cards again"]
    assert not table.row.counts
    await here.press_on("ann", ended, "Same cards again")
    third = await practice_table(here, "ann")
    assert anns_cards(third, here) == dealt
    await play_to_hand_end(here, third)
    assert [step.action for step in third.row.steps] == [step.action for step in second.row.steps]
    here.deal = "other cards"
    await here.forge(here.ann, ended, f"bv:another:{third.id}")
    assert anns_cards(await practice_table(here, "ann"), here) != dealt


async def test_new_cards_can_be_dealt_during_a_hand_and_once_a_click(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    menu = await here.press_on("ann", shown, DOTS)
    await here.press_on("ann", menu, "New cards")
    other = await practice_table(here, "ann")
    assert (other.id != table.id, table.row.phase) == (True, "closed")
    for address in (f"bv:another:{table.id}", f"bg:{table.id}:same_cards"):
        late = await here.forge(here.ann, menu, address)
        assert (await practice_table(here, "ann")).id == other.id
        assert "Practice: Big Two" in private_reply(late).text


async def count_rows(here: World) -> dict[str, int]:
    """Count the rows of each table of the store in which there are any."""

    async def count(connection: AsyncConnection) -> dict[str, int]:
        found = {table.name: select(func.count()).select_from(table) for table in metadata.sorted_tables}
        return {name: (await connection.execute(query)).scalar_one() for name, query in found.items()}

    return {name: number for name, number in (await here.parts.store._gate.run(count)).items() if number}


@pytest.mark.rotates(2)
@pytest.mark.parametrize("label", ["New cards", "Same cards"])
async def test_1_4_repeated_new_deals_leave_one_table(here: World, label: str) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    before = await count_rows(here)
    for number in range(4):
        if number == 2:
            await play_to_hand_end(here, await practice_table(here, "ann"))
        verb = "bv:another:{}" if label == "New cards" else "bg:{}:same_cards"
        shown = await here.forge(here.ann, shown, verb.format((await practice_table_or(here, table)).id))
        assert "Practice: Big Two" in private_reply(shown).text
        table = await practice_table(here, "ann")
    left = await count_rows(here)
    assert (left["tables"], left["chairs"]) == (1, 4)
    assert left.pop("actions", 0) <= 4, "what house players have done before it is Ann's turn"
    assert left == {"players": 1} | {name: number for name, number in before.items() if name != "actions"}


async def test_1_4_new_cards_from_a_deleted_table_opens_the_running_one(here: World) -> None:
    """It may stand in another client, or far above, also after a restart."""
    shown, table = await open_practice(here, "ann", game="big_two")
    await play_to_hand_end(here, table)
    await here.forge(here.ann, shown, f"bv:another:{table.id}")
    now = await practice_table(here, "ann")
    await here.restart()
    again = await here.forge(here.ann, shown, f"bv:another:{table.id}")
    assert "Practice: Big Two" in private_reply(again).text
    assert (await practice_table(here, "ann")).id == now.id


async def test_a_user_with_deleted_practice_tables_can_delete_their_data(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    await here.forge(here.ann, shown, f"bv:another:{table.id}")
    assert table.id in here.parts.tables
    await here.parts.retention.forget_person(here.ann.id)
    await here.settle()
    assert table.id not in here.parts.tables
    refused = await here.forge(here.ann, shown, f"bg:{table.id}:same_cards")
    assert private_reply(refused).text == "That table is gone."


@pytest.mark.rotates(5)
@pytest.mark.parametrize("game", GAMES)
async def test_plays_are_taken_back_one_by_one_to_the_deal(here: World, game: str) -> None:
    shown, table = await open_practice(here, "ann", game=game, level="kind")
    assert not table.scene(here.ann.id).undo
    dealt = anns_cards(table, here)
    for _ in range(3):
        await play_weakest(here, table)
    whole, plies = steps_taken(table), [step.ply for step in table.row.steps if step.by == "person"]
    for ply in reversed(plies):
        before = await practice_table_or(here, table)
        shown = await here.forge(here.ann, shown, f"bg:{before.id}:undo")
        table = await practice_table(here, "ann")
        assert steps_taken(table) == whole[:ply]
        assert table.match
        assert table.match.awaited == {0}
        assert house_levels(table) == {Level.EASY}
    assert anns_cards(table, here) == dealt
    refused = await here.forge(here.ann, shown, f"bg:{table.id}:undo")
    assert "There's nothing to take back yet." in private_reply(refused).text
    await here.restart()
    table = await practice_table(here, "ann")
    assert steps_taken(table) == whole[: plies[0]]
    await play_to_hand_end(here, table)
    assert steps_taken(table)[: len(whole)] == whole, "the same clicks are answered alike"
    assert not table.row.counts
    last = max(step.ply for step in table.row.steps if step.by == "person")
    await here.forge(here.ann, shown, f"bg:{table.id}:undo")
    assert steps_taken(await practice_table(here, "ann")) == steps_taken(table)[:last]


async def practice_table_or(here: World, table: Table) -> Table:
    """Return the open table at which Ann practises, or this one."""
    rows = await here.parts.store.tables.seated(here.ann.id)
    return await here.parts.tables.get(rows[0].id) if rows else table


async def test_taking_back_a_play_from_the_menu_restores_the_hand(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    before = private_reply(shown).text
    menu = await here.press_on("ann", shown, DOTS)
    assert private_reply(menu).buttons["Take back"] == (f"bg:{table.id}:undo", True)
    await play_weakest(here, table)
    fresh = await here.forge(here.ann, shown, f"bg:{table.id}:more")
    back = await here.press_on("ann", fresh, "Take back")
    assert private_reply(back).text == before
    assert table.row.phase == "closed"
    now = await practice_table(here, "ann")
    for _ in range(2):
        await play_weakest(here, now)
    for _ in range(2):
        shown = await here.forge(here.ann, shown, f"bg:{now.id}:undo")
    now = await practice_table(here, "ann")
    assert sum(step.by == "person" for step in now.row.steps) == 1, "two clicks at one moment take back one play"
    assert "Practice: Big Two" in private_reply(shown).text
    assert "No finished matches here yet." in (await here.slash("ann", "matches list")).text


async def test_a_button_beside_the_cards_takes_back_a_play(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    before = private_reply(shown).text
    assert private_reply(shown).buttons["↩"] == (f"bg:{table.id}:undo", True)
    await play_weakest(here, table)
    fresh = await here.forge(here.ann, shown, f"bg:{table.id}:refresh")
    assert private_reply(fresh).buttons["↩"] == (f"bg:{table.id}:undo", False)
    assert private_reply(await here.press_on("ann", fresh, "↩")).text == before


async def lead_suggested(here: World, shown: InteractionResult, table: Table) -> InteractionResult:
    """Lead as Ann the play a house player would lead."""
    shown = await here.forge(here.ann, shown, f"bg:{table.id}:refresh")
    for label in ("Hint", "Hint"):
        shown = await here.press_on("ann", shown, label)
    return await here.forge(here.ann, shown, f"bg:{table.id}:play:{table.moment}")


async def test_withdrawn_plays_and_abandoned_hands_leave_no_rows(here: World) -> None:
    shown, table = await open_practice(here, "ann", game="big_two")
    shown = await lead_suggested(here, shown, table)
    await here.forge(here.ann, shown, f"bg:{table.id}:undo")
    assert await here.parts.store.records.steps(table.id, 0, 99) == ()
    left = await practice_table(here, "ann")
    await lead_suggested(here, shown, left)
    assert len(await here.parts.store.records.steps(left.id, 0, 99)) > 1
    await here.advance(days=EXPIRES_AFTER.days, hours=2)
    assert await here.parts.store.records.steps(left.id, 0, 99) == ()
    await here.restart()
    for address in (f"bg:{left.id}:undo", f"bg:{left.id}:same_cards"):
        assert "This table is closed." in private_reply(await here.forge(here.ann, shown, address)).text


async def test_steps_of_an_open_table_are_not_deleted(here: World) -> None:
    _, table = await open_practice(here, "ann", game="big_two")
    await play_weakest(here, table)
    kept = await here.parts.store.records.steps(table.id, 0, 99)
    await here.parts.store.records.forget_steps(table.id)
    assert await here.parts.store.records.steps(table.id, 0, 99) == kept == table.row.steps
