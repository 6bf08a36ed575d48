"""Ids of people in texts that people have typed, such as the mention `<@123456789012345678>`.

Refuses to know what kind of id a number is: a channel's looks the same.
"""

from __future__ import annotations

import re
from typing import Final

from bot.domain.ids import UserId

ID: Final = re.compile(r"(?<!\d)\d{15,20}(?!\d)")
LARGEST: Final = 2**63  # no id is as large
REMOVED: Final = "…"  # replaces the id of a person whose data is deleted


def ids_in(text: str) -> frozenset[UserId]:
    """Return the numbers in a text that may be ids of people."""
    return frozenset(UserId(number) for found in ID.findall(text) if (number := int(found)) < LARGEST)


def without_id(text: str, user: UserId) -> str:
    """Return a text without the id of a person."""
    return re.sub(rf"(?<!\d){user}(?!\d)", REMOVED, text)
