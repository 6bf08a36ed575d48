"""The record of a match: preset, options, seed and actions, from which the whole match is replayed.

Refuses to know where records are stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from bot.rules.core.actions import Action, read_action, write_action
from bot.rules.matches.match import Match
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.registration import RegisteredGame
from bot.rules.variants.versions import FIRST, VERSION


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
        """Yield the match before the first action and after each action. Raises Illegal at a forbidden action."""
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
