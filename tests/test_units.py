"""Stakes are units in a notebook: no sentence, rule or option speaks of money, in whatever language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.show.rulebook.articles import PAGES
from bot.show.translation.catalogue import read_catalogue
from tests.support.languages import CODES

SIGNS = re.compile(
    r"[$€£¥₩₽₹]|\b(?:money|cash|dollars?|euros?|cents?|coins?)\b|现金|現金|货币|貨幣|美元|人民币|台币", re.IGNORECASE
)
DENIED = ("这里不付钱", "這裡不付錢")


@pytest.mark.parametrize("language", CODES)
def test_no_currency_in_any_sentence(language: str) -> None:
    said = [text for message in read_catalogue(language) if message.id for text in _forms(message.string)]
    assert said
    assert [text for text in said if SIGNS.search(text)] == []
    paid = [text for text in said if re.search("[付賠赔][钱錢]", text)]
    assert all(any(no in text for no in DENIED) for text in paid), paid


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda path: path.name)
def test_no_currency_in_any_rule(page: Path) -> None:
    assert SIGNS.findall(page.read_text(encoding="utf-8")) == []


def _forms(text: object) -> list[str]:
    return [text] if isinstance(text, str) else list(text) if isinstance(text, list | tuple) else []
