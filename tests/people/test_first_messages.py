"""What a person waits for with nothing on the screen is sent before boards that are only redrawn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from math import inf
from pathlib import Path

import pytest
import pytest_asyncio
from simcord.backend.serializers import message_payload, user_payload
from simcord.builders import ChannelHandle
from simcord.interactions import base_payload
from simcord.results import InteractionResult

from bot.delivery.outbox.discord_limits import channel, threads
from tests.people.test_at_once import run_ready_tasks
from tests.support.message_text import private_reply
from tests.support.world import SETTLE_TIMEOUT, World, world

BOARDS_TO_REDRAW = 2  # whose boards are redrawn


@pytest_asyncio.fixture
async def made(tmp_path: Path) -> AsyncIterator[World]:
    """A server where matches have threads of their own."""
    async with world(tmp_path, threads=True) as made:
        yield made


class BlockedQueue:
    """A bot that may send nothing for now, while boards of lobbies in channels of their own wait to be redrawn."""

    def __init__(self, here: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self._here = here
        self._queue, self._limits = here.parts.delivery.queue, here.bot.launch.limits
        self._turns, sent = list[str](), here.bot.launch.limits.sent

        def note(place: str, now: float, *, old: bool = False) -> None:
            self._turns.append(place)
            sent(place, now, old=old)

        monkeypatch.setattr(self._limits, "sent", note)

    @classmethod
    async def of(cls, here: World, monkeypatch: pytest.MonkeyPatch) -> BlockedQueue:
        """Start joins to the lobbies of other players."""
        tables = [
            await here.open_table("dev", open_table_elsewhere(here, f"cards {number}"))
            for number in range(BOARDS_TO_REDRAW)
        ]
        made = cls(here, monkeypatch)
        made._limits._held = inf
        for table in tables:
            await here.press("ben", table, "Join")
        assert made._queue.waits == BOARDS_TO_REDRAW
        return made

    async def first(self) -> str:
        """Wait until something else is to be sent, and let the bot send again; return where it sends first."""
        async with asyncio.timeout(SETTLE_TIMEOUT):
            while self._queue.waits == BOARDS_TO_REDRAW:
                await run_ready_tasks()
        self._limits._held = -inf
        self._queue._schedule_send()
        await self._here.settle()
        assert len(self._turns) > BOARDS_TO_REDRAW, "all boards are redrawn"
        return self._turns[0]


def send_choice(here: World, name: str, shown: InteractionResult, verb: str, whom: int) -> None:
    """Send a selection without waiting for an effect."""
    assert shown.response is not None
    (target,) = (each for each in private_reply(shown).selects if each.endswith(verb))
    backend, stored = here.env.backend, here.env.backend.get_message(shown.response.channel_id, shown.response.id)
    resolved = {"users": {str(whom): user_payload(backend.get_user(whom))}}
    data = {"custom_id": target, "component_type": 5, "values": [str(whom)], "resolved": resolved}
    record, payload = base_payload(
        backend, type=3, channel_id=stored.channel_id, guild_id=here.guild.id, user_id=here.people[name].id, data=data
    )
    record.source_message_id = stored.id
    backend.emit("INTERACTION_CREATE", payload | {"message": dict(message_payload(backend, stored))})


def open_table_elsewhere(here: World, name: str) -> ChannelHandle:
    return here.guild.create_text_channel(name)


async def test_1_5_the_first_message_of_a_lobby_is_sent_before_boards_being_clicked(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = await BlockedQueue.of(here, monkeypatch)
    await here.people["ann"].slash(here.channel, "deal")
    assert await full.first() == channel(here.channel.id)


async def test_a_deleted_board_is_reposted_before_others_are_redrawn(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.open_table()
    full = await BlockedQueue.of(here, monkeypatch)
    here.parts.delivery.boards.repost(table)
    assert await full.first() == channel(here.channel.id)


async def test_the_thread_of_a_match_is_opened_before_boards_are_redrawn(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await made.open_table()
    await made.fill_up("ann", table)
    full = await BlockedQueue.of(made, monkeypatch)
    made.send_clicks([("ann", made.board(table), "Start")])
    assert await full.first() == threads(made.channel.id)
    assert table.row.home != made.channel.id


async def test_invitations_to_a_lobby_are_sent_before_boards_are_redrawn(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.open_table()
    shown = await here.press("ann", table, "Invite")
    full = await BlockedQueue.of(here, monkeypatch)
    send_choice(here, "ann", shown, ":call", here.people["cleo"].id)
    assert await full.first() == channel(here.channel.id)
