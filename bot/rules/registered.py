"""A game as the lobby offers it: its name and words, its presets, and what can be chosen.

Knows how rules are made of a preset and changes; refuses to know how any game is played, and where its words stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bot.rules.conditions import frozen
from bot.rules.game import Rules
from bot.rules.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Registered:
    """A game as the lobby offers it.

    title, line and blurb: message ids; title and line stand in one choice, so they are short. seats: the numbers of
    players it can be played by; the options say which it is. defaults: the options class. wishes: what people may ask
    for when they open a table (seats, hands, target, stake ...), and the options that this sets, given the value wished
    and the options before.
    """

    name: str
    title: str
    line: str
    blurb: str
    seats: tuple[int, ...]
    defaults: type[Any]
    make: Callable[[Any], Rules]
    wishes: Mapping[str, Callable[[Any, Any], dict[str, Any]]]
    presets: Mapping[str, Mapping[str, Any]] = field(repr=False)
    sheet: Sheet = field(repr=False)

    def set_up(self, preset: str, **changes: Any) -> Any:
        """Return the options of a preset with some changed; lists stand for tuples, as JSON and TOML have them.

        Raises KeyError for an unknown preset, TypeError for an unknown option, Illegal for what cannot be combined.
        """
        return self.defaults(**{name: frozen(value) for name, value in {**self.presets[preset], **changes}.items()})

    def rules(self, preset: str, **changes: Any) -> Rules:
        """Return the game under a preset with some options changed. Raises as :meth:`set_up` does."""
        return self.make(self.set_up(preset, **changes))

    def changes(self, rules: Rules, preset: str) -> dict[str, Any]:
        """Return the options in which these rules differ from the preset."""
        plain = self.set_up(preset)
        now = {name: getattr(rules.options, name) for name in self.options}
        return {name: value for name, value in now.items() if value != getattr(plain, name)}

    def wish(self, preset: str, changes: Mapping[str, Any], **wishes: Any) -> dict[str, Any]:
        """Return the changes with wishes fulfilled, one after the other; None is no wish.

        Raises KeyError for a wish this game does not know, and as :meth:`set_up` does.
        """
        changed = dict(changes)
        for name, value in wishes.items():
            if value is not None:
                changed |= self.wishes[name](value, self.set_up(preset, **changed))
        return changed

    @property
    def options(self) -> tuple[str, ...]:
        """The names of all options, in the order of the rule page."""
        return tuple(field.name for field in fields(self.defaults))
