"""The verdicts of a draw in a file, so that a stopped run resumes.

The file belongs to a seed, the drawn packages, and the present state of the bot and its tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.fresh_run import Verdict
from tests.mutants.mutations import Mutation
from tests.mutants.record import RECORDS_FOLDER
from tests.support.digest import digest


@dataclass(frozen=True)
class VerdictFile:
    """A file of verdicts, one a line with the number of its mutation in the draw."""

    path: Path

    @classmethod
    def opened(cls, seed: str, packages: Sequence[str]) -> VerdictFile:
        """Return the file for a draw from the present code."""
        return cls(RECORDS_FOLDER / f"{digest(seed, *sorted(packages))}.verdicts")

    def known(self, mutations: Mapping[int, Mutation]) -> dict[int, Verdict]:
        """Return the stored verdicts on these mutations."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        stored = {line.pop("number"): line for line in map(json.loads, lines)}
        return {
            number: Verdict(mutation, **stored[number]) for number, mutation in mutations.items() if number in stored
        }

    def add(self, number: int, verdict: Verdict) -> None:
        """Append a verdict."""
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            ended = {name: value for name, value in vars(verdict).items() if name != "mutation"}
            file.write(json.dumps({"number": number, **ended}) + "\n")

    def forget(self, numbers: Iterable[int]) -> None:
        """Delete the verdicts on these mutations."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        left = [line for line in lines if json.loads(line)["number"] not in set(numbers)]
        self.path.write_text("".join(f"{line}\n" for line in left), encoding="utf-8")
