"""The rules of a table: a preset of a game and changed options.

An immutable value with changes option by option. Refuses to know the effects of options and who may change them.
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
from bot.rules.variants.registration import PLAYERS, SEATS, RegisteredGame
from bot.rules.variants.rule_codes import write_code
from bot.rules.variants.versions import VERSION

MAX_COMPANIONS = 5


@dataclass(frozen=True)
class Ruleset:
    """A preset of a game with changed options. Create it with :meth:`of`, which checks the changes.

    changes: from today's preset. version: of the rules in play.
    """

    known: RegisteredGame
    preset: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    version: int = field(default=VERSION, compare=False)

    @classmethod
    def of(
        cls, known: RegisteredGame, preset: str, changes: Mapping[str, Any] | None = None, version: int = VERSION
    ) -> Ruleset:
        """Return checked rules; options equal to the preset are not stored as changes.

        version: of the rules in play; its defaults apply to unchanged options. Raises KeyError for an unknown preset,
        TypeError for an unknown option, Illegal for an invalid value or combination.
        """
        changes = known.changes_since(version, preset, changes or {})
        return cls(known, preset, known.changes(known.rules_of(version, preset, changes), preset), version)

    @property
    def code(self) -> str:
        """The shortest rule code of these rules."""
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
        """The changes in JSON form, with lists for tuples, to be stored together with the version.

        Every option with another default in that version is included.
        """
        named = {name: self.value(name) for name in self.known.former_defaults(self.version)}
        kept: dict[str, Any] = json.loads(json.dumps({**named, **self.changes}))
        return kept

    def value(self, name: str) -> Any:
        """Return the value of an option."""
        return getattr(self.rules.options, name)

    def but(self, **changes: Any) -> Ruleset:
        """Return these rules with changed options; a new number of players also sets the options it requires.

        Raises Illegal for an invalid value or combination.
        """
        self.known.check(changes)
        if PLAYERS in changes:
            changes = self.known.wishes[SEATS](changes[PLAYERS], self.rules.options) | changes
        return Ruleset.of(self.known, self.preset, {**self.changes, **changes})

    def renewed(self) -> Ruleset:
        """Return these rules in today's version, for a new match. Raises Illegal if the options are no longer valid."""
        return Ruleset.of(self.known, self.preset, self.changes)

    def with_wishes(self, **wishes: Any) -> Ruleset:
        """Return these rules with wishes added; None is no wish. Raises KeyError for an unknown wish."""
        return Ruleset.of(self.known, self.preset, self.known.wish(self.preset, self.changes, **wishes))

    def together(self, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Return up to MAX_COMPANIONS further changes, each of which alone makes the wanted changes possible."""
        return tuple(islice(self._companions(wanted), MAX_COMPANIONS))

    def _companions(self, wanted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for option in self.known.sheet.options.values():
            offered = () if option.name in wanted else option.choices
            for value in (choice.value for choice in offered if choice.value != self.value(option.name)):
                if is_possible(lambda: self.but(**wanted, **{option.name: value})):  # noqa: B023  # called at once
                    yield {option.name: value}


def is_possible(change: Callable[[], Ruleset]) -> bool:
    """Tell whether a change of rules is valid."""
    try:
        change()
    except Illegal:
        return False
    return True
