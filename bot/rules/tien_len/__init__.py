"""Tiến Lên, the game of Thirteen: two to four players. The rule page is data/rules/tien_len.md."""

from bot.rules.tien_len.hands import TienLen
from bot.rules.tien_len.options import WISHES, Options

__all__ = ["WISHES", "Options", "TienLen"]
