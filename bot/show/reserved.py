"""What the bot itself says in so few words that somebody's name could be taken for it: "Your turn", "host", "passes".

Reads all catalogues. Refuses to know who is called what, see bot.ground.names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.ground.names import LONGEST, looks
from bot.show.catalogue import read
from bot.show.words import LOCALES, RANKS, SUITS

FIELD = re.compile(r"\{\w*\}")
CARDS = frozenset((*RANKS.values(), *SUITS.values()))  # people are called Jack


@cache
def reserved() -> frozenset[str]:
    """Return what all short phrases of the bot look like, in every language, as bot.ground.names.called wants it."""
    return frozenset().union(*map(looks, _phrases()))


def _phrases() -> Iterator[str]:
    """Yield what is left of the short sentences without the fields in them; a lone letter is no phrase."""
    for path in sorted(LOCALES.iterdir()):
        for message in read(path.name):
            said = message.string if isinstance(message.string, tuple | list) else (message.string,)
            bare = [FIELD.sub(" ", each or "") for each in said] if message.id not in CARDS else []
            yield from (each for each in bare if _is_phrase("".join(filter(str.isalpha, each))))


def _is_phrase(letters: str) -> bool:
    return len(letters) <= LONGEST and (len(letters) > 1 or (letters != "" and not letters.isascii()))
