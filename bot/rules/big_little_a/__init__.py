"""The Big and the Little A (Wolfgang Kramer): three to nine players.

The rule page is data/rules/big_little_a.md.
"""

from bot.rules.big_little_a.hands import BigLittleA
from bot.rules.big_little_a.options import Options
from bot.rules.big_little_a.registration import registered

__all__ = ["BigLittleA", "Options", "registered"]
