"""Replies to interactions: a message for one reader, a form, or no message.

All replies are private; the public boards are changed elsewhere. So the reply to a click on any message is a new
private message, an edit of a private message, or no message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import discord

from bot.interactions.private_replies import PrivateMessage, Whisper
from bot.show.kit.layout import PrivateFile, PrivateScreen

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
