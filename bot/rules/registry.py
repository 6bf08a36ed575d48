"""The games there are: one line each.

Knows names, presets and what can be chosen; refuses to know how any of them is played.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from bot.rules import a_bao, big_a, big_little_a, big_two, sheet
from bot.rules.conditions import frozen
from bot.rules.game import Rules

PRESETS = Path(__file__).parents[2] / "data" / "presets"


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

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """The named presets: what each changes of the defaults; the first is the one to start with."""
        return _presets(self.name)

    @property
    def sheet(self) -> sheet.Sheet:
        """All options and presets in words."""
        return _sheet(self.name)

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


@cache
def _presets(game: str) -> Mapping[str, Mapping[str, Any]]:
    raw = tomllib.loads((PRESETS / f"{game}.toml").read_text(encoding="utf-8"))
    return {preset: {name: frozen(value) for name, value in changes.items()} for preset, changes in raw.items()}


@cache
def _sheet(game: str) -> sheet.Sheet:
    return sheet.load(game, GAMES[game].defaults)


GAMES: Mapping[str, Registered] = {
    game.name: game
    for game in (
        Registered(
            "big_two",
            "Big Two",
            "be first to get rid of your cards, twos are high; 2 to 5 players, about 5 minutes a hand",
            "Be the first to get rid of your cards. The two is the highest. "
            "Two to five players, best with four; about five minutes a hand.",
            (2, 3, 4, 5),
            big_two.Options,
            big_two.BigTwo,
            big_two.WISHES,
        ),
        Registered(
            "big_a",
            "Big A",
            "hidden partners, two packs and bombs; 5 players, about half an hour a hand",
            "Hidden partners, two packs, and bombs: who shows an ace plays with whoever holds the same one. "
            "Five players; about half an hour a hand.",
            (5,),
            big_a.Options,
            big_a.BigA,
            big_a.WISHES,
        ),
        Registered(
            "a_bao",
            "Tàihé A Bāo",
            "one against the rest, and calls for cards; 3 to 5 players, about 5 minutes a hand",
            "One against the rest: declare, or call for the card you need, and be out before anybody else. "
            "Three to five players, best with four; about five minutes a hand.",
            (3, 4, 5),
            a_bao.Options,
            a_bao.ABao,
            a_bao.WISHES,
        ),
        Registered(
            "big_little_a",
            "The Big and the Little A",
            "a party game with two mean cards; 3 to 9 players, about 10 minutes a hand",
            "A party game: get rid of your cards, and of two mean ones that nobody wants to take. "
            "Three to nine players; about ten minutes a hand.",
            (3, 4, 5, 6, 7, 8, 9),
            big_little_a.Options,
            big_little_a.BigLittleA,
            big_little_a.WISHES,
        ),
    )
}
