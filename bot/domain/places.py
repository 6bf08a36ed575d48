"""The channel whose permissions govern who may see a table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.ids import ChannelId


@dataclass(frozen=True, slots=True)
class Place:
    """The channel whose permissions decide who may see a channel or thread.

    channel: a public thread's parent channel; otherwise the channel or thread itself. hidden: whether @everyone cannot
    see the channel.
    """

    channel: ChannelId
    hidden: bool = False


NOWHERE = Place(ChannelId(0))  # for matches from before places were recorded
