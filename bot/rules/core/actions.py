"""What a player can do, and how a record writes it down.

Knows the actions of every game; refuses to know when any of them is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from bot.rules.core.cards import Card, Cards, card, cards, write


@dataclass(frozen=True, slots=True)
class Play:
    """Play these cards. Their order does not matter."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """Play nothing."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Between two hands: deal the next one as far as I am concerned."""


@dataclass(frozen=True, slots=True)
class Give:
    """Give these cards to whom the game says."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Name:
    """Name this card, which may be in any hand: to call for it, or to say what other cards stand for."""

    card: Card


@dataclass(frozen=True, slots=True)
class Stop:
    """Between two hands of a match without an end of its own: let it end here."""


@dataclass(frozen=True, slots=True)
class Again:
    """Throw this hand in, as all have agreed to, and deal it again."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer with one of what is offered, or with several where they can stand together; codes as the ask has them."""

    codes: tuple[str, ...]


Action: TypeAlias = Play | Pass | Ready | Give | Name | Stop | Again | Choose
_PLAIN: Mapping[str, Action] = {"pass": Pass(), "ready": Ready(), "stop": Stop(), "again": Again()}
_GIVE, _NAME, _CHOOSE = "give", "name", "choose"


def write_action(action: Action, face: Callable[[Iterable[Card]], str] = write) -> str:
    """Return the action as a record holds it. face: writes the cards, in exact notation by default.

    Such as ``"3d 3c"``, ``"give 4d"``, ``"name 7c"``, ``"choose expose:h"``, ``"pass"``, ``"ready"``, ``"again"`` or
    ``"stop"``.
    """
    match action:
        case Play():
            return face(action.cards)
        case Give():
            return f"{_GIVE} {face(action.cards)}"
        case Name():
            return f"{_NAME} {face((action.card,))}"
        case Choose():
            return " ".join((_CHOOSE, *action.codes))
    return type(action).__name__.lower()


@lru_cache(maxsize=4096)  # the same few thousand come again and again
def read_action(text: str) -> Action:
    """Return the action a record holds; the inverse of :func:`write_action`. Raises KeyError for an unknown one."""
    verb, _, given = text.partition(" ")
    if verb == _GIVE:
        return Give(cards(given))
    if verb == _NAME:
        return Name(card(given))
    if verb == _CHOOSE:
        return Choose(tuple(given.split()))
    return _PLAIN.get(text) or Play(cards(text))
