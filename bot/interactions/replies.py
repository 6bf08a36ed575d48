"""What comes back for a click or a command: something for one reader, a form, or nothing but the effect.

Everything here is private. What everybody sees is shown by the boards, never by an answer; so whatever was clicked on,
the answer is a new message for its reader, a change of a message that is theirs already, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import discord

from bot.interactions.private_replies import PrivateMessage, Whisper
from bot.show.kit.layout import Keepsake, PrivateScreen

Landed = Callable[[PrivateMessage | None], None]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person gets to see, and only they: a screen, a keepsake, a sentence, or (all None) nothing but the effect.

    at: the private message that becomes the screen; a new one without. form: what to fill in instead.
    landed: told where it can be read, once it is there; None where it did not get there.
    """

    view: PrivateScreen | None = None
    text: str | None = field(default=None, repr=False)
    keepsake: Keepsake | None = None
    at: PrivateMessage | None = None
    form: discord.ui.Modal | None = None
    landed: Landed | None = None

    @property
    def said(self) -> Whisper | None:
        """What there is to read."""
        return self.view if self.view is not None else self.keepsake if self.keepsake is not None else self.text


DONE = Reply()
