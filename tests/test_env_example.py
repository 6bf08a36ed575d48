"""`.env.example` and the settings say the same: every name, every default, and each with a word of explanation."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from bot.settings import Settings

EXAMPLE = Path(__file__).parents[1] / ".env.example"
LINE = re.compile(r"#?([A-Z_]+)=(.*)")


def test_the_example_lists_every_setting_with_its_default_in_order() -> None:
    written = [match.groups() for line in EXAMPLE.read_text().splitlines() if (match := LINE.fullmatch(line))]
    assert written == list(Settings.defaults().items())


def test_every_setting_is_explained() -> None:
    lines = EXAMPLE.read_text().splitlines()
    for before, line in pairwise(lines):
        assert not LINE.fullmatch(line) or before.startswith("# "), line


def test_the_example_file_gives_the_defaults() -> None:
    assert Settings.load({}, EXAMPLE) == Settings.load({}, None)


def test_the_example_file_with_all_lines_enabled_gives_the_defaults(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text(re.sub(r"(?m)^#(?=[A-Z_]+=)", "", EXAMPLE.read_text()).replace("TOKEN=", "TOKEN=a.b.c"))
    assert Settings.load({}, env) == Settings.load({"DISCORD_TOKEN": "a.b.c"}, None)


def test_the_page_lists_the_same_settings() -> None:
    page = (EXAMPLE.parent / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([A-Z_]+)` \| (?:`(.+?)`|none) \|", page)
    assert rows == list(Settings.defaults().items())
