"""Big A (打大A): five players, two packs, hidden partners.

The rule page is data/rules/big_a.md.
"""

from bot.rules.big_a.hands import BigA
from bot.rules.big_a.options import Options
from bot.rules.big_a.registration import registered

__all__ = ["BigA", "Options", "registered"]
