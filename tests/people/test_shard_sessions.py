"""A shard that gets a new session in the same process: what is under way goes on, and nothing is done twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.effects import WatcherCall
from tests.support.world import World


async def new_session(here: World) -> None:
    """Let Discord give the shard a session that resumes nothing."""
    await here.parts.lifecycle.resume_shard(0, timedelta())


async def test_a_ping_on_its_way_is_sent_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table, cleo = await here.open_table("ben"), here.people["cleo"].id
    await here.parts.publisher.watch(table, cleo)
    await here.settle()
    let_through, queue = asyncio.Event(), here.parts.publisher.queue
    send = queue.do

    async def held_up(*args: Any, **kwargs: Any) -> Any:
        await let_through.wait()
        return await send(*args, **kwargs)

    monkeypatch.setattr(queue, "do", held_up)
    effect = WatcherCall("match ended", (cleo,))
    await here.parts.publisher.effects.add(effect, table.row.guild, table.id)
    await asyncio.sleep(0)
    await new_session(here)
    let_through.set()
    await here.settle()
    assert len([said for said in here.talk(table) if f"<@{cleo}>" in said]) == 1


async def test_a_player_who_has_opened_their_hand_is_not_pinged(here: World) -> None:
    table = await here.start_table("ben")
    name = str(here.turn(table))
    await here.open_hand(name, table)
    await new_session(here)
    here.parts.publisher.changed(table)
    await here.later(seconds=24)
    assert [said for said in here.talk(table) if f"<@{here.people[name].id}>" in said] == []
