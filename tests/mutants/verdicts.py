"""The verdicts of a draw in a file, so that a stopped run resumes.

The file belongs to a seed, to the packages drawn from, and to the bot and its tests as they stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.record import KEPT
from tests.mutants.trial import Verdict
from tests.support.digest import digest


@dataclass(frozen=True)
class Verdicts:
    """The verdicts in a file, a line each: the number of the fault in its draw, and how its trial ended."""

    path: Path

    @classmethod
    def opened(cls, seed: str, packages: Sequence[str]) -> Verdicts:
        """Return the verdicts of a draw from the code as it stands."""
        return cls(KEPT / f"{digest(seed, *sorted(packages))}.verdicts")

    def known(self, faults: Mapping[int, Fault]) -> dict[int, Verdict]:
        """Return the verdicts there are on these faults."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        kept = {line.pop("number"): line for line in map(json.loads, lines)}
        return {number: Verdict(fault, **kept[number]) for number, fault in faults.items() if number in kept}

    def add(self, number: int, verdict: Verdict) -> None:
        """Keep one more."""
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            ended = {name: value for name, value in vars(verdict).items() if name != "fault"}
            file.write(json.dumps({"number": number, **ended}) + "\n")

    def forget(self, numbers: Iterable[int]) -> None:
        """Delete the verdicts on these faults."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        left = [line for line in lines if json.loads(line)["number"] not in set(numbers)]
        self.path.write_text("".join(f"{line}\n" for line in left), encoding="utf-8")
