"""A new gateway session of a shard in the same process: running work continues once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.effects import WatcherCall
from bot.domain.ids import UserId
from bot.table.table import Table
from tests.support.world import World


async def start_new_session(here: World) -> None:
    """Start a new gateway session of the shard."""
    await here.parts.lifecycle.resume_shard(0, timedelta())


async def test_a_ping_in_flight_is_sent_once_across_sessions(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table, cleo = await here.open_table("ben"), here.people["cleo"].id
    await here.parts.delivery.watch(table, cleo)
    await here.settle()
    let_through, queue = asyncio.Event(), here.parts.delivery.queue
    send = queue.do

    async def held_up(*args: Any, **kwargs: Any) -> Any:
        await let_through.wait()
        return await send(*args, **kwargs)

    monkeypatch.setattr(queue, "do", held_up)
    effect = WatcherCall("match ended", (cleo,))
    await here.parts.delivery.effects.add(effect, table.row.guild, table.id)
    await asyncio.sleep(0)
    await start_new_session(here)
    let_through.set()
    await here.settle()
    assert len([said for said in here.channel_texts(table) if f"<@{cleo}>" in said]) == 1


async def test_a_player_who_has_opened_their_hand_is_not_pinged(here: World) -> None:
    table = await here.start_table("ben")
    name = str(here.current_player(table))
    await here.open_hand(name, table)
    await start_new_session(here)
    here.parts.delivery.changed(table)
    await here.advance(seconds=24)
    assert [said for said in here.channel_texts(table) if f"<@{here.people[name].id}>" in said] == []


async def test_a_table_acquired_by_another_process_during_a_lookup_is_pinged_once(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.start_table("ben", "cleo")
    pings, name = here.parts.delivery.pings, str(here.current_player(table))
    is_here = pings._is_here

    async def taken(asked: Any, user: UserId) -> bool:
        pings.forget(table.id)
        return await is_here(asked, user)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(pings, "_is_here", taken)
        await here.advance(seconds=24)
    assert count_pings(here, table, name) == 0
    await start_new_session(here)
    await here.advance(seconds=24)
    assert count_pings(here, table, name) == 1


def count_pings(here: World, table: Table, name: str) -> int:
    """Return the number of pings of a player beside the board."""
    return sum(f"<@{here.people[name].id}>" in text for text in here.channel_texts(table))
