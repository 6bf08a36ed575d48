"""An answer to a click or a command cannot be given: the action is done, and the match continues."""

from __future__ import annotations

import pytest

from bot.table.table import Table
from tests.discord_errors.discord_outages import board_ply, goes_on, move, started, to_the_end, wait
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

CALLBACK, ANSWERED = "/interactions/*/callback", "/webhooks/*/messages/*"
REFUSALS = [(404, 10062), (400, 40060), (401, 50027), (500, 0), (429, 0), (404, 10015)]


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_a_play_counts_though_its_answer_is_refused(here: World, status: int, code: int) -> None:
    table = await started(here)
    here.env.inject_error("POST", CALLBACK, status=status, code=code, times=1)
    before = table.state.ply
    await move(here, table)
    await wait(here)
    assert table.state.ply > before
    assert board_ply(here, table) == table.state.ply
    await goes_on(here, table)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), REFUSALS[:3])
async def test_clicks_on_the_board_that_cannot_be_answered(here: World, status: int, code: int) -> None:
    table = await started(here, "ben")
    while not table.scene(None).view.tricks or here.current_player(table) is None:  # type: ignore[union-attr]
        await move(here, table)
    for label, (_, disabled) in here.read_board(table).buttons.items():
        if not disabled:
            here.env.inject_error("POST", CALLBACK, status=status, code=code, times=1)
            await here.people["cleo"].click(here.board(table), label=label)
            await here.settle()
    assert not here.env.backend.faults
    await goes_on(here, table)


async def test_opening_joining_and_starting_without_answers(here: World) -> None:
    here.env.inject_error("POST", CALLBACK, status=404, code=10062, times=1)
    await here.ann.slash(here.channel, "deal", hands=1, pace="none")
    assert await here.parts.store.tables.open_tables() == (), "whom no answer reaches would open it a second time"
    table = await here.open_table(hands=1, pace="none")
    await _without_answer(here, table, "ben", "Join")
    assert len(table.row.chairs) == 1, "a seat is only given to somebody whom a private answer reaches"
    await _without_answer(here, table, "ann", "Play now")
    assert len(table.row.chairs) == 1, "nor are seats filled for somebody who would not see their hand"
    await here.fill_up("ann", table)
    await _without_answer(here, table, "ann", "Start")
    assert table.stage == "playing"
    await to_the_end(here, table)


async def _without_answer(here: World, table: Table, name: str, label: str) -> None:
    here.env.inject_error("POST", CALLBACK, status=404, code=10062, times=1)
    await here.people[name].click(here.board(table), label=label)
    await here.settle()


async def test_offers_that_cannot_be_delivered(here: World) -> None:
    table = await started(here)
    for option, command in (("move", "turn"), ("table", "hand"), ("preset", "deal")):
        here.env.inject_error("POST", CALLBACK, status=404, code=10062, times=1)
        assert await here.ann.autocomplete(here.channel, command, option, "") == []
    await goes_on(here, table)


# Private hands


@pytest.mark.parametrize("minutes", [1, 16])
async def test_an_open_hand_is_refreshed_only_while_its_token_lives(here: World, minutes: int) -> None:
    table = await started(here, "ben", "cleo", "dev", pace="slow")
    name = here.current_player(table)
    opened = {each: await here.open_hand(each, table) for each in here.people if each != name}
    await wait(here, minutes * 60)
    await move(here, table)
    (awaited,) = [each for each in opened if each == here.current_player(await here.parts.tables.get(table.id))]
    refreshed = here.requests("PATCH", f"/webhooks/*/{opened[awaited]._interaction.token}/messages/*")
    assert refreshed == 1
    assert ("This view has stopped updating" in private_reply(opened[awaited]).text) is (minutes > 14), (
        "the last that it can say"
    )
    await goes_on(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize(("status", "code"), [(401, 50027), (404, 10008), (404, 10015), (500, 0)])
async def test_an_open_hand_that_has_gone_is_forgotten(here: World, status: int, code: int) -> None:
    table = await started(here, "ben")
    for name in ("ann", "ben"):
        await here.open_hand(name, table)
    here.env.inject_error("PATCH", ANSWERED, status=status, code=code, times=None)
    await move(here, table)
    await move(here, table)
    await wait(here)
    here.env.backend.faults.clear()
    assert board_ply(here, table) == table.state.ply
    await goes_on(here, table)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), [(401, 50027), (404, 10062), (400, 40060)])
async def test_a_click_in_the_hand_that_cannot_be_answered(here: World, status: int, code: int) -> None:
    table = await started(here)
    opened = await here.open_hand("ann", table)
    for label in ("Hint", "⋯", "Hint"):
        here.env.inject_error("POST", CALLBACK, status=status, code=code, times=1)
        await here.press_on("ann", opened, label)
    assert opened.response is not None
    await here.press_on("ann", opened, "Hint")
    await goes_on(here, table)


async def test_whom_the_hand_did_not_reach_is_called_like_anybody_else(here: World) -> None:
    table = await started(here, "ben", "cleo", "dev", pace="slow")
    await wait(here, 60)
    name = here.current_player(table)
    for each in here.people:
        if each != name:
            here.env.inject_error("POST", CALLBACK, status=404, code=10062, times=1)
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
async def test_a_hand_that_cannot_be_sent_directly(here: World, where: str, status: int, code: int) -> None:
    table = await started(here, "ben", pace="slow")
    for name in ("ann", "ben"):
        await here.parts.preferences.change(here.people[name].id, mirror=True)
    for _ in range(3):
        here.env.inject_error("POST", where, status=status, code=code, times=1)
        await wait(here, 130)
        await move(here, table)
    await wait(here)
    assert table.state.ply >= 3
    await goes_on(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("status", [403, 500])
async def test_card_emoji_that_cannot_be_had(here: World, status: int) -> None:
    here.env.inject_error("*", "/applications/*/emojis", status=status, times=None)
    await here.restart(card_emoji=True)
    table = await started(here)
    assert "`" in here.read_board(table).text
    await goes_on(here, table)
