"""Tàihé A Bāo (泰和A包): three to five players, one against the rest.

The rule page is data/rules/a_bao.md.
"""

from bot.rules.a_bao.hands import ABao
from bot.rules.a_bao.options import Options
from bot.rules.a_bao.registration import registered

__all__ = ["ABao", "Options", "registered"]
