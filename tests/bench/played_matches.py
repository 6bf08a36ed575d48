"""Matches at slow tables played on several processes, and kept in a file, so that a long measurement goes on later.

Knows seeds and what became of each. Refuses to know what is compared.
"""

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

from tests.bench.inline_driver import at_once
from tests.bench.slow_match import Kind, SlowMatch, Tally
from tests.support.blank_database import create_blank_database

PROCESSES = 2
MEMORY = Path("/dev/shm")  # in virtual time nobody waits for a disk
Deal = dict[str, Tally]  # what one deal came to, by the kind of match


def matches(
    kinds: Sequence[Kind], game: str, preset: str, seeds: Iterable[int], until: float, kept: Path
) -> list[Deal]:
    """Play the same deals with each configuration within the time; return the finished results.

    kept: a file for results; finished ones are not played again.
    """
    done = _read(kept)
    left = iter([seed for seed in seeds if seed not in done])
    playing: dict[Future[Deal], int] = {}
    with ProcessPoolExecutor(PROCESSES, initializer=logging.disable) as pool:

        def more() -> None:
            """Start the next deal, if time allows; at least one is always played."""
            if (monotonic() < until or not (done or playing)) and (seed := next(left, None)) is not None:
                playing[pool.submit(_played, kinds, game, preset, seed)] = seed

        for _ in range(PROCESSES):
            more()
        while playing:
            for future in wait(playing, return_when=FIRST_COMPLETED).done:
                seed = playing.pop(future)
                done[seed] = future.result()
                _add(kept, seed, done[seed])
                more()
    return [done[seed] for seed in seeds if seed in done]


def _add(kept: Path, seed: int, deal: Deal) -> None:
    """Add what became of a deal, on a line of its own even where a stop has cut off the one before."""
    with kept.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps([seed, {name: vars(tally) for name, tally in deal.items()}]))


def _played(kinds: Sequence[Kind], game: str, preset: str, seed: int) -> Deal:
    """Play one deal in each way."""
    found = {}
    for kind in kinds:
        with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            path = Path(folder) / "games.db"
            create_blank_database(path)
            with at_once():
                found[kind.name] = asyncio.run(SlowMatch(kind, game, preset, seed, path).play())
    return found


def _read(kept: Path) -> dict[int, Deal]:
    """Return what became of the deals that have been played; a line that a stop has cut off is left out."""
    lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
    whole = [json.loads(line) for line in lines if line.endswith("}]")]
    return {seed: {name: _tally(values) for name, values in deal.items()} for seed, deal in whole}


def _tally(values: dict[str, Any]) -> Tally:
    points = {int(seed): tuple(of_seats) for seed, of_seats in values["points"].items()}
    return Tally(**values | {"points": points, "by": Counter(values["by"])})
