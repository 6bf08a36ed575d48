"""Custom ids of earlier releases, still present in old messages, translated to today's custom ids.

The old form carried a moment, and the selected cards.
"""

from __future__ import annotations

import re
from contextlib import suppress

from bot.domain.ids import TableId
from bot.rules.core.cards import Cards
from bot.show.kit.card_codes import split
from bot.show.kit.custom_ids import DECISION_VERBS, MAX_TABLE_ID, VERBS, Browse, InvalidCustomId, Press, Verb

FORMER = re.compile(
    r"(?P<kind>b[gp]):(?P<table>\d{1,19}):(?P<moment>\d{1,10}):(?P<verb>[a-z_]+)(?P<part>\d?)(?::(?P<cards>[^:]*))?"
)
PLACED = (Verb.CHOOSE, Verb.PICK)
SELECTS = {Verb.PLAY: Verb.PLAYS, Verb.REMOVE: Verb.SEATS}
UNREACHABLE_MOMENT = 10**9  # a moment no match reaches: such a click always comes too late


def read(text: str) -> Press | Browse:
    """Return the component of a custom id of this or any earlier release. Raises InvalidCustomId."""
    if text.startswith("bv:"):
        return Browse.read(text)
    with suppress(InvalidCustomId):
        return Press.read(text)
    found = FORMER.fullmatch(text)
    if found is None or found["verb"] not in VERBS or int(found["table"]) > MAX_TABLE_ID:
        raise InvalidCustomId(text)
    return _modern(found, Verb(found["verb"]))


def _modern(found: re.Match[str], verb: Verb) -> Press:
    cards = _cards(found["cards"])
    at = None if verb not in DECISION_VERBS else UNREACHABLE_MOMENT if cards is None else int(found["moment"])
    if found["kind"] == "bp" and verb in SELECTS:
        verb, at = SELECTS[verb], None
    part = int(found["part"] or 0) if verb in PLACED else 0
    return Press(TableId(int(found["table"])), verb, at=at, part=part, cards=cards)


def _cards(text: str | None) -> Cards | None:
    """Return the selected cards; None for cards in an unknown format."""
    try:
        return split(text or "")
    except (KeyError, ValueError):
        return None
