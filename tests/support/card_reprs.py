"""Cards with a readable repr in failing tests.

In the bot, the repr of a card is hidden.
"""

from bot.rules.core.cards import Card

DISCREET_REPR = Card.__repr__


def readable_repr(each: Card) -> str:
    return f"<{each}>"


Card.__repr__ = readable_repr  # type: ignore[method-assign]
