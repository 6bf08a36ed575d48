"""The desk: all tables of a person on every server, the most urgent first.

Private: the list shows no more than the boards, and each hand opens in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.ids import GuildId, TableId
from bot.domain.message_ids import N_
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, Row, button, lines, private, row, screen, small
from bot.show.kit.open_menus import NO_MENUS, Menus, keep_menus
from bot.show.kit.words import MessageText, Words, join, sentences
from bot.show.table.notices import called_off_later

DESK: Final = "desk"  # the verb: open the next awaited table after the given table; with ALL, the list
ALL: Final = "all"
ONWARD: Final = str(Browse.to(DESK, ALL))  # the custom id that marks a hand on a desk
FAR: Final = datetime.max.replace(tzinfo=UTC)
MAX_TABLES_LISTED = 10  # tables on the desk, by the size of a message
TABLE_SUSPENDED = N_("💤 Suspended: I can't post there any more. All clocks are stopped.")
CALLED_OFF_SUSPENDED = N_("canceled: I couldn't post there any more. Nothing counts, and nobody loses.")
ENDED_SUSPENDED = N_("ended: I couldn't post there any more. Finished hands count.")
CLOSED_SUSPENDED = N_("closed: I couldn't post there any more")
STAGES = {
    "lobby": N_("waiting for players"),
    "playing": N_("being played"),
    "between": N_("between hands"),
    "over": N_("over"),
    "closed": N_("closed"),
}


def desk(
    scenes: Sequence[Scene],
    servers: Mapping[GuildId, str],
    w: Words,
    *,
    long: int = 0,
    notice: str | None = None,
    menus: Menus = NO_MENUS,
) -> PrivateScreen:
    """Return the desk of a person.

    servers: names by id. long: the number of tables waiting for more than six hours. notice: a sentence on top.
    menus: the menus of the redrawn message, which may be open.
    """
    if not scenes:
        return no_table(w, notice)
    ordered = soonest(scenes)
    blocks = [
        block
        for scene in ordered[:MAX_TABLES_LISTED]
        for block in _table(scene, servers[scene.where.guild], w.for_scene(scene))
    ]
    more = len(ordered) - MAX_TABLES_LISTED
    rest = w.n("and {n} more", "and {n} more", more) if more > 0 else None
    waiting = sum(scene.waits for scene in scenes)
    begin = row(button(w("Play them here"), Browse.to(DESK), ButtonStyle.primary)) if waiting else None
    head = lines("## " + w("Your tables"), notice, _count(waiting, long, w))
    view = screen(Accent.BOOK, head, begin, *blocks, rest)
    return PrivateScreen(keep_menus(view, menus, scenes[0].where.table, w) if menus else view)


def no_table(w: Words, notice: str | None = None, *, here: bool = True) -> PrivateScreen:
    """Return the desk of a person without a table.

    here: whether /deal is available where the desk is shown.
    """
    if here:
        return private(Accent.BOOK, notice, w("You're not at any table. Open one with /deal."))
    return private(Accent.BOOK, notice, w("You're not at any table. /deal opens one on any server I'm on."))


def soonest(scenes: Sequence[Scene]) -> list[Scene]:
    """Return tables by urgency: tables that wait for the viewer first, each group by deadline."""
    return sorted(scenes, key=lambda scene: (not scene.waits, scene.wait.deadline or FAR))


def _count(waiting: int, long: int, w: Words) -> MessageText | None:
    """Return the number of tables that wait for the viewer; None without any."""
    if not waiting:
        return None
    text = w.n("{n} table is waiting for you.", "{n} tables are waiting for you.", waiting)
    since = w.n("{n} of them for more than six hours.", "{n} of them for more than six hours.", long) if long else None
    return sentences(filter(None, (text, since)))


def desk_buttons(table: TableId, w: Words) -> Row | None:
    """Return the buttons under a hand on the desk: the next table, and all tables."""
    return row(button(w("Next table"), Browse.to(DESK, table)), button(w("All my tables"), Browse.to(DESK, ALL)))


def _table(scene: Scene, server: str, w: Words) -> tuple[str | ui.ActionRow[Any] | None, ...]:
    mine = scene.waits
    state = (
        _turn(scene, w) if mine else _suspended_status(scene, w) or phrases.awaited(scene, w) or w(STAGES[scene.stage])
    )
    head = phrases.headed(scene, server, w, mark="**")
    style = ButtonStyle.primary if mine else ButtonStyle.secondary
    shown = scene.view and scene.open
    open_hand = button(w("My hand"), Press(scene.where.table, Verb.HAND), style) if shown else None
    return lines(head, small(state)), row(open_hand)


def _suspended_status(scene: Scene, w: Words) -> MessageText | None:
    """Return the status of a suspended table, where the bot lost its permissions.

    None for other tables.
    """
    if not scene.wait.suspended:
        return None
    if scene.stage == "over":
        return w(ENDED_SUSPENDED)
    if not scene.open:
        return w(CALLED_OFF_SUSPENDED) if scene.view else w(CLOSED_SUSPENDED)
    return sentences(filter(None, (w(TABLE_SUSPENDED), called_off_later(scene, w))))


def _turn(scene: Scene, w: Words) -> MessageText:
    asked = scene.together or not scene.wanted
    return join((w("**Your call!**") if asked else w("**Your turn!**"), phrases.deadline(scene, w)))
