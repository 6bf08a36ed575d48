"""The registered entry of a game, and the versions of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from bot.rules.core.game import Rules
from bot.rules.core.sentences import CombinationName, Illegal
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.option_sheet import Option, OptionSheet

FIRST, SECOND, VERSION = 1, 2, 3
STORED: Final = 0  # no version: for stored options, which include former defaults and may violate today's bounds


class DefaultChange(NamedTuple):
    """A new default of an option since a version. before: the default until then."""

    version: int
    option: str
    before: Any


PLAYERS = "players"  # the option of every game for the number of players
SEATS = "seats"  # the wish for another number of players


class GameData(NamedTuple):
    """The files of a game in ``data``.

    presets: the changed options of each. options: the option sheet as TOML.
    """

    presets: Mapping[str, Mapping[str, Any]]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class RegisteredGame:
    """A game in the registry, built by the function ``registered`` of the game's package.

    title, line, blurb: message ids; title and line appear together in one choice, so both are short. art: the card on
    the game's button, in notation. seats: the possible numbers of players. minutes, slow_days: the approximate duration
    of a hand with a live and with a slow clock; ``tests/bench/waiting.py`` measures the latter. combinations: the names
    of each kind of combination.

    defaults: the options class. make: makes the rules of a new match. wishes: the possible wishes at the opening of a
    table (seats, hands, target, stake ...); each returns the options to set, given the value and the present options.
    former: makes the rules of an earlier version, if any differ. default_changes: options with new defaults, the oldest
    change first.

    daily_deal: whether the deal of the day takes turns with the game; without actions out of turn the clicks alone
    determine a try. puzzle_margin: the points by which the answer of a puzzle beats every other choice.
    puzzles_explained: whether the answer of a puzzle needs a provable reason; some games have too few such reasons.
    """

    name: str
    title: str
    line: str
    blurb: str
    art: str
    seats: tuple[int, ...]
    minutes: int
    slow_days: float
    combinations: Mapping[str, CombinationName]
    defaults: type[Any]
    make: Callable[[Any], Rules]
    wishes: Mapping[str, Callable[[Any, Any], dict[str, Any]]]
    presets: Mapping[str, Mapping[str, Any]]
    sheet: OptionSheet
    former: Callable[[Any, int], Rules] | None = None
    default_changes: tuple[DefaultChange, ...] = ()
    daily_deal: bool = False
    puzzle_margin: float = 1.0
    puzzles_explained: bool = True

    def __repr__(self) -> str:
        """Return the game's name only, to keep its texts out of logs."""
        return f"RegisteredGame({self.name!r})"

    def set_up(self, preset: str, **changes: Any) -> Any:
        """Return the options of a preset with changes; lists from JSON and TOML count as tuples.

        Raises KeyError for an unknown preset, TypeError for an unknown option, Illegal for an invalid value or
        combination.
        """
        values = self._values(preset, changes)
        self.check(values)
        options = self.defaults(**values)
        self.sheet.check(options)
        return options

    def rules(self, preset: str, **changes: Any) -> Rules:
        """Return the rules of a preset with changes. Raises as :meth:`set_up` does."""
        return self.make(self.set_up(preset, **changes))

    def rules_of(self, version: int, preset: str, changes: Mapping[str, Any]) -> Rules:
        """Return the rules of a preset with changes in this version.

        Raises as :meth:`set_up` does. changes: from today's preset, see :meth:`changes_since`. The first version, and
        STORED options, may contain values that are no longer valid.
        """
        if version == STORED:
            options = self.defaults(**self._values(preset, changes))
            return self.former(options, VERSION) if self.former else self.make(options)
        first = version == FIRST
        options = self.defaults(**self._values(preset, changes)) if first else self.set_up(preset, **changes)
        return self.make(options) if version == VERSION or self.former is None else self.former(options, version)

    def changes_since(self, version: int, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Convert changes from a preset in an earlier version into changes from today's preset.

        Raises KeyError for an unknown preset.
        """
        former = self.former_defaults(version) if version != STORED else {}
        said = self.presets[preset]
        return {**{name: value for name, value in former.items() if name not in said}, **changes}

    def former_defaults(self, version: int = FIRST) -> Mapping[str, Any]:
        """Return the defaults in a version of the rules, for options with another default today."""
        later = [change for change in self.default_changes if change.version > version]
        return {change.option: change.before for change in reversed(later)}

    @property
    def defaults_since(self) -> int:
        """The version of the game's latest change of defaults.

        Without a change, the first version.
        """
        return max((change.version for change in self.default_changes), default=FIRST)

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise TypeError for an unknown option, Illegal for a value invalid on its own."""
        for name, value in values.items():
            self._option(name).check(value)

    def _values(self, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        return {name: with_tuples(value) for name, value in {**self.presets[preset], **changes}.items()}

    def _option(self, name: str) -> Option:
        if name not in self.sheet.options:
            raise TypeError(f"{self.title} has no option {name!r}: it has {', '.join(self.sheet.options)}")
        return self.sheet.options[name]

    def changes(self, rules: Rules, preset: str) -> dict[str, Any]:
        """Return the options that differ from the preset."""
        plain = self.set_up(preset)
        now = {name: getattr(rules.options, name) for name in self.options}
        return {name: value for name, value in now.items() if value != getattr(plain, name)}

    def wish(self, preset: str, changes: Mapping[str, Any], **wishes: Any) -> dict[str, Any]:
        """Return the changes with the wishes added one after the other; None is no wish.

        Another number of seats preserves the chosen options that are possible with that number of players. Raises
        KeyError for an unknown wish, and as :meth:`set_up` does.
        """
        changed = dict(changes)
        for name, value in wishes.items():
            if value is not None:
                brought = self.wishes[name](value, self.set_up(preset, **changed))
                changed |= self._beside(preset, changed, brought) if name == SEATS else brought
        return changed

    def _beside(self, preset: str, chosen: Mapping[str, Any], brought: dict[str, Any]) -> dict[str, Any]:
        """Return the options set for a number of seats, without those that need no change.

        An option needs no change if its chosen value stays possible.
        """
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
        """The names of the options, in the order of the rule page."""
        return tuple(field.name for field in fields(self.defaults))
