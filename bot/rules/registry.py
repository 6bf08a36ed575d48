"""The games there are: one line each.

Knows names, presets and what can be chosen; refuses to know how any of them is played.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from bot.rules import big_two
from bot.rules.game import Rules

PRESETS = Path(__file__).parents[2] / "data" / "presets"


@dataclass(frozen=True, slots=True)
class Registered:
    """A game as the lobby offers it.

    title and blurb: message ids. seats: the numbers of players it can be played by. defaults: the options class.
    preset_names: message ids. option_words: what a changed option is called, a message id under (option, value), or
    under (option, None) with a field ``value``; options that only set the length of a match have none. wishes:
    what people may ask for when
    they open a table (hands, target, stake ...), and the options that this sets.
    """

    name: str
    title: str
    blurb: str
    seats: tuple[int, ...]
    defaults: type[Any]
    make: Callable[[Any], Rules]
    preset_names: Mapping[str, str]
    option_words: Mapping[tuple[str, Any], str]
    wishes: Mapping[str, Callable[[Any], dict[str, Any]]]

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """The named presets: what each changes of the defaults; the first is the one to start with."""
        return _presets(self.name)

    def rules(self, preset: str, **changes: Any) -> Rules:
        """Return the game under a preset with some options changed.

        Raises KeyError for an unknown preset, TypeError for an unknown option, Illegal for what cannot be combined.
        """
        return self.make(self.defaults(**{**self.presets[preset], **changes}))

    def changes(self, rules: Rules, preset: str) -> dict[str, Any]:
        """Return the options in which these rules differ from the preset."""
        plain = asdict(self.defaults(**self.presets[preset]))
        return {name: value for name, value in asdict(rules.options).items() if value != plain[name]}

    @property
    def options(self) -> tuple[str, ...]:
        """The names of all options, in the order of the rule page."""
        return tuple(field.name for field in fields(self.defaults))


@cache
def _presets(game: str) -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((PRESETS / f"{game}.toml").read_text(encoding="utf-8"))


GAMES: Mapping[str, Registered] = {
    game.name: game
    for game in (
        Registered(
            "big_two",
            "Big Two",
            "Be the first to get rid of your cards: each card left costs points. The two is the highest. "
            "Four players, about five minutes a hand.",
            (4,),
            big_two.Options,
            big_two.BigTwo,
            big_two.PRESET_NAMES,
            big_two.OPTION_WORDS,
            big_two.WISHES,
        ),
    )
}
