"""All measurements, one after the other: python -m tests.bench, or only some: python -m tests.bench rules sleep."""

from __future__ import annotations

import runpy
import sys

PARTS = ("rules", "house", "house_big_a", "house_a_bao", "house_big_little_a", "requests", "click", "discord",
         "pictures", "million", "ratings", "replay", "sleep", "restart", "ringing", "load", "lobbies", "abuse",
         "taps", "thinking", "pacing", "waiting", "own_data")  # fmt: skip


def main() -> None:
    """Run what was asked for, or everything."""
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")]
    for part in wanted or PARTS:
        print(f"\n{part}")
        runpy.run_module(f"tests.bench.{part}", run_name="__main__")


if __name__ == "__main__":
    main()
