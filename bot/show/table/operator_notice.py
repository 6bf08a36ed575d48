"""The operator's notice, on boards and in the operator's own overview."""

from __future__ import annotations

from discord import utils

from bot.domain.message_ids import N_
from bot.domain.operator_notice import MAX_NOTICE_LENGTH, OperatorAction, OperatorNotice, OperatorState
from bot.show.kit.layout import lines, small
from bot.show.kit.words import MessageText, Words, sentences

CLOSED = N_("I'm not opening new tables right now.")
NOT_YOURS = N_("That's for the operator of this bot.")
NO_NUMBER = N_("That isn't an ID. Turn on Developer Mode in Discord, and choose Copy ID.")
TOO_LONG = N_("That's too long for a notice: {n} characters, and the limit is 300.")
FOLLOWS = N_("Done. The boards will follow.")
LATEST = 8  # the most deeds to show

assert str(MAX_NOTICE_LENGTH) in TOO_LONG


def notice(said: OperatorNotice, w: Words) -> str:
    """Return the notice on a board; empty without one."""
    text = sentences((w(CLOSED) if said.closed else "", utils.escape_mentions(said.text)))
    return f"📣 {text}" if text else ""


def standing(known: OperatorState, w: Words) -> str:
    """Return everything in force, and the latest deeds, the last one first."""
    count = {kind: sum(banned == kind for banned, _ in known.banned) for kind in ("person", "server")}
    text = utils.escape_mentions(known.notice.text)
    return (
        lines(
            w(CLOSED) if known.notice.closed else w("New tables can be opened."),
            w("On every board: {text}", text=MessageText(text)) if text else None,
            w("People not served: {n}", n=count["person"]),
            w("Servers not served: {n}", n=count["server"]),
            *(small(f"{utils.format_dt(deed.at, 'd')} · {deed.where} · {deed.what}") for deed in _latest(known)),
        )
        or ""
    )


def _latest(known: OperatorState) -> tuple[OperatorAction, ...]:
    return known.done[: -LATEST - 1 : -1]
