"""Reading messages as a person does: the words on the screen, the buttons and what they are called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import discord
from simcord.results import InteractionResult


@dataclass(frozen=True)
class Shown:
    """A message taken apart. text: all words. buttons: label -> (custom_id, disabled). selects: custom_id -> values."""

    text: str
    buttons: dict[str, tuple[str, bool]]
    selects: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, message: discord.Message) -> Shown:
        """Take a message apart."""
        parts = list(walk(message.components))
        texts = [part.content for part in parts if isinstance(part, discord.TextDisplay)]
        buttons = {
            part.label or str(part.emoji): (part.custom_id or part.url or "", part.disabled)
            for part in parts
            if isinstance(part, discord.Button)
        }
        selects = {
            part.custom_id: tuple(option.value for option in part.options)
            for part in parts
            if isinstance(part, discord.SelectMenu)
        }
        return cls("\n".join([message.content, *texts]).strip(), buttons, selects)


def private(result: InteractionResult) -> Shown:
    """Return what an answer shows to the person who asked, and to nobody else."""
    message = result.followups[-1] if result.followups else result.response
    assert message is not None
    assert message.ephemeral
    return Shown.of(message.message)


def walk(components: Any) -> Iterator[Any]:
    """Yield every component, however deeply nested."""
    for component in components:
        yield component
        yield from walk(getattr(component, "children", ()))
        if isinstance(component, discord.SectionComponent):
            yield component.accessory


def custom_id(message: discord.Message, label: str) -> str:
    """Return the address of the button with this label. Raises LookupError where there is none."""
    buttons = Shown.of(message).buttons
    for text, (address, _) in buttons.items():
        if text == label or (label.endswith("…") and text.startswith(label[:-1])):
            return address
    raise LookupError(f"no button {label!r} among {list(buttons)}")
