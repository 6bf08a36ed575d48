"""The record of a match, and beside it the beginnings of its deals as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields, is_dataclass, replace
from itertools import pairwise
from typing import Any

from bot.rules.core.asks import Action, read_action, write_action
from bot.rules.core.cards import CARD_NAMES, Card, card, read_unspaced
from bot.rules.core.game import Result
from bot.rules.core.sentences import From, Gain, Note, Of, Phrase, Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match, Opening
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.registration import FIRST, VERSION, RegisteredGame


@dataclass(frozen=True, slots=True)
class Record:
    """A match from its first card on.

    options: the differences from the preset of that version. seed: any text, secret during the match. steps: (seat,
    action) in order; the index is the ply. version: of the rules in play.
    """

    known: RegisteredGame
    preset: str
    _: KW_ONLY
    seed: str = field(repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[tuple[int, Action], ...] = field(default=(), repr=False)
    version: int = VERSION

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.known.name

    def begin(self) -> Match:
        """Return the match before the first action. Raises as RegisteredGame.set_up does."""
        changes = self.known.changes_since(self.version, self.preset, self.options)
        return Match.start(self.known.rules_of(self.version, self.preset, changes), self.seed)

    def positions(self) -> Iterator[Match]:
        """Yield the match before the first action and after each action.

        Raises Illegal at a forbidden action.
        """
        match = self.begin()
        yield match
        for seat, action in self.steps:
            yield (match := match.act(seat, action))

    def replay(self) -> Match:
        """Return the match after the last action. Raises Illegal at a forbidden action."""
        *_, last = self.positions()
        return last

    def then(self, seat: int, action: Action) -> Record:
        """Return the record with one more step."""
        return replace(self, steps=(*self.steps, (seat, action)))

    def to_json(self) -> str:
        """Return the record as JSON, one field a line; the first version of the rules is implicit."""
        steps = [[seat, write_action(action)] for seat, action in self.steps]
        plain = {
            "game": self.game,
            "preset": self.preset,
            "options": self.options,
            "seed": self.seed,
            **({} if self.version == FIRST else {"version": self.version}),
            "steps": steps,
        }
        lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in plain.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str, games: Mapping[str, RegisteredGame]) -> Record:
        """Parse a record of one of these games, the inverse of :meth:`to_json`.

        Raises KeyError or ValueError for invalid text.
        """
        plain = json.loads(text)
        steps = tuple((int(seat), read_action(action)) for seat, action in plain["steps"])
        options = {name: with_tuples(value) for name, value in plain["options"].items()}
        return cls(
            games[plain["game"]],
            plain["preset"],
            seed=plain["seed"],
            options=options,
            steps=steps,
            version=plain.get("version", FIRST),
        )


OPENINGS_VERSION = 1  # of the format, and of the rules that openings depend on
MIN_STORED_PLIES = 5_000  # actions; a shorter match is replayed without a noticeable delay


@dataclass(frozen=True)
class Openings:
    """A match replayed up to the action ``ply``. last: the last public step.

    begun: the beginning of each deal. results: of the finished hands.
    """

    ply: int
    last: int
    begun: tuple[Opening, ...]
    results: tuple[Result, ...]

    @classmethod
    def of(cls, match: Match) -> Openings:
        """Return the openings of a match played from its first card.

        ``last`` excludes a hand in progress.
        """
        ended = [after.step - 1 for before, after in pairwise(match.openings) if after.number > before.number]
        last = match.moment if match.game.result else max(ended, default=0)
        return cls(match.ply, last, match.openings, match.results)

    def written(self) -> str:
        """Return the openings as text."""
        return json.dumps(
            [OPENINGS_VERSION, self.ply, self.last, self.begun, to_plain(self.results)], separators=(",", ":")
        )

    @classmethod
    def read(cls, text: str) -> Openings | None:
        """Parse the text of :meth:`written`; None if it is of another version."""
        version, *parts = json.loads(text)
        if version != OPENINGS_VERSION:
            return None
        ply, last, begun, results = parts
        return cls(ply, last, tuple(Opening(*each) for each in begun), from_plain(results))


def stored_openings(match: Match) -> str:
    """Return the text to store for a finished match; empty for a short match."""
    return Openings.of(match).written() if match.ply >= MIN_STORED_PLIES else ""


CARD, CARDS, MANY = "card", "cards", ""
CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (Result, Note, Combo, Of, From, Seat, Gain, Phrase)
}
CONSTRUCTORS |= {CARD: card, CARDS: read_unspaced, MANY: lambda *parts: parts}


def to_plain(value: Any) -> Any:
    """Return a value as plain data: itself, or a list of its type and parts.

    Raises TypeError for an unknown type.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is Card:
        return [CARD, CARD_NAMES[value]]
    if kind is tuple and value and all(type(each) is Card for each in value):
        return [CARDS, "".join(map(CARD_NAMES.__getitem__, value))]
    return [MANY if kind is tuple else _name(kind), *map(to_plain, _parts(value))]


def from_plain(written: Any) -> Any:
    """Return the value that :func:`to_plain` encoded.

    Raises KeyError, TypeError or ValueError for invalid data.
    """
    if not isinstance(written, list):
        return written
    kind, *parts = written
    return CONSTRUCTORS[kind](*map(from_plain, parts))


def _name(kind: type) -> str:
    if CONSTRUCTORS.get(kind.__name__) is not kind:
        raise TypeError(f"no {kind.__name__} is known")
    return kind.__name__


def _parts(value: Any) -> tuple[Any, ...]:
    if is_dataclass(value):
        return tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, tuple):
        return tuple(value)
    return (int(value) if isinstance(value, int) else str(value),)
