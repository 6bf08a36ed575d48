"""Lessons: a first hand with a coach, as it is begun, played, taken back, left and resumed."""

from __future__ import annotations

import pytest
from simcord.results import InteractionResult

from bot.club.practice import EXPIRES_AFTER, PracticeHand, PracticePlayer, lesson_rules
from bot.domain.chairs import Level
from bot.games import GAMES, LESSONS
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.people.test_practice import count_rows, house_levels, open_practice, steps_taken
from tests.support.message_text import private_reply
from tests.support.world import SETTLE_TIMEOUT, World


async def open_lesson(here: World, name: str, **options: str) -> tuple[InteractionResult, Table]:
    """Start or resume a player's lesson; return the hand and the table."""
    shown = await here.people[name].slash(here.channel, "learn lesson", **options)
    await here.settle()
    return shown, await open_lesson_table(here, name)


async def open_lesson_table(here: World, name: str) -> Table:
    """Return the table of a player's open lesson."""
    (row,) = [row for row in await here.parts.store.tables.seated(here.people[name].id) if row.solo == "lesson"]
    return await here.parts.tables.get(row.id)


async def follow_coach(here: World, table: Table) -> None:
    """Follow the coach for one turn of Ann's; check that the hint agrees."""
    await table.wait_until_idle(SETTLE_TIMEOUT)
    coach = table.scene(here.ann.id).coach
    assert coach is not None
    assert await table.hints.hint(here.ann.id) == (coach.action, coach.why)
    with here.env._bot_scope():
        await table.do(Act(here.ann.id, coach.action))
    await table.wait_until_idle(SETTLE_TIMEOUT)


async def follow_to_the_end(here: World, table: Table) -> None:
    """Follow the coach to the end of Ann's hand."""
    while table.row.open:
        await follow_coach(here, table)
    await here.settle()


@pytest.mark.rotates(5)
@pytest.mark.parametrize("game", LESSONS)
async def test_the_coach_guides_a_player_through_an_unrated_hand(here: World, game: str) -> None:
    before_it = (await here.slash("ann", "my profile")).text
    before = here.requests("POST", "/channels/*/messages")
    shown, table = await open_lesson(here, "ann", game=game)
    assert f"-# Lesson: {GAMES[game].title}\n" in private_reply(shown).text
    assert house_levels(table) == {Level.EASY}
    assert table.row.seed == LESSONS[game].seed
    assert table.row.deadline is None
    await follow_to_the_end(here, table)
    ended = await here.forge(here.ann, shown, f"bg:{table.id}:refresh")
    assert "What you know now:" in private_reply(ended).text
    assert "Well played!" in private_reply(ended).text
    assert not table.row.counts
    assert here.requests("POST", "/channels/*/messages") == before
    assert "No finished matches here yet." in (await here.slash("ann", "matches list")).text
    assert (await here.slash("ann", "my profile")).text == before_it, "no achievement, no style, no match"


@pytest.mark.rotates(5)
@pytest.mark.parametrize("game", LESSONS)
async def test_every_play_of_a_lesson_can_be_taken_back_to_the_deal(here: World, game: str) -> None:
    shown, table = await open_lesson(here, "ann", game=game)
    first = private_reply(shown).text
    await follow_to_the_end(here, table)
    whole, plies = steps_taken(table), [step.ply for step in table.row.steps if step.by == "person"]
    for ply in reversed(plies):
        shown = await here.forge(here.ann, shown, f"bg:{table.id}:undo")
        table = await open_lesson_table(here, "ann")
        assert steps_taken(table) == whole[:ply]
        assert table.scene(here.ann.id).coach
    assert private_reply(shown).text == first
    await follow_to_the_end(here, table)
    assert steps_taken(table) == whole, "the prepared deal stays prepared"


async def test_a_lesson_resumes_by_either_command_and_after_a_restart(here: World) -> None:
    shown, table = await open_lesson(here, "ann", game="big_two")
    await follow_coach(here, table)
    await follow_coach(here, table)
    now = private_reply(await here.forge(here.ann, shown, f"bg:{table.id}:refresh")).text
    again, same = await open_lesson(here, "ann", game="big_two")
    assert (same.id, private_reply(again).text) == (table.id, now)
    await here.restart()
    again, same = await open_lesson(here, "ann")
    assert (same.id, private_reply(again).text) == (table.id, now), "without a word, the lesson at hand"
    assert (await here.slash("ann", "hand")).text == now


async def test_a_lesson_and_a_practice_hand_coexist_and_a_new_lesson_replaces_the_old_one(here: World) -> None:
    _, practice = await open_practice(here, "ann", game="big_two")
    _, lesson = await open_lesson(here, "ann", game="big_two")
    assert lesson.id != practice.id
    _, other = await open_lesson(here, "ann", game="tien_len")
    assert (await here.reload(lesson)).row.phase == "closed"
    assert (await open_practice(here, "ann", game="big_two"))[1].id == practice.id
    assert (await open_lesson_table(here, "ann")).id == other.id


async def test_repeated_lessons_leave_one_table_and_none_after_a_week(here: World) -> None:
    shown, table = await open_lesson(here, "ann", game="big_two")
    for _ in range(3):
        await follow_to_the_end(here, table)
        shown = await here.forge(here.ann, shown, f"bg:{table.id}:same_cards")
        table = await open_lesson_table(here, "ann")
        assert steps_taken(table) == [] or {seat for seat, _ in steps_taken(table)} & {1, 2, 3}
    assert (await count_rows(here))["tables"] == 1
    await here.advance(days=EXPIRES_AFTER.days, hours=2)
    assert (await here.reload(table)).row.phase == "closed"


async def test_another_user_cannot_open_a_lesson(here: World) -> None:
    _, table = await open_lesson(here, "ann", game="big_two")
    theirs = (await open_lesson(here, "ben", game="big_two"))[0]
    for verb in ("hand", "undo", "same_cards", "more", "hint"):
        refused = await here.forge(here.people["ben"], theirs, f"bg:{table.id}:{verb}")
        assert private_reply(refused).text == "There's no such table here."


async def test_show_me_picks_the_cards_that_the_coach_named(here: World) -> None:
    shown, table = await open_lesson(here, "ann", game="big_two")
    picked = await here.press_on("ann", shown, "Show me")
    play = next(label for label in private_reply(picked).buttons if label.startswith("Play "))
    await here.press_on("ann", picked, play)
    assert next(seat for seat, _ in steps_taken(table)) == 0


async def test_accepting_the_offer_starts_the_lesson_and_keeps_the_seat(here: World) -> None:
    table = await here.open_table()
    offered = await here.press("ben", table, "Join")
    assert list(private_reply(offered).buttons) == ["Play a lesson", "How to play"]
    lesson = await here.press_on("ben", offered, "Play a lesson")
    assert "Lesson: Big Two" in private_reply(lesson).text
    assert here.people["ben"].id in {chair.user for chair in table.row.chairs}
    assert "You're in: seat 2 of 4." in private_reply(offered).text, "the seat's message stays"


async def test_a_player_who_began_a_lesson_gets_no_offer(here: World) -> None:
    await open_lesson(here, "ben", game="big_two")
    table = await here.open_table()
    assert "New to" not in private_reply(await here.press("ben", table, "Join")).text


async def test_lesson_data_belong_to_the_learner_and_are_deleted_with_them(here: World) -> None:
    _, table = await open_lesson(here, "ann", game="big_two")
    await follow_coach(here, table)
    assert [row["alone"] for row in (await here.parts.store.person_data(here.ann.id))["tables"]] == ["lesson"]
    await here.parts.retention.forget_person(here.ann.id)
    await here.settle()
    assert (await here.reload(table)).row.phase == "closed"


async def test_a_lesson_killed_before_its_deal_is_dealt_when_opened(here: World) -> None:
    """Between its row and its first card the bot may be killed: nobody can press Start at a solo table."""
    learner, sheet = PracticePlayer(here.ann.id, "ann", Level.EASY), LESSONS["tien_len"]
    undealt = PracticeHand(lesson_rules("tien_len"), seed=sheet.seed, seat=sheet.seat, kind="lesson")
    await here.parts.practice._new(learner, undealt)
    await here.restart()
    shown, table = await open_lesson(here, "ann", game="tien_len")
    assert table.row.phase == "playing"
    assert "Show me" in private_reply(shown).buttons
