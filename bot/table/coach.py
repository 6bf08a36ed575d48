"""The coach at the table of a lesson: its recommendation, and the concepts said so far.

Earlier concepts follow from the record alone, so a restart or a play taken back changes no sentence.
"""

from __future__ import annotations

from dataclasses import replace

from bot.ai.coach import coach_turn, new_concept
from bot.rules.coaching.sheet import CoachSheet, CoachTurn
from bot.rules.core.asks import read_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.store.rows import TableRow


class Coach:
    """The coach of one lesson. record: of the match; its steps are ignored."""

    def __init__(self, sheet: CoachSheet, record: Record) -> None:
        self._sheet = sheet
        self._replayed: Match = replace(record, steps=()).begin()
        self._said = set[str]()  # the concepts of the learner's turns before `_replayed`

    def turn(self, row: TableRow, match: Match | None, seat: int) -> CoachTurn | None:
        """Return the coach's part in this moment of the learner.

        Returns None where the learner has nothing to decide.

        The steps of a row only grow, so each step is replayed once. seat: of the learner.
        """
        if match is None or match.game.result or seat not in match.to_act:
            return None
        for number, text in ((step.seat, step.action) for step in row.steps[self._replayed.ply :]):
            if number == seat and (concept := new_concept(self._replayed.view(seat), self._sheet, self._said)):
                self._said.add(concept)
            self._replayed = self._replayed.act(number, read_action(text))
        return coach_turn(match.view(seat), self._sheet, self._said)
