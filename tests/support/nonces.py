"""What Discord remembers of nonces.

Shared by both simulated Discords, to be as strict as Discord.

* discord.py sets ``enforce_nonce`` always [discord.py 2.7.1, ``Messageable.send``]. A nonce is remembered for a few
  minutes, per sender and over all channels: a repeated one makes no message, and is answered with the first one
  [discord-api-docs, "Create Message"; #6647].
* Was that one deleted meanwhile, the answer is 404 with code 10008, by intent [discord.py #10116].
* At most 25 characters [discord-api-docs, "Create Message"].
* A message that is read later names no nonce.
"""

from __future__ import annotations

from typing import Any

NONCE_LIFETIME = 5 * 60.0  # seconds
MAX_NONCE_LENGTH = 25


class NonceTooLong(ValueError):
    """A nonce that Discord refuses as malformed."""


class Nonces:
    """The nonces of one sender. Times are seconds of one steady clock."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[float, int]] = {}

    def first(self, body: Any, now: float) -> int | None:
        """Return the id of the message that was sent with the nonce of this one, None for none.

        Raises TooLong.
        """
        nonce = _enforced(body)
        if nonce is not None and len(nonce) > MAX_NONCE_LENGTH:
            raise NonceTooLong(f"nonce: Must be {MAX_NONCE_LENGTH} or fewer in length.")
        at, message = self._sent.get(nonce or "", (now - NONCE_LIFETIME, 0))
        return message if now - at < NONCE_LIFETIME else None

    def sent(self, body: Any, message: int, now: float) -> None:
        """Remember the nonce of a message that has been sent."""
        if nonce := _enforced(body):
            self._sent[nonce] = now, message


def _enforced(body: Any) -> str | None:
    found = body.get("nonce") if body.get("enforce_nonce") else None
    return None if found is None else str(found)
