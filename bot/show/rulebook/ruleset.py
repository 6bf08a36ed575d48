"""The ruleset of a page of the rule book: a table's, or a preset's with any changes.

A ruleset is named in words and in custom ids, so that pages turn even after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from bot.domain.ids import TableId
from bot.games import GAMES
from bot.rules.core.sentences import Illegal
from bot.rules.variants.registration import FIRST, STORED, RegisteredGame
from bot.rules.variants.ruleset import Ruleset
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.words import MessageText, Words, join

PLAIN = "0"  # in a custom id: the default rules of the game
ROOM = 68  # characters of a custom id available for the rules
_PACKED = re.compile(r"-([0-9a-f]{4})-([0-9a-z]+)((?:-[0-9a-z]+)*)")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SIGNS = " 0123456789:;.-"  # of numbers, lists and tables, the only values outside the choices of an option


class InvalidRulesKey(ValueError):
    """A key that names no rules of this game, or rules too long for a custom id."""


@dataclass(frozen=True)
class BookRules(Ruleset):
    """Rules in the rule book.

    table: whose rules, None without a table. number: the table's number on its server. dealt: whether the viewer has a
    hand there.
    """

    table: TableId | None = None
    number: int = 0
    dealt: bool = False

    @classmethod
    def like(cls, rules: Ruleset) -> Self:
        """Return these rules, without a table."""
        return cls(rules.known, rules.preset, rules.changes, rules.version)

    @classmethod
    def of_scene(cls, scene: Scene) -> Self:
        """Return the rules of a table."""
        terms, where = scene.terms, scene.where  # a table may have begun under rules that are no longer allowed
        return cls(GAMES[terms.game], terms.preset, terms.changes, STORED, where.table, where.number, scene.dealt)

    @property
    def options(self) -> Any:
        """The options in force."""
        return self.rules.options

    # In words

    def title(self, w: Words) -> MessageText:
        """Return the name of the game, or of the table."""
        game = w(self.known.title)
        return w("{game}, table {number}", game=game, number=self.number) if self.table is not None else game

    def said(self, w: Words, most: int) -> MessageText:
        """Return the preset and at most this many changes from it: "Hong Kong, but stake 5"."""
        preset = w(self.known.sheet.presets[self.preset].title)
        if not self.changes:
            return preset
        told = (*self.say(list(self.changes)[:most], w), *phrases.more(len(self.changes) - most, w))
        return w("{preset}, but {changes}", preset=preset, changes=join(told, w(", ")))

    def say(self, names: Iterable[str], w: Words) -> list[MessageText]:
        """Return the values of these options, each as a phrase."""
        return [phrases.option(self.known.sheet.options[name], self.value(name), w) for name in names]

    # In an address

    @property
    def key(self) -> str:
        """The name of these rules in a custom id, beside the game.

        Raises InvalidRulesKey if too long. The bare name of a preset means its values before any default changed,
        because old messages still use it.
        """
        if self.table is not None:
            return str(self.table)
        named = not self.changes and self.known.defaults_since == FIRST
        key = self.preset if named else self._packed()
        if len(key) > ROOM:
            raise InvalidRulesKey(key)
        return key

    @classmethod
    def read(cls, game: str, key: str) -> Self:
        """Return the rules of a key other than a table's. Raises InvalidRulesKey."""
        known = GAMES.get(game)
        if known is None:
            raise InvalidRulesKey(game)
        if key == PLAIN:
            return cls(known, next(iter(known.presets)))
        return cls.like(Ruleset.of(known, key, {}, FIRST) if key in known.presets else _unpacked(known, key))

    def _packed(self) -> str:
        """Return one number for preset and choices, followed by the values outside the choices."""
        number, free = 0, []
        for option in reversed(list(self.known.sheet.options.values())):
            choice = option.choice(self.value(option.name))
            number = number * (len(option.choices) + 1)
            number += option.choices.index(choice) if choice else len(option.choices)
            free += [] if choice else [_based(_number(option.write(self.value(option.name)), _SIGNS), _DIGITS)]
        number = number * len(self.known.presets) + list(self.known.presets).index(self.preset)
        return "-".join(("", _shape(self.known), _based(number, _DIGITS), *reversed(free)))


def _unpacked(game: RegisteredGame, key: str) -> Ruleset:
    """Return the rules encoded by ``_packed``. Raises InvalidRulesKey."""
    found = _PACKED.fullmatch(key)
    if found is None or found[1] != _shape(game):
        raise InvalidRulesKey(key)
    free, values = iter(found[3].split("-")[1:]), {}
    number, preset = divmod(_number(found[2], _DIGITS), len(game.presets))
    try:
        for option in game.sheet.options.values():
            number, at = divmod(number, len(option.choices) + 1)
            known = at < len(option.choices)
            text = option.choices[at].code if known else _based(_number(next(free, ""), _DIGITS), _SIGNS)
            values[option.name] = option.read_kept(text)
        return Ruleset.of(game, list(game.presets)[preset], values)
    except (ValueError, Illegal) as bad:
        raise InvalidRulesKey(key) from bad


def _number(text: str, signs: str) -> int:
    """Return the number with these digits; the first sign is the digit 0."""
    number = 0
    for sign in text:
        number = number * len(signs) + signs.index(sign)
    return number


def _based(number: int, signs: str) -> str:
    """Return the digits of a number.

    The inverse of :func:`_number` for texts without leading zeros.
    """
    text = ""
    while number:
        number, place = divmod(number, len(signs))
        text = signs[place] + text
    return text or signs[0]


def _shape(game: RegisteredGame) -> str:
    """Return a hash of the presets and choices, against misreading keys of other versions."""
    choices = [(option.name, [choice.code for choice in option.choices]) for option in game.sheet.options.values()]
    return sha256(repr((list(game.presets), choices)).encode()).hexdigest()[:4]
