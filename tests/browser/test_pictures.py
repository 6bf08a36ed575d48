"""The README's pictures can be regenerated and match the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.pictures import NAMES, PICTURES, made

if TYPE_CHECKING:
    from playwright.async_api import Browser

README = Path(__file__).parents[2] / "README.md"
LARGEST = 48 * 1024  # bytes


def test_the_readme_shows_the_pictures_there_are() -> None:
    assert set(re.findall(r"\(data/pictures/(\w+)\.png\)", README.read_text(encoding="utf-8"))) == NAMES
    assert {file.stem for file in PICTURES.glob("*")} == NAMES
    assert max(file.stat().st_size for file in PICTURES.glob("*")) <= LARGEST


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_the_pictures_of_the_readme_are_made_by_the_bot(browser: Browser, tmp_path: Path) -> None:
    assert set(await made(browser, tmp_path, hands=1)) == NAMES
