"""Where something happens, as far as it decides who may see it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.ids import ChannelId


@dataclass(frozen=True, slots=True)
class Place:
    """Whose rights decide who may see what happens in a channel or thread.

    channel: of a public thread the one it belongs to, else itself. hidden: whether @everyone sees nothing of it.
    """

    channel: ChannelId
    hidden: bool = False


NOWHERE = Place(ChannelId(0))  # before it was noted where a match was played
