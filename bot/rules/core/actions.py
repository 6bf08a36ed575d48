"""The actions of players in every game, and their record notation.

Refuses to know which actions are legal at which moment.
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
    """Between two hands: agree to deal the next one."""


@dataclass(frozen=True, slots=True)
class Give:
    """Give these cards to the seat that the game determines."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Name:
    """Name this card, in any hand: to call the card, or to say what other cards represent."""

    card: Card


@dataclass(frozen=True, slots=True)
class Stop:
    """Between two hands of an open-ended match: end the match here."""


@dataclass(frozen=True, slots=True)
class Again:
    """Cancel this hand by agreement of all players and deal it again."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer with one of the offered codes, or with several compatible codes; the ask defines the codes."""

    codes: tuple[str, ...]


Action: TypeAlias = Play | Pass | Ready | Give | Name | Stop | Again | Choose
_PLAIN: Mapping[str, Action] = {"pass": Pass(), "ready": Ready(), "stop": Stop(), "again": Again()}
_GIVE, _NAME, _CHOOSE = "give", "name", "choose"


def write_action(action: Action, face: Callable[[Iterable[Card]], str] = write) -> str:
    """Return the record notation of an action. face: writes the cards, by default in exact notation.

    Examples: ``"3d 3c"``, ``"give 4d"``, ``"name 7c"``, ``"choose expose:h"``, ``"pass"``, ``"ready"``, ``"again"``,
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


@lru_cache(maxsize=4096)  # a few thousand texts recur constantly
def read_action(text: str) -> Action:
    """Return the action of a record; the inverse of :func:`write_action`. Raises KeyError for invalid text."""
    verb, _, given = text.partition(" ")
    if verb == _GIVE:
        return Give(cards(given))
    if verb == _NAME:
        return Name(card(given))
    if verb == _CHOOSE:
        return Choose(tuple(given.split()))
    return _PLAIN.get(text) or Play(cards(text))
