"""Which table an interaction is about, read off it as it came from Discord. Refuses to know where that table is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Browse, Press, Unaddressed
from bot.show.kit.old_custom_ids import read

COMMANDS: Final = (2, 4)  # kinds of interactions: a command, and what is typed of one
CLICK: Final = 3
FORM: Final = 5


def table_of(data: Mapping[str, Any]) -> TableId | None:
    """Return the table that an interaction is about, None where it names none."""
    said = data.get("data") or {}
    if data["type"] == CLICK:
        try:
            address = read(str(said.get("custom_id")))
        except Unaddressed:
            return None
        return address.table if isinstance(address, Press) else None
    if data["type"] == FORM:
        first, *_ = (*_words(str(said.get("custom_id"))), "")
        return TableId(int(first)) if first.isdecimal() else None
    if data["type"] in COMMANDS:
        return next((TableId(option["value"]) for option in _options(said) if _names_a_table(option)), None)
    return None


def _words(custom_id: str) -> tuple[str, ...]:
    """Return the words of a form's address, the first of which is its table, where it is about one."""
    try:
        return Browse.read(custom_id).args
    except Unaddressed:
        return ()


def _options(said: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for option in said.get("options") or ():
        yield option
        yield from _options(option)


def _names_a_table(option: Mapping[str, Any]) -> bool:
    return option.get("name") == "table" and isinstance(option.get("value"), int)
