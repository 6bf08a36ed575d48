"""Stakes are units in a notebook: no sentence, rule or option mentions money, in any language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.show.rulebook.articles import PAGES
from bot.show.translation.catalogue import read_catalogue
from tests.support.languages import CODES

CURRENCY = re.compile(
    r"[$€£¥₩₽₹]|\b(?:money|cash|dollars?|euros?|cents?|coins?)\b|现金|現金|货币|貨幣|美元|人民币|台币", re.IGNORECASE
)
NEGATED_PAYMENT = ("这里不付钱", "這裡不付錢")


@pytest.mark.parametrize("language", CODES)
def test_no_sentence_of_the_bot_mentions_money(language: str) -> None:
    sentences = [text for message in read_catalogue(language) if message.id for text in _plural_forms(message.string)]
    assert sentences
    assert [text for text in sentences if CURRENCY.search(text)] == []
    payments = [text for text in sentences if re.search("[付賠赔][钱錢]", text)]
    assert all(any(no in text for no in NEGATED_PAYMENT) for text in payments), payments


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda path: path.name)
def test_no_rule_page_mentions_money(page: Path) -> None:
    assert CURRENCY.findall(page.read_text(encoding="utf-8")) == []


def _plural_forms(text: object) -> list[str]:
    return [text] if isinstance(text, str) else list(text) if isinstance(text, list | tuple) else []
