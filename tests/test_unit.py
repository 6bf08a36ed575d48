"""The systemd units of docs/operating.md: systemd understands them, and finds them safe."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "operating.md"
SERVICE, SEVERAL = DOCS / "bigger.service", DOCS / "bigger@.service"
SAFE = 2.5  # of 10, lower is safer
WANTED = (
    "UMask=0077",
    "PrivateTmp=true",
    "ProtectHome=true",
    "ProtectKernelTunables=true",
    "ProtectKernelModules=true",
    "ProtectKernelLogs=true",
    "CapabilityBoundingSet=",
    "SystemCallFilter=@system-service",
    "MemoryMax=1G",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "LimitCORE=0",
)
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")


@pytest.fixture(params=[SERVICE, SEVERAL], ids=lambda path: path.name)
def unit(request: pytest.FixtureRequest) -> Path:
    """A unit as it is to be copied."""
    path: Path = request.param
    return path


def asked(*words: str) -> tuple[int, str]:
    """Ask systemd; return its exit code and what it said."""
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False, timeout=30)
    return done.returncode, done.stdout + done.stderr


def test_it_is_hardened(unit: Path) -> None:
    assert set(WANTED) <= set(unit.read_text().splitlines())


@needs_systemd
def test_systemd_understands_it(unit: Path) -> None:
    _, said = asked("verify", str(unit))
    complaints = [line for line in said.splitlines() if unit.name in line and "is not executable" not in line]
    assert complaints == []  # but that nothing is installed under /srv here


@needs_systemd
def test_systemd_finds_it_safe(unit: Path) -> None:
    code, said = asked("security", "--offline=true", "--no-pager", str(unit))
    if "unrecognized option" in said:
        pytest.skip("an older systemd")
    assert code == 0
    [score] = re.findall(r"Overall exposure level for \S+\.service: ([\d.]+)", said)
    assert float(score) <= SAFE
    [told] = re.findall(r"gives this unit ([\d.]+) of 10", PAGE.read_text("utf-8"))
    assert float(told) == pytest.approx(float(score), abs=0.3)  # other versions weigh a little otherwise


def test_several_differ_in_their_names_and_settings_alone() -> None:
    one, several = (set(path.read_text().splitlines()) for path in (SERVICE, SEVERAL))
    assert sorted(line.partition("=")[0] for line in several - one if not line.startswith("#")) == [
        "Description",
        "EnvironmentFile",
    ]
    assert [line for line in one - several if not line.startswith("#")] == ["Description=Bigger, card games on Discord"]
