"""A puzzle: a decision in a hand that people have never played, at which one action is clearly the best."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bot.ai.reasons import Reason, distinctive_reason
from bot.rules.core.actions import Action, read_action, write_action
from bot.rules.core.game import View
from bot.rules.matches.record import Record
from bot.rules.variants.registration import RegisteredGame


@dataclass(frozen=True)
class Puzzle:
    """A position and its solution.

    record: the hand up to the moment at which the seat is asked: its seed is as secret as the cards of the others.
    worths: what can be done there, in the order in which it is shown, each with the points by which the seat comes out
    better than the table on average.
    """

    record: Record = field(repr=False)
    seat: int
    worths: Mapping[Action, float] = field(repr=False)

    @property
    def choices(self) -> tuple[Action, ...]:
        """What can be done."""
        return tuple(self.worths)

    @cached_property
    def best(self) -> Action:
        """What comes out best."""
        return max(self.worths, key=self.worths.__getitem__)

    @property
    def right(self) -> int:
        """The place of the best among the choices."""
        return self.choices.index(self.best)

    def behind(self, choice: int) -> float:
        """Return by how many points a choice comes out worse than the best."""
        return self.worths[self.best] - self.worths[self.choices[choice]]

    @property
    def margin(self) -> float:
        """By how many points the best comes out better than the second best."""
        return min(self.behind(choice) for choice in range(len(self.worths)) if choice != self.right)

    @cached_property
    def view(self) -> View:
        """What the seat saw."""
        return self.record.replay().view(self.seat)

    @cached_property
    def why(self) -> Reason | None:
        """The claim that holds for the best action alone; None without one."""
        return distinctive_reason(self.view, self.best, self.choices)

    def to_json(self) -> str:
        """Return it as JSON on one line."""
        worths = {write_action(action): round(worth, 2) for action, worth in self.worths.items()}
        return json.dumps({"seat": self.seat, "worths": worths, "record": json.loads(self.record.to_json())})

    @classmethod
    def from_json(cls, text: str, games: Mapping[str, RegisteredGame]) -> Puzzle:
        """Return the puzzle that :meth:`to_json` has written. Raises KeyError or ValueError for anything else."""
        plain = json.loads(text)
        worths = {read_action(action): worth for action, worth in plain["worths"].items()}
        return cls(Record.from_json(json.dumps(plain["record"]), games), plain["seat"], worths)
