"""Both simulated Discords remember nonces as Discord does: a test of theirs that each rule bites."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from aiohttp import ClientSession

from tests.standin import World as StandIn
from tests.support.nonces import NONCE_LIFETIME
from tests.support.world import World


async def test_1_1_the_simulator_creates_one_message_per_nonce_across_channels(here: World) -> None:
    other = here.guild.create_text_channel("other")
    home, away = (here.bot.get_partial_messageable(channel.id) for channel in (here.channel, other))
    first = await home.send("one", nonce="12")
    assert (await home.send("two", nonce="12")).id == first.id
    assert (await away.send("three", nonce="12")).content == "one"
    assert (await home.send("four", nonce="13")).id != first.id
    await first.edit(content="new")
    assert (await home.send("five", nonce="12")).content == "new"


async def test_1_1_the_simulator_forgets_the_nonce_of_a_deleted_message(here: World) -> None:
    home = here.bot.get_partial_messageable(here.channel.id)
    await (await home.send("one", nonce="12")).delete()
    with pytest.raises(discord.NotFound) as refused:
        await home.send("two", nonce="12")
    assert refused.value.code == 10008
    here.env.backend.advance_clock(NONCE_LIFETIME)
    assert (await home.send("two", nonce="12")).content == "two"


async def test_1_1_the_simulator_refuses_long_nonces_and_returns_none(here: World) -> None:
    home = here.bot.get_partial_messageable(here.channel.id)
    with pytest.raises(discord.HTTPException) as refused:
        await home.send("one", nonce="9" * 26)
    assert refused.value.code == 50035
    sent = await home.send("one", nonce="9" * 25)
    assert (await home.fetch_message(sent.id)).nonce is None


async def test_1_1_the_stand_in_remembers_nonces_too() -> None:
    async with StandIn() as world:
        den, attic = world.add_channel("den"), world.add_channel("attic")
        known = {"Authorization": f"Bot {world.token}"}
        async with ClientSession(f"{world.address}/g0/api/v10/", headers=known) as requests:

            async def send(channel: Any, nonce: str, said: str = "hello") -> Any:
                body = {"content": said, "nonce": nonce, "enforce_nonce": True}
                async with requests.post(f"channels/{channel.id}/messages", json=body) as answer:
                    return await answer.json()

            first = await send(den, "12", "one")
            assert (await send(attic, "12", "two"))["content"] == "one"
            assert "nonce" not in first
            async with requests.delete(f"channels/{den.id}/messages/{first['id']}"):
                assert (await send(attic, "12"))["code"] == 10008
            assert (await send(den, "9" * 26))["code"] == 50035
