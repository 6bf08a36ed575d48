"""Cards that identify themselves in a failing test.

Whatever runs the bot, their repr says nothing.
"""

from bot.rules.core.cards import Card

DISCREET_REPR = Card.__repr__


def readable_repr(each: Card) -> str:
    return f"<{each}>"


Card.__repr__ = readable_repr  # type: ignore[method-assign]
