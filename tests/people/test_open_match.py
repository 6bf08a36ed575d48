"""A match without an end of its own: it goes on hand after hand, until somebody who sits there ends it."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.table.table import Table
from tests.people.positions import play_till
from tests.reading import private
from tests.world import World, world

END = "End the match"
DRAGON = "1895"  # a seed of Hong Kong: seat 2 is dealt thirteen ranks, which ends the hand at once


async def between(here: World, *others: str, rules: str = "B2:hk") -> Table:
    """Let ann, others and house players begin a match whose first hand is over as it is dealt."""
    here.deal = DRAGON
    table = await here.start_table(*others, rules=rules)
    assert table.stage == "between"
    return table


async def asked(here: World, table: Table, name: str = "ann") -> InteractionResult:
    """Let somebody press the button that ends the match; return the question."""
    return await here.press(name, table, END)


async def test_whoever_ends_a_match_is_asked_first(here: World) -> None:
    table = await between(here, "ben")
    assert "Hand 1\n" in here.read(table).text
    question = private(await asked(here, table))
    assert question.text == "End Big Two, table 1 for everybody? What has been played so far counts."
    assert list(question.buttons) == [END]
    assert table.stage == "between"
    assert "wins the match" not in here.read(table).text


async def test_everybody_sees_how_it_ended(here: World) -> None:
    table = await between(here, "ben")
    opened = await here.open_hand("ben", table)
    ended = private(await here.press_on("ann", await asked(here, table), END))
    assert "This match is over. The board shows how it ended." in ended.text
    assert "This match is over. The board shows how it ended." in private(opened).text
    said = here.read(table)
    assert "### 🥇" in said.text
    assert "wins the match!" in said.text
    assert "**To settle**" in said.text
    assert list(said.buttons) == ["Rematch", "Rules", "Check this deal"]


async def test_an_ended_match_counts(here: World) -> None:
    table = await between(here, "ben")
    await here.press_on("ben", await asked(here, table, "ben"), END)
    mine = (await here.slash("ann", "standings")).text
    assert "**ann** (you)" in mine
    assert "1 match" in mine
    listing = await here.people["dev"].slash(here.channel, "matches list")
    assert "Big Two, table 1" in private(listing).text
    ((target, matches),) = private(listing).selects.items()
    assert listing.response is not None
    film = await here.people["dev"].select(listing.response.message, [matches[0]], custom_id=target)
    assert f"step 0 of {table.ply}" in private(film).text
    assert f"step {table.ply} of {table.ply}" in private(await here.press_on("dev", film, "⏭")).text


async def test_after_several_hands_all_of_them_count(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", rules="B2:std")
    for number in (1, 2):
        await play_till(here, table, lambda match: match.game.result is not None)
        assert f"Hand {number}\n" in here.read(table).text
        if number == 1:
            for name in here.people:
                await here.press(name, table, "Ready")
    totals = table.scene(None).totals
    await here.press_on("cleo", await asked(here, table, "cleo"), END)
    assert table.match is not None
    assert table.match.totals == totals
    assert len(table.match.results) == 2
    assert (await here.bot.store.history(table.row.guild, 1, 0))[0].outcome.hands == 2


async def test_a_rematch_of_an_ended_match_is_open_as_well(here: World) -> None:
    table = await between(here)
    await here.press_on("ann", await asked(here, table), END)
    await here.press("ann", table, "Rematch")
    (number,) = await here.bot.store.open_tables()
    assert "until somebody ends the match" in here.read(await here.bot.tables.get(number)).text


async def test_who_does_not_sit_there_cannot_end_it(here: World) -> None:
    table = await between(here, "ben")
    assert private(await asked(here, table, "dev")).text == "You do not sit at this table."
    question = await asked(here, table)
    address = private(question).buttons[END][0]
    shown = await here.people["dev"].slash(here.channel, "learn rules")
    assert private(await here.forge(here.people["dev"], shown, address)).text == "You do not sit at this table."
    assert table.stage == "between"


async def test_who_has_left_cannot_end_it(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    await here.slash("ann", "table leave")
    leave = private(await here.press_on("ann", question, END))
    assert "A house player has your seat. Take it back first." in leave.text
    assert table.stage == "between"


@pytest.mark.parametrize("end", ["deals,deals=3", "target,target=500", "chips_or_deals"])
async def test_a_match_that_ends_by_itself_is_not_ended(here: World, end: str) -> None:
    table = await between(here, "ben", rules=f"B2:hk+match={end}")
    assert END not in here.read(table).buttons
    shown = await here.people["ann"].slash(here.channel, "learn rules")
    answer = private(await here.forge(here.ann, shown, f"bg:{table.id}:{table.ply}:stop_now"))
    assert "This match ends by itself; until then it goes on." in answer.text
    assert table.stage == "between"


async def test_a_restart_between_question_and_click_changes_nothing(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    await here.restart()
    await here.press_on("ann", question, END)
    table = await here.again(table)
    assert table.stage == "over"
    assert "wins the match!" in here.read(table).text
    await here.restart()
    assert (await here.again(table)).stage == "over"
    assert "**ann** (you)" in (await here.slash("ann", "standings")).text


async def test_somebody_is_ready_between_question_and_click(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    await here.press("ben", table, "Ready")
    await here.press_on("ann", question, END)
    assert (await here.again(table)).stage == "over"


async def test_a_click_that_comes_when_the_next_hand_is_dealt_is_too_late(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    late = private(await here.press_on("ann", question, END))
    assert "The game has moved on since that button was shown. Here is how it stands now." in late.text
    assert "Your 13 cards" in late.text
    assert END not in here.read(table).buttons


async def test_two_end_it_at_once(here: World) -> None:
    table = await between(here, "ben")
    questions = [await asked(here, table, name) for name in ("ann", "ben")]
    messages = [question.response.message for question in questions if question.response]
    await here.click_each([("ann", messages[0], END), ("ben", messages[1], END)])
    assert table.stage == "over"
    assert [step.action for step in table.row.steps].count("stop") == 1
    assert "No match is being played at this table now." in private(questions[1]).text


async def test_a_match_that_nobody_ends_goes_on(tmp_path: Path) -> None:
    async with world(tmp_path, between_hands_seconds=30) as here:
        table = await between(here)
        await here.later(seconds=31)
        assert (await here.again(table)).stage == "playing"  # nobody has ended it, so it goes on
        assert "Hand 2\n" in here.read(table).text
