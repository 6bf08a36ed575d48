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

from bot.rules.core.game import Rules
from bot.rules.core.sentences import Illegal
from bot.rules.variants.registration import PLAYERS, SEATS, Registered
from bot.rules.variants.rule_codes import write_code
from bot.rules.variants.versions import VERSION, former_defaults

OFFERS = 5


@dataclass(frozen=True)
class Ruleset:
    """A preset of a game and the options in which it is changed. Made by :meth:`of`, which checks the changes.

    changes: from the preset as it is today. version: of the rules, by which they are played.
    """

    known: Registered
    preset: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    version: int = field(default=VERSION, compare=False)

    @classmethod
    def of(
        cls, known: Registered, preset: str, changes: Mapping[str, Any] | None = None, version: int = VERSION
    ) -> Ruleset:
        """Return these rules; what is as in the preset anyway is no change.

        version: by which they are played, and whose defaults hold for what is not changed. Raises KeyError for an
        unknown preset, TypeError for an unknown option, Illegal for what cannot be.
        """
        changes = known.changes_since(version, preset, changes or {})
        return cls(known, preset, known.changes(known.rules_of(version, preset, changes), preset), version)

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
        return self.known.rules_of(self.version, self.preset, self.changes)

    @property
    def plain_changes(self) -> dict[str, Any]:
        """The changes as JSON gives them back, with lists for tuples, to be stored beside the version.

        They name every option that had another default in that version.
        """
        named = {name: self.value(name) for name in former_defaults(self.game, self.version)}
        kept: dict[str, Any] = json.loads(json.dumps({**named, **self.changes}))
        return kept

    def value(self, name: str) -> Any:
        """Return the value of an option."""
        return getattr(self.rules.options, name)

    def but(self, **changes: Any) -> Ruleset:
        """Return these rules with some options changed; a number of players brings along what it needs.

        Raises Illegal for what cannot be.
        """
        self.known.check(changes)
        if PLAYERS in changes:
            changes = self.known.wishes[SEATS](changes[PLAYERS], self.rules.options) | changes
        return Ruleset.of(self.known, self.preset, {**self.changes, **changes})

    def renewed(self) -> Ruleset:
        """Return these rules as a match that begins now is played. Raises Illegal for what cannot be any more."""
        return Ruleset.of(self.known, self.preset, self.changes)

    def wishing(self, **wishes: Any) -> Ruleset:
        """Return these rules with wishes fulfilled, None being no wish. Raises KeyError for a wish not known."""
        return Ruleset.of(self.known, self.preset, self.known.wish(self.preset, self.changes, **wishes))

    def together(self, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Return for changes that cannot be made alone up to OFFERS single further changes that make them possible."""
        return tuple(islice(self._companions(wanted), OFFERS))

    def _companions(self, wanted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for option in self.known.sheet.options.values():
            offered = () if option.name in wanted else option.choices
            for value in (choice.value for choice in offered if choice.value != self.value(option.name)):
                if possible(lambda: self.but(**wanted, **{option.name: value})):  # noqa: B023  # called at once
                    yield {option.name: value}


def possible(change: Callable[[], Ruleset]) -> bool:
    """Tell whether a change of rules can be made."""
    try:
        change()
    except Illegal:
        return False
    return True
