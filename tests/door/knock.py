"""Clicks and forms as they arrive from Discord: an address, and the message it stood in; nothing looks it up there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from simcord.actors import MemberActor, _dispatch_actor_interaction
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle, UserHandle
from simcord.results import InteractionResult

from tests.world import World

COMPONENT, FORM = 3, 5
BUTTON, SELECT = 2, 3


async def knock(
    here: World,
    who: MemberActor | UserHandle,
    message: discord.Message,
    address: str,
    values: Sequence[str] | None = None,
) -> InteractionResult:
    """Let a click arrive as one on this message as it stands now, whether or not there is such a component in it."""
    data: dict[str, Any] = {"custom_id": address, "component_type": BUTTON if values is None else SELECT}
    return await _arrive(here, who, message, COMPONENT, data | ({} if values is None else {"values": [*values]}))


async def send_off(
    here: World, who: MemberActor | UserHandle, message: discord.Message, address: str, filled: Mapping[str, str]
) -> InteractionResult:
    """Let a form arrive that was opened from this message."""
    inputs = [
        {"type": 18, "component": {"type": 4, "custom_id": name, "value": value}} for name, value in filled.items()
    ]
    return await _arrive(here, who, message, FORM, {"custom_id": address, "components": inputs})


async def _arrive(
    here: World, who: MemberActor | UserHandle, message: discord.Message, kind: int, data: dict[str, Any]
) -> InteractionResult:
    backend = here.env.backend
    stored = backend.get_message(message.channel.id, message.id)
    guild = here.guild if isinstance(who, MemberActor) else None
    result = await _dispatch_actor_interaction(
        who, kind, ChannelHandle(here.env, guild, backend.get_channel(stored.channel_id)), data,
        extra={"message": dict(message_payload(backend, stored))}, source_message_id=stored.id,
    )  # fmt: skip
    await here.settle()
    return result
