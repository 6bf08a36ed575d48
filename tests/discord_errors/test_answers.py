"""Discord refuses the answer to a click or a command: the action counts and the match continues."""

from __future__ import annotations

import pytest

from bot.table.table import Table
from tests.discord_errors.discord_outages import board_ply, check_match_continues, finish_match, move, start_match, wait
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

CALLBACK_PATH, MESSAGE_PATH = "/interactions/*/callback", "/webhooks/*/messages/*"
ANSWER_ERRORS = [(404, 10062), (400, 40060), (401, 50027), (500, 0), (429, 0), (404, 10015)]


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), ANSWER_ERRORS)
async def test_a_play_counts_even_if_its_answer_is_refused(here: World, status: int, code: int) -> None:
    table = await start_match(here)
    here.env.inject_error("POST", CALLBACK_PATH, status=status, code=code, times=1)
    before = table.state.ply
    await move(here, table)
    await wait(here)
    assert table.state.ply > before
    assert board_ply(here, table) == table.state.ply
    await check_match_continues(here, table)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), ANSWER_ERRORS[:3])
async def test_a_match_continues_after_unanswerable_clicks_on_its_board(here: World, status: int, code: int) -> None:
    table = await start_match(here, "ben")
    while not table.scene(None).view.tricks or here.current_player(table) is None:  # type: ignore[union-attr]
        await move(here, table)
    for label, (_, disabled) in here.read_board(table).buttons.items():
        if not disabled:
            here.env.inject_error("POST", CALLBACK_PATH, status=status, code=code, times=1)
            await here.people["cleo"].click(here.board(table), label=label)
            await here.settle()
    assert not here.env.backend.faults
    await check_match_continues(here, table)


async def test_a_lobby_needs_a_delivered_answer_to_open_and_to_join(here: World) -> None:
    here.env.inject_error("POST", CALLBACK_PATH, status=404, code=10062, times=1)
    await here.ann.slash(here.channel, "deal", hands=1, pace="none")
    assert await here.parts.store.tables.open_tables() == (), "a host without an answer would open a second table"
    table = await here.open_table(hands=1, pace="none")
    await _press_without_answer(here, table, "ben", "Join")
    assert len(table.row.chairs) == 1, "a seat requires a delivered private answer"
    await _press_without_answer(here, table, "ann", "Play now")
    assert len(table.row.chairs) == 1, "no seats are filled for a host who would not see a hand"
    await here.fill_up("ann", table)
    await _press_without_answer(here, table, "ann", "Start")
    assert table.stage == "playing"
    await finish_match(here, table)


async def _press_without_answer(here: World, table: Table, name: str, label: str) -> None:
    here.env.inject_error("POST", CALLBACK_PATH, status=404, code=10062, times=1)
    await here.people[name].click(here.board(table), label=label)
    await here.settle()


async def test_failed_autocompletions_do_no_harm(here: World) -> None:
    table = await start_match(here)
    for option, command in (("move", "turn"), ("table", "hand"), ("preset", "deal")):
        here.env.inject_error("POST", CALLBACK_PATH, status=404, code=10062, times=1)
        assert await here.ann.autocomplete(here.channel, command, option, "") == []
    await check_match_continues(here, table)


# Private hands


@pytest.mark.parametrize("minutes", [1, 16])
async def test_an_open_hand_is_refreshed_only_until_its_token_expires(here: World, minutes: int) -> None:
    table = await start_match(here, "ben", "cleo", "dev", pace="slow")
    name = here.current_player(table)
    opened = {each: await here.open_hand(each, table) for each in here.people if each != name}
    await wait(here, minutes * 60)
    await move(here, table)
    (awaited,) = [each for each in opened if each == here.current_player(await here.parts.tables.get(table.id))]
    refreshed = here.requests("PATCH", f"/webhooks/*/{opened[awaited]._interaction.token}/messages/*")
    assert refreshed == 1
    assert ("This view has stopped updating" in private_reply(opened[awaited]).text) is (minutes > 14), (
        "the last possible edit"
    )
    await check_match_continues(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize(("status", "code"), [(401, 50027), (404, 10008), (404, 10015), (500, 0)])
async def test_an_open_hand_that_cannot_be_edited_is_forgotten(here: World, status: int, code: int) -> None:
    table = await start_match(here, "ben")
    for name in ("ann", "ben"):
        await here.open_hand(name, table)
    here.env.inject_error("PATCH", MESSAGE_PATH, status=status, code=code, times=None)
    await move(here, table)
    await move(here, table)
    await wait(here)
    here.env.backend.faults.clear()
    assert board_ply(here, table) == table.state.ply
    await check_match_continues(here, table)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), [(401, 50027), (404, 10062), (400, 40060)])
async def test_a_match_continues_after_an_unanswerable_click_in_a_hand(here: World, status: int, code: int) -> None:
    table = await start_match(here)
    opened = await here.open_hand("ann", table)
    for label in ("Hint", "⋯", "Hint"):
        here.env.inject_error("POST", CALLBACK_PATH, status=status, code=code, times=1)
        await here.press_on("ann", opened, label)
    assert opened.response is not None
    await here.press_on("ann", opened, "Hint")
    await check_match_continues(here, table)


async def test_a_player_whose_hand_was_not_delivered_is_pinged(here: World) -> None:
    table = await start_match(here, "ben", "cleo", "dev", pace="slow")
    await wait(here, 60)
    name = here.current_player(table)
    for each in here.people:
        if each != name:
            here.env.inject_error("POST", CALLBACK_PATH, status=404, code=10062, times=1)
            await here.people[each].slash(here.channel, "hand", table=table.id)
    await wait(here, 60)
    await move(here, table)
    awaited = here.current_player(table)
    assert awaited is not None
    await wait(here, 9)
    assert any(here.people[awaited].mention in said for said in here.channel_texts(table))


# Direct messages


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), [(403, 50007), (403, 40003), (500, 0)])
@pytest.mark.parametrize("where", ["/users/@me/channels", "/channels/*/messages"])
async def test_a_match_continues_if_a_hand_cannot_be_sent_as_a_direct_message(
    here: World, where: str, status: int, code: int
) -> None:
    table = await start_match(here, "ben", pace="slow")
    for name in ("ann", "ben"):
        await here.parts.preferences.change(here.people[name].id, mirror=True)
    for _ in range(3):
        here.env.inject_error("POST", where, status=status, code=code, times=1)
        await wait(here, 130)
        await move(here, table)
    await wait(here)
    assert table.state.ply >= 3
    await check_match_continues(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("status", [403, 500])
async def test_cards_are_text_while_emoji_cannot_be_loaded(here: World, status: int) -> None:
    here.env.inject_error("*", "/applications/*/emojis", status=status, times=None)
    await here.restart(card_emoji=True)
    table = await start_match(here)
    assert "`" in here.read_board(table).text
    await check_match_continues(here, table)
