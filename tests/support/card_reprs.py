"""Cards that identify themselves in a failing test.

Whatever runs the bot, their repr says nothing.
"""

from bot.rules.core.cards import Card

DISCREET = Card.__repr__


def readable(each: Card) -> str:
    return f"<{each}>"


Card.__repr__ = readable  # type: ignore[method-assign]
