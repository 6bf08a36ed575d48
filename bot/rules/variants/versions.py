"""Versions of the rules: every match remains replayable under the rules it began with.

Version 1: options might have any value that could be combined. Version 2: options have the values of their sheet. All
other differences are described by ``former`` and ``default_changes`` in the package of each game.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

FIRST, SECOND, VERSION = 1, 2, 3
STORED: Final = 0  # no version: for stored options, which include former defaults and may violate today's bounds


class DefaultChange(NamedTuple):
    """A new default of an option since a version. before: the default until then."""

    version: int
    option: str
    before: Any
