"""Replies to interactions, sent within Discord's time limit, however slow the work is.

All replies are private; the public boards are changed elsewhere. So the reply to a click on any message is a new
private message, an edit of a private message, or no message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord

from bot.interactions import private_replies
from bot.interactions.private_replies import Interaction, PrivateMessage, Whisper
from bot.runtime.discord_requests import ALREADY_ACKNOWLEDGED, UNREACHED, FallbackSender, is_refusal
from bot.runtime.metrics import Progress
from bot.runtime.tasks import start_awaited
from bot.show.kit.layout import PrivateFile, PrivateScreen

log = logging.getLogger(__name__)

ACKNOWLEDGE_AFTER = 1.2  # seconds before an unanswered interaction is acknowledged; Discord allows three
FORM_PATIENCE = 2.4  # for a form: after an acknowledgement no form can be opened
ACKNOWLEDGING = "acknowledging"  # in an interaction's extras: whether an acknowledgement is under way
LOADING = discord.InteractionResponseType.deferred_channel_message
Landed = Callable[[PrivateMessage | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A private reply: a screen, a keepsake, a sentence, or (all None) no message.

    at: the private message to edit into the screen; None for a new one. form: a form to open instead. landed: called
    with the reply's message, None if it was not delivered.
    """

    view: PrivateScreen | None = None
    text: str | None = field(default=None, repr=False)
    private_file: PrivateFile | None = None
    at: PrivateMessage | None = None
    form: discord.ui.Modal | None = None
    landed: Landed | None = None

    @property
    def content(self) -> Whisper | None:
        """The content of the reply."""
        return self.view if self.view is not None else self.private_file if self.private_file is not None else self.text


DONE = Reply()


@dataclass(frozen=True, slots=True)
class AnswerMode:
    """How to answer a kind of interaction.

    quiet: usually without a message, so no loading message is shown. first: acknowledge before the work starts. form:
    the answer is a form. slow: the answer is a new message after a long time, so a loading message is always shown.
    """

    quiet: bool = False
    first: bool = False
    form: bool = False
    slow: bool = False


PLAINLY, QUIETLY, REACH_FIRST, WITH_FORM = (
    AnswerMode(),
    AnswerMode(quiet=True),
    AnswerMode(first=True),
    AnswerMode(form=True),
)
SLOWLY, QUIETLY_FIRST = AnswerMode(slow=True), AnswerMode(quiet=True, first=True)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences that replace an answer.

    too_slow: for a form ready too late to open. refused: for an answer that Discord refuses in every form. no_file: for
    a file that Discord refuses.
    """

    too_slow: Callable[[], str]
    refused: Callable[[], str]
    no_file: Callable[[], str]


async def answer(
    interaction: Interaction,
    work: Callable[[], Coroutine[Any, Any, Reply]],
    mode: AnswerMode,
    sentences: Sentences,
    *,
    sender: FallbackSender,
    on_progress: Callable[[Progress], None] | None = None,
) -> None:
    """Answer an interaction with the result of the work.

    Acknowledges first if the work takes long. on_progress: called with the progress. May raise the errors in UNREACHED;
    the work is done nevertheless, except for a mode with `first`. Cancelling the answer cancels the work.
    """
    if mode.first:
        await _acknowledge(interaction, mode, on_progress)
    task = start_awaited(work())
    message = None
    try:
        await asyncio.wait({task}, timeout=FORM_PATIENCE if mode.form else ACKNOWLEDGE_AFTER)
        if not task.done():
            await _acknowledge(interaction, mode, on_progress)
        message = await _deliver(interaction, await task, sentences, sender)
        if on_progress:
            on_progress("answered")
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        if notify := (await task).landed:
            notify(message)


async def _acknowledge(
    interaction: Interaction, mode: AnswerMode, on_progress: Callable[[Progress], None] | None = None
) -> None:
    """Acknowledge an interaction invisibly, or by a loading message.

    A click on a private message or with a quiet mode is acknowledged invisibly, except with a slow mode.
    """
    if interaction.response.is_done() or interaction.extras.get(ACKNOWLEDGING):
        return
    interaction.extras[ACKNOWLEDGING] = True
    try:
        clicked = interaction.message is not None
        if not mode.slow and (private_replies.clicked_message(interaction) or (clicked and mode.quiet)):
            await interaction.response.defer()
        else:
            await private_replies.send_loading(interaction)
    finally:
        del interaction.extras[ACKNOWLEDGING]
    if on_progress:
        on_progress("acknowledged")


async def reach(interaction: Interaction) -> None:
    """Acknowledge a click during its work, before a step that requires a reachable user.

    Raises as ``answer``.
    """
    await _acknowledge(interaction, QUIETLY)


async def reject(interaction: Interaction, sentence: str) -> None:
    """Answer a cancelled interaction with a sentence.

    May raise the errors in UNREACHED, and PrivacyViolation.
    """
    await _send_once(interaction, sentence, None)


async def _deliver(
    interaction: Interaction, reply: Reply, sentences: Sentences, sender: FallbackSender
) -> PrivateMessage | None:
    """Send the reply to the user; return its message."""
    try:
        if reply.form is not None and not interaction.response.is_done():
            await interaction.response.send_modal(reply.form)
            return None
        content = sentences.too_slow() if reply.form is not None else reply.content
        if content is None:
            await _finish(interaction)
            return None
        return await _send(interaction, content, reply.at, sentences.no_file, sender=sender)
    except UNREACHED as error:
        if not is_refusal(error):
            raise
        log.warning("Discord refused an answer however it was drawn: %s", error)
    await _send_once(interaction, sentences.refused(), None)
    return None


async def _send(
    interaction: Interaction,
    content: Whisper,
    at: PrivateMessage | None,
    no_file: Callable[[], str],
    *,
    sender: FallbackSender,
) -> PrivateMessage:
    """Send a text or a screen, or its plain form after a refusal."""
    attempts = 0

    async def try_to_send(form: Whisper) -> PrivateMessage:
        nonlocal attempts
        attempts += 1
        try:
            return await _send_once(interaction, form, at)
        except discord.HTTPException as error:
            if attempts == 1 or at is None or error.code != ALREADY_ACKNOWLEDGED:
                raise
            return at  # an earlier attempt succeeded

    return await sender.deliver(
        interaction.user.id,
        content,
        try_to_send,
        lambda: None if isinstance(content, str) else private_replies.plain(content, no_file()),
        again=partial(sender.in_time, interaction.id),
        helps=partial(is_refusal, uploads=private_replies.uploads(content)),
        ignore_breaker=private_replies.is_a_file(content),
    )


async def _send_once(interaction: Interaction, content: Whisper, at: PrivateMessage | None) -> PrivateMessage:
    """Send a text or a screen in the way that fits the interaction's response so far."""
    if interaction.response.type is LOADING:
        return await private_replies.fill_loading(interaction, content)
    late = interaction.response.is_done()
    if at is None or not isinstance(content, PrivateScreen):
        return await (private_replies.send_followup if late else private_replies.send_ephemeral)(interaction, content)
    if late:
        await at.edit(content)
    else:
        await private_replies.replace_clicked(interaction, at, content)
    return at


async def _finish(interaction: Interaction) -> None:
    """Complete the response without a message."""
    await _acknowledge(interaction, QUIETLY)
    if interaction.response.type is LOADING:
        await interaction.delete_original_response()
