"""Windows and macOS: what the sources must not rely on, and where the three systems are named."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for top in ("bot", "cogs") for path in (ROOT / top).rglob("*.py"))
# Not on Windows, or not the same there: the number of a parent stays when the parent ends.
MISSING = {"os.fork", "os.forkpty", "os.getppid", "os.killpg", "os.setsid", "os.kill", "os.geteuid", "signal.SIGKILL"}
UNGUARDED = {"resource", "fcntl", "pwd", "grp", "termios", "pty"}  # modules that are not there: only within a function
STARTS = {"subprocess.Popen", "asyncio.create_subprocess_exec"}
OPENS = {"read_text", "write_text", "fdopen", "open"}
SUSPECT = re.compile(rf"\b(?:{'|'.join((*(name.split('.')[-1] for name in MISSING | STARTS), *UNGUARDED, *OPENS))})\b")


class Source(NamedTuple):
    """What is asked of a source. imported: modules at its top. named: all with a dot."""

    imported: list[str]
    named: set[str]
    calls: list[ast.Call]


def read(source: str) -> Source:
    """Read a source."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    return Source(
        [each.name for node in tree.body if isinstance(node, ast.Import) for each in node.names],
        set(map(dotted, nodes)),
        [node for node in nodes if isinstance(node, ast.Call)],
    )


def dotted(node: ast.AST) -> str:
    """Return the dotted name of this expression; "" without one."""
    match node:
        case ast.Attribute(ast.Name(owner), name):
            return f"{owner}.{name}"
    return ""


@cache
def sources() -> dict[str, Source]:
    """Return the sources in which such a thing could stand, each read once: to read all of them takes a second."""
    texts = {str(path): path.read_text("utf-8") for path in SOURCES}
    return {path: read(text) for path, text in texts.items() if SUSPECT.search(text)}


def lacks_encoding(call: ast.Call) -> bool:
    """Tell whether a call opens a file as text in the encoding of the machine."""
    words = [node.value for node in call.args if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = "encoding" in {each.arg for each in call.keywords}
    match call.func:
        case ast.Attribute(attr="read_text"):
            return not call.args and not call.keywords
        case ast.Attribute(attr="write_text"):
            return len(call.args) < 2 and not call.keywords
        case ast.Attribute(attr="fdopen") | ast.Name(id="open"):
            return not any("b" in word for word in words[-1:]) and "encoding" not in {
                each.arg for each in call.keywords
            }
        case ast.Attribute(attr="open", value=ast.Name(id=owner)) if owner in {"path", "part", "env_file"}:
            return not any("b" in word for word in words[:1]) and not named
    return False


def found(source: Source) -> list[str]:
    """Return what a source must not do."""
    files = [ast.unparse(call) for call in source.calls if lacks_encoding(call)]
    return [*(MISSING & source.named), *(UNGUARDED & set(source.imported)), *files]


def test_42_1_6_no_source_uses_apis_missing_on_windows() -> None:
    assert {path: wrong for path, source in sources().items() if (wrong := found(source))} == {}
    spoilt = "import resource\nos.getppid()\npath.read_text()\nos.fdopen(1, 'w')\npath.open('w')\nopen('x')"
    assert len(found(read(spoilt))) == 6
    assert not found(read("path.read_text('utf-8')\npath.open('rb')\nopen('x', encoding='utf-8')\nopen('x', 'rb')"))


def test_42_1_6_child_processes_are_spawned_in_their_own_group() -> None:
    started = [call for source in sources().values() for call in source.calls if dotted(call.func) in STARTS]
    assert len(started) == 2
    assert all("creationflags" in {each.arg for each in call.keywords} for call in started)


def test_42_1_6_types_are_checked_and_tests_run_for_each_system() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    checked = makefile.split("\ncheck:")[1].split("\n\n")[0]
    assert re.search(r"for system in win32 darwin; do .* mypy --platform \$\$system .*bot cogs", checked)
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))["jobs"]
    assert [system.split("-")[0] for system in jobs["elsewhere"]["strategy"]["matrix"]["system"]] == [
        "windows",
        "macos",
    ]
    [quick] = [step["run"] for step in jobs["elsewhere"]["steps"] if "pytest" in step.get("run", "")]
    [made] = re.findall(r"(?m)^quick:.*\n\t@\$\(PY\) -m (pytest .*) \$\(ARGS\)$", makefile)
    assert made in quick
    assert "3.14" in jobs["all"]["strategy"]["matrix"]["python"]


def test_42_1_6_the_powershell_lines_install_the_declared_packages() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    lines = [
        "    python -m venv .venv",
        '    .venv\\Scripts\\python -m pip install -c constraints.txt ".[sandbox]"',
        "    .venv\\Scripts\\python -m bot",
    ]
    assert "\n".join(lines) in readme
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "sandbox" in project["project"]["optional-dependencies"]
    assert project["tool"]["setuptools"]["packages"] == [], "the package is empty: the sources run where they lie"
