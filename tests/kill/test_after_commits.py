"""What is sent, edited or deleted once after a commit is done by the next run, where the bot is killed in between.

Each case prepares, is cut off from Discord at its first ``yield``, does what the effect follows from, and yields what
tells whether it is done. A kind of effect without a case here fails a test.
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
from tests.discord_errors.discord_outages import boards_in_sight, started, wait
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

Healed: TypeAlias = Callable[[], bool]
Case: TypeAlias = AsyncIterator[Healed | None]


def mentions(here: World, table: Table, name: str) -> list[str]:
    """Return what calls a player where a table is."""
    return [said for said in here.channel_texts(table) if f"<@{here.people[name].id}>" in said]


def directly(here: World, words: str) -> int:
    """Count the direct messages that say this."""
    channels = (channel for channel in here.env.backend.channels.values() if channel.type == ChannelType.DM)
    sent = [each for channel in channels for each in here.env.backend.messages[channel.id].values()]
    return sum(words in f"{each.content} {each.components}" for each in sent)


async def news(here: World) -> Case:
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


async def people_in_its_thread(here: World) -> Case:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    yield None
    await here.press("ann", table, "Start")

    def are_in() -> bool:
        named = [text for text in here.channel_texts(table) if "Cards are dealt" in text]
        return len(named) == 1 and all(f"<@{here.people[name].id}>" in named[0] for name in ("ann", "ben"))

    yield are_in


async def players_of_a_deal(here: World) -> Case:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    await here.advance(minutes=16)
    yield None
    await here.press("ann", table, "Play now")
    yield lambda: len(mentions(here, table, "ben")) == 1


async def a_private_thread_in_which_nothing_begins(here: World) -> Case:
    table = await fill_shared_lobby(here)
    yield None
    await here.press("ann", table, "Start")
    await (await here.reload(table)).do(CloseLobby(here.ann.id))
    yield lambda: not any(each.type == ChannelType.PRIVATE_THREAD for each in here.env.backend.channels.values())


async def a_board_that_has_moved(here: World) -> Case:
    table = await started(here, "ben")
    other = here.guild.create_text_channel("other")
    yield None
    await here.ann.slash(other, "table move", table=table.id)
    yield lambda: boards_in_sight(here, table) == 1


async def a_call_that_has_done_its_work(here: World) -> Case:
    table = await here.start_table("ben", pace="live")
    await here.advance(seconds=30)
    name = here.current_player(table)
    assert name is not None
    assert mentions(here, table, name)
    yield None
    await here.act(name, table)
    yield lambda: not mentions(here, table, name)


async def a_notice_that_has_done_its_work(here: World) -> Case:
    table = await here.start_table("ben", pace="relaxed")
    await here.advance(hours=1)
    name = here.current_player(table)
    assert name is not None
    assert mentions(here, table, name)
    yield None
    await here.act(name, await here.reload(table))
    yield lambda: not mentions(here, table, name)


async def a_board_that_is_posted_again(here: World) -> Case:
    table = await here.start_table("ben")
    before = here.board(table).id
    await here.advance(minutes=2)
    yield None
    await here.ann.slash(here.channel, "table redraw", table=table.id)
    yield lambda: boards_in_sight(here, table) == 1 and here.channel.history()[-1].id > before


async def a_reminder(here: World) -> Case:
    table = await here.start_table("ben", pace="live")
    name = here.current_player(table)
    assert name is not None
    await here.advance(seconds=20)
    (call,) = mentions(here, table, name)
    yield None
    await here.env.advance_time(80)
    yield lambda: len(said := mentions(here, table, name)) == 1 and said != [call]


async def a_notice_that_a_table_sleeps(here: World) -> Case:
    table = await started(here, "ben")
    await here.parts.preferences.change(here.ann.id, mirror=True, locale="en-US")
    yield None
    await here.set_bot_permissions(here.channel, send_messages=False)
    await wait(here, 15)
    assert table.row.suspended_since
    yield lambda: directly(here, "is suspended because I can't post there") == 1


async def word_that_a_table_waits_for_a_player_who_cannot_see_it(here: World) -> Case:
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


async def people_who_wait_for_a_table(here: World) -> Case:
    await press_welcome(here, "ben", await join_and_greet(here), "Tell me when a table opens here")
    yield None
    table = await here.open_table()
    yield lambda: len(mentions(here, table, "ben")) == 1


async def watchers(here: World) -> Case:
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


async def a_debt_that_is_called_settled(here: World) -> Case:
    await here.parts.servers.change(here.guild.id, here.ann.id, "stakes", True)
    await choose_notices(here, "ben", "direct")
    await finish_with_debts(here, ("ann", "ben", 12))
    yield None
    await settle_first_debt(here, "ann")
    yield lambda: directly(here, "they've settled the") == 1


async def a_sheet(here: World) -> Case:
    one, two = await start_both_tables(here)
    await finish_table(here, one)
    yield None
    await finish_table(here, two)
    yield lambda: len(messages_titled(here, SHEET)) == 1


async def an_invitation_to_the_same_deals(here: World) -> Case:
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


async def a_lobby_that_closes(here: World) -> Case:
    table = await here.open_table()
    yield None
    await table.do(CloseLobby(here.ann.id))
    yield lambda: not {"Join", "Play now"} & here.read_board(table).buttons.keys()


async def an_end_card(here: World) -> Case:
    table = await started(here, "ben")
    yield None
    await here.play_hand(table)
    yield lambda: "Rematch" in here.read_board(table).buttons and "the match" in here.read_board(table).text


async def ratings_after_a_match(here: World) -> Case:
    table = await started(here, "ben")
    yield None
    await here.play_hand(table)
    yield lambda: "Provisional rating: " in here.read_board(table).text


async def a_ballot(here: World) -> Case:
    table = await here.start_table("ben", pace="live", hands=3)
    await here.play_hand(table)
    yield None
    await table.do(CastVote(here.ann.id, "cancel", first=True))
    yield lambda: len(mentions(here, table, "ben")) == 1


async def the_seat_of_a_player_who_is_deleted(here: World) -> Case:
    table = await start_between_hands(here, "ben", "cleo")
    await agree_to_end(here, table, "ann", "cleo")
    yield None
    await here.parts.retention.forget_person(here.people["ben"].id)
    yield lambda: "Rematch" in here.read_board(table).buttons


async def the_lobby_of_a_host_who_is_deleted(here: World) -> Case:
    table = await here.open_table("ben")
    await here.press("ann", table, "Join")
    yield None
    await here.parts.retention.forget_person(here.people["ben"].id)
    yield (
        lambda: (
            sum("The host of Big Two, table 1 left, so it's closed" in said for said in here.channel_texts(table)) == 1
        )
    )


async def a_setting_of_the_server(here: World) -> Case:
    table = await here.open_table()
    boss = here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))
    before = here.read_board(table).text
    yield None
    await (await open_settings(here, boss)).choose("language", "zh-CN")
    yield lambda: here.read_board(table).text != before


async def stakes_that_are_switched_off(here: World) -> Case:
    table = await here.open_table(stake=5)
    boss = here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))
    yield None
    await (await open_settings(here, boss)).choose("switches", "slow", "leaderboard", "mirror", "threads", "pictures")

    yield lambda: sum("This server doesn't play for stakes any more" in said for said in here.channel_texts(table)) == 1


async def a_notice_of_the_operator(here: World) -> Case:
    table = await here.open_table()
    yield None
    await here.parts.decisions.order(OperatorCommand("announce", "Back at nine."), "test")
    await here.settle()
    yield lambda: "Back at nine." in here.read_board(table).text


CASES: list[tuple[Callable[[World], Case], type[Effect] | None]] = [
    (news, Announcement),
    (a_lobby_whose_match_moves_into_a_thread, Signpost),
    (people_in_its_thread, ThreadOpening),
    (a_private_thread_in_which_nothing_begins, ThreadRemoval),
    (a_board_that_has_moved, MessageDeletion),
    (a_call_that_has_done_its_work, MessageDeletion),
    (a_notice_that_has_done_its_work, MessageDeletion),
    (a_board_that_is_posted_again, Redraw),
    (a_setting_of_the_server, ServerRedraw),
    (stakes_that_are_switched_off, ServerRedraw),
    (the_seat_of_a_player_who_is_deleted, Vacancy),
    (the_lobby_of_a_host_who_is_deleted, Announcement),
    (a_reminder, Reminder),
    (a_notice_that_a_table_sleeps, None),
    (word_that_a_table_waits_for_a_player_who_cannot_see_it, ShutOutNotice),
    (an_invitation, Invitation),
    (people_who_wait_for_a_table, LobbyOpening),
    (watchers, WatcherCall),
    (a_free_seat, SeatCall),
    (a_debt_that_is_called_settled, DebtNotice),
    (a_sheet, ScoresheetUpdate),
    (ratings_after_a_match, RatingUpdate),
    (an_invitation_to_the_same_deals, DuplicateInvitation),
    (a_welcome, WelcomeMessage),
    (a_lobby_that_closes, None),  # here and below: a board or a call, which follows from how its table stands
    (players_of_a_deal, None),
    (an_end_card, None),
    (a_ballot, None),
    (a_notice_of_the_operator, None),
]
THREADS = (Signpost, ThreadOpening, ThreadRemoval, ScoresheetUpdate)


def test_every_kind_of_effect_has_a_case() -> None:
    in_others = {WaitingCall, StakesChange}  # in those of lobbies, and of a server
    assert {kind for _, kind in CASES if kind} | in_others == set(EFFECT_KINDS.values())


@pytest.mark.parametrize(("case", "kind"), CASES, ids=lambda each: getattr(each, "__name__", "board"))
async def test_1_1_what_a_kill_leaves_undone_is_done_within_a_minute(
    tmp_path: Path, case: Callable[[World], Case], kind: type[Effect] | None
) -> None:
    async with world(tmp_path, threads=kind in THREADS) as here:
        steps = case(here)
        assert await anext(steps) is None
        here.cut_off()
        healed = await anext(steps)
        assert healed is not None
        assert not healed()
        assert kind is None or kind in {type(one.effect) for one in await here.parts.store.outbox.effects()}
        await here.stop()
        await here.pass_time_without_bot(seconds=30)
        await here.start()
        assert await done_within_a_minute(here, healed)


async def done_within_a_minute(here: World, healed: Healed) -> bool:
    """Wait a minute, or until all work due in it is done."""
    for _ in range(12):
        await wait(here, 5)
        if healed() and not await here.parts.store.outbox.keys():
            return True
    return False


async def test_1_1_a_second_kill_before_all_boards_are_shown_loses_none(here: World) -> None:
    table = await here.open_table()
    here.cut_off()
    await table.do(CloseLobby(here.ann.id))
    await here.stop()
    await here.pass_time_without_bot(hours=1)
    await here.start(cut_off=True)
    await here.stop()
    await here.pass_time_without_bot(hours=1)
    await here.start()
    assert await done_within_a_minute(here, lambda: not {"Join", "Play now"} & here.read_board(table).buttons.keys())
