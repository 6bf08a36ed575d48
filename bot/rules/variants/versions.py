"""Which rules a match is played by, so that it can always be played again as it was.

A match keeps the version under which it began. Version 1: options might have any value that could be put together; in
Big A a sealed plan stayed when the cards were drawn anew, and what an answer orders beside the first ace came last.
Version 2: options are what their sheet says; a sealed plan is for the cards it was made for; all that was ordered in a
window is carried out in the order in which it became possible.
Version 3: in Big Two nobody is bound by a last card of their own, a pass is bound by who acts after the pass, and a
match to a target by points that are good ends when a total has reached the target, not when one is as far below zero.
Also, two options have another default (see DEFAULT_CHANGES).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

FIRST, SECOND, VERSION = 1, 2, 3
STORED: Final = 0  # no version: of stored options, which name former defaults and may be out of today's bounds


class DefaultChange(NamedTuple):
    """An option of a game that has another default from a version on. before: its default until then."""

    version: int
    game: str
    option: str
    before: Any


DEFAULT_CHANGES: Final = (
    DefaultChange(3, "a_bao", "may_return_called_card", before=False),
    DefaultChange(3, "big_a", "big_ace_pair_scope", "any_holder"),
)


def former_defaults(game: str, version: int = FIRST) -> Mapping[str, Any]:
    """Return the defaults in a version of the rules of those options that have another default today."""
    later = [change for change in DEFAULT_CHANGES if change.game == game and change.version > version]
    return {change.option: change.before for change in reversed(later)}


def defaults_since(game: str) -> int:
    """Return the version in which a default of a game changed last; the first where none ever has."""
    return max((change.version for change in DEFAULT_CHANGES if change.game == game), default=FIRST)
