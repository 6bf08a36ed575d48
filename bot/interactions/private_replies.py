"""Private messages and where they may appear: the only code to unwrap private screens.

An interaction can change two messages through its token: the message named @original, which is the clicked message
after an update and the new message after a reply; and, by id, the clicked message in any case. So a private screen is
sent only where Discord's flags prove that no other user sees the message. The content of screens is made elsewhere.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, final

import discord

from bot.runtime.discord_requests import ALREADY_ACKNOWLEDGED, UNREACHED
from bot.show.kit import fallback, open_menus
from bot.show.kit.layout import PrivateFile, PrivateScreen, digest, has_same_texts, small
from bot.show.kit.open_menus import Menus

Interaction: TypeAlias = discord.Interaction[Any]
Whisper: TypeAlias = PrivateScreen | PrivateFile | str  # content for one reader
WHISPERED = "whispered"  # in an interaction's extras: whether the loading message is ephemeral
KEPT = "kept"  # in the extras: whether the loading message was filled

MAX_TEXT_LENGTH = 2000  # Discord's limit of characters; a refusal may quote all typed text


class PrivacyViolation(RuntimeError):
    """A private screen was about to be sent to several readers; nothing was sent."""


def is_direct_message(interaction: Interaction) -> bool:
    """Tell whether an interaction is in the user's direct messages with the bot.

    Direct messages between users have two readers.
    """
    return interaction.context.dm_channel


def is_private(interaction: Interaction, message: discord.Message) -> bool:
    """Tell whether only the user of this interaction sees a message of the bot."""
    return message.flags.ephemeral or is_direct_message(interaction)


@final
class PrivateMessage:
    """A message of the bot with one reader, editable with the token of an interaction."""

    def __init__(self, interaction: Interaction, message: discord.Message) -> None:
        if not is_private(interaction, message):
            raise PrivacyViolation("a public message is no private reply")
        self._token: Final = interaction
        self.id: Final = message.id
        self._message: Final = message
        self._redrawn: PrivateScreen | None = None  # the latest screen, if any was sent
        self._stands: int | None = None  # the digest of the current content, None if unknown
        self._edits = 0

    @property
    def menus(self) -> Menus:
        """The current menus of the message, possibly open on the reader's screen."""
        return (
            open_menus.menus_of_message(self._message)
            if self._redrawn is None
            else open_menus.menus_of_view(self._redrawn.secret)
        )

    def is_older_than(self, other: PrivateMessage) -> bool:
        """Tell whether the interaction of this message came before the other's."""
        return self._token.id < other._token.id

    @property
    def locale(self) -> str:
        """The reader's locale at Discord."""
        return str(self._token.locale)

    async def edit(self, screen: PrivateScreen) -> None:
        """Edit the message into a screen; an equal screen is not sent.

        May raise the errors in UNREACHED.
        """
        if self._stands is not None and self._stands == _digest(screen):
            return
        self._stands = None  # unknown until the response: an edit whose response is lost may have succeeded
        self._edits = number = self._edits + 1
        await self._token.followup.edit_message(self.id, **_changed(screen))
        if number == self._edits:
            self.replaced(screen)
        else:  # the order of concurrent edits is unknown
            self._redrawn, self._stands = screen, None

    def replaced(self, screen: PrivateScreen) -> None:
        """Record that the message now shows a screen."""
        self._edits += 1
        self._redrawn, self._stands = screen, _digest(screen)

    async def delete(self) -> None:
        """Delete the message. May raise the errors in UNREACHED."""
        await self._token.followup.delete_message(self.id)


def clicked_message(interaction: Interaction) -> PrivateMessage | None:
    """Return the clicked message, or the message of a submitted form, if private."""
    message = interaction.message
    return PrivateMessage(interaction, message) if message is not None and is_private(interaction, message) else None


# Sending


async def send_ephemeral(interaction: Interaction, content: Whisper) -> PrivateMessage:
    """Respond with a new ephemeral message."""
    try:
        sent = await interaction.response.send_message(ephemeral=True, **_content(content))
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        return await _before(interaction, error)
    if not isinstance(sent.resource, discord.Message):
        raise TypeError("Discord has not said which message this is")
    return PrivateMessage(interaction, sent.resource)


async def _before(interaction: Interaction, error: discord.HTTPException) -> PrivateMessage:
    """Return the message of an earlier successful attempt.

    Raises the given error if there is none.
    """
    try:
        message = await interaction.original_response()
    except UNREACHED:
        raise error from None
    if not is_private(interaction, message):
        raise error
    return PrivateMessage(interaction, message)


def is_loading(interaction: Interaction) -> bool:
    """Tell whether a loading message is still unfilled: a message sent now would fill it."""
    loading = interaction.response.type is discord.InteractionResponseType.deferred_channel_message
    return loading and not interaction.extras.get(KEPT)


async def send_followup(interaction: Interaction, content: Whisper) -> PrivateMessage:
    """Send a further ephemeral message, after a response or a deferred update."""
    if is_loading(interaction):
        raise PrivacyViolation("what is sent now would fill the message that loads")  # with the loading message's flags
    sent = await interaction.followup.send(ephemeral=True, wait=True, **_content(content))
    return PrivateMessage(interaction, sent)


async def send_loading(interaction: Interaction) -> None:
    """Respond with an ephemeral loading message."""
    sent = await interaction.response.defer(ephemeral=True, thinking=True)
    interaction.extras[WHISPERED] = is_direct_message(interaction) or (sent is not None and sent.is_ephemeral())


async def fill_loading(interaction: Interaction, content: Whisper) -> PrivateMessage:
    """Fill the loading message."""
    if not interaction.extras.get(WHISPERED):
        raise PrivacyViolation("what loads here is not for one reader alone")
    filled = await interaction.edit_original_response(**_changed(content))
    interaction.extras[KEPT] = True
    return PrivateMessage(interaction, filled)


async def replace_clicked(interaction: Interaction, at: PrivateMessage, screen: PrivateScreen) -> None:
    """Respond by editing the clicked private message into a screen."""
    message = interaction.message
    if message is None or message.id != at.id or not is_private(interaction, message):
        raise PrivacyViolation("others see what was clicked on")
    await interaction.response.edit_message(**_changed(screen))
    at.replaced(screen)


async def send_directly(
    channel: discord.DMChannel | discord.PartialMessageable, screen: PrivateScreen, nonce: str, *, silent: bool = False
) -> discord.Message:
    """Send a direct message.

    nonce: constant over all attempts. silent: without a notification sound.
    """
    if channel.type is not discord.ChannelType.private:
        raise PrivacyViolation("others read this channel")
    return await channel.send(view=screen.secret, nonce=nonce, silent=silent)


def says_the_same(screen: PrivateScreen, message: discord.Message) -> bool:
    """Tell whether a message has the text of a screen."""
    return has_same_texts(screen.secret, message)


async def change_directly(message: discord.PartialMessage, screen: PrivateScreen) -> None:
    """Edit a direct message into a screen."""
    if message.channel.type is not discord.ChannelType.private:
        raise PrivacyViolation("others read this channel")
    await message.edit(view=screen.secret)


# Plain forms


def in_text(screen: PrivateScreen) -> PrivateScreen:
    """Return a screen with its cards as text."""
    return replace(screen, secret=fallback.in_text(screen.secret))


def plain(content: PrivateScreen | PrivateFile, lost: str) -> PrivateScreen | str:
    """Return a screen with cards as text and pictures as words, or the text of a keepsake.

    lost: the sentence that replaces a file.
    """
    if isinstance(content, PrivateFile):
        return f"{content.text}\n{small(lost)}"
    return PrivateScreen(fallback.without_files(fallback.in_text(content.secret), lost))


def uploads(content: Whisper) -> bool:
    """Tell whether an answer has a file."""
    return isinstance(content, PrivateFile) or (isinstance(content, PrivateScreen) and bool(content.files))


def is_a_file(content: Whisper) -> bool:
    """Tell whether a file is the point of an answer, unlike a picture of the same text."""
    if isinstance(content, PrivateScreen):
        return bool(content.files) and fallback.shows_file(content.secret)
    return isinstance(content, PrivateFile)


def _digest(screen: PrivateScreen) -> int | None:
    """Return the digest of a screen; None for a screen with files, which is always sent."""
    return None if screen.files else digest(screen.secret)


def _content(content: Whisper) -> Mapping[str, Any]:
    """Return the arguments of a new message."""
    if isinstance(content, str):
        return {"content": content if len(content) <= MAX_TEXT_LENGTH else f"{content[: MAX_TEXT_LENGTH - 1]}…"}
    if isinstance(content, PrivateFile):
        return {"content": content.text, "files": _files(content.picture, *([content.also] if content.also else []))}
    return {"view": content.secret, "files": _files(*content.files)} if content.files else {"view": content.secret}


def _changed(content: Whisper) -> Mapping[str, Any]:
    """Return the arguments of an edit."""
    fields = dict(_content(content))
    return fields | {"attachments": fields.pop("files")} if "files" in fields else fields


def _files(*files: tuple[str, bytes]) -> list[discord.File]:
    return [discord.File(io.BytesIO(what), name) for name, what in files]
