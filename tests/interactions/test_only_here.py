"""What is answered, and what only one person reads, goes through the door and nowhere else: read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for top in ("bot", "cogs") for path in (ROOT / top).rglob("*.py"))
DOOR = "bot/interactions/"
ANSWERS = {
    "send_message",
    "edit_message",
    "send_modal",
    "defer",
    "followup",
    "edit_original_response",
    "delete_original_response",
    "original_response",
}
NOT_SENT = ("Reply", "replace", "Scene", "PublicScene")  # what takes a view and sends none
DEFERRALS = ("defer()", "defer(ephemeral=True, thinking=True)")  # no other means on a component what it says


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text(path))))


def attributes(path: Path, wanted: set[str]) -> Iterator[str]:
    for node in nodes(path) if any(each in text(path) for each in wanted) else ():
        if isinstance(node, ast.Attribute) and node.attr in wanted:
            yield f"{name(path)}:{node.lineno} {node.attr}"


def calls(path: Path, word: str) -> Iterator[ast.Call]:
    """Yield the calls in a source in which this word stands at all."""
    return (node for node in nodes(path) if isinstance(node, ast.Call)) if word in text(path) else iter(())


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def elsewhere() -> Iterator[Path]:
    return (path for path in SOURCES if not name(path).startswith(DOOR))


def test_only_the_dispatcher_responds() -> None:
    assert [found for path in elsewhere() for found in attributes(path, ANSWERS)] == []


def test_only_the_dispatcher_opens_private_screens() -> None:
    assert [found for path in elsewhere() for found in attributes(path, {"secret"})] == []


def test_only_the_dispatcher_marks_messages_as_private() -> None:
    made = [(name(path), called(call)) for path in elsewhere() for call in calls(path, "PrivateMessage")]
    assert [where for where, what in made if what == "PrivateMessage"] == []


def test_everything_public_is_a_public_screen() -> None:
    """Elsewhere nothing is sent that is not taken out of a PublicScreen in the same breath."""
    views = [
        (name(path), ast.unparse(word.value))
        for path in elsewhere()
        for call in calls(path, "view")
        for word in call.keywords
        if word.arg == "view" and called(call) not in NOT_SENT
    ]
    assert [(where, view) for where, view in views if not view.endswith(".drawn")] == []
    assert len(views) > 2


def deferrals(source: str) -> list[str]:
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and called(node) == "defer")
    return [f"defer({', '.join(map(ast.unparse, [*call.args, *call.keywords]))})" for call in found]


def test_every_deferral_is_private_or_an_update() -> None:
    """A component's ``defer(ephemeral=True)`` is an update of the message, ``defer(thinking=True)`` a public one."""
    made = [each for path in SOURCES if "defer" in text(path) for each in deferrals(text(path))]
    assert set(made) == set(DEFERRALS)


@pytest.mark.parametrize("wrong", ["defer(ephemeral=True)", "defer(thinking=True)", "defer(True)"])
def test_wrong_deferrals_are_detected(wrong: str) -> None:
    assert deferrals(f"async def work(i): await i.response.{wrong}") == [wrong]
    assert wrong not in DEFERRALS


def test_new_messages_of_the_dispatcher_are_ephemeral() -> None:
    sends = [
        call
        for path in SOURCES
        for call in calls(path, "send")
        if called(call) == "send_message" or (called(call) == "send" and "followup" in ast.unparse(call.func))
    ]
    assert len(sends) == 2
    assert all("ephemeral=True" in ast.unparse(call) for call in sends)


def test_discord_py_dispatches_nothing_by_itself() -> None:
    """It would look up what was clicked on in the message, and drop the click where that has changed."""
    wanted = {"DynamicItem", "add_dynamic_items", "add_view", "PersistentView", "persistent_views"}
    assert [found for path in SOURCES for found in attributes(path, wanted)] == []
