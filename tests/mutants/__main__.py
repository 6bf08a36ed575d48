"""``python -m tests.mutants [seed] [numbers]``: draw faults, plant each, and tell which of them the tests do not find.

seed: the first eight digits of the last commit where nothing is said. numbers: only these of the faults drawn, as
after a test was written that should find them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.mutants.draw import drawn
from tests.mutants.faults import ROOT, modules
from tests.mutants.forked import Job, run
from tests.mutants.reach import Reach
from tests.mutants.record import record
from tests.mutants.trial import Verdict

COUNT, AT_ONCE = 64, 2


def main() -> None:
    """Draw, try and tell."""
    start = time.monotonic()
    seed, *wanted = sys.argv[1:] or [_commit()]
    among = modules()
    faults = dict(enumerate(drawn(seed, COUNT, among), 1))
    numbers = [int(number) for number in wanted] or list(faults)
    reach = Reach(record(), among)
    verdicts = dict[int, Verdict]()

    def tell(number: int, verdict: Verdict) -> None:
        verdicts[number] = verdict
        print(f"{number:3}  {verdict}", flush=True)

    run([Job(number, faults[number], reach.tests(faults[number])) for number in numbers], AT_ONCE, tell)
    _sum_up(seed, verdicts, time.monotonic() - start)


def _sum_up(seed: str, verdicts: dict[int, Verdict], seconds: float) -> None:
    survived = {number: verdict for number, verdict in sorted(verdicts.items()) if not verdict.by}
    print("\nroom                planted   found")
    for room, count in sorted(Counter(verdict.fault.module.room for verdict in verdicts.values()).items()):
        left = sum(verdict.fault.module.room == room for verdict in survived.values())
        print(f"{room:20}{count:7}{count - left:8}")
    found = len(verdicts) - len(survived)
    print(f"\nSeed {seed}: {found} of {len(verdicts)} faults found, {seconds / 60:.0f} minutes.")
    print("\n".join(f"{number:3}  {verdict}" for number, verdict in survived.items()))


def _commit() -> str:
    command: Sequence[str] = ("git", "rev-parse", "HEAD")
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout[:8]


if __name__ == "__main__":
    main()
