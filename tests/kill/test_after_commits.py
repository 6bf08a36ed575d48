"""Messages sent, edited or deleted after a commit are completed by the next run if the bot is killed in between.

Each case sets up a table and yields; from then on the bot is cut off from Discord. The case triggers an effect and
yields a function that returns whether the effect is done. A kind of effect without a case here fails a test.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeAlias

import discord
import pytest
from simcord.enums import ChannelType

from bot.domain.effects import (
    EFFECT_KINDS,
    Announcement,
    DealCall,
    DebtNotice,
    DuplicateInvitation,
    Effect,
    Invitation,
    LobbyOpening,
    MessageDeletion,
    RatingUpdate,
    Redraw,
    Reminder,
    ScoresheetUpdate,
    SeatCall,
    ServerRedraw,
    ShutOutNotice,
    Signpost,
    StakesChange,
    ThreadOpening,
    ThreadRemoval,
    Vacancy,
    WaitingCall,
    WatcherCall,
    WelcomeMessage,
)
from bot.domain.operator_notice import OperatorCommand
from bot.table.core.commands import CastVote, CloseLobby
from bot.table.table import Table
from tests.discord_errors.discord_outages import count_boards, start_match, wait
from tests.people.test_duplicate import SAME
from tests.people.test_inviting import invitations, invite
from tests.people.test_ledger import finish_with_debts, settle_first_debt
from tests.people.test_notices import choose_notices
from tests.people.test_open_match import agree_to_end, start_between_hands
from tests.people.test_same_deals import SHEET, fill_shared_lobby, finish_table, messages_titled, start_both_tables
from tests.people.test_server_settings import open_settings
from tests.people.test_shut_out import remove_ben_from_thread
from tests.people.test_welcome import add_server, join_and_greet, press_welcome, welcome_messages
from tests.support.message_text import ParsedMessage
from tests.support.world import World, world

IsDone: TypeAlias = Callable[[], bool]
Case: TypeAlias = AsyncIterator[IsDone | None]


def mentions(here: World, table: Table, name: str) -> list[str]:
    """Return the messages in a table's channel that mention a player."""
    return [said for said in here.channel_texts(table) if f"<@{here.people[name].id}>" in said]


def count_direct_messages(here: World, words: str) -> int:
    """Count the direct messages that contain these words."""
    channels = (channel for channel in here.env.backend.channels.values() if channel.type == ChannelType.DM)
    sent = [each for channel in channels for each in here.env.backend.messages[channel.id].values()]
    return sum(words in f"{each.content} {each.components}" for each in sent)


async def an_announcement_of_a_leaving_player(here: World) -> Case:
    table = await here.start_table("ben")
    yield None
    await here.leave("ben", table)
    yield lambda: sum("ben left" in said for said in here.channel_texts(table)) == 1


async def a_lobby_whose_match_moves_into_a_thread(here: World) -> Case:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    lobby = here.board(table)
    yield None
    await here.press("ann", table, "Start")

    def is_signpost() -> bool:
        stands = next(each for each in here.channel.history() if each.id == lobby.id)
        return (
            not {"Join", "Play now"} & ParsedMessage.of(stands).buttons.keys()
            and f"<#{lobby.id}>" in ParsedMessage.of(stands).text
        )

    yield is_signpost


async def players_added_to_a_thread(here: World) -> Case:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    yield None
    await here.press("ann", table, "Start")

    def were_added() -> bool:
        named = [text for text in here.channel_texts(table) if "Cards are dealt" in text]
        return len(named) == 1 and all(f"<@{here.people[name].id}>" in named[0] for name in ("ann", "ben"))

    yield were_added


async def pings_of_a_deal(here: World) -> Case:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    await here.advance(minutes=16)
    yield None
    await here.press("ann", table, "Play now")
    yield lambda: len(mentions(here, table, "ben")) == 1


async def an_unused_private_thread(here: World) -> Case:
    table = await fill_shared_lobby(here)
    yield None
    await here.press("ann", table, "Start")
    await (await here.reload(table)).do(CloseLobby(here.ann.id))
    yield lambda: not any(each.type == ChannelType.PRIVATE_THREAD for each in here.env.backend.channels.values())


async def a_moved_board(here: World) -> Case:
    table = await start_match(here, "ben")
    other = here.guild.create_text_channel("other")
    yield None
    await here.ann.slash(other, "table move", table=table.id)
    yield lambda: count_boards(here, table) == 1


async def an_obsolete_ping(here: World) -> Case:
    table = await here.start_table("ben", pace="live")
    await here.advance(seconds=30)
    name = here.current_player(table)
    assert name is not None
    assert mentions(here, table, name)
    yield None
    await here.act(name, table)
    yield lambda: not mentions(here, table, name)


async def an_obsolete_notice(here: World) -> Case:
    table = await here.start_table("ben", pace="relaxed")
    await here.advance(hours=1)
    name = here.current_player(table)
    assert name is not None
    assert mentions(here, table, name)
    yield None
    await here.act(name, await here.reload(table))
    yield lambda: not mentions(here, table, name)


async def a_reposted_board(here: World) -> Case:
    table = await here.start_table("ben")
    before = here.board(table).id
    await here.advance(minutes=2)
    yield None
    await here.ann.slash(here.channel, "table redraw", table=table.id)
    yield lambda: count_boards(here, table) == 1 and here.channel.history()[-1].id > before


async def a_reminder(here: World) -> Case:
    table = await here.start_table("ben", pace="live")
    name = here.current_player(table)
    assert name is not None
    await here.advance(seconds=20)
    (call,) = mentions(here, table, name)
    yield None
    await here.env.advance_time(80)
    yield lambda: len(said := mentions(here, table, name)) == 1 and said != [call]


async def a_suspension_notice(here: World) -> Case:
    table = await start_match(here, "ben")
    await here.parts.preferences.change(here.ann.id, mirror=True, locale="en-US")
    yield None
    await here.set_bot_permissions(here.channel, send_messages=False)
    await wait(here, 15)
    assert table.row.suspended_since
    yield lambda: count_direct_messages(here, "is suspended because I can't post there") == 1


async def a_notice_about_a_player_without_access(here: World) -> Case:
    backend = here.env.backend
    thread = backend.create_thread(here.channel.id, "den", here.ann.id, type=ChannelType.PRIVATE_THREAD)
    for user in (backend.bot_user.id, here.people["ben"].id):
        backend.add_thread_member(thread.id, user)
    await here.settle()
    here.channel = here.channel_handle(thread)
    table = await remove_ben_from_thread(here)
    yield None
    await here.advance(seconds=65)
    yield lambda: sum("can't see or use this" in said for said in here.channel_texts(table)) == 1


async def an_invitation(here: World) -> Case:
    table = await here.open_table()
    yield None
    await invite(here, table, here.people["ben"])
    yield lambda: len(invitations(here, table)) == 1


async def players_waiting_for_a_table(here: World) -> Case:
    await press_welcome(here, "ben", await join_and_greet(here), "Tell me when a table opens here")
    yield None
    table = await here.open_table()
    yield lambda: len(mentions(here, table, "ben")) == 1


async def spectators_called_at_the_end(here: World) -> Case:
    table = await here.start_table("ben", hands=1, pace="none")
    await here.press("cleo", table, "Watch")
    yield None
    await here.play_hand(table)
    yield lambda: len(mentions(here, table, "cleo")) == 1


async def a_free_seat(here: World) -> Case:
    table = await here.start_table("ben", pace="none")
    await here.press_on("cleo", await here.press("cleo", table, "My hand"), "+1")
    yield None
    await here.leave("ben", table)
    yield lambda: len(mentions(here, table, "cleo")) == 1


async def a_settled_debt(here: World) -> Case:
    await here.parts.servers.change(here.guild.id, here.ann.id, "stakes", True)
    await choose_notices(here, "ben", "direct")
    await finish_with_debts(here, ("ann", "ben", 12))
    yield None
    await settle_first_debt(here, "ann")
    yield lambda: count_direct_messages(here, "they've settled the") == 1


async def a_scoresheet(here: World) -> Case:
    one, two = await start_both_tables(here)
    await finish_table(here, one)
    yield None
    await finish_table(here, two)
    yield lambda: len(messages_titled(here, SHEET)) == 1


async def a_duplicate_invitation(here: World) -> Case:
    table = await here.open_table(game="tien_len")
    behind = await here.press("ann", table, "⋯")
    asked = await here.press_on("ann", behind, "Same deals…")
    yield None
    await here.press_on("ann", asked, "Everyone alone")
    yield lambda: len(messages_titled(here, SAME)) == 1


async def a_welcome(here: World) -> Case:
    here.env.backend.guilds[here.guild.id].system_channel_id = here.channel.id
    yield None
    await add_server(here)
    yield lambda: len(welcome_messages(here)) == 1


async def a_closed_lobby(here: World) -> Case:
    table = await here.open_table()
    yield None
    await table.do(CloseLobby(here.ann.id))
    yield lambda: not {"Join", "Play now"} & here.read_board(table).buttons.keys()


async def the_end_card_of_a_match(here: World) -> Case:
    table = await start_match(here, "ben")
    yield None
    await here.play_hand(table)
    yield lambda: "Rematch" in here.read_board(table).buttons and "the match" in here.read_board(table).text


async def ratings_after_a_match(here: World) -> Case:
    table = await start_match(here, "ben")
    yield None
    await here.play_hand(table)
    yield lambda: "Provisional rating: " in here.read_board(table).text


async def a_ballot(here: World) -> Case:
    table = await here.start_table("ben", pace="live", hands=3)
    await here.play_hand(table)
    yield None
    await table.do(CastVote(here.ann.id, "cancel", first=True))
    yield lambda: len(mentions(here, table, "ben")) == 1


async def the_seat_of_a_deleted_player(here: World) -> Case:
    table = await start_between_hands(here, "ben", "cleo")
    await agree_to_end(here, table, "ann", "cleo")
    yield None
    await here.parts.retention.forget_person(here.people["ben"].id)
    yield lambda: "Rematch" in here.read_board(table).buttons


async def the_lobby_of_a_deleted_host(here: World) -> Case:
    table = await here.open_table("ben")
    await here.press("ann", table, "Join")
    yield None
    await here.parts.retention.forget_person(here.people["ben"].id)
    yield (
        lambda: (
            sum("The host of Big Two, table 1 left, so it's closed" in said for said in here.channel_texts(table)) == 1
        )
    )


async def a_changed_server_setting(here: World) -> Case:
    table = await here.open_table()
    boss = here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))
    before = here.read_board(table).text
    yield None
    await (await open_settings(here, boss)).choose("language", "zh-CN")
    yield lambda: here.read_board(table).text != before


async def disabled_stakes(here: World) -> Case:
    table = await here.open_table(stake=5)
    boss = here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))
    yield None
    await (await open_settings(here, boss)).choose("switches", "slow", "leaderboard", "mirror", "threads", "pictures")

    yield lambda: sum("This server doesn't play for stakes any more" in said for said in here.channel_texts(table)) == 1


async def an_operator_notice(here: World) -> Case:
    table = await here.open_table()
    yield None
    await here.parts.decisions.order(OperatorCommand("announce", "Back at nine."), "test")
    await here.settle()
    yield lambda: "Back at nine." in here.read_board(table).text


CASES: list[tuple[Callable[[World], Case], type[Effect] | None]] = [
    (an_announcement_of_a_leaving_player, Announcement),
    (a_lobby_whose_match_moves_into_a_thread, Signpost),
    (players_added_to_a_thread, ThreadOpening),
    (an_unused_private_thread, ThreadRemoval),
    (a_moved_board, MessageDeletion),
    (an_obsolete_ping, MessageDeletion),
    (an_obsolete_notice, MessageDeletion),
    (a_reposted_board, Redraw),
    (a_changed_server_setting, ServerRedraw),
    (disabled_stakes, ServerRedraw),
    (the_seat_of_a_deleted_player, Vacancy),
    (the_lobby_of_a_deleted_host, Announcement),
    (a_reminder, Reminder),
    (a_suspension_notice, None),
    (a_notice_about_a_player_without_access, ShutOutNotice),
    (an_invitation, Invitation),
    (players_waiting_for_a_table, LobbyOpening),
    (spectators_called_at_the_end, WatcherCall),
    (a_free_seat, SeatCall),
    (pings_of_a_deal, DealCall),
    (a_settled_debt, DebtNotice),
    (a_scoresheet, ScoresheetUpdate),
    (ratings_after_a_match, RatingUpdate),
    (a_duplicate_invitation, DuplicateInvitation),
    (a_welcome, WelcomeMessage),
    (a_closed_lobby, None),  # here and below: boards and pings, which follow from the state of the table
    (the_end_card_of_a_match, None),
    (a_ballot, None),
    (an_operator_notice, None),
]
THREAD_EFFECTS = (Signpost, ThreadOpening, ThreadRemoval, ScoresheetUpdate)


def test_every_kind_of_effect_has_a_case() -> None:
    in_others = {WaitingCall, StakesChange}  # covered by the cases of lobbies and of server settings
    assert {kind for _, kind in CASES if kind} | in_others == set(EFFECT_KINDS.values())


@pytest.mark.parametrize(("case", "kind"), CASES, ids=lambda each: getattr(each, "__name__", "board"))
async def test_1_1_an_effect_interrupted_by_a_kill_is_completed_within_a_minute(
    tmp_path: Path, case: Callable[[World], Case], kind: type[Effect] | None
) -> None:
    async with world(tmp_path, threads=kind in THREAD_EFFECTS) as here:
        steps = case(here)
        assert await anext(steps) is None
        here.cut_off()
        is_done = await anext(steps)
        assert is_done is not None
        assert not is_done()
        assert kind is None or kind in {type(one.effect) for one in await here.parts.store.outbox.effects()}
        await here.stop()
        await here.pass_time_without_bot(seconds=30)
        await here.start()
        assert await is_done_within_a_minute(here, is_done)


async def is_done_within_a_minute(here: World, is_done: IsDone) -> bool:
    """Wait until the effect is done and the outbox is empty; return False after a minute."""
    for _ in range(12):
        await wait(here, 5)
        if is_done() and not await here.parts.store.outbox.keys():
            return True
    return False


async def test_1_1_no_board_update_is_lost_when_the_bot_is_killed_twice(here: World) -> None:
    table = await here.open_table()
    here.cut_off()
    await table.do(CloseLobby(here.ann.id))
    await here.stop()
    await here.pass_time_without_bot(hours=1)
    await here.start(cut_off=True)
    await here.stop()
    await here.pass_time_without_bot(hours=1)
    await here.start()
    assert await is_done_within_a_minute(here, lambda: not {"Join", "Play now"} & here.read_board(table).buttons.keys())
