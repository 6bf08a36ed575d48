"""What whoever runs the bot has said to all: as it stands on boards, and as they read it themselves."""

from __future__ import annotations

from discord import utils

from bot.domain.operator_notice import LONGEST, Deed, Notice, Upkeep
from bot.show.kit.layout import lines, small
from bot.show.kit.words import N_, Said, Words, sentences

CLOSED = N_("No new tables are opened for now.")
NOT_YOURS = N_("That is for whoever runs this bot.")
NO_NUMBER = N_("That is no number. Turn on Developer Mode on Discord, and choose Copy ID.")
TOO_LONG = N_("That is too long for a notice: {n} characters, and 300 are the most.")
FOLLOWS = N_("Done. The boards follow.")
LATEST = 8  # deeds that are shown

assert str(LONGEST) in TOO_LONG


def notice(said: Notice, w: Words) -> str:
    """Return what stands on a board; nothing where nothing is said."""
    told = sentences((w(CLOSED) if said.closed else "", utils.escape_mentions(said.text)))
    return f"📣 {told}" if told else ""


def standing(known: Upkeep, w: Words) -> str:
    """Return all that holds, and the latest deeds, the last one first."""
    count = {kind: sum(banned == kind for banned, _ in known.banned) for kind in ("person", "server")}
    told = utils.escape_mentions(known.notice.text)
    return (
        lines(
            w(CLOSED) if known.notice.closed else w("New tables are opened."),
            w("On every board: {text}", text=Said(told)) if told else None,
            w("People who are not served: {n}", n=count["person"]),
            w("Servers that are not served: {n}", n=count["server"]),
            *(small(f"{utils.format_dt(deed.at, 'd')} · {deed.where} · {deed.what}") for deed in _latest(known)),
        )
        or ""
    )


def _latest(known: Upkeep) -> tuple[Deed, ...]:
    return known.done[: -LATEST - 1 : -1]
