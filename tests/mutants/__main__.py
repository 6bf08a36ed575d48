"""``python -m tests.mutants``: draw mutations, run the tests against each, and report those that survive."""

from __future__ import annotations

import argparse
import math
import subprocess
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.mutants.draw import draw_mutations
from tests.mutants.forked_runs import MutationJob, run
from tests.mutants.fresh_run import Verdict
from tests.mutants.mutations import ROOT, Module, Mutation, modules
from tests.mutants.reach import Reach
from tests.mutants.record import collect_ids, record
from tests.mutants.verdicts import VerdictFile

CONCURRENCY = 2


def main() -> None:
    """Draw mutations, run their tests, and print the verdicts."""
    start, asked = time.monotonic(), parse_arguments()
    all_modules = modules()
    among = [module for module in all_modules if is_in_packages(module, asked.packages)]
    if not among:
        raise SystemExit(
            f"There is no package {', '.join(asked.packages)}. There are: {', '.join(_package_names(all_modules))}."
        )
    mutations = dict(enumerate(draw_mutations(asked.seed, asked.count, among), 1))
    wanted = {number: mutations[number] for number in asked.numbers or mutations}
    verdict_file = VerdictFile.opened(
        asked.seed, [*asked.packages, *asked.tests, *([str(asked.below)] if asked.below else [])]
    )
    if asked.again:
        verdict_file.forget(wanted)
    known = verdict_file.known(wanted)
    print(f"{len(known)} of {len(wanted)} mutations have been run before.", flush=True)
    left = {number: mutation for number, mutation in wanted.items() if number not in known}
    jobs = _jobs(left, asked, all_modules)

    def on_verdict(number: int, verdict: Verdict) -> None:
        known[number] = verdict
        verdict_file.add(number, verdict)
        print(f"{number:3}  {verdict}", flush=True)

    if jobs:
        run(jobs, CONCURRENCY, on_verdict)
    _sum_up(asked.seed, known, time.monotonic() - start)


def _jobs(mutations: Mapping[int, Mutation], asked: argparse.Namespace, among: Sequence[Module]) -> list[MutationJob]:
    """Return the mutations with their tests, as selected by the arguments."""
    if asked.tests:
        ids = collect_ids(*asked.tests)
        return [MutationJob(number, mutation, ids) for number, mutation in mutations.items()]
    recorded = record()
    cheap = tuple(test for test in recorded.tests if test.seconds < (asked.below or math.inf))
    reach = Reach(replace(recorded, tests=cheap), among)
    return [MutationJob(number, mutation, reach.tests(mutation)) for number, mutation in mutations.items()]


def parse_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the arguments: seed, count, packages, tests, below, numbers, again."""
    parser = argparse.ArgumentParser(
        "python -m tests.mutants",
        description="Mutate the bot and report the mutations that the tests do not detect. "
        "A stopped run resumes as long as neither the bot nor the tests have changed.",
    )
    parser.add_argument(
        "numbers", nargs="*", type=int, help="only these mutations of the draw, as after writing a test"
    )
    parser.add_argument("--seed", default=_commit(), help="of the draw; the last commit's first digits if not given")
    parser.add_argument("--count", type=int, default=64, help="how many mutations to draw (64)")
    parser.add_argument("--packages", nargs="+", default=[], help="draw only from these, as in: bot.store cogs")
    parser.add_argument("--tests", nargs="+", default=[], help="run only these files and folders, as in: tests/table")
    parser.add_argument("--below", type=float, help="run only tests that took fewer seconds than this")
    parser.add_argument("--again", action="store_true", help="run again what has been run before")
    return parser.parse_args(words)


def is_in_packages(module: Module, packages: Sequence[str]) -> bool:
    """Whether a module is in one of these packages; always true without packages."""
    return not packages or any(f"{module.name}.".startswith(f"{package}.") for package in packages)


def _package_names(among: Sequence[Module]) -> list[str]:
    return sorted({module.package for module in among})


def _sum_up(seed: str, verdicts: dict[int, Verdict], seconds: float) -> None:
    survived = {number: verdict for number, verdict in sorted(verdicts.items()) if not verdict.by}
    print("\npackage             mutated   found")
    for package, count in sorted(Counter(verdict.mutation.module.package for verdict in verdicts.values()).items()):
        left = sum(verdict.mutation.module.package == package for verdict in survived.values())
        print(f"{package:20}{count:7}{count - left:8}")
    found = len(verdicts) - len(survived)
    print(f"\nSeed {seed}: {found} of {len(verdicts)} mutations found, {seconds / 60:.0f} minutes.")
    print("\n".join(f"{number:3}  {verdict}" for number, verdict in survived.items()))


def _commit() -> str:
    command: Sequence[str] = ("git", "rev-parse", "HEAD")
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout[:8]


if __name__ == "__main__":
    main()
