"""Answers to a click or a command: always within Discord's limit, whatever else is slow.

Knows how an answer reaches the person who asked. Refuses to know what it says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from bot.door import private
from bot.door.private import Interaction, PrivateMessage, Whisper
from bot.door.reply import Reply
from bot.ground.watch import Progress
from bot.show.layout import PrivateScreen

PATIENCE = 1.2  # seconds before the interaction is acknowledged without an answer; Discord allows three
FORM_PATIENCE = 2.4  # where it is a form that is asked for: once acknowledged, none can be opened any more
LOADING = discord.InteractionResponseType.deferred_channel_message


@dataclass(frozen=True, slots=True)
class Manner:
    """How a kind of question is answered.

    quiet: most often nothing is said, so that nothing is shown as loading. first: the person is reached before
    anything is done for them. form: the answer is a form. slow: it is a new message that takes long, so that it is
    shown as loading wherever it is asked for.
    """

    quiet: bool = False
    first: bool = False
    form: bool = False
    slow: bool = False


PLAINLY, QUIETLY, REACH_FIRST, WITH_FORM = Manner(), Manner(quiet=True), Manner(first=True), Manner(form=True)
SLOWLY = Manner(slow=True)


async def answer(
    interaction: Interaction,
    work: Callable[[], Awaitable[Reply]],
    manner: Manner,
    too_slow: Callable[[], str],
    told: Callable[[Progress], None] | None = None,
) -> None:
    """Answer with what the work returns; if that takes long, acknowledge first.

    too_slow: gives what to say where a form was asked for and cannot be opened any more. told: hears how far that is.
    May raise what UNREACHED names; then the work is done all the same, unless the person was to be reached first.
    """
    if manner.first:
        await _acknowledge(interaction, manner, told)
    task = asyncio.ensure_future(work())
    await asyncio.wait({task}, timeout=FORM_PATIENCE if manner.form else PATIENCE)
    landed = None
    try:
        if not task.done():
            await _acknowledge(interaction, manner, told)
        landed = await _deliver(interaction, await task, too_slow)
        if told:
            told("answered")
    finally:
        if tell := (await task).landed:
            tell(landed)


async def _acknowledge(
    interaction: Interaction, manner: Manner, told: Callable[[Progress], None] | None = None
) -> None:
    """Say that an answer will come: on a private message or where none is expected, without showing it."""
    if interaction.response.is_done():
        return
    clicked = interaction.message is not None
    if not manner.slow and (private.clicked(interaction) or (clicked and manner.quiet)):
        await interaction.response.defer()
    else:
        await private.promise(interaction)
    if told:
        told("acknowledged")


async def _deliver(interaction: Interaction, reply: Reply, too_slow: Callable[[], str]) -> PrivateMessage | None:
    """Bring the reply to its reader; return where it stands."""
    if reply.form is not None and not interaction.response.is_done():
        await interaction.response.send_modal(reply.form)
        return None
    said = too_slow() if reply.form is not None else reply.said
    if said is None:
        await _finish(interaction)
        return None
    return await _say(interaction, said, reply.at)


async def _say(interaction: Interaction, said: Whisper, at: PrivateMessage | None) -> PrivateMessage:
    """Put something to read where it belongs, by how the interaction has been answered so far."""
    if interaction.response.type is LOADING:
        return await private.keep_promise(interaction, said)
    late = interaction.response.is_done()
    if at is None or not isinstance(said, PrivateScreen):
        return await (private.whisper_later if late else private.whisper)(interaction, said)
    if late:
        await at.edit(said)
    else:
        await private.replace_clicked(interaction, at, said)
    return at


async def _finish(interaction: Interaction) -> None:
    """Leave nothing to read."""
    await _acknowledge(interaction, QUIETLY)
    if interaction.response.type is LOADING:
        await interaction.delete_original_response()
