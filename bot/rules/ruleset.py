"""What is played at a table: a preset of a game, and what is changed of it.

A value that can be changed option by option, read, written and compared. Knows which options there are; refuses to
know what any of them does, and who may change what.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from bot.rules.code import write_code
from bot.rules.game import Rules
from bot.rules.registered import Registered
from bot.rules.sentences import Illegal
from bot.rules.sheet import LONGEST

OUT_OF_BOUNDS = "At a new table {option} goes from {least} to {most}."
TOO_LONG = "At a new table {option} has at most {longest} parts, each from {least} to {most}."
PLAYERS = "players"  # the one option every game calls alike: how many play
SEATS = "seats"  # and what people wish for who want it otherwise
OFFERS = 5


@dataclass(frozen=True)
class Ruleset:
    """A preset of a game and the options in which it is changed. Made by :meth:`of`, which checks the changes."""

    known: Registered
    preset: str
    changes: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, known: Registered, preset: str, changes: Mapping[str, Any] | None = None) -> Ruleset:
        """Return these rules; what is as in the preset anyway is no change.

        Raises KeyError for an unknown preset, TypeError for an unknown option, Illegal for what cannot be.
        """
        return cls(known, preset, known.changes(known.rules(preset, **(changes or {})), preset))

    @property
    def code(self) -> str:
        """The rule code, as short as it can be."""
        return write_code(self.known, self.preset, self.changes)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.known.name

    @cached_property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.known.rules(self.preset, **self.changes)

    @property
    def plain_changes(self) -> dict[str, Any]:
        """The changes as JSON gives them back, with lists for tuples."""
        kept: dict[str, Any] = json.loads(json.dumps(self.changes))
        return kept

    def value(self, name: str) -> Any:
        """Return the value of an option."""
        return getattr(self.rules.options, name)

    def but(self, **changes: Any) -> Ruleset:
        """Return these rules with some options changed; a number of players brings along what it needs.

        Raises Illegal for what cannot be combined, and for numbers out of bounds.
        """
        if PLAYERS in changes:
            changes = self.known.wishes[SEATS](changes[PLAYERS], self.rules.options) | changes
        new = Ruleset.of(self.known, self.preset, {**self.changes, **changes})
        new.check_bounds()
        return new

    def check_bounds(self) -> None:
        """Raise Illegal for numbers that no new table may have; matches that were begun with them are played on."""
        for option in (self.known.sheet.options[name] for name in self.changes):
            if not option.allows(self.changes[option.name]):
                said = OUT_OF_BOUNDS if option.kind == "number" else TOO_LONG
                raise Illegal(
                    option.article, said, option=option.code, least=option.least, most=option.most, longest=LONGEST
                )

    def wishing(self, **wishes: Any) -> Ruleset:
        """Return these rules with wishes fulfilled, None being no wish. Raises KeyError for a wish not known."""
        return Ruleset.of(self.known, self.preset, self.known.wish(self.preset, self.changes, **wishes))

    def together(self, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Return for changes that cannot be made alone up to OFFERS single further changes that make them possible."""
        return tuple(islice(self._companions(wanted), OFFERS))

    def _companions(self, wanted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for option in self.known.sheet.options.values():
            offered = () if option.name in wanted else option.choices
            for value in (each.value for each in offered if each.value != self.value(option.name)):
                if possible(lambda: self.but(**wanted, **{option.name: value})):  # noqa: B023  # called at once
                    yield {option.name: value}


def possible(change: Callable[[], Ruleset]) -> bool:
    """Tell whether a change of rules can be made."""
    try:
        change()
    except Illegal:
        return False
    return True
