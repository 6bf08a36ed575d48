"""Where a table can stand: missing permissions are named before the start, and no partial state remains."""

from __future__ import annotations

from typing import Any

import discord
from simcord import UserHandle
from simcord.builders import ChannelHandle

from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter


def bot_permissions(here: World, **rights: bool) -> dict[Any, discord.PermissionOverwrite]:
    return {UserHandle(here.env, here.env.backend.bot_user): discord.PermissionOverwrite(**rights)}


NOT_HERE = "You can't play here. Try another channel."


async def test_a_player_reads_only_that_no_table_can_be_opened_without_permissions(here: World) -> None:
    for right in ("send_messages", "view_channel"):
        quiet = here.guild.create_text_channel(right, overwrites=bot_permissions(here, **{right: False}))
        assert (await here.slash("ann", "deal", quiet)).text == NOT_HERE
        assert not await here.parts.store.tables.open_tables()
    parent = here.guild.create_text_channel("talk", overwrites=bot_permissions(here, send_messages_in_threads=False))
    await here.settle()
    channel = here.bot.get_channel(parent.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="cards", type=discord.ChannelType.public_thread)
    answer = await here.slash("ann", "deal", handle(here, thread))
    assert answer.text == NOT_HERE, "a thread needs its own right to write"


async def test_a_table_can_be_opened_in_every_kind_of_text_channel(here: World) -> None:
    for kind in ("text", "news", "voice", "stage"):
        channel: ChannelHandle = getattr(here.guild, f"create_{kind}_channel")("elsewhere")
        table = await here.open_table(channel=channel)
        assert (table.row.home, table.row.message is not None) == (channel.id, True), kind
    forum = here.bot.get_channel(here.guild.create_forum_channel("games").id)
    await here.settle()
    assert isinstance(forum, discord.ForumChannel)
    post = (await forum.create_thread(name="Friday", content="Who plays?")).thread
    assert (await here.open_table("ben", channel=handle(here, post))).row.home == post.id
    thread = await private_thread(here, here.guild.create_text_channel("inside"))
    assert (await here.open_table(channel=thread)).row.home == thread.id


async def test_no_rematch_opens_where_the_bot_may_not_write(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await here.play_hand(table)
    await here.set_bot_permissions(here.channel, send_messages=False)
    answer = private_reply(await here.press("ann", table, "Rematch"))
    assert answer.text == NOT_HERE
    assert not await here.parts.store.tables.open_tables()


async def test_a_private_thread_without_the_bot_is_refused(here: World) -> None:
    inside = here.guild.create_text_channel("inside", overwrites=bot_permissions(here, manage_threads=False))
    thread = await private_thread(here, inside)
    backend = here.env.backend
    backend.remove_thread_member(thread.id, backend.bot_user.id)
    await here.settle()
    # Discord lets nobody join a private thread by themselves; the simulator does.
    here.env.inject_error("PUT", f"/channels/{thread.id}/thread-members/@me", status=403, code=50001)
    answer = await here.slash("ann", "deal", thread)
    assert answer.text == "This thread is private and I'm not in it. Mention me here once, then try again."
    assert not await here.parts.store.tables.open_tables()


async def create_media_post(here: World, name: str, **rights: bool) -> ChannelHandle:
    """Create a post in a media channel, which the simulator treats as a forum."""
    backend = here.env.backend
    emit = backend.emit

    def telling(event: str, payload: Any) -> None:
        forum = event.startswith("CHANNEL_") and payload["type"] == discord.ChannelType.forum.value
        emit(event, payload | {"type": discord.ChannelType.media.value} if forum else payload)

    backend.emit = telling  # type: ignore[method-assign]
    gallery = here.guild.create_forum_channel("gallery")
    await here.set_bot_permissions(gallery, **rights)
    found = here.bot.get_channel(gallery.id)
    assert isinstance(found, discord.ForumChannel)
    assert found.is_media()
    post = here.channel_handle(backend.create_thread(gallery.id, "Friday", here.people[name].id))
    await here.settle()
    return post


async def test_a_match_can_be_played_in_a_media_channel_post(here: World) -> None:
    post = await create_media_post(here, "ann")
    table = await here.start_table("ben", channel=post, hands=1)
    assert (table.row.home, table.row.message is not None) == (post.id, True)
    await here.play_hand(table)
    assert table.stage == "over"
    assert "Replay" in here.read_board(table).buttons
    (match,) = await here.parts.store.results.history(here.guild.id, 9, 0)
    assert not match.outcome.place.hidden, "everybody sees a media channel that is open to all"
    assert "table 1" in (await here.slash("cleo", "matches list", post)).text


async def test_a_media_channel_post_needs_permission_to_write_in_threads(here: World) -> None:
    post = await create_media_post(here, "ann", send_messages_in_threads=False)
    answer = await here.slash("ann", "deal", post)
    assert answer.text == NOT_HERE
    assert not await here.parts.store.tables.open_tables()


async def test_a_table_in_a_media_post_is_suspended_without_write_permission(here: World) -> None:
    post = await create_media_post(here, "ann")
    table = await here.start_table("ben", channel=post, hands=1)
    gallery = here.env.backend.channels[post.id].parent_id
    assert gallery is not None
    above = here.channel_handle(here.env.backend.channels[gallery])
    await here.set_bot_permissions(above, send_messages_in_threads=False)
    await here.advance(seconds=15)
    assert table.row.suspended_since
    await here.set_bot_permissions(above)
    await here.advance(seconds=15)
    assert table.row.suspended_since is None


def handle(here: World, thread: discord.Thread) -> ChannelHandle:
    return here.channel_handle(here.env.backend.channels[thread.id])


async def private_thread(here: World, parent: ChannelHandle) -> ChannelHandle:
    await here.settle()
    channel = here.bot.get_channel(parent.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="secret", type=discord.ChannelType.private_thread)
    await thread.add_user(discord.Object(here.ann.id))
    await here.settle()
    return handle(here, thread)
