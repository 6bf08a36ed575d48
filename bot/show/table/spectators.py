"""What those read who watch a table: that they do, and what has happened there. All of it stands on the board as well.

Knows words; refuses to know who is called, and when.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import UserId
from bot.scene import PublicScene, Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import button
from bot.show.kit.words import N_, Said, Words, join
from bot.show.table.notices import UNPLAYED
from bot.show.table.scores import headline

WATCHED = N_(
    "👁 You watch. I call you here when a hand has ended, at most every ten minutes, and at the end. Press Watch once "
    "more to stop."
)
WATCHED_LOBBY = N_(
    "👁 You watch. I call you here when a seat is free, and when a hand has ended. Press Watch once more to stop."
)


def watched(scene: Scene, w: Words) -> Said:
    """Return what somebody reads who watches a table."""
    return w(WATCHED_LOBBY if scene.stage == "lobby" else WATCHED)


def watch(scene: Scene, w: Words, *, watching: bool) -> ui.Button[Any] | None:
    """Return the button for whoever does not sit at a table and would like to be told, or no more."""
    if scene.seat is not None or not scene.open:
        return None
    press = Press(scene.where.table, Verb.FOLLOW, int(not watching))
    if watching:
        return button(f"✓ {w('Watch')}", press, ButtonStyle.success)
    return button(w("Watch"), press)


def free(scene: PublicScene, users: Iterable[UserId], w: Words) -> Said:
    """Return the call that a lobby has a free seat."""
    return w("{people}: a seat is free. {table}", people=_people(users, w), table=_linked(scene, w))


def hand_ended(scene: PublicScene, users: Iterable[UserId], w: Words) -> Said:
    """Return the call that a hand has ended."""
    w = w.at(scene)
    result = scene.view.result if scene.view else None
    news = join((headline(scene, result, w), phrases.hand_number(scene, w, short=True), _linked(scene, w)))
    return w("{people}: {news}", people=_people(users, w), news=news)


def ended(scene: PublicScene, users: Iterable[UserId], w: Words) -> Said:
    """Return the call that a match has ended; without the table's link, by which a stop would take it for a ping."""
    w = w.at(scene)
    if scene.stage == "over":
        way = Said(f"[{w('to the table')}]({phrases.link(scene.where)})")
        news = join((headline(scene, scene.view.result if scene.view else None, w), phrases.table(scene, w), way))
    else:
        news = w(UNPLAYED, table=phrases.table(scene, w))
    return w("{people}: {news}", people=_people(users, w), news=news)


def _people(users: Iterable[UserId], w: Words) -> Said:
    return Said(" ".join(phrases.person(user, w) for user in users))


def _linked(scene: Scene, w: Words) -> Said:
    return Said(f"[{phrases.table(scene, w)}]({phrases.link(scene.where)})")
