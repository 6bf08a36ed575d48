"""Phrases of the bot that a person's name must not imitate: "Your turn", "host", "passes".

Reads all catalogues. The names themselves are checked in bot.domain.names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.domain.languages import LANGUAGES
from bot.domain.message_ids import N_
from bot.domain.names import MAX_NAME_LENGTH, lookalike_keys
from bot.show.kit.words import RANKS, SUITS
from bot.show.translation.catalogue import read_catalogue

MESSAGE_FIELD = re.compile(r"\{\w*\}")
# Subjects of the bot's sentences: "A moderator has paused this table."
ROLES = N_(
    "Moderator, A moderator, The moderator, Another moderator, Moderators, Mod, Admin, The host, Bot, "
    "A bot, Bots, House player, A house player, House players, The bot, Bigger, Discord, System, "
    "Everybody, Everyone, Somebody, Someone, Nobody, You, The table, This table"
)
ROLE_SEPARATOR = re.compile("[,，、] ?")
CARDS = frozenset((*RANKS.values(), *SUITS.values()))  # Jack is also a first name


@cache
def reserved() -> frozenset[str]:
    """Return the shapes of all short phrases of the bot, in every language.

    For comparison by ``bot.domain.names.distinct_name``.
    """
    return frozenset().union(*map(lookalike_keys, _phrases()))


def _phrases() -> Iterator[str]:
    """Yield the short sentences without their fields; a lone letter is no phrase."""
    for language in LANGUAGES:
        for message in read_catalogue(language.code):
            said = message.string if isinstance(message.string, tuple | list) else (message.string,)
            if message.id == ROLES:
                said = ROLE_SEPARATOR.split(str(message.string))
            bare = [MESSAGE_FIELD.sub(" ", text or "") for text in said] if message.id not in CARDS else []
            yield from (phrase for phrase in bare if _is_phrase("".join(filter(str.isalpha, phrase))))


def _is_phrase(letters: str) -> bool:
    return len(letters) <= MAX_NAME_LENGTH and (len(letters) > 1 or (letters != "" and not letters.isascii()))
