"""Big Two, in the order of its rule page: 4 groups, 5 deal, 6 play, 7-8 score; and the rules of a match."""

from bot.rules.big_two.hands import BigTwo, former, new
from bot.rules.big_two.options import WISHES, Options

__all__ = ["WISHES", "BigTwo", "Options", "former", "new"]
