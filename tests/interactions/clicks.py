"""Clicks and forms as they arrive from Discord: an address, and the message it stood in; nothing looks it up there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from simcord.actors import MemberActor, _dispatch_actor_interaction
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle, UserHandle
from simcord.results import InteractionResult

from tests.support.simulated_discord import fast_copy
from tests.support.world import World

COMPONENT, FORM = 3, 5
BUTTON, SELECT = 2, 3


async def send_click(
    here: World,
    who: MemberActor | UserHandle,
    message: discord.Message,
    address: str,
    values: Sequence[str] | None = None,
    *,
    seen: dict[str, Any] | None = None,
) -> InteractionResult:
    """Deliver a click on a message, with or without such a component.

    seen: the message as Discord passes it on; by default its current state.
    """
    data: dict[str, Any] = {"custom_id": address, "component_type": BUTTON if values is None else SELECT}
    chosen = {} if values is None else {"values": [*values]}
    return await _arrive(here, who, message, COMPONENT, data | chosen, seen)


async def send_form(
    here: World, who: MemberActor | UserHandle, message: discord.Message, address: str, filled: Mapping[str, str]
) -> InteractionResult:
    """Deliver a form opened from a message."""
    inputs = [
        {"type": 18, "component": {"type": 4, "custom_id": name, "value": value}} for name, value in filled.items()
    ]
    return await _arrive(here, who, message, FORM, {"custom_id": address, "components": inputs})


def message_snapshot(here: World, message: discord.Message) -> dict[str, Any]:
    """Return a message as a player sees it now."""
    backend = here.env.backend
    shown: dict[str, Any] = fast_copy(
        dict(message_payload(backend, backend.get_message(message.channel.id, message.id)))
    )
    return shown


async def _arrive(
    here: World,
    who: MemberActor | UserHandle,
    message: discord.Message,
    kind: int,
    data: dict[str, Any],
    seen: dict[str, Any] | None = None,
) -> InteractionResult:
    backend = here.env.backend
    stored = backend.get_message(message.channel.id, message.id)
    guild = who.guild if isinstance(who, MemberActor) else None
    result = await _dispatch_actor_interaction(
        who,
        kind,
        ChannelHandle(here.env, guild, backend.get_channel(stored.channel_id)),
        data,
        extra={"message": seen or message_snapshot(here, message)},
        source_message_id=stored.id,
    )
    await here.settle()
    return result
