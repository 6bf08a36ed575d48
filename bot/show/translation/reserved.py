"""What the bot itself says in so few words that somebody's name could be taken for it: "Your turn", "host", "passes".

Reads all catalogues. Refuses to know who is called what, see bot.domain.names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.domain.names import LONGEST, looks
from bot.show.kit.words import LOCALES, RANKS, SUITS
from bot.show.translation.catalogue import read

FIELD = re.compile(r"\{\w*\}")
# Who or what the bot speaks of in its sentences, in all languages: "A moderator has paused this table."
ROLES = (
    "Moderator",
    "A moderator",
    "The moderator",
    "Another moderator",
    "Moderators",
    "Mod",
    "Admin",
    "The host",
    "House player",
    "A house player",
    "House players",
    "The bot",
    "Bigger",
    "Discord",
    "System",
    "Everybody",
    "Everyone",
    "Somebody",
    "Someone",
    "Nobody",
    "You",
    "The table",
    "This table",
    "管理员",
    "管理員",
    "管理者",
    "版主",
    "一位管理员",
    "另一位管理员",
    "另一位管理員",
    "房主",
    "电脑",
    "電腦",
    "电脑玩家",
    "電腦玩家",
    "机器人",
    "機器人",
    "系统",
    "系統",
    "大家",
    "所有人",
    "有人",
    "没有人",
    "沒有人",
    "你",
    "这一桌",
    "這一桌",
)
CARDS = frozenset((*RANKS.values(), *SUITS.values()))  # people are called Jack


@cache
def reserved() -> frozenset[str]:
    """Return what all short phrases of the bot look like, in every language, as bot.domain.names.called wants it."""
    return frozenset().union(*map(looks, _phrases()))


def _phrases() -> Iterator[str]:
    """Yield what is left of the short sentences without the fields in them; a lone letter is no phrase."""
    yield from ROLES
    for path in sorted(LOCALES.iterdir()):
        for message in read(path.name):
            said = message.string if isinstance(message.string, tuple | list) else (message.string,)
            bare = [FIELD.sub(" ", text or "") for text in said] if message.id not in CARDS else []
            yield from (phrase for phrase in bare if _is_phrase("".join(filter(str.isalpha, phrase))))


def _is_phrase(letters: str) -> bool:
    return len(letters) <= LONGEST and (len(letters) > 1 or (letters != "" and not letters.isascii()))
