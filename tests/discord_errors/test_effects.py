"""Effects of a change are done once: not twice, not about deleted users, and not after they became obsolete."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.delivery.notifications import direct_messages
from bot.domain.effects import Announcement, MessageDeletion, PendingEffect, pending_effect
from bot.domain.ids import ChannelId, GuildId, MessageId
from bot.store.errors import StoreError
from bot.store.repositories.outbox import OutboxRepository
from bot.store.repositories.pings import PingRepository
from bot.store.repositories.tables import TableRepository
from bot.table.core.agreements import ALL_BACK
from bot.table.core.commands import Act, Leave, Repost
from bot.table.core.state import Moderator
from tests.discord_errors.discord_outages import SEND, start_match, wait
from tests.kill.test_after_commits import count_direct_messages
from tests.people.test_inviting import invitations, invite
from tests.people.test_ledger import finish_with_debts, settle_first_debt
from tests.people.test_notices import choose_notices
from tests.people.test_shut_out import WAITS_FOR_ACCESS, den, remove_ben_from_thread
from tests.support.world import World

__all__ = ["den"]
SEND_PATH = "/channels/{channel_id}/messages"
LEFT_TEXT = "ben left. A bot takes over"
RETRY_DELAY = 15.0  # seconds until an effect that failed once is retried


async def test_1_1_a_retried_announcement_does_not_name_a_deleted_player(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="none")
    here.env.inject_error("POST", SEND, status=500, times=1)
    await here.leave("ben", table)
    await here.parts.retention.forget_person(here.people["ben"].id)
    await wait(here, RETRY_DELAY)
    assert not [said for said in here.channel_texts(table) if "ben" in said]
    assert await here.parts.store.outbox.keys() <= {f"redraw {table.id}"}


async def test_1_1_an_invitation_is_not_sent_twice_if_its_completion_was_not_stored(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, failures, end = (
        await here.open_table(),
        [StoreError("The disk refused to write.")],
        OutboxRepository.finish,
    )

    async def fail_once(own: OutboxRepository, key: str) -> None:
        if failures:
            raise failures.pop()
        await end(own, key)

    monkeypatch.setattr(OutboxRepository, "finish", fail_once)
    await invite(here, table, here.people["ben"])
    await wait(here, RETRY_DELAY)
    assert not failures
    assert len(invitations(here, table)) == 1


async def test_1_1_an_invitation_with_a_lost_answer_is_deleted_when_the_match_starts(here: World) -> None:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    here.env.lose_answers("POST", SEND_PATH)
    await table.do(Leave(here.people["ben"].id))
    await here.settle()
    await invite(here, table, here.people["ben"])
    await here.press("ben", table, "Join")
    await here.press("ann", table, "Start")
    await wait(here, RETRY_DELAY)
    assert not invitations(here, table)
    assert not await here.parts.store.outbox.keys()


@pytest.mark.parametrize("touched", [True, False], ids=["touched", "untouched"])
async def test_1_1_effects_of_a_write_with_an_unknown_outcome_are_done(
    here: World, monkeypatch: pytest.MonkeyPatch, *, touched: bool
) -> None:
    table, save = await here.start_table("ben", "cleo", pace="none"), TableRepository.save

    async def unknown(*_: Any) -> None:
        raise StoreError("The connection was lost.")

    async def save_without_answer(own: TableRepository, *change: Any) -> None:
        await save(own, *change)
        await unknown()

    with monkeypatch.context() as failing:
        failing.setattr(TableRepository, "save", save_without_answer)
        failing.setattr(TableRepository, "load", unknown)
        await here.leave("ben", table)
    if touched:
        await here.open_hand("ann", table)
    assert not [said for said in here.channel_texts(table) if LEFT_TEXT in said]
    await wait(here, RETRY_DELAY)
    assert len([said for said in here.channel_texts(table) if LEFT_TEXT in said]) == 1


async def test_1_1_a_board_is_not_reposted_if_the_command_was_not_stored(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_match(here, "ben")

    async def full(*_: Any) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as failing:
        failing.setattr(TableRepository, "save", full)
        with pytest.raises(StoreError):
            await table.do(Repost(Moderator(here.people["cleo"].id, "cleo")))
    await wait(here, RETRY_DELAY)
    assert not [said for said in here.channel_texts(table) if "cleo" in said]


async def test_1_1_an_effect_limited_without_a_retry_time_is_retried(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="none")
    here.env.inject_error("POST", SEND, status=429, times=1)
    await here.leave("ben", table)
    await wait(here, RETRY_DELAY)
    assert len([said for said in here.channel_texts(table) if LEFT_TEXT in said]) == 1


async def test_1_1_spectators_are_pinged_although_their_access_could_not_be_checked_at_first(
    here: World,
) -> None:
    table, cleo = await here.start_table("ben", hands=1, pace="none"), here.people["cleo"].id
    await here.press("cleo", table, "Watch")
    here.parts.presence.forget(cleo)
    here.env.inject_error("GET", "/guilds/*/members/*", status=500, times=1)
    await here.play_hand(table)
    await wait(here, 90)
    assert len([said for said in here.channel_texts(table) if f"<@{cleo}>" in said]) == 1


async def test_1_1_a_ping_with_an_unknown_outcome_is_deleted_when_its_player_has_acted(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, add_pings = await here.start_table("ben", pace="live"), PingRepository.add
    name = here.current_player(table)
    assert name is not None

    async def add_without_answer(own: PingRepository, *made: Any) -> None:
        await add_pings(own, *made)
        raise StoreError("The connection was lost.")

    with monkeypatch.context() as failing:
        failing.setattr(PingRepository, "add", add_without_answer)
        await here.advance(seconds=12)
    mention = f"<@{here.people[name].id}>"
    assert [said for said in here.channel_texts(table) if mention in said]
    await here.act(name, table)
    await wait(here, RETRY_DELAY)
    assert not [said for said in here.channel_texts(table) if mention in said]


async def test_1_1_a_settled_debt_is_reported_once_direct_messages_can_be_opened(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.parts.servers.change(here.guild.id, here.ann.id, "stakes", True)
    await choose_notices(here, "ben", "direct")
    await finish_with_debts(here, ("ann", "ben", 12))
    with monkeypatch.context() as full:
        full.setattr(direct_messages, "NEW_CHANNELS", replace(direct_messages.NEW_CHANNELS, most=1))
        await here.parts.store.limits.use(direct_messages.NEW_CHANNELS)
        await settle_first_debt(here, "ann")
    assert count_direct_messages(here, "they've settled the") == 0
    await wait(here, RETRY_DELAY)
    assert count_direct_messages(here, "they've settled the") == 1


async def test_1_1_a_player_who_regained_access_is_not_reported_as_without_access(den: World) -> None:
    table = await remove_ben_from_thread(den)
    den.env.inject_error("POST", SEND, status=500, times=1)
    await den.advance(seconds=61)
    ben = den.people["ben"].id
    den.env.backend.add_thread_member(den.channel.id, ben)
    view = table.scene(ben).view
    assert view is not None
    action = plain_action(view)
    assert action is not None
    await table.do(Act(ben, action))
    await wait(den, RETRY_DELAY)
    assert not [said for said in den.channel_texts(table) if WAITS_FOR_ACCESS in said]
    assert not await den.parts.store.outbox.effects()


async def test_1_1_the_owner_of_a_table_announces_changes_made_by_another_process(here: World) -> None:
    table = await here.open_table()
    news = Announcement(ALL_BACK)
    await here.parts.store.outbox.add_effects([pending_effect(news, table.row.guild, table.id, here.clock())])
    await here.parts.lifecycle.reread(table.id)
    await here.settle()
    assert [said for said in here.channel_texts(table) if "Everyone's back, so Big Two, table 1 resumes." in said]


async def test_1_1_a_failing_effect_is_retried_at_growing_intervals(
    here: World, caplog: pytest.LogCaptureFixture
) -> None:
    tries = list[datetime]()

    async def fail(_effect: Announcement, _pending: PendingEffect) -> None:
        tries.append(here.env.now())
        raise ZeroDivisionError

    table = await start_match(here, "ben")
    here.parts.effect_handlers.on(Announcement, fail)
    await here.leave("ben", table)
    for _ in range(11):
        await here.advance(minutes=11)
    assert len(tries) <= 6, "not at every opportunity, with a traceback in the log"
    assert tries[-1] - tries[0] > timedelta(hours=1), "retries continue"
    caplog.clear()


async def test_deleting_a_missing_message_logs_no_warning(here: World, caplog: pytest.LogCaptureFixture) -> None:
    gone = MessageDeletion(ChannelId(here.channel.id), MessageId(here.channel.id + 1))
    await here.parts.store.outbox.add_effects([pending_effect(gone, GuildId(here.guild.id), None, here.clock())])
    await here.advance(minutes=2)
    await here.settle()
    assert not await here.parts.store.outbox.effects()
    assert "Unknown Message" not in "".join(one.message for one in caplog.records if one.levelno >= logging.WARNING)
