"""What every player knows of a hand: each of its parts that no viewer has to imagine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from bot.rules.core.trick import Combo

HIDDEN: Mapping[str, AbstractSet[str]] = {
    "BigTwoGame": {
        "hands",
        "stock",
        "shown",
        "breach",
        "dealt.luck",
        "dealt.extra",
        "dealt.facts",
        "progress.private_notes",
        "progress.low",
        "progress.starter",
        "progress.charged",
        "progress.final",
    },
    "TienLenGame": {"hands", "hidden_cards"},
    "ABaoBidding": {"hands", "luck", "sealed", "known.seen", "private_notes", "given"},
    "ABaoGame": {"hands", "known.seen", "private_notes", "bid.bound"},
    "BigADraw": {"stack.order", "luck", "declaration.acts", "fresh", "given", "standing", "sealed", "private_notes"},
    "BigAGame": {"hands", "sides.partner", "private_notes", "known"},
    "BigLittleAGame": {"hands", "unused", "naming", "middle.known"},
}
"""Parts of a hand that a viewer does not know, or knows in part or in another order, by the name of its class."""


def known_parts(game: Any) -> dict[str, Any]:
    """Return the parts of a hand that every player knows, under their names."""
    name = type(game).__name__
    return {part: value for part, value in parts(game) if part not in HIDDEN[name]} | {"": name}


def parts(thing: Any, within: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all parts of a named tuple, those of its parts under names with a dot."""
    for name, value in thing._asdict().items():
        if hasattr(value, "_asdict") and not isinstance(value, Combo):
            yield from parts(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value
