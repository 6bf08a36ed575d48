"""The option sheet of a game: its options and presets with their words.

A sheet is loaded from data/options. A sheet defines the values and their words, the conditions under which an option
has an effect, and combinations forbidden for new tables because an option would have none. Independent of the effect
of an option; the options class rejects other contradictions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bot.domain.message_ids import N_
from bot.rules.core.sentences import Illegal
from bot.rules.variants.conditions import ALWAYS, Condition, OptionKind, condition, read_value, write_value
from bot.rules.variants.lessons import Lesson, parse_lessons

MAX_ENTRIES = 9  # default limit of the entries in a list or table: the number of seats
OUT_OF_BOUNDS = N_("At a new table, {option} can be {least} to {most}.")
TOO_LONG = N_("At a new table, {option} has at most {longest} parts, each from {least} to {most}.")
ONE_OF = N_("{option} can't be {part}. The choices are {known}.")
LIKE = N_("{option} can't be {part}. Examples: {known}.")
CANNOT_BE: Mapping[str, str] = {
    "number": N_("{option} can't be {part}. It's a whole number from {least} to {most}."),
    "list": LIKE,
    "table": LIKE,
}
_SEPARATORS: Mapping[OptionKind, str] = {"list": ".", "table": ";"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A value on offer.

    code: as in rule codes. words: a message id, a phrase to follow a preset's name. The phrase may have a field
    ``value``, see :meth:`Option.say`.
    """

    value: Any
    code: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a game.

    name: the field of the options class. article: the article that explains the option. code: its short name in rule
    codes. title, text: message ids, a name and one sentence. choices: the values on offer. kind: the form of other
    typed values, if not "choice" or "flag". least, most: bounds of a number, of each number in a list, and of the
    points in a table. longest: the maximum number of entries in a list or table. words: the phrase for values outside
    the choices. applies: the condition under which the option has an effect. length: whether the option only sets the
    length of a match. articles: the articles that explain single values, by code.
    """

    name: str
    group: str
    code: str
    article: str
    title: str
    text: str
    choices: tuple[Choice, ...]
    kind: OptionKind
    words: str
    least: int | None = None
    most: int | None = None
    longest: int = MAX_ENTRIES
    applies: Condition = ALWAYS
    length: bool = False
    articles: Mapping[str, str] = field(default_factory=dict)

    def cite(self, value: Any) -> str:
        """Return the article that explains this value, by default the article on the option."""
        return self.articles.get(write_value(value), self.article)

    def choice(self, value: Any) -> Choice | None:
        """Return the choice with this value, or None."""
        return next((choice for choice in self.choices if choice.code == write_value(value)), None)

    def say(self, value: Any) -> tuple[str, str]:
        """Return a message id for the value, as in "Hong Kong, but ...", and its field ``value``."""
        known = self.choice(value)
        shown = self.write(value).replace(".", "/").replace(";", " ")
        return (known.words if known else self.words), shown

    def write(self, value: Any) -> str:
        """Return the value as a rule code writes it."""
        return write_value(value)

    def read(self, text: str) -> Any:
        """Parse a typed value, in any case and spacing. Raises ValueError for an invalid value."""
        value = self.read_kept(text)
        if self.kind == "number" and not self.allows(value):
            raise ValueError(f"{self.name} goes from {self.least} to {self.most}")
        return value

    def read_kept(self, text: str) -> Any:
        """Parse a stored value, also one within the bounds of an earlier version only.

        Raises ValueError.
        """
        plain = unicodedata.normalize("NFKC", text).strip().casefold()
        known = next((choice for choice in self.choices if _key(choice.code) == _key(plain)), None)
        return known.value if known else read_value(_separated(plain, self.kind), self.kind)

    def check(self, value: Any) -> None:
        """Raise Illegal, naming the possible values, for a value of another kind or out of bounds."""
        values = {"option": self.code, "least": self.least, "most": self.most, "longest": self.longest}
        if not self._is_one(value):
            sentence, known = self.refusal
            raise Illegal(self.article, sentence, part=str(value), **values, known=known)
        if not self.allows(value):
            raise Illegal(self.article, OUT_OF_BOUNDS if self.kind == "number" else TOO_LONG, **values)

    @property
    def refusal(self) -> tuple[str, list[str]]:
        """The sentence (a message id) about the possible values, and the codes of the choices."""
        return CANNOT_BE.get(self.kind, ONE_OF), [choice.code for choice in self.choices]

    def _is_one(self, value: Any) -> bool:
        """Tell whether a value is of this option's kind, regardless of bounds."""
        if any(type(choice.value) is type(value) and choice.value == value for choice in self.choices):
            return True
        if self.kind == "number":
            return type(value) is int
        entries = value if isinstance(value, tuple) else None
        if entries is None or self.kind not in ("list", "table"):
            return False
        return all(type(entry) is int if self.kind == "list" else _is_band(entry) for entry in entries)

    def allows(self, value: Any) -> bool:
        """Tell whether a new table may have a value.

        Allowed are choices, and numbers within the bounds, at most ``longest`` of them.
        """
        if self.choice(value) or not isinstance(value, int | tuple):
            return True
        numbers = (value,) if isinstance(value, int) else tuple(map(_counted, value))
        return len(numbers) <= self.longest and all(map(self._within, numbers))

    def _within(self, number: int) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


@dataclass(frozen=True, slots=True)
class PresetName:
    """A preset in words.

    name, code: such as "hong_kong" and "hk". title, text: message ids, such as "Hong Kong" and a description in a
    sentence.
    """

    name: str
    code: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Unusual:
    """A questionable or pointless combination of options.

    words: a message id, a whole sentence.
    """

    when: Condition
    article: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSheet:
    """All options of a game, in the order of its options class, and its presets.

    code: the game in rule codes. short: a summary of the game in a few sentences (message ids). groups: titles (message
    ids) of the groups, in order. odd: combinations that are allowed but unusual; vain: combinations forbidden for new
    tables because an option has no effect. lessons: the lessons of the game. near: the names of options that do not
    make the game substantially different, whatever their values.
    """

    code: str
    short: tuple[str, ...]
    groups: Mapping[str, str]
    presets: Mapping[str, PresetName]
    options: Mapping[str, Option]
    odd: tuple[Unusual, ...] = ()
    vain: tuple[Unusual, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    near: frozenset[str] = frozenset()

    def option(self, text: str) -> Option | None:
        """Return the option with this code or name, in any spelling, or None."""
        return next(
            (option for option in self.options.values() if _key(text) in (_key(option.code), _key(option.name))), None
        )

    def preset(self, text: str) -> PresetName | None:
        """Return the preset with this code, name or English title, in any spelling, or None."""
        known = (
            preset
            for preset in self.presets.values()
            if _key(text) in (_key(preset.code), _key(preset.name), _key(preset.title))
        )
        return next(known, None)

    def check(self, options: Any) -> None:
        """Raise Illegal for a combination in which an option has no effect."""
        for case in self.vain:
            if case.when.holds(options):
                raise Illegal(case.article, case.words)

    def group(self, key: str) -> tuple[Option, ...]:
        """Return the options of a group, in order."""
        return tuple(option for option in self.options.values() if option.group == key)


def options_without_effect(sheet: OptionSheet, options: Any, changes: Iterable[str]) -> list[Option]:
    """Return the named options that have no effect in this combination."""
    changed = set(changes)
    return [option for option in sheet.options.values() if option.name in changed and not option.applies.holds(options)]


def unusual_combinations(sheet: OptionSheet, options: Any) -> list[Unusual]:
    """Return the unusual combinations among these options."""
    return [case for case in sheet.odd if case.when.holds(options)]


def _is_band(entry: Any) -> bool:
    """Tell whether an entry of a table is a number of cards with the points from there on."""
    return isinstance(entry, tuple) and [type(number) for number in entry] == [int, int]


def _counted(entry: Any) -> int:
    """Return the bounded number of an entry: the number itself, or the points of a band."""
    return int(entry[1] if isinstance(entry, tuple) else entry)


def _key(text: str) -> str:
    """Return a name without case, spaces and underscores, which players type inconsistently."""
    return "".join(text.casefold().replace("_", "").split())


def _separated(text: str, kind: OptionKind) -> str:
    """Return a list or table with the separators of rule codes.

    Players type ``5, 3, 1``, ``5/3/1`` or ``1:1 10:2``.
    """
    if kind not in _SEPARATORS:
        return text
    return _SEPARATORS[kind].join(re.split(r"[\s,;./]+|(?<=\d)-(?=\d)", re.sub(r"\s*:\s*", ":", text)))


def parse_sheet(game: str, defaults: type[Any], raw: dict[str, Any]) -> OptionSheet:
    """Return the sheet of a game from its options class and its raw data.

    Raises KeyError for an option without words, ValueError for an unknown option or value.
    """
    kinds = get_type_hints(defaults)
    options = {
        option.name: _option(option.name, kinds[option.name], raw["options"][option.name])
        for option in fields(defaults)
    }
    if unknown := raw["options"].keys() - options.keys():
        raise ValueError(f"{game} has no option {min(unknown)}")
    presets = {name: PresetName(name, **words) for name, words in raw["presets"].items()}
    odd, vain = (
        tuple(Unusual(condition(case["when"]), case["article"], case["words"]) for case in raw.get(kind, ()))
        for kind in ("unusual", "vain")
    )
    near = frozenset(raw["near"]) | {option.name for option in options.values() if option.length}
    return OptionSheet(
        code=raw["code"],
        short=tuple(raw["short"]),
        groups=raw["groups"],
        presets=presets,
        options=options,
        odd=odd,
        vain=vain,
        lessons=parse_lessons(raw["how"]),
        near=near,
    )


def _option(name: str, annotation: Any, raw: dict[str, Any]) -> Option:
    kind = _kind(annotation)
    known = {write_value(value): value for value in _literals(annotation)}
    choices = tuple(
        Choice(known[code] if code in known else read_value(code, kind), code, words)
        for code, words in raw["choices"].items()
    )
    rest = {key: raw[key] for key in raw.keys() - {"choices", "applies", "words"}}
    words, applies = raw.get("words", ""), condition(raw.get("applies", ""))
    return Option(name=name, choices=choices, kind=kind, words=words, applies=applies, **rest)


def _kind(annotation: Any) -> OptionKind:
    """Return the kind of an option with this annotation."""
    parts = get_args(annotation) if get_origin(annotation) not in (None, tuple, Literal) else (annotation,)
    if parts[0] is bool:
        return "flag"
    if int in parts:
        return "number"
    tuples = [get_args(part)[0] for part in parts if get_origin(part) is tuple]
    return "choice" if not tuples else "list" if tuples[0] is int else "table"


def _literals(annotation: Any) -> tuple[Any, ...]:
    """Return the single values in an annotation."""
    if annotation is bool:
        return (True, False)
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if annotation is type(None):
        return (None,)
    if get_origin(annotation) is tuple:
        return ()
    return tuple(value for part in get_args(annotation) for value in _literals(part))
