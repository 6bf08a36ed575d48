"""The set of commands: docs/commands.md against what Discord would be told, and that against Discord's own document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.standin import openapi
from tests.support.languages import LOCALES
from tests.support.world import World

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
MOST = 14  # commands at the top level
LONGEST = 100  # characters of a description, Discord's limit
PLACES = {"server": 0, "DM": 1, "anywhere": 2}  # what Discord calls a context
GUILD_INSTALL, USER_INSTALL = 0, 1
TAKEN = (
    "play",
    "help",
    "settings",
    "about",
    "stats",
    "leaderboard",
    "rank",
    "profile",
    "daily",
    "privacy",
    "rules",
    "queue",
    "pause",
    "leave",
    "skip",
    "shuffle",
)


async def told(here: World) -> list[dict[str, Any]]:
    """What Discord is told when the commands are registered."""
    tree = here.bot.tree
    assert tree.translator
    return [await command.get_translated_payload(tree, tree.translator) for command in tree.get_commands()]


def parts(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every command and subcommand below a node, by its full name."""
    name = f"{path} {node['name']}".strip()
    yield name, node
    for option in node.get("options", ()):
        if option["type"] in (1, 2):
            yield from parts(option, name)


def described(node: Any) -> Iterator[dict[str, Any]]:
    """Everything below a node that has a description, options too."""
    yield node
    for option in node.get("options", ()):
        yield from described(option)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| `/")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def name_in(cell: str) -> str:
    return cell.strip("`").removeprefix("/")


async def test_the_command_page_lists_the_registered_commands(here: World) -> None:
    registered = {name: node for each in await told(here) for name, node in parts(each)}
    written = {name_in(cells[0]): cells[1:] for cells in rows("Registered commands")}
    assert set(written) == set(registered)
    for name, (appears, english, *others) in written.items():
        node = registered[name]
        translated = node["description_localizations"]
        assert (english, *others) == (node["description"], *(translated[locale] for locale in LOCALES[1:])), name
        if " " not in name:
            assert node["contexts"] == [PLACES[place] for place in appears.split(", ")], name
            alone = [USER_INSTALL] if "anywhere" in appears else []
            assert node["integration_types"] == [GUILD_INSTALL, *alone], name


async def test_commands_are_few_and_their_names_unique(here: World) -> None:
    there = [each["name"] for each in await told(here)]
    assert len(there) <= MOST
    assert not set(there) & set(TAKEN)


async def test_descriptions_fit_in_every_language(here: World) -> None:
    for node in (each for command in await told(here) for each in described(command)):
        for text in (node["description"], *node.get("description_localizations", {}).values()):
            assert 0 < len(text) <= LONGEST, text


@pytest.mark.skipif(not openapi.available(), reason="Discord's document is not here")
async def test_the_commands_conform_to_discords_schema(here: World) -> None:
    assert openapi.complaints("PUT", "/applications/1/commands", await told(here)) == []
