"""A picture for a message: what it shows, the same in words, and the name of its file.

Refuses to know what any picture shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2s
from typing import Protocol

ALT = 1024  # characters that Discord takes for what a picture shows


class Drawable(Protocol):
    """What a picture shows, in plain values: what is equal is drawn to the same bytes."""

    def png(self) -> bytes:
        """Return the bytes of the picture."""
        ...


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a message. look: what it shows; told: the same in words, at most 1,024 characters."""

    look: Drawable
    told: str

    @property
    def name(self) -> str:
        """The name of its file: another one for another look, so that no old picture is shown for a new one."""
        return f"table-{blake2s(repr(self.look).encode(), digest_size=6).hexdigest()}.png"

    def png(self) -> bytes:
        """Return its bytes; the same ones for the same look."""
        return self.look.png()
