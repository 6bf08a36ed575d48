"""A game as the lobby offers it: its name and words, its presets, and what can be chosen.

Knows how rules are made of a preset and changes; refuses to know how any game is played, and where its words stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from bot.rules.core.game import Rules
from bot.rules.core.sentences import Illegal
from bot.rules.variants.conditions import frozen
from bot.rules.variants.option_sheet import Option, Sheet
from bot.rules.variants.versions import FIRST, STORED, VERSION, former_defaults

PLAYERS = "players"  # the option of every game that says how many play
SEATS = "seats"  # the wish for another number of players


@dataclass(frozen=True, slots=True, repr=False)
class Registered:
    """A game as the lobby offers it.

    title, line and blurb: message ids; title and line stand in one choice, so they are short. seats: the numbers of
    players it can be played by; the options say which it is. minutes: about how many a hand takes. defaults: the
    options class. wishes: what people may ask
    for when they open a table (seats, hands, target, stake ...), and the options that this sets, given the value wished
    and the options before.
    """

    name: str
    title: str
    line: str
    blurb: str
    seats: tuple[int, ...]
    minutes: int
    defaults: type[Any]
    make: Callable[[Any], Rules]
    wishes: Mapping[str, Callable[[Any, Any], dict[str, Any]]]
    presets: Mapping[str, Mapping[str, Any]]
    sheet: Sheet
    former: Callable[[Any, int], Rules] | None = None

    def __repr__(self) -> str:
        """Name the game and no more: what it says to people does not belong into a log."""
        return f"Registered({self.name!r})"

    def set_up(self, preset: str, **changes: Any) -> Any:
        """Return the options of a preset with some changed; lists stand for tuples, as JSON and TOML have them.

        Raises KeyError for an unknown preset, TypeError for an unknown option, Illegal for a value it cannot have or
        what cannot be combined.
        """
        values = self._values(preset, changes)
        self.check(values)
        options = self.defaults(**values)
        self.sheet.check(options)
        return options

    def rules(self, preset: str, **changes: Any) -> Rules:
        """Return the game under a preset with some options changed. Raises as :meth:`set_up` does."""
        return self.make(self.set_up(preset, **changes))

    def rules_of(self, version: int, preset: str, changes: Mapping[str, Any]) -> Rules:
        """Return the game as it was played in this version of the rules. Raises as :meth:`set_up` does.

        changes: from the preset as it is today, see :meth:`changes_since`. In the first version, and in STORED options,
        there may be values that options cannot have any more.
        """
        if version == STORED:
            options = self.defaults(**self._values(preset, changes))
            return self.former(options, VERSION) if self.former else self.make(options)
        first = version == FIRST
        options = self.defaults(**self._values(preset, changes)) if first else self.set_up(preset, **changes)
        return self.make(options) if version == VERSION or self.former is None else self.former(options, version)

    def changes_since(self, version: int, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return changes from a preset as it was in a version of the rules as changes from what it is today.

        Raises KeyError for an unknown preset.
        """
        former = former_defaults(self.name, version) if version != STORED else {}
        said = self.presets[preset]
        return {**{name: value for name, value in former.items() if name not in said}, **changes}

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise TypeError for an option there is not, Illegal for a value that one cannot have by itself."""
        for name, value in values.items():
            self._option(name).check(value)

    def _values(self, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        return {name: frozen(value) for name, value in {**self.presets[preset], **changes}.items()}

    def _option(self, name: str) -> Option:
        if name not in self.sheet.options:
            raise TypeError(f"{self.title} has no option {name!r}: it has {', '.join(self.sheet.options)}")
        return self.sheet.options[name]

    def changes(self, rules: Rules, preset: str) -> dict[str, Any]:
        """Return the options in which these rules differ from the preset."""
        plain = self.set_up(preset)
        now = {name: getattr(rules.options, name) for name in self.options}
        return {name: value for name, value in now.items() if value != getattr(plain, name)}

    def wish(self, preset: str, changes: Mapping[str, Any], **wishes: Any) -> dict[str, Any]:
        """Return the changes with wishes fulfilled, one after the other; None is no wish.

        Another number of seats changes nothing that was chosen, as long as that can be played by so many.
        Raises KeyError for a wish this game does not know, and as :meth:`set_up` does.
        """
        changed = dict(changes)
        for name, value in wishes.items():
            if value is not None:
                brought = self.wishes[name](value, self.set_up(preset, **changed))
                changed |= self._beside(preset, changed, brought) if name == SEATS else brought
        return changed

    def _beside(self, preset: str, chosen: Mapping[str, Any], brought: dict[str, Any]) -> dict[str, Any]:
        """Return what a number of seats brings, less the options that can stay as they were chosen."""
        for name in [name for name in brought if name in chosen and name != PLAYERS]:
            others = {other: value for other, value in brought.items() if other != name}
            try:
                self.set_up(preset, **{**chosen, **others})
            except Illegal:
                continue
            brought = others
        return brought

    @property
    def options(self) -> tuple[str, ...]:
        """The names of all options, in the order of the rule page."""
        return tuple(field.name for field in fields(self.defaults))
