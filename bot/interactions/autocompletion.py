"""Autocompletion: choices found by a visit like any answer; no choices after a refusal.

Contains Discord's limits on choices. The choices themselves come from elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from discord.app_commands import Choice

from bot.interactions.private_replies import Interaction
from bot.interactions.visit import Visit
from bot.show.typed.games import plain

MAX_CHOICES: Final = 25  # choices, Discord's limit
MAX_CHOICE_LENGTH: Final = 100  # characters of a choice, Discord's limit
T = TypeVar("T", str, int)
Offering: TypeAlias = Callable[[Any, Visit], Awaitable[Iterable[Choice[T]]]]


def choice(name: str, value: T) -> Choice[T]:
    """Return a choice with its name cut to Discord's limit."""
    return Choice(name=name[:MAX_CHOICE_LENGTH], value=value)


def matching(typed: str, choices: Iterable[Choice[T]]) -> list[Choice[T]]:
    """Return the choices with the typed text in their name or value."""
    wanted = plain(typed)
    return [offered for offered in choices if wanted in plain(offered.name) or wanted in plain(str(offered.value))]


def by_name(typed: str, choices: Iterable[Choice[T]]) -> list[Choice[T]]:
    """Return the choices with the typed text in their name, for values unknown to users."""
    wanted = plain(typed)
    return [offered for offered in choices if wanted in plain(offered.name)]


def offering(work: Offering[T]) -> Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[T]]]]:
    """Return discord.py's callback for autocompletion.

    work: finds the choices, given the parts and the visit.
    """

    async def offer(interaction: Interaction, current: str) -> list[Choice[T]]:
        parts = interaction.client.parts
        found: list[Choice[T]] = await parts.dispatcher.autocomplete(interaction, current, partial(work, parts))
        return found

    return offer
