"""Results and notes of hands as plain, JSON-compatible data, and back.

Only the types that results consist of are supported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from bot.rules.core.cards import CARD_NAMES, Card, card, read_unspaced
from bot.rules.core.game import Result
from bot.rules.core.sentences import From, Gain, Note, Of, Phrase, Seat
from bot.rules.core.trick import Combo

CARD, CARDS, MANY = "card", "cards", ""
CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (Result, Note, Combo, Of, From, Seat, Gain, Phrase)
}
CONSTRUCTORS |= {CARD: card, CARDS: read_unspaced, MANY: lambda *parts: parts}


def to_plain(value: Any) -> Any:
    """Return a value as plain data: itself, or a list of its type and parts. Raises TypeError for an unknown type."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is Card:
        return [CARD, CARD_NAMES[value]]
    if kind is tuple and value and all(type(each) is Card for each in value):
        return [CARDS, "".join(map(CARD_NAMES.__getitem__, value))]
    return [MANY if kind is tuple else _name(kind), *map(to_plain, _parts(value))]


def from_plain(written: Any) -> Any:
    """Return the value that :func:`plain` encoded. Raises KeyError, TypeError or ValueError for invalid data."""
    if not isinstance(written, list):
        return written
    kind, *parts = written
    return CONSTRUCTORS[kind](*map(from_plain, parts))


def _name(kind: type) -> str:
    if CONSTRUCTORS.get(kind.__name__) is not kind:
        raise TypeError(f"no {kind.__name__} is known")
    return kind.__name__


def _parts(value: Any) -> tuple[Any, ...]:
    if is_dataclass(value):
        return tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, tuple):
        return tuple(value)
    return (int(value) if isinstance(value, int) else str(value),)
