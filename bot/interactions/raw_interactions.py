"""Interactions as they arrive: what can be neither read nor sent back is taken out before discord.py hears of it.

Refuses to know what an interaction is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import discord

ARRIVED: Final = "INTERACTION_CREATE"
CLICK: Final = discord.InteractionType.component.value
NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")  # what UTF-8 does not have, and PostgreSQL does not keep
UNREADABLE: Final = "\ufffd"
SNOWFLAKES: Final = (6, 7, 8, 9, 11)  # kinds of options whose value is the number of something on Discord
SNOWFLAKE: Final = re.compile(r"[0-9]{1,20}")


def read_first(bot: discord.Client) -> None:
    """Have interactions made readable before discord.py parses them, but clicks, in which nothing is typed."""
    parsers = bot._connection.parsers  # nothing public comes before them
    parse = parsers[ARRIVED]
    parsers[ARRIVED] = lambda data: parse(data if data.get("type") == CLICK else readable(data))


def readable(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an interaction without what discord.py cannot read and Discord does not take back.

    Half of a surrogate pair and U+0000, which are no text, become U+FFFD. A person, channel or role that is still being
    typed is left out: discord.py takes its value for a number.
    """
    return {**data, "data": _readable(data.get("data", {}))}


def _readable(part: Any) -> Any:
    if isinstance(part, str):
        return NO_TEXT.sub(UNREADABLE, part)
    if isinstance(part, list):
        return [_readable(each) for each in part if not _is_half_chosen(each)]
    return {name: _readable(each) for name, each in part.items()} if isinstance(part, dict) else part


def _is_half_chosen(option: Any) -> bool:
    """Tell whether an option names a person, a channel or a role of which no number is known yet."""
    named = isinstance(option, dict) and option.get("type") in SNOWFLAKES and {"name", "value"} <= option.keys()
    return named and not SNOWFLAKE.fullmatch(str(option["value"]))
