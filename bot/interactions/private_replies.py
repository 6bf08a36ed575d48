"""What only one person reads, and where it may stand: the one place that opens a private screen.

Knows which messages others see. An interaction can change two messages through its token: the one it names @original,
which after an update is the one that was clicked on and after a new message that new one; and by its id the one that
was clicked on, whatever the answer was. So a private screen goes only where Discord's flags say that nobody else looks.
Refuses to know what is on a screen.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, final

import discord

from bot.runtime.discord_failures import UNREACHED
from bot.runtime.message_attempts import ACKNOWLEDGED
from bot.show.kit import fallback, open_menus
from bot.show.kit.layout import Keepsake, PrivateScreen, digest, small, stands_in
from bot.show.kit.open_menus import Menus

Interaction: TypeAlias = discord.Interaction[Any]
Whisper: TypeAlias = PrivateScreen | Keepsake | str  # what one person gets to read
WHISPERED = "whispered"  # in the extras of an interaction: whether what it shows as loading is for one reader alone
KEPT = "kept"  # in the extras: whether that message is filled

LONGEST = 2000  # characters Discord takes; a refusal may cite all that somebody has typed


class Overheard(RuntimeError):
    """Something private was about to be put where others read it; nothing has been sent."""


def alone(interaction: Interaction) -> bool:
    """Tell whether this happens in somebody's own conversation with the bot; other direct messages have two readers."""
    return interaction.context.dm_channel


def is_private(interaction: Interaction, message: discord.Message) -> bool:
    """Tell whether only the person of this interaction sees a message of the bot."""
    return message.flags.ephemeral or alone(interaction)


@final
class PrivateMessage:
    """A message of the bot that only one person sees, and that this interaction's token can change."""

    def __init__(self, interaction: Interaction, message: discord.Message) -> None:
        if not is_private(interaction, message):
            raise Overheard("a message that everybody sees is no private one")
        self._token: Final = interaction
        self.id: Final = message.id
        self._message: Final = message
        self._redrawn: PrivateScreen | None = None  # what has been put there since
        self._stands: int | None = None  # the digest of what stands there, None where that is not known
        self._edits = 0

    @property
    def menus(self) -> Menus:
        """The menus that stand there now, which its reader may have open."""
        return open_menus.shown(self._message) if self._redrawn is None else open_menus.drawn(self._redrawn.secret)

    def is_older_than(self, other: PrivateMessage) -> bool:
        """Tell whether its interaction came before the other's."""
        return self._token.id < other._token.id

    @property
    def locale(self) -> str:
        """What its reader reads, as Discord names it."""
        return str(self._token.locale)

    async def edit(self, screen: PrivateScreen) -> None:
        """Let this stand there; nothing is sent where it does already. May raise what UNREACHED names."""
        if self._stands is not None and self._stands == _digest(screen):
            return
        self._stands = None  # until the answer is there: an edit whose answer is lost may have been made
        self._edits = number = self._edits + 1
        await self._token.followup.edit_message(self.id, **_changed(screen))
        if number == self._edits:
            self.replaced(screen)
        else:  # it is not known which of the edits came last
            self._redrawn, self._stands = screen, None

    def replaced(self, screen: PrivateScreen) -> None:
        """Note that this stands there now."""
        self._edits += 1
        self._redrawn, self._stands = screen, _digest(screen)

    async def delete(self) -> None:
        """Take it away. May raise what UNREACHED names."""
        await self._token.followup.delete_message(self.id)


def clicked(interaction: Interaction) -> PrivateMessage | None:
    """Return the message that was clicked on, or whose form was sent off, where only this person sees it."""
    message = interaction.message
    return PrivateMessage(interaction, message) if message is not None and is_private(interaction, message) else None


# How private things are sent


async def whisper(interaction: Interaction, what: Whisper) -> PrivateMessage:
    """Answer with a new message that only this person sees."""
    try:
        sent = await interaction.response.send_message(ephemeral=True, **_content(what))
    except discord.HTTPException as error:
        if error.code != ACKNOWLEDGED:
            raise
        return await _before(interaction, error)
    if not isinstance(sent.resource, discord.Message):
        raise TypeError("Discord has not said which message this is")
    return PrivateMessage(interaction, sent.resource)


async def _before(interaction: Interaction, error: discord.HTTPException) -> PrivateMessage:
    """Return the message of an earlier try that got through. Raises the error of this try without such a message."""
    try:
        message = await interaction.original_response()
    except UNREACHED:
        raise error from None
    if not is_private(interaction, message):
        raise error
    return PrivateMessage(interaction, message)


def is_loading(interaction: Interaction) -> bool:
    """Tell whether a message loads that was promised and has not come: what is sent now would fill it."""
    loading = interaction.response.type is discord.InteractionResponseType.deferred_channel_message
    return loading and not interaction.extras.get(KEPT)


async def whisper_later(interaction: Interaction, what: Whisper) -> PrivateMessage:
    """Send a new message that only this person sees, after the answer or after an update that was promised."""
    if is_loading(interaction):
        raise Overheard("what is sent now would fill the message that loads")  # with the flags of that one
    sent = await interaction.followup.send(ephemeral=True, wait=True, **_content(what))
    return PrivateMessage(interaction, sent)


async def promise(interaction: Interaction) -> None:
    """Show this person, and nobody else, that an answer will come."""
    sent = await interaction.response.defer(ephemeral=True, thinking=True)
    interaction.extras[WHISPERED] = alone(interaction) or (sent is not None and sent.is_ephemeral())


async def keep_promise(interaction: Interaction, what: Whisper) -> PrivateMessage:
    """Fill the message that was promised."""
    if not interaction.extras.get(WHISPERED):
        raise Overheard("what loads here is not for one reader alone")
    filled = await interaction.edit_original_response(**_changed(what))
    interaction.extras[KEPT] = True
    return PrivateMessage(interaction, filled)


async def replace_clicked(interaction: Interaction, at: PrivateMessage, screen: PrivateScreen) -> None:
    """Answer by what stands from now on in the private message that was clicked on."""
    message = interaction.message
    if message is None or message.id != at.id or not is_private(interaction, message):
        raise Overheard("others see what was clicked on")
    await interaction.response.edit_message(**_changed(screen))
    at.replaced(screen)


async def send_directly(
    channel: discord.DMChannel | discord.PartialMessageable, screen: PrivateScreen, nonce: str, *, silent: bool = False
) -> discord.Message:
    """Send somebody a direct message. nonce: the same for every try. silent: without a sound."""
    if channel.type is not discord.ChannelType.private:
        raise Overheard("others read this channel")
    return await channel.send(view=screen.secret, nonce=nonce, silent=silent)


def says_the_same(screen: PrivateScreen, message: discord.Message) -> bool:
    """Tell whether all that is read on a screen stands in a message."""
    return stands_in(screen.secret, message)


async def change_directly(message: discord.PartialMessage, screen: PrivateScreen) -> None:
    """Let something else stand in a direct message."""
    if message.channel.type is not discord.ChannelType.private:
        raise Overheard("others read this channel")
    await message.edit(view=screen.secret)


# The plain form of an answer


def in_text(screen: PrivateScreen) -> PrivateScreen:
    """Return a screen with its cards as text."""
    return replace(screen, secret=fallback.in_text(screen.secret))


def plain(what: PrivateScreen | Keepsake, lost: str) -> PrivateScreen | str:
    """Return a screen with cards as text and pictures in words, or the text of a keepsake.

    lost: the sentence in the place of a file.
    """
    if isinstance(what, Keepsake):
        return f"{what.text}\n{small(lost)}"
    return PrivateScreen(fallback.without_files(fallback.in_text(what.secret), lost))


def uploads(what: Whisper) -> bool:
    """Tell whether an answer has a file."""
    return isinstance(what, Keepsake) or (isinstance(what, PrivateScreen) and bool(what.files))


def is_a_file(what: Whisper) -> bool:
    """Tell whether an answer is a file, not a screen with a picture beside the same in words."""
    if isinstance(what, PrivateScreen):
        return bool(what.files) and fallback.shows_file(what.secret)
    return isinstance(what, Keepsake)


def _digest(screen: PrivateScreen) -> int | None:
    """Return the digest of what stands on a screen; None of one with files, which is always sent."""
    return None if screen.files else digest(screen.secret)


def _content(what: Whisper) -> Mapping[str, Any]:
    """Return what a new message says."""
    if isinstance(what, str):
        return {"content": what if len(what) <= LONGEST else f"{what[: LONGEST - 1]}…"}
    if isinstance(what, Keepsake):
        return {"content": what.text, "files": _files(what.picture, *([what.also] if what.also else []))}
    return {"view": what.secret, "files": _files(*what.files)} if what.files else {"view": what.secret}


def _changed(what: Whisper) -> Mapping[str, Any]:
    """Return what a message says from now on."""
    said = dict(_content(what))
    return said | {"attachments": said.pop("files")} if "files" in said else said


def _files(*files: tuple[str, bytes]) -> list[discord.File]:
    return [discord.File(io.BytesIO(what), name) for name, what in files]
