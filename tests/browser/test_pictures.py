"""The pictures of the README can be made again and match the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.pictures import NAMES, PICTURES, make_pictures

if TYPE_CHECKING:
    from playwright.async_api import Browser

README = Path(__file__).parents[2] / "README.md"
MAX_BYTES = 48 * 1024  # bytes


def test_the_readme_shows_exactly_the_existing_pictures() -> None:
    assert set(re.findall(r"\(data/pictures/(\w+)\.png\)", README.read_text(encoding="utf-8"))) == NAMES
    assert {file.stem for file in PICTURES.glob("*")} == NAMES
    assert max(file.stat().st_size for file in PICTURES.glob("*")) <= MAX_BYTES


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_the_pictures_of_the_readme_can_be_made_from_the_bot(browser: Browser, tmp_path: Path) -> None:
    assert set(await make_pictures(browser, tmp_path, hands=1)) == NAMES
