"""Big Two, in the order of its rule page: 4 groups, 6 play, 7-8 score, and the rest in rules."""

from bot.rules.big_two.options import WISHES, Options
from bot.rules.big_two.rules import BigTwo

__all__ = ["WISHES", "BigTwo", "Options"]
