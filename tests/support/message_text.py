"""Messages as a user reads them.

Texts, buttons and their labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import discord
from simcord.results import InteractionResult

from bot.rules.core.cards import Card, Cards
from bot.show.hand.hand import STATUS_LINES
from bot.show.kit.card_codes import valued
from bot.show.kit.card_symbols import LINE, TEXT
from bot.show.kit.custom_ids import Press
from bot.show.kit.layout import EMPTY_LINE
from bot.show.table.questions import GIVEN

SMALL_PRINT = "-# "  # before a line of small print
MISSING_PERMISSIONS = "I'm missing permissions in"  # what a manager may read after any answer


@dataclass(frozen=True)
class ParsedMessage:
    """A parsed message.

    text: all texts. buttons: label -> (custom_id, disabled). selects: custom_id -> values. cards: the custom ids of
    card buttons, which are part of the text. given: the labels of answers marked as given.
    """

    text: str
    buttons: dict[str, tuple[str, bool]]
    selects: dict[str, tuple[str, ...]]
    cards: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @classmethod
    def of(cls, message: discord.Message) -> ParsedMessage:
        """Parse a message."""
        parts = list(walk_components(message.components))
        texts = [part.content for part in parts if isinstance(part, discord.TextDisplay)]
        there = [part for part in parts if isinstance(part, discord.Button)]
        held = [part for part in there if ":card:" in (part.custom_id or "")]
        asked = bool(held) or any(":choose:" in (part.custom_id or "") for part in there)
        texts = [_unwrapped(text) if asked or EMPTY_LINE in text else text for text in texts]
        buttons = {
            plain_label(part.label or str(part.emoji)): (part.custom_id or part.url or "", part.disabled)
            for part in there
            if part not in held
        }
        selects = {
            part.custom_id: tuple(option.value for option in part.options)
            for part in parts
            if isinstance(part, discord.SelectMenu)
        }
        naming = any(":name" in address for address, _ in buttons.values())
        said = "\n".join([message.content, *texts, *_hand([] if naming else held)]).strip()
        given = tuple(part.label or "" for part in there if str(part.emoji) == GIVEN)
        return cls(said, buttons, selects, tuple(str(part.custom_id) for part in held), given)


def _unwrapped(text: str) -> str:
    """Return the status below a hand without its line breaks; other texts unchanged."""
    lines = text.splitlines()
    if len(lines) < STATUS_LINES or not all(line.startswith(SMALL_PRINT) for line in lines):
        return text
    return SMALL_PRINT + " ".join(line.removeprefix(SMALL_PRINT) for line in lines).rstrip(f"{EMPTY_LINE} ")


def _hand(held: list[discord.Button]) -> Iterator[str]:
    """Return the text of card buttons as a reader sees it."""
    if held:
        yield f"Your {len(held)} card{'s' * (len(held) != 1)}"
        yield " ".join(str(part.emoji) if part.emoji else f"`{plain_label(part.label or '')}`" for part in held)


def plain_label(label: str) -> str:
    """Return a button's text without its mark of selection, and signs as plain text."""
    said = label.replace(LINE, "")
    return said.removesuffix(TEXT) if len(said) == 1 + len(TEXT) or said.endswith(f"▶{TEXT}") else said


def private_reply(result: InteractionResult) -> ParsedMessage:
    """Return a private answer's text, without missing permissions."""
    answers = [sent for sent in result.followups if MISSING_PERMISSIONS not in ParsedMessage.of(sent.message).text]
    message = answers[-1] if answers else result.response
    assert message is not None
    assert message.ephemeral
    return ParsedMessage.of(message.message)


def walk_components(components: Any) -> Iterator[Any]:
    """Yield every component, however deeply nested."""
    for component in components:
        yield component
        yield from walk_components(getattr(component, "children", ()))
        if isinstance(component, discord.SectionComponent):
            yield component.accessory


def custom_id(message: discord.Message, label: str) -> str:
    """Return the custom id of the button with this label.

    Raises LookupError without such a button.
    """
    buttons = ParsedMessage.of(message).buttons
    for text, (address, _) in buttons.items():
        if text == plain_label(label) or (label.endswith("…") and text.startswith(label[:-1])):
            return address
    raise LookupError(f"no button {label!r} among {list(buttons)}")


def option_value(there: Iterable[str], said: str) -> str | None:
    """Return the value of the option with this text, ignoring the state number."""
    return next((value for value in there if value == said or re.fullmatch(rf"{re.escape(said)} \d+", value)), None)


def card_buttons(message: discord.Message, pack: Cards) -> dict[str, tuple[Card, bool]]:
    """Return the cards that are buttons: address -> (card, whether it is picked).

    pack: of the game.
    """
    found = {}
    for part in walk_components(message.components):
        if isinstance(part, discord.Button) and ":card:" in (part.custom_id or ""):
            place = Press.read(str(part.custom_id)).part
            found[str(part.custom_id)] = pack[place], part.style is discord.ButtonStyle.primary
    return found


def picked(message: discord.Message, pack: Cards) -> Cards:
    """Return the cards that are picked on a screen, by buttons or in selects."""
    selects = [part for part in walk_components(message.components) if isinstance(part, discord.SelectMenu)]
    chosen = (
        option.value for part in selects if ":pick" in part.custom_id for option in part.options if option.default
    )
    return (*(card for card, blue in card_buttons(message, pack).values() if blue), *valued(chosen))
