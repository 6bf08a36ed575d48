"""The systemd units of docs/operating.md: systemd accepts them and rates them as safe."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

DOCS_FOLDER = Path(__file__).parents[1] / "docs"
OPERATING_PAGE = DOCS_FOLDER / "operating.md"
SERVICE, TEMPLATE_SERVICE = DOCS_FOLDER / "bigger.service", DOCS_FOLDER / "bigger@.service"
MAX_EXPOSURE = 2.5  # of 10, lower is safer
REQUIRED_LINES = (
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


@pytest.fixture(params=[SERVICE, TEMPLATE_SERVICE], ids=lambda path: path.name)
def unit(request: pytest.FixtureRequest) -> Path:
    """One of the unit files."""
    path: Path = request.param
    return path


def analyze(*words: str) -> tuple[int, str]:
    """Run systemd-analyze; return the exit code and the output."""
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False, timeout=30)
    return done.returncode, done.stdout + done.stderr


def test_the_unit_has_all_hardening_settings(unit: Path) -> None:
    assert set(REQUIRED_LINES) <= set(unit.read_text().splitlines())


@needs_systemd
def test_systemd_accepts_the_unit(unit: Path) -> None:
    _, said = analyze("verify", str(unit))
    complaints = [line for line in said.splitlines() if unit.name in line and "is not executable" not in line]
    assert complaints == []  # except for the missing program in /srv


@needs_systemd
def test_systemd_rates_the_unit_as_safe(unit: Path) -> None:
    code, said = analyze("security", "--offline=true", "--no-pager", str(unit))
    if "unrecognized option" in said:
        pytest.skip("an older systemd")
    assert code == 0
    [score] = re.findall(r"Overall exposure level for \S+\.service: ([\d.]+)", said)
    assert float(score) <= MAX_EXPOSURE
    [documented] = re.findall(r"gives this unit ([\d.]+) of 10", OPERATING_PAGE.read_text("utf-8"))
    assert float(documented) == pytest.approx(float(score), abs=0.3)  # versions of systemd differ slightly


def test_the_template_unit_differs_only_in_description_and_settings() -> None:
    one, several = (set(path.read_text().splitlines()) for path in (SERVICE, TEMPLATE_SERVICE))
    assert sorted(line.partition("=")[0] for line in several - one if not line.startswith("#")) == [
        "Description",
        "EnvironmentFile",
    ]
    assert [line for line in one - several if not line.startswith("#")] == ["Description=Bigger, card games on Discord"]
