"""The ledger of deletions, needed for the first time by several threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from bot.store.engine.deletion_ledger import FileDeletionLedger

THREADS = 8


def test_threads_that_need_the_key_first_get_the_same_one(tmp_path: Path) -> None:
    for number in range(30):
        ledger, together = FileDeletionLedger(tmp_path / f"{number}"), Barrier(THREADS)

        def secret(_: int, ledger: FileDeletionLedger = ledger, together: Barrier = together) -> str:
            together.wait()
            return ledger.key_for("the deal of the day")

        with ThreadPoolExecutor(THREADS) as threads:
            assert len(set(threads.map(secret, range(THREADS)))) == 1
        assert len((tmp_path / f"{number}").read_text("utf-8").splitlines()) == 1
