"""Tiến Lên, the game of Thirteen: two to four players.

The rule page is data/rules/tien_len.md.
"""

from bot.rules.tien_len.hands import TienLen
from bot.rules.tien_len.options import Options
from bot.rules.tien_len.registration import registered

__all__ = ["Options", "TienLen", "registered"]
