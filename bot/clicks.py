"""Every button and select the bot has ever sent, old and new: one dynamic item, addressed by custom_id alone.

Knows how a click finds its handler. Refuses to know what any handler does.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import discord
from discord import ui

from bot.answer import Reply
from bot.show.ids import Browse, Pick, Press, Unaddressed

if TYPE_CHECKING:
    from bot.client import Bigger

Address: TypeAlias = Press | Pick | Browse


@dataclass(frozen=True, slots=True)
class Clicked:
    """A click on something the bot has sent, or a form sent off.

    values: what is chosen now in a select. filled: what stands in the form, by field.
    """

    interaction: discord.Interaction[Bigger]
    address: Address
    values: tuple[str, ...] = ()
    filled: Mapping[str, str] = field(default_factory=dict)

    @property
    def private(self) -> bool:
        """Whether only the person who clicked sees what they clicked on."""
        message = self.interaction.message
        return message is not None and (message.flags.ephemeral or self.interaction.guild_id is None)

    @property
    def button(self) -> Press:
        """The address of a button about a table."""
        return cast(Press, self.address)

    @property
    def pick(self) -> Pick:
        """The address of a select about a table."""
        return cast(Pick, self.address)

    @property
    def browse(self) -> Browse:
        """The address of a component that is not about a running table."""
        return cast(Browse, self.address)


@dataclass(frozen=True, slots=True)
class Handler:
    """What answers a click. update: the answer changes the private screen that was clicked on, or nothing."""

    work: Callable[[Clicked], Awaitable[Reply]]
    update: bool = False


class Click(ui.DynamicItem[ui.Item[Any]], template=r"b[gpv]:.+"):
    """Any component of the bot."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], _match: re.Match[str]
    ) -> Click:
        """Take the component as it stands in the message."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the click to the bot."""
        await interaction.client.clicked(interaction, self.custom_id)


def read_address(custom_id: str) -> Address:
    """Return where a custom_id points. Raises Unaddressed."""
    kinds: dict[str, Callable[[str], Address]] = {"bg": Press.read, "bp": Pick.read, "bv": Browse.read}
    read = kinds.get(custom_id[:2])
    if read is None:
        raise Unaddressed(custom_id)
    return read(custom_id)


def key(address: Address) -> tuple[type[Address], str]:
    """Return under what a handler for this address is kept: its kind and verb."""
    return type(address), str(address.verb)
