"""Messages to spectators: the confirmation, and the notices of a table's events.

All content is on the board too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.scene import PublicScene, Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import button
from bot.show.kit.words import MessageText, Words, join
from bot.show.table.notices import UNPLAYED
from bot.show.table.scores import headline

WATCHED = N_(
    "👁 You're following this table. I'll ping you here after a hand (at most every 10 min) and at the "
    "end. Tap again to stop."
)
WATCHED_LOBBY = N_(
    "👁 You're following this table. I'll ping you here when a seat is free, and after a hand. Tap again to stop."
)


def watched(scene: Scene, w: Words) -> MessageText:
    """Return the confirmation for a spectator."""
    return w(WATCHED_LOBBY if scene.stage == "lobby" else WATCHED)


def watch(scene: Scene, w: Words, *, watching: bool) -> ui.Button[Any] | None:
    """Return the button that starts or stops watching.

    Returns None for a seated viewer or at a closed table.
    """
    if scene.seat is not None or not scene.open:
        return None
    press = Press(scene.where.table, Verb.FOLLOW, at=int(not watching))
    if watching:
        return button(f"✓ {w('Watch')}", press, ButtonStyle.success)
    return button(w("Watch"), press)


def free(scene: PublicScene, users: Iterable[UserId], w: Words) -> MessageText:
    """Return the notice that a lobby has a free seat."""
    return w("{people}: a seat is free. {table}", people=_people(users, w), table=_linked(scene, w))


def hand_ended(scene: PublicScene, users: Iterable[UserId], w: Words) -> MessageText:
    """Return the notice that a hand has ended."""
    w = w.for_scene(scene)
    result = scene.view.result if scene.view else None
    news = join((headline(scene, result, w), phrases.hand_number(scene, w, short=True), _linked(scene, w)))
    return w("{people}: {news}", people=_people(users, w), news=news)


def ended(scene: PublicScene, users: Iterable[UserId], w: Words) -> MessageText:
    """Return the notice that a match has ended.

    It lacks the usual link, by which a restart recognizes lost pings.
    """
    w = w.for_scene(scene)
    if scene.stage == "over":
        way = MessageText(f"[{w('to the table')}]({phrases.link(scene.where)})")
        news = join((headline(scene, scene.view.result if scene.view else None, w), phrases.table(scene, w), way))
    else:
        news = w(UNPLAYED, table=phrases.table(scene, w))
    return w("{people}: {news}", people=_people(users, w), news=news)


def _people(users: Iterable[UserId], w: Words) -> MessageText:
    return MessageText(" ".join(phrases.person(user, w) for user in users))


def _linked(scene: Scene, w: Words) -> MessageText:
    return MessageText(f"[{phrases.table(scene, w)}]({phrases.link(scene.where)})")
