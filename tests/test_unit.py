"""The systemd unit of docs/operating.md: systemd understands it, and finds it safe."""

from __future__ import annotations

import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "operating.md"
SAFE = 2.5  # of 10, lower is safer
WANTED = (
    "UMask=0077", "PrivateTmp=true", "ProtectHome=true", "ProtectKernelTunables=true", "ProtectKernelModules=true",
    "ProtectKernelLogs=true", "CapabilityBoundingSet=", "SystemCallFilter=@system-service", "MemoryMax=1G",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
)  # fmt: skip
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit as the page has it."""
    found = re.search(r"(?ms)^    \[Unit\]\n.*?(?=^\S)", PAGE.read_text("utf-8"))
    assert found
    path = tmp_path / "bigger.service"
    path.write_text(textwrap.dedent(found[0]))
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
    [score] = re.findall(r"Overall exposure level for bigger.service: ([\d.]+)", said)
    assert float(score) <= SAFE
    [told] = re.findall(r"gives this unit ([\d.]+) of 10", PAGE.read_text("utf-8"))
    assert float(told) == pytest.approx(float(score), abs=0.3)  # other versions weigh a little otherwise
