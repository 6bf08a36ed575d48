"""Big Two, in the order of its rule page: 4 groups, 5 deal, 6 play, 7-8 score, match."""

from bot.rules.big_two.hands import BigTwo
from bot.rules.big_two.options import Options
from bot.rules.big_two.registration import registered

__all__ = ["BigTwo", "Options", "registered"]
