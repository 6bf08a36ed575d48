"""Answers to a click or a command: always within Discord's limit, whatever else is slow.

Knows how an answer reaches the person who asked. Refuses to know what it says.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord

from bot.interactions import private_replies
from bot.interactions.private_replies import Interaction, PrivateMessage, Whisper
from bot.interactions.replies import Reply
from bot.runtime.discord_failures import UNREACHED
from bot.runtime.message_attempts import ACKNOWLEDGED, Delivery, is_refusal
from bot.runtime.metrics import Progress
from bot.runtime.tasks import start_awaited
from bot.show.kit.layout import PrivateScreen

log = logging.getLogger(__name__)

PATIENCE = 1.2  # seconds before the interaction is acknowledged without an answer; Discord allows three
FORM_PATIENCE = 2.4  # where it is a form that is asked for: once acknowledged, none can be opened any more
ACKNOWLEDGING = "acknowledging"  # in the extras of an interaction: whether that is under way
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
SLOWLY, QUIETLY_FIRST = Manner(slow=True), Manner(quiet=True, first=True)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences that replace an answer.

    too_slow: for a form that is ready too late to be opened. refused: for an answer that Discord refuses in every
    form. no_file: for a file that Discord refuses.
    """

    too_slow: Callable[[], str]
    refused: Callable[[], str]
    no_file: Callable[[], str]


async def answer(
    interaction: Interaction,
    work: Callable[[], Coroutine[Any, Any, Reply]],
    manner: Manner,
    sentences: Sentences,
    delivery: Delivery,
    told: Callable[[Progress], None] | None = None,
) -> None:
    """Answer with what the work returns; if that takes long, acknowledge first.

    told: hears how far that is.
    May raise what UNREACHED names; then the work is done all the same, unless the person was to be reached first.
    The work is cancelled with the answer.
    """
    if manner.first:
        await _acknowledge(interaction, manner, told)
    task = start_awaited(work())
    landed = None
    try:
        await asyncio.wait({task}, timeout=FORM_PATIENCE if manner.form else PATIENCE)
        if not task.done():
            await _acknowledge(interaction, manner, told)
        landed = await _deliver(interaction, await task, sentences, delivery)
        if told:
            told("answered")
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        if tell := (await task).landed:
            tell(landed)


async def _acknowledge(
    interaction: Interaction, manner: Manner, told: Callable[[Progress], None] | None = None
) -> None:
    """Say that an answer will come: on a private message or where none is expected, without showing it."""
    if interaction.response.is_done() or interaction.extras.get(ACKNOWLEDGING):
        return
    interaction.extras[ACKNOWLEDGING] = True
    try:
        clicked = interaction.message is not None
        if not manner.slow and (private_replies.clicked(interaction) or (clicked and manner.quiet)):
            await interaction.response.defer()
        else:
            await private_replies.promise(interaction)
    finally:
        del interaction.extras[ACKNOWLEDGING]
    if told:
        told("acknowledged")


async def reach(interaction: Interaction) -> None:
    """Acknowledge a click in the course of its work, before what must not stand unheard. May raise as ``answer``."""
    await _acknowledge(interaction, QUIETLY)


async def turn_away(interaction: Interaction, sentence: str) -> None:
    """Say why there is no answer, where the answer was cancelled. May raise what UNREACHED names, and Overheard."""
    await _put(interaction, sentence, None)


async def _deliver(
    interaction: Interaction, reply: Reply, sentences: Sentences, delivery: Delivery
) -> PrivateMessage | None:
    """Bring the reply to its reader; return where it stands."""
    try:
        if reply.form is not None and not interaction.response.is_done():
            await interaction.response.send_modal(reply.form)
            return None
        said = sentences.too_slow() if reply.form is not None else reply.said
        if said is None:
            await _finish(interaction)
            return None
        return await _say(interaction, said, reply.at, sentences.no_file, delivery)
    except UNREACHED as error:
        if not is_refusal(error):
            raise
        log.warning("Discord refused an answer however it was drawn: %s", error)
    await _put(interaction, sentences.refused(), None)
    return None


async def _say(
    interaction: Interaction, said: Whisper, at: PrivateMessage | None, no_file: Callable[[], str], delivery: Delivery
) -> PrivateMessage:
    """Deliver an answer to its reader, or the plain form of the answer."""
    before = 0

    async def send(what: Whisper) -> PrivateMessage:
        nonlocal before
        before += 1
        try:
            return await _put(interaction, what, at)
        except discord.HTTPException as error:
            if before == 1 or at is None or error.code != ACKNOWLEDGED:
                raise
            return at  # a try before this one did get through

    return await delivery.deliver(
        interaction.user.id,
        said,
        send,
        lambda: None if isinstance(said, str) else private_replies.plain(said, no_file()),
        again=partial(delivery.in_time, interaction.id),
        helps=partial(is_refusal, uploads=private_replies.uploads(said)),
        as_ever=private_replies.is_a_file(said),
    )


async def _put(interaction: Interaction, said: Whisper, at: PrivateMessage | None) -> PrivateMessage:
    """Put something to read where it belongs, by how the interaction has been answered so far."""
    if interaction.response.type is LOADING:
        return await private_replies.keep_promise(interaction, said)
    late = interaction.response.is_done()
    if at is None or not isinstance(said, PrivateScreen):
        return await (private_replies.whisper_later if late else private_replies.whisper)(interaction, said)
    if late:
        await at.edit(said)
    else:
        await private_replies.replace_clicked(interaction, at, said)
    return at


async def _finish(interaction: Interaction) -> None:
    """Leave nothing to read."""
    await _acknowledge(interaction, QUIETLY)
    if interaction.response.type is LOADING:
        await interaction.delete_original_response()
