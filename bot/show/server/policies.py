"""The privacy policy and the terms, in the viewer's language, with the operator's name filled in.

Read from PRIVACY.md and TERMS.md, and their translations in data/policies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from discord import ui

from bot.domain.languages import ENGLISH
from bot.paths import ROOT
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, button, private, row
from bot.show.kit.words import Words

POLICY = "policy"  # the verb: show this policy
Policy: TypeAlias = Literal["PRIVACY", "TERMS"]
PRIVACY: Policy = "PRIVACY"
TERMS: Policy = "TERMS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """The operator's name, contact and web pages; each may be empty."""

    name: str = ""
    contact: str = ""
    privacy: str = ""
    terms: str = ""
    source: str = ""


def policy(which: Policy, operator: Operator, w: Words) -> PrivateScreen:
    """Return one of the two policies, with a link to its web page."""
    link = operator.privacy if which == PRIVACY else operator.terms
    return private(
        Accent.BOOK,
        filled(which, w.locale, operator, w),
        row(button(w("Read it on the web"), link) if link else None),
    )


def filled(which: Policy, locale: str, operator: Operator, w: Words) -> str:
    """Return the text of a policy with the operator's name."""
    nobody = w("whoever invited it to this server")
    told = text(which, locale).replace("{operator}", operator.name or nobody)
    return told.replace("{contact}", operator.contact or nobody)


@cache
def text(which: Policy, locale: str) -> str:
    """Return the text of a policy in a language, in English without a translation."""
    translated = ROOT / "data" / "policies" / f"{which}.{locale}.md"
    path = ROOT / f"{which}.md" if locale == ENGLISH.code or not translated.is_file() else translated
    return path.read_text("utf-8").strip()


def policy_buttons(w: Words, operator: Operator | None = None) -> tuple[ui.Button[Any], ui.Button[Any]]:
    """Return the buttons that open the two policies. operator: opens the operator's web pages instead, if any."""
    there = operator or Operator()
    return (
        button(w("Privacy"), there.privacy or Browse.to(POLICY, PRIVACY)),
        button(w("Terms"), there.terms or Browse.to(POLICY, TERMS)),
    )
