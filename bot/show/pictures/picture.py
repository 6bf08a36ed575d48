"""A picture for a message: its content, the same in words, and its file name."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2s
from typing import Protocol

ALT = 1024  # Discord's limit for the description of a picture, in characters


class Drawable(Protocol):
    """The content of a picture, in plain values: equal contents give the same bytes."""

    def png(self) -> bytes:
        """Return the PNG bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a message. look: the content; told: the same in words, at most 1,024 characters."""

    look: Drawable
    told: str

    @property
    def name(self) -> str:
        """The file name: different for each content, so that no cached older picture is shown."""
        return f"table-{blake2s(repr(self.look).encode(), digest_size=6).hexdigest()}.png"

    def png(self) -> bytes:
        """Return the PNG bytes; the same bytes for the same content."""
        return self.look.png()
