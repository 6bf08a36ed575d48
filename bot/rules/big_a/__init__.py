"""Big A (打大A): five players, two packs, hidden partners. The rule page is data/rules/big_a.md."""

from bot.rules.big_a.hands import BigA, former
from bot.rules.big_a.options import WISHES, Options

__all__ = ["WISHES", "BigA", "Options", "former"]
