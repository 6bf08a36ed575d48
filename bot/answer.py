"""Answers to a click or a command: always within Discord's limit, whatever else is slow.

Knows how an answer reaches the person who asked. Refuses to know what it says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

import discord

PATIENCE = 1.2  # seconds before the interaction is acknowledged without an answer; Discord allows three


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person gets to see, and only they: a screen, or a sentence, or (both None) nothing but the effect.

    update: the screen replaces the private one that was clicked on.
    """

    view: discord.ui.LayoutView | None = None
    text: str | None = None
    update: bool = False


DONE = Reply()


async def answer(interaction: discord.Interaction[Any], work: Awaitable[Reply], *, update: bool = False) -> None:
    """Answer with what the work returns; if that takes long, acknowledge first and answer when it is there.

    update: the answer is expected to change the message that was clicked on, or nothing, rather than to be a new one.
    """
    task = asyncio.ensure_future(work)
    await asyncio.wait({task}, timeout=PATIENCE)
    if not task.done():
        await (interaction.response.defer() if update else interaction.response.defer(ephemeral=True, thinking=True))
    await _deliver(interaction, await task, deferred_new=interaction.response.is_done() and not update)


async def _deliver(interaction: discord.Interaction[Any], reply: Reply, *, deferred_new: bool) -> None:
    late = interaction.response.is_done()
    if reply.update and reply.view is not None:
        await _update(interaction, reply.view, late=late)
    elif reply.view is None and reply.text is None:
        await _finish(interaction, late=late, deferred_new=deferred_new)
    elif deferred_new:
        await interaction.edit_original_response(**_content(reply))
    elif late:
        await interaction.followup.send(ephemeral=True, **_content(reply))
    else:
        await interaction.response.send_message(ephemeral=True, **_content(reply))


async def _update(interaction: discord.Interaction[Any], view: discord.ui.LayoutView, *, late: bool) -> None:
    if late:
        await interaction.edit_original_response(view=view)
    else:
        await interaction.response.edit_message(view=view)


async def _finish(interaction: discord.Interaction[Any], *, late: bool, deferred_new: bool) -> None:
    if deferred_new:
        await interaction.delete_original_response()
    elif not late:
        await interaction.response.defer()


def _content(reply: Reply) -> dict[str, Any]:
    return {"view": reply.view} if reply.view is not None else {"content": reply.text}
