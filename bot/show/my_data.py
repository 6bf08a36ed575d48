"""What is kept about a person: how much, all of it in a file, and the question before it is deleted.

Draws what it is given; refuses to look anything up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from discord import ButtonStyle

from bot.show.ids import Browse
from bot.show.layout import Accent, PrivateScreen, attached, button, line, lines, private, row, small
from bot.show.policies import policy_buttons
from bot.show.words import N_, Words

SHOW, ASK, DELETE = "my_data_show", "my_data_ask", "my_data_delete"  # the verbs
MATCHES = "my_matches"  # the verb: have all one's matches, of all servers
FILE = "what-bigger-keeps-about-me.json"
Data = Mapping[str, Sequence[Mapping[str, Any]]]
KEPT = N_(
    "Your seats, moves and results, what you chose, the rules you saved, and what you changed on servers. Never what "
    "you write, and your cards are shown to nobody else."
)
CONSEQUENCES = N_(
    "House players take your seats, at once. In matches that others played with you, you become a player without a "
    "name; their results stay as they are. Your results, choices and saved rules are gone. Nobody can undo this."
)
REMAINS = N_(
    "What stays: those matches, without you, and a keyed hash of your number, so that an old copy would forget you "
    "again. What I wrote in channels are messages on Discord."
)


def summary(data: Data, w: Words) -> PrivateScreen:
    """Return how much is kept about a person, with what they can do about it."""
    count = sum(map(len, data.values()))
    return private(
        Accent.YOURS,
        lines(f"## {w('What I keep about you')}", w.n("{n} entry", "{n} entries", count), small(w(KEPT))),
        row(
            button(w("Show me all of it"), Browse.to(SHOW), ButtonStyle.primary),
            button(w("Delete all of it"), Browse.to(ASK), ButtonStyle.danger),
            *policy_buttons(w),
        ),
        row(button(w("All my matches on all servers"), Browse.to(MATCHES))),
    )


def everything(data: Data, w: Words) -> PrivateScreen:
    """Return all that is kept about a person, in a file."""
    text = json.dumps(data, ensure_ascii=False, indent=1, default=_plain)
    shown = private(Accent.YOURS, w("Here is all that I keep about you. Only you see this."), attached(FILE))
    return replace(shown, file=(FILE, text))


def _plain(value: object) -> str:
    """Write a moment, which JSON does not know."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


def question(w: Words) -> PrivateScreen:
    """Return the question before everything is deleted."""
    return private(
        Accent.YOURS,
        lines(f"## {w('Delete everything about you?')}", w(CONSEQUENCES)),
        small(w(REMAINS)),
        line(),
        row(button(w("Yes, delete all of it"), Browse.to(DELETE), ButtonStyle.danger)),
    )


def deleted(w: Words) -> PrivateScreen:
    """Return that it is done."""
    return private(Accent.CLOSED, lines(f"## {w('It is deleted')}", w("Thank you for playing. Come back any time.")))
