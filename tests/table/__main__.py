"""``python -m tests.table``: walk at random and print how many decisions a second that is."""

from __future__ import annotations

import time

from tests.table.walk import Walk
from tests.table.world import PRESETS

WALKS, STEPS = 4, 110


def main() -> None:
    """Walk, and print one line."""
    start, decisions, steps = time.process_time(), 0, 0
    for game, preset in PRESETS:
        for number in range(WALKS):
            walk = Walk.of(game, preset, f"walk {number}")
            walk.go(STEPS)
            decisions, steps = decisions + walk.world.decisions, steps + walk.steps
    seconds = time.process_time() - start
    print(f"{decisions} decisions, {steps} steps, {decisions / seconds:.0f} decisions a second")


if __name__ == "__main__":
    main()
