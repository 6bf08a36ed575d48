"""``python -m tests.mutants``: draw faults, plant each, and tell which of them the tests do not find."""

from __future__ import annotations

import argparse
import math
import subprocess
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.mutants.draw import drawn
from tests.mutants.faults import ROOT, Fault, Module, modules
from tests.mutants.fork_trials import Job, run
from tests.mutants.reach import Reach
from tests.mutants.record import collected, record
from tests.mutants.trial import Verdict
from tests.mutants.verdicts import Verdicts

AT_ONCE = 2


def main() -> None:
    """Draw, try and tell."""
    start, asked = time.monotonic(), arguments()
    all_modules = modules()
    among = [module for module in all_modules if chosen(module, asked.packages)]
    if not among:
        raise SystemExit(
            f"There is no package {', '.join(asked.packages)}. There are: {', '.join(_rooms(all_modules))}."
        )
    faults = dict(enumerate(drawn(asked.seed, asked.count, among), 1))
    wanted = {number: faults[number] for number in asked.numbers or faults}
    kept = Verdicts.opened(asked.seed, [*asked.packages, *asked.tests, *([str(asked.below)] if asked.below else [])])
    if asked.again:
        kept.forget(wanted)
    known = kept.known(wanted)
    print(f"{len(known)} of {len(wanted)} faults have been tried before.", flush=True)
    left = {number: fault for number, fault in wanted.items() if number not in known}
    jobs = _jobs(left, asked, all_modules)

    def tell(number: int, verdict: Verdict) -> None:
        known[number] = verdict
        kept.add(number, verdict)
        print(f"{number:3}  {verdict}", flush=True)

    if jobs:
        run(jobs, AT_ONCE, tell)
    _sum_up(asked.seed, known, time.monotonic() - start)


def _jobs(faults: Mapping[int, Fault], asked: argparse.Namespace, among: Sequence[Module]) -> list[Job]:
    """Return faults with the tests about them, among the requested ones."""
    if asked.tests:
        ids = collected(*asked.tests)
        return [Job(number, fault, ids) for number, fault in faults.items()]
    recorded = record()
    cheap = tuple(test for test in recorded.tests if test.seconds < (asked.below or math.inf))
    reach = Reach(replace(recorded, tests=cheap), among)
    return [Job(number, fault, reach.tests(fault)) for number, fault in faults.items()]


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is asked for: seed, count, packages, tests, below, numbers, again."""
    parser = argparse.ArgumentParser(
        "python -m tests.mutants",
        description="Plant faults in the bot and tell which of them the tests do not find. "
        "A run that was stopped goes on where it was, as long as neither the bot nor the tests have changed.",
    )
    parser.add_argument("numbers", nargs="*", type=int, help="only these faults of the draw, as after writing a test")
    parser.add_argument("--seed", default=_commit(), help="of the draw; the last commit's first digits if not given")
    parser.add_argument("--count", type=int, default=64, help="how many faults to draw (64)")
    parser.add_argument("--packages", nargs="+", default=[], help="draw from these alone, as in: bot.store cogs")
    parser.add_argument("--tests", nargs="+", default=[], help="run these files and folders alone, as in: tests/table")
    parser.add_argument("--below", type=float, help="run those tests alone that took fewer seconds than this")
    parser.add_argument("--again", action="store_true", help="try anew what has been tried before")
    return parser.parse_args(words)


def chosen(module: Module, packages: Sequence[str]) -> bool:
    """Whether a module is in one of these packages, or in any if none is named."""
    return not packages or any(f"{module.name}.".startswith(f"{package}.") for package in packages)


def _rooms(among: Sequence[Module]) -> list[str]:
    return sorted({module.room for module in among})


def _sum_up(seed: str, verdicts: dict[int, Verdict], seconds: float) -> None:
    survived = {number: verdict for number, verdict in sorted(verdicts.items()) if not verdict.by}
    print("\npackage             planted   found")
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
