"""Versions of the rules: every match remains replayable under the rules it began with.

* Version 1: options might have any value that could be combined; in Big A a sealed plan survived a new deal, and orders
  made possible by another act of the same window took effect last.
* Version 2: options have the values of their sheet; a sealed plan is valid for its own cards only; every order in a
  window takes effect at the moment when it became possible.
* Version 3: in Big Two a player's own last card never obliges that player, the obligation of a pass depends on the
  player who acts after the pass, and a match to a target with positive points ends when a total reaches the target, no
  longer when a total is equally far below zero. Two options have new defaults (see DEFAULT_CHANGES).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

FIRST, SECOND, VERSION = 1, 2, 3
STORED: Final = 0  # no version: for stored options, which include former defaults and may violate today's bounds


class DefaultChange(NamedTuple):
    """A new default of an option since a version. before: the default until then."""

    version: int
    game: str
    option: str
    before: Any


DEFAULT_CHANGES: Final = (
    DefaultChange(3, "a_bao", "may_return_called_card", before=False),
    DefaultChange(3, "big_a", "big_ace_pair_scope", "any_holder"),
)


def former_defaults(game: str, version: int = FIRST) -> Mapping[str, Any]:
    """Return the defaults in a version of the rules, for the options with another default today."""
    later = [change for change in DEFAULT_CHANGES if change.game == game and change.version > version]
    return {change.option: change.before for change in reversed(later)}


def defaults_since(game: str) -> int:
    """Return the version of a game's latest change of defaults; without a change, the first version."""
    return max((change.version for change in DEFAULT_CHANGES if change.game == game), default=FIRST)
