"""Each recipe of docs/extending.md is followed in a copy of the project, which then passes its tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.rules.matches.achievements import VERSION

ROOT = Path(__file__).parents[2]
TOYS = Path(__file__).parent / "toys"
COPIED_FOLDERS = ("bot", "cogs", "data", "docs", "tests")
EXCLUDED = {"tests/extending", "tests/store/kept", "data/sandbox", "data/games", "data/backups"}


def excluded_names(folder: str, names: list[str]) -> set[str]:
    """Return the names in a folder that no copy needs."""
    within = Path(folder).relative_to(ROOT).as_posix()
    return {name for name in names if f"{within}/{name}" in EXCLUDED or name == "__pycache__" or ".db" in name}


# Laws that need an oracle, or more options than a toy has.
EXCLUDED_LAWS = ("refusals_match_the_plain_reading", "chosen_options_stay_if_playable")


class ProjectCopy:
    """A modifiable copy of the project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in COPIED_FOLDERS:
            shutil.copytree(ROOT / folder, root / folder, copy_function=os.link, ignore=excluded_names)
        shutil.copy(ROOT / "pyproject.toml", root)

    def add(self, toy: str, path: str) -> None:
        """Add a file named by the recipe."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOYS / toy, self.root / path)

    def change(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of a text in a file named by the recipe."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path} has {text.count(old)} times: {old}"
        file.unlink()  # a hard link to the project's own file
        file.write_text(text.replace(old, new), encoding="utf-8")

    def passes(self, *tests: str) -> None:
        """Run tests of the copy; fail with their output."""
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not soak", *tests)
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-4000:]


def add_game(copy: ProjectCopy) -> None:
    """Add Stairs: a package, its data, one line."""
    copy.add("stairs.py", "bot/rules/stairs/__init__.py")
    copy.add("stairs.options.toml", "data/options/stairs.toml")
    copy.add("stairs.presets.toml", "data/presets/stairs.toml")
    copy.add("stairs.rules.txt", "data/rules/stairs.md")
    copy.change("bot/games.py", "big_two, tien_len\n", "big_two, stairs, tien_len\n")
    copy.change("bot/games.py", "    )\n}\n", '        stairs.registered(_data("stairs")),\n    )\n}\n')
    copy.change(
        "tests/laws/public_parts.py",
        '    "TienLenGame": {',
        '    "StairsGame": {"hands", "hidden_cards"},\n    "TienLenGame": {',
    )
    copy.add("stairs_played.py", "tests/people/test_stairs.py")
    copy.passes("tests/people/test_stairs.py", "tests/test_games.py")
    copy.passes("tests/laws", "-k", f"stairs and not {' and not '.join(EXCLUDED_LAWS)}", "--hypothesis-profile=glance")


def add_command(copy: ProjectCopy) -> None:
    """Add /wave: one module."""
    copy.add("wave.py", "cogs/play/wave.py")
    copy.add("wave_typed.py", "tests/people/test_wave.py")
    copy.passes("tests/people/test_wave.py")


def add_statistic(copy: ProjectCopy) -> None:
    """Add the number of tricks led: a count, and a line of the profile."""
    style, profile = "bot/rules/matches/style.py", "bot/show/people/profile.py"
    copy.change(style, "\nCOUNTS: Final = (", f"\n{LEADS_FUNCTION}\n\nCOUNTS: Final = (_leads, ")
    copy.change("bot/rules/matches/achievements.py", f"VERSION: Final = {VERSION}", f"VERSION: Final = {VERSION + 1}")
    copy.change(profile, "    if style.left is not None:\n", f"{PROFILE_LINES}    if style.left is not None:\n")
    copy.add("leads_read.py", "tests/people/test_leads.py")
    copy.passes("tests/people/test_leads.py")


LEADS_FUNCTION = """def _leads(ended: FinishedHand) -> Iterator[StyleCount]:
    return (StyleCount(trick.moves[0].seat, "leads:") for trick in ended.tricks)

"""
PROFILE_LINES = """    if style.counts.get("leads:"):
        yield w.n("{n} trick led", "{n} tricks led", style.counts["leads:"])
"""


@pytest.mark.rotates(3)
@pytest.mark.parametrize("recipe", [add_game, add_command, add_statistic], ids=lambda recipe: recipe.__name__)
def test_following_a_recipe_gives_a_working_feature(recipe: Callable[[ProjectCopy], None], tmp_path: Path) -> None:
    recipe(ProjectCopy(tmp_path / "project"))
