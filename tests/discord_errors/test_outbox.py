"""Each message is posted exactly once, despite lost answers, forgotten nonces, stops and errors.

Nonces are remembered as Discord remembers them (tests/support/nonces.py).
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.store.errors import StoreError
from bot.table.core.commands import Command, NoteBoard
from bot.table.table import Table
from tests.discord_errors.discord_outages import board_ply, count_boards, move, start_match, wait
from tests.people.test_direct import anns_direct_messages, request_hands_by_dm
from tests.support.message_text import ParsedMessage
from tests.support.world import World, world

SEND_PATH = "/channels/{channel_id}/messages"


async def outbox_keys(here: World) -> frozenset[str]:
    """Return the keys in the outbox."""
    return await here.parts.store.outbox.keys()


def pings(here: World, table: Table) -> list[str]:
    """Return the pings in a table's channel."""
    return [text for text in here.channel_texts(table) if "<@" in text]


@pytest.mark.parametrize("lobby", [True, False], ids=["lobby", "match"])
async def test_1_1_a_table_that_moves_away_and_back_within_minutes_has_one_board(here: World, *, lobby: bool) -> None:
    table = await here.open_table() if lobby else await start_match(here, "ben")
    other = here.guild.create_text_channel("other")
    for _ in range(2):
        for home in (other, here.channel):
            await here.ann.slash(home, "table move", table=table.id)
            await here.settle()
    assert count_boards(here, table) == 1
    assert table.row.message == here.board(table).id
    assert not await outbox_keys(here)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("deletions", [0, 3], ids=["deleted", "undeleted"])
async def test_1_1_a_board_whose_id_could_not_be_stored_is_found_again(
    here: World, monkeypatch: pytest.MonkeyPatch, deletions: int
) -> None:
    table = await start_match(here, "ben")
    do, failures = Table.do, [StoreError("The disk refused to write.")]

    async def fail_once(own: Table, command: Command) -> None:
        if failures and isinstance(command, NoteBoard):
            raise failures.pop()
        await do(own, command)

    monkeypatch.setattr(Table, "do", fail_once)
    here.env.inject_error("DELETE", "/channels/*/messages/*", status=500, times=deletions)
    await here.ann.slash(here.guild.create_text_channel("other"), "table move", table=table.id)
    await wait(here)
    assert not failures
    assert count_boards(here, table) == 1
    assert board_ply(here, table) == table.state.ply


async def test_1_1_a_new_board_with_a_lost_answer_is_posted_once(here: World) -> None:
    table = await here.start_table("ben", pace="none", hands=3)
    await here.play_hand(table)
    await here.advance(minutes=55)
    table = await here.reload(table)
    before = table.row.message
    here.env.lose_answers("POST", SEND_PATH)
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    await wait(here)
    assert count_boards(here, table) == 1
    assert table.row.message != before
    assert board_ply(here, table) == table.state.ply
    assert not await outbox_keys(here)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("away", [timedelta(seconds=20), timedelta(minutes=4), timedelta(minutes=30)], ids=str)
@pytest.mark.parametrize("history", [True, False], ids=["read", "unread"])
async def test_1_1_a_board_with_a_lost_answer_before_a_stop_is_posted_once(
    here: World, away: timedelta, history: bool
) -> None:
    table = await start_match(here, "ben")
    await here.set_bot_permissions(here.channel, read_message_history=history)
    here.env.lose_answers("POST", SEND_PATH)
    here.parts.delivery.boards.repost(table)
    await here.settle()
    assert await outbox_keys(here) == {f"board {table.id}"}
    await here.stop()
    await here.pass_time_without_bot(seconds=away.total_seconds())
    await here.start()
    await wait(here)
    table = await here.reload(table)
    remembered = away < timedelta(minutes=5)
    assert count_boards(here, table) == (1 if history or remembered else 2), "otherwise the first board is unknown"
    assert board_ply(here, table) == table.state.ply
    assert not await outbox_keys(here)


async def test_1_1_a_ping_with_a_lost_answer_is_not_sent_twice(here: World) -> None:
    table = await start_match(here, "ben", pace="live")
    here.env.lose_answers("POST", SEND_PATH)
    await here.advance(seconds=30)
    (called,) = pings(here, table)
    await here.advance(seconds=30)
    assert pings(here, table) == [called]
    assert not await outbox_keys(here)


@pytest.mark.parametrize("pace", ["live", "relaxed"])
async def test_1_1_a_ping_with_a_lost_answer_is_deleted_if_its_player_acts_before_the_retry(
    here: World, pace: str
) -> None:
    table = await start_match(here, "ben", pace=pace)
    here.env.lose_answers("POST", SEND_PATH)
    await here.advance(seconds=10)
    (called,) = pings(here, table)
    await here.act("ann", table)
    await here.advance(minutes=3) if pace == "relaxed" else await here.advance(seconds=40)
    assert called not in pings(here, table)
    assert len(pings(here, table)) == 1
    assert not await outbox_keys(here)


async def test_1_1_a_ping_not_stored_before_a_stop_is_not_sent_twice(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_match(here, "ben", pace="live")
    with monkeypatch.context() as failing:

        async def dead(*_: Any) -> None:
            raise OSError("The process is dead.")

        failing.setattr(here.parts.store.pings, "add", dead)
        await here.advance(seconds=10)
    assert len(pings(here, table)) == 1
    await here.restart()
    await here.advance(seconds=30)
    assert len(pings(here, table)) == 1
    assert not await outbox_keys(here)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("away", [timedelta(seconds=20), timedelta(minutes=30)], ids=str)
@pytest.mark.parametrize("pace", ["live", "relaxed"])
async def test_1_1_a_direct_message_with_a_lost_answer_before_a_stop_is_not_sent_twice(
    here: World, pace: str, away: timedelta
) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace=pace)
    await request_hands_by_dm(here, table)
    await here.act("ann", table)
    while here.current_player(table) not in (None, "ann"):
        await here.act(str(here.current_player(table)), table)
    here.env.lose_answers("POST", SEND_PATH)
    while not anns_direct_messages(here):
        await here.advance(minutes=1) if pace == "relaxed" else await here.advance(seconds=3)
    (only,) = anns_direct_messages(here)
    await here.stop()
    await here.pass_time_without_bot(seconds=away.total_seconds())
    await here.start()
    await here.advance(seconds=70)
    assert [message.id for message in anns_direct_messages(here)] == [only.id]
    assert not await outbox_keys(here)


async def test_1_1_a_message_deleted_before_the_retry_is_sent_again_at_once(here: World) -> None:
    table = await start_match(here, "ben")
    here.env.lose_answers("POST", SEND_PATH)
    here.parts.delivery.boards.repost(table)
    await here.settle()
    (lost,) = [each for each in here.env.backend.messages[here.channel.id].values() if each.id != table.row.message][
        -1:
    ]
    here.env.backend.delete_message(here.channel.id, lost.id)
    await wait(here, 15)
    assert count_boards(here, table) == 1
    assert board_ply(here, table) == table.state.ply


async def test_1_1_all_messages_of_a_match_have_different_nonces(here: World) -> None:
    table = await start_match(here, "ben", "cleo", pace="live")
    for _ in range(12):
        await here.advance(seconds=12)
        await move(here, table)
    await here.leave("ben", table)
    await here.settle()
    sent = [
        each.json or {}
        for each in here.env.backend.http_requests
        if each.method == "POST" and each.path.endswith("/messages") and each.path.startswith("/channels")
    ]
    nonces = [body["nonce"] for body in sent]
    assert len(nonces) > 3
    assert len(set(nonces)) == len(nonces)
    assert all(body["enforce_nonce"] and len(str(body["nonce"])) <= 25 for body in sent)
    assert not await outbox_keys(here)


async def test_1_1_a_notice_found_after_minutes_without_answers_is_not_sent_twice(here: World) -> None:
    table = await start_match(here, "ben", pace="relaxed")
    here.env.lose_answers("POST", SEND_PATH, 4)
    while not pings(here, table):
        await here.advance(seconds=3)
    await here.advance(minutes=10)
    assert len(pings(here, table)) == 1
    assert not await outbox_keys(here)
    await here.act("ann", table)
    await here.settle()
    assert not pings(here, table)


async def test_1_1_a_lobby_points_to_its_thread_although_the_answer_was_lost(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        table = await here.open_table()
        await here.fill_up("ann", table)
        here.env.lose_answers("POST", SEND_PATH, 2)  # of the board, and of the message that mentions all players
        await here.press("ann", table, "Start")
        await wait(here)
        (lobby,) = [message for message in here.channel.history() if message.components]
        assert f"<#{table.row.home}>" in ParsedMessage.of(lobby).text
        assert not ParsedMessage.of(lobby).buttons


async def invite_ben(here: World, table: Table) -> None:
    """Invite ben as ann."""
    shown = await here.press("ann", table, "Invite")
    assert shown.response is not None
    await here.ann.select(shown.response.message, [here.people["ben"]], custom_id=f"bg:{table.id}:call")
    await here.settle()


async def test_1_1_an_invitation_with_a_lost_answer_is_sent_once_and_deleted_with_the_lobby(here: World) -> None:
    table = await here.open_table()
    here.env.lose_answers("POST", SEND_PATH)
    await invite_ben(here, table)
    await here.advance(seconds=20)
    assert len(pings(here, table)) == 1
    assert not await outbox_keys(here)
    await here.press("ann", table, "Play now")
    await here.advance(seconds=5)
    assert not [text for text in pings(here, table) if "invites" in text]


async def test_1_1_an_invitation_is_retried_after_an_outage(here: World) -> None:
    table = await here.open_table()
    here.env.inject_error("POST", "/channels/*/messages", status=502, times=1)
    await invite_ben(here, table)
    assert not pings(here, table)
    await here.advance(seconds=20)
    assert len(pings(here, table)) == 1


async def test_1_1_an_announcement_is_retried_after_an_outage(here: World) -> None:
    table = await start_match(here, "ben", "cleo")
    here.env.inject_error("POST", "/channels/*/messages", status=502, times=1)
    await here.leave("ben", table)
    assert not [text for text in here.channel_texts(table) if "ben left" in text]
    await here.advance(seconds=20)
    assert len([text for text in here.channel_texts(table) if "ben left" in text]) == 1


def fail_to_add_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the store refuse the next ping."""
    add, failures = here.parts.store.pings.add, [StoreError("The disk refused to write.")]

    async def fail_once(*made: Any) -> None:
        if failures:
            raise failures.pop()
        await add(*made)

    monkeypatch.setattr(here.parts.store.pings, "add", fail_once)


async def test_1_1_a_ping_that_could_not_be_stored_at_first_is_kept(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_match(here, "ben", pace="live")
    fail_to_add_once(here, monkeypatch)
    here.env.inject_error("DELETE", "/channels/*/messages/*", status=500, times=2)
    await here.advance(seconds=100)
    assert len(pings(here, table)) == 1


@pytest.mark.parametrize("failure", ["store", "lost", 429, 502])
async def test_1_1_a_deal_is_announced_after_a_failure_that_passes(
    here: World, monkeypatch: pytest.MonkeyPatch, failure: str | int
) -> None:
    table = await here.open_table()
    for name in ("ben", "cleo"):
        await here.press(name, table, "Join")
    await here.advance(minutes=16)
    if failure == "store":
        fail_to_add_once(here, monkeypatch)
    elif failure == "lost":
        here.env.lose_answers("POST", SEND_PATH)
    else:
        here.env.inject_error("POST", "/channels/*/messages", status=int(failure), times=1)
    await here.press("ann", table, "Play now")
    assert "deal" in str(await outbox_keys(here))
    await here.advance(seconds=20)
    called = [text for text in here.channel_texts(table) if "your cards are dealt" in text]
    assert len(called) == 1
    assert "deal" not in str(await outbox_keys(here))


async def test_the_effect_of_a_deal_ends_with_its_table_and_stays_if_another_process_has_the_table(
    here: World,
) -> None:
    table, ended = await start_match(here, "ben", "cleo"), list[str]()
    pings = here.parts.delivery.pings
    pings._deals_done.clear()
    await pings.expect_deal(table, lambda: ended.append("handed over"))
    pings.drop_cached(lambda _guild: True)
    pings.forget(table.id)
    await pings.expect_deal(table, lambda: ended.append("table"))
    pings.forget(table.id)
    assert ended == ["table"]


async def test_1_1_no_board_with_a_lost_answer_remains_in_a_former_channel(here: World) -> None:
    table = await start_match(here, "ben")
    here.env.lose_answers("POST", SEND_PATH)
    here.parts.delivery.boards.repost(table)
    await here.settle()
    await here.ann.slash(here.guild.create_text_channel("other"), "table move", table=table.id)
    await wait(here)
    assert not [message for message in here.channel.history() if message.components and not message.content]
    assert count_boards(here, table) == 1


async def test_1_1_cleaning_up_after_a_stop_keeps_a_board_with_a_lost_answer(here: World) -> None:
    table = await start_match(here, "ben")
    here.env.lose_answers("POST", SEND_PATH)
    here.parts.delivery.boards.repost(table)
    await here.settle()
    await here.stop()
    here.env.inject_error("POST", "/channels/*/messages", status=500, times=1)
    here.env.inject_error("DELETE", "/channels/*/messages/*", status=500, times=1)
    await here.start()
    await wait(here)
    table = await here.reload(table)
    assert count_boards(here, table) == 1
    assert table.row.message == here.board(table).id
