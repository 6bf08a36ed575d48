"""Finds the table that a raw interaction refers to. The owner of the table is looked up elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Browse, InvalidCustomId, Press
from bot.show.kit.old_custom_ids import read

COMMANDS: Final = (2, 4)  # types of interactions: command, and autocompletion
CLICK: Final = 3
FORM: Final = 5


def table_of(data: Mapping[str, Any]) -> TableId | None:
    """Return the table that an interaction refers to, None without a reference."""
    said = data.get("data") or {}
    if data["type"] == CLICK:
        try:
            address = read(str(said.get("custom_id")))
        except InvalidCustomId:
            return None
        return address.table if isinstance(address, Press) else None
    if data["type"] == FORM:
        first, *_ = (*_words(str(said.get("custom_id"))), "")
        return TableId(int(first)) if first.isdecimal() else None
    if data["type"] in COMMANDS:
        return next((TableId(option["value"]) for option in _options(said) if _names_a_table(option)), None)
    return None


def _words(custom_id: str) -> tuple[str, ...]:
    """Return the arguments in a form's custom id; the first is its table, if it has one."""
    try:
        return Browse.read(custom_id).args
    except InvalidCustomId:
        return ()


def _options(said: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for option in said.get("options") or ():
        yield option
        yield from _options(option)


def _names_a_table(option: Mapping[str, Any]) -> bool:
    return option.get("name") == "table" and isinstance(option.get("value"), int)
