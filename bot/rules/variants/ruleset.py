"""The rules of a table: a preset and changed options, and the code to share them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from typing import Any

from bot.rules.core.game import Rules
from bot.rules.core.sentences import Illegal, Phrase
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.option_sheet import Option, PresetName
from bot.rules.variants.registration import FIRST, PLAYERS, SEATS, VERSION, RegisteredGame

MAX_COMPANIONS = 5


@dataclass(frozen=True)
class Ruleset:
    """A preset of a game with changed options.

    Create it with :meth:`of`, which checks the changes. changes: from today's preset. version: of the rules in play.
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
        """Return these rules with changed options.

        A new number of players also sets the options it requires. Raises Illegal for an invalid value or combination.
        """
        self.known.check(changes)
        if PLAYERS in changes:
            changes = self.known.wishes[SEATS](changes[PLAYERS], self.rules.options) | changes
        return Ruleset.of(self.known, self.preset, {**self.changes, **changes})

    def renewed(self) -> Ruleset:
        """Return these rules in today's version, for a new match.

        Raises Illegal if the options are no longer valid.
        """
        return Ruleset.of(self.known, self.preset, self.changes)

    def with_wishes(self, **wishes: Any) -> Ruleset:
        """Return these rules with wishes added; None is no wish.

        Raises KeyError for an unknown wish.
        """
        return Ruleset.of(self.known, self.preset, self.known.wish(self.preset, self.changes, **wishes))

    def together(self, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Return up to MAX_COMPANIONS further changes; each alone allows the wanted changes."""
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


MAX_COMPARED_LENGTH = 40  # characters of an unknown name compared with known names
VERSION_MARK = "@"  # precedes the version
EXAMPLE = "B2:hk+straights=ace_low,stake=5"  # no message id: it has no space


class BadCode(ValueError):
    """An invalid rule code.

    sentence: an English message id with named fields that names the invalid part; values: of the fields.
    """

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.values = values

    def __str__(self) -> str:
        return self.sentence.format(**self.values)


def write_code(game: RegisteredGame, preset: str, changes: Mapping[str, Any]) -> str:
    """Return the code of today's preset with changes, in the order of the sheet.

    Raises KeyError for an unknown preset.
    """
    since = game.defaults_since
    version = f"{VERSION_MARK}{since}" if since > FIRST else ""
    start = f"{game.sheet.code}:{game.sheet.presets[preset].code}{version}"
    changed = _differing(game, preset, changes)
    parts = [
        f"{option.code}={option.write(changed[name])}" for name, option in game.sheet.options.items() if name in changed
    ]
    return f"{start}+{','.join(parts)}" if parts else start


def _differing(game: RegisteredGame, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes that differ from the preset, in the order of the sheet."""
    plain = game.set_up(preset)
    order = [name for name in game.sheet.options if name in changes]
    return {name: with_tuples(changes[name]) for name in order if with_tuples(changes[name]) != getattr(plain, name)}


def read_code(text: str, games: Mapping[str, RegisteredGame]) -> tuple[RegisteredGame, str, dict[str, Any]]:
    """Parse a code into one of these games, a preset, and changes from today's preset.

    Case and spaces do not matter; long names work as well as short ones.

    Raises BadCode for an invalid code, naming the unreadable part.
    """
    plain = unicodedata.normalize("NFKC", text).strip().strip("`")
    start, _, rest = plain.partition("+")
    before, colon, after = start.partition(":")
    if not colon or not after.strip():
        raise BadCode("A rule code looks like {example}: the game, a preset, and what's different.", example=EXAMPLE)
    game = _game(before.strip(), games.values())
    name, at, version = after.partition(VERSION_MARK)
    preset = _preset(game, name.strip())
    since = _version(version.strip()) if at else FIRST
    changes: dict[str, Any] = {}
    for part in (part.strip() for part in rest.split(",") if part.strip()):
        option, value = _change(game, part)
        if option.name in changes:
            raise BadCode("{option} is given twice.", option=option.code)
        changes[option.name] = value
    return game, preset.name, _differing(game, preset.name, game.changes_since(since, preset.name, changes))


def _version(text: str) -> int:
    known = {str(version): version for version in range(FIRST, VERSION + 1)}
    if text not in known:
        raise BadCode("This code has rules of version {part}, but I know only 1 to {most}.", part=text, most=VERSION)
    return known[text]


def _game(text: str, games: Iterable[RegisteredGame]) -> RegisteredGame:
    names = {name: game for game in games for name in (game.name, game.sheet.code.casefold())}
    found = names.get("_".join(text.casefold().split()))
    if found is None:
        known = [game.sheet.code for game in games]
        raise BadCode("There's no game {part}. I know {known}.", part=text, known=known)
    return found


def _preset(game: RegisteredGame, text: str) -> PresetName:
    found = game.sheet.preset(text)
    if found is None:
        known = [preset.code for preset in game.sheet.presets.values()]
        raise BadCode("{game} has no preset {part}. It has {known}.", game=Phrase(game.title), part=text, known=known)
    return found


def _change(game: RegisteredGame, text: str) -> tuple[Option, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadCode("{part} should look like this: {example}.", part=text, example="stake=5")
    option = game.sheet.option(name)
    if option is None:
        raise _no_option(game, name.strip())
    try:
        return option, option.read(value)
    except ValueError:
        raise _no_value(option, value.strip()) from None


def _no_option(game: RegisteredGame, text: str) -> BadCode:
    codes = {name: option.code for option in game.sheet.options.values() for name in (option.name, option.code)}
    near = list(dict.fromkeys(codes[name] for name in get_close_matches(text.casefold()[:MAX_COMPARED_LENGTH], codes)))
    if not near:
        return BadCode("{game} has no option {part}.", game=Phrase(game.title), part=text)
    return BadCode("{game} has no option {part}. Did you mean {near}?", game=Phrase(game.title), part=text, near=near)


def _no_value(option: Option, text: str) -> BadCode:
    sentence, known = option.refusal
    return BadCode(sentence, option=option.code, part=text, known=known, least=option.least, most=option.most)
