"""Matches at slow tables, played by several processes and stored in a file, so that a later run continues."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from tests.bench.inline_driver import inline_driver
from tests.bench.slow_match import Kind, SlowMatch, Tally
from tests.support.blank_database import create_blank_database

PROCESSES = 2
TEMPORARY_FOLDER = Path("/dev/shm")  # faster than a disk
Deal = dict[str, Tally]  # results of one deal, by kind of match


def matches(
    kinds: Sequence[Kind], game: str, preset: str, seeds: Iterable[int], until: float, kept: Path
) -> list[Deal]:
    """Play the same deals with each configuration until a time; return all finished results.

    kept: a file of results, whose deals are not played again.
    """
    done = _read_results(kept)
    left = iter([seed for seed in seeds if seed not in done])
    playing: dict[Future[Deal], int] = {}
    with ProcessPoolExecutor(PROCESSES, initializer=logging.disable) as pool:

        def more() -> None:
            """Start the next deal, if time allows; at least one is always played."""
            if (monotonic() < until or not (done or playing)) and (seed := next(left, None)) is not None:
                playing[pool.submit(_play_deal, kinds, game, preset, seed)] = seed

        for _ in range(PROCESSES):
            more()
        while playing:
            for future in wait(playing, return_when=FIRST_COMPLETED).done:
                seed = playing.pop(future)
                done[seed] = future.result()
                _append(kept, seed, done[seed])
                more()
    return [done[seed] for seed in seeds if seed in done]


def _append(kept: Path, seed: int, deal: Deal) -> None:
    """Append the result of a deal, on a new line even if a stop has cut off the last one."""
    with kept.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps([seed, {name: vars(tally) for name, tally in deal.items()}]))


def _play_deal(kinds: Sequence[Kind], game: str, preset: str, seed: int) -> Deal:
    """Play one deal with each configuration."""
    found = {}
    for kind in kinds:
        with TemporaryDirectory(dir=TEMPORARY_FOLDER if TEMPORARY_FOLDER.is_dir() else None) as folder:
            path = Path(folder) / "games.db"
            create_blank_database(path)
            with inline_driver():
                found[kind.name] = asyncio.run(SlowMatch(kind, game, preset, seed, path).play())
    return found


def _read_results(kept: Path) -> dict[int, Deal]:
    """Return the stored results by seed, except for a line that a stop has cut off."""
    lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
    whole = [json.loads(line) for line in lines if line.endswith("}]")]
    return {seed: {name: _tally_of(values) for name, values in deal.items()} for seed, deal in whole}


def _tally_of(values: dict[str, Any]) -> Tally:
    points = {int(seed): tuple(of_seats) for seed, of_seats in values["points"].items()}
    return Tally(**values | {"points": points, "by": Counter(values["by"])})
