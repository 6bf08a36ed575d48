"""The desk: all tables of one person, on every server, those that wait for them first.

Private: it shows nothing that the boards do not show as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.ground.ids import GuildId
from bot.scene.scene import Scene
from bot.show import phrases
from bot.show.ids import Press, Verb
from bot.show.layout import Accent, PrivateScreen, button, lines, private, row, small
from bot.show.words import N_, Said, Words, escaped, join

MOST = 10  # tables on the desk: what one message holds
STAGES = {
    "lobby": N_("waiting for players"),
    "playing": N_("being played"),
    "between": N_("between two hands"),
    "over": N_("over"),
    "closed": N_("closed"),
}


def desk(scenes: Sequence[Scene], servers: Mapping[GuildId, str], w: Words) -> PrivateScreen:
    """Return a person's tables as seen by them. servers: names by id."""
    if not scenes:
        return private(Accent.BOOK, w("You do not sit at any table. Open one with /deal."))
    ordered = sorted(scenes, key=lambda scene: not scene.wanted)
    blocks = [block for scene in ordered[:MOST] for block in _table(scene, servers[scene.where.guild], w.at(scene))]
    more = len(ordered) - MOST
    rest = w.n("and {n} more", "and {n} more", more) if more > 0 else None
    return private(Accent.BOOK, "## " + w("Your tables"), *blocks, rest)


def _table(scene: Scene, server: str, w: Words) -> tuple[str | ui.ActionRow[Any] | None, ...]:
    mine = scene.wanted
    state = _turn(scene, w) if mine else phrases.awaited(scene, w) or w(STAGES[scene.stage])
    head = join((Said(f"**[{phrases.table(scene, w)}]({phrases.link(scene.where)})**"), escaped(server)))
    style = ButtonStyle.primary if mine else ButtonStyle.secondary
    open_hand = button(w("My hand"), Press(scene.where.table, Verb.HAND), style) if scene.view else None
    return lines(head, small(state)), row(open_hand)


def _turn(scene: Scene, w: Words) -> Said:
    return w("**You are asked!**") if scene.together else w("**Your turn!**")
