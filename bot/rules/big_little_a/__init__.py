"""The Big and the Little A (Wolfgang Kramer): three to nine players. The rule page is data/rules/big_little_a.md."""

from bot.rules.big_little_a.hands import BigLittleA
from bot.rules.big_little_a.options import WISHES, Options

__all__ = ["WISHES", "BigLittleA", "Options"]
