"""The screens of a person without a seat at a table.

They offer a place in line, watching, and news of the next table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.scene import PublicScene, Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, PublicRow, Row, button, lines, private, small, text_with_button
from bot.show.kit.layout import row as row_of
from bot.show.kit.words import MessageText, Words, join
from bot.show.table.spectators import watch

TELL = "tell_me"  # the verb: notify the viewer of the next table in this channel
ANY = "any"  # in place of a game
NEW_TABLE = "deal_new"  # the verb: open a table of this game
HOW_THE_LINE_WORKS = N_("+1 puts you in line: I'll ask you here when a seat is free.")
NO_SEAT_YET = N_("You're not at a table yet.")
BOTS_STAY = N_("The bots' seats come free with the next match.")


def outside(
    scene: Scene, w: Words, *, waiting: bool = False, watching: bool = False, rematch: Scene | None = None
) -> PrivateScreen:
    """Return the answer to a viewer without a seat who has pressed a button of the players.

    waiting: whether the viewer is in line for a seat, there or at the rematch. watching: whether the viewer is notified
    of the table's events. rematch: the open rematch of an ended match.
    """
    w = w.for_scene(scene)
    explained = small(w(HOW_THE_LINE_WORKS)) if may_wait(rematch or scene) and not waiting else None
    to_rematch = _seat_button(rematch, w("Join the rematch"), w, waiting=waiting) if rematch else None
    return private(
        Accent.LOBBY,
        lines(_said(scene, w), explained),
        row_of(to_rematch, *_ways_in(scene, w, waiting=waiting, watching=watching)),
    )


def row(scene: Scene, w: Words, *, waiting: bool = False, watching: bool = False) -> Row | None:
    """Return the buttons for a viewer without a seat.

    They offer a place in line, watching, and news of the next table here. Returns None for a seated viewer. waiting,
    watching: as in `outside`.
    """
    return None if scene.seat is not None else row_of(*_ways_in(scene, w, waiting=waiting, watching=watching))


def _ways_in(scene: Scene, w: Words, *, waiting: bool, watching: bool) -> Iterator[ui.Button[Any] | None]:
    if scene.open:
        yield _seat_button(scene, w("Join"), w, waiting=waiting)
    yield watch(scene, w, watching=watching)
    yield notify_button(w)


def in_line(scene: Scene, place: int, w: Words) -> PrivateScreen:
    """Return the confirmation of a place in line. place: from 1."""
    w = w.for_scene(scene)
    if place == 1:
        text = w("You're first in line. I'll ask you here when a seat is free, for an hour at most.")
    else:
        text = w("You're number {n} in line. I'll ask you here when it's your turn, for an hour at most.", n=place)
    bots = scene.stage != "lobby" and any(chair.user is None for chair in scene.chairs)
    leave = button(w("Don't wait"), Press(scene.where.table, Verb.WAIT_FOR_SEAT, at=0))
    head = f"**{phrases.table(scene, w)}**"
    return private(Accent.LOBBY, lines(head, text, small(w(BOTS_STAY)) if bots else None), row_of(leave))


def seat_offer(scene: PublicScene, user: UserId, w: Words) -> MessageText:
    """Return the ping of a person in line, whose turn it is to take a seat."""
    w = w.for_scene(scene)
    where = MessageText(f"[{phrases.table(scene, w)}]({phrases.link(scene.where)})")
    return w(
        "{people}, a seat is free at {table}. It's yours for 2 minutes.", people=phrases.person(user, w), table=where
    )


def seat_offer_row(scene: PublicScene, seat: int, w: Words) -> PublicRow:
    """Return the buttons below the ping of a person in line."""
    table = scene.where.table
    take = button(w("Take the seat"), Press(table, Verb.TAKE_SEAT, at=seat), ButtonStyle.success)
    return PublicRow.of(take, button(w("Not now"), Press(table, Verb.WAIT_FOR_SEAT, at=0)))


def open_lobbies(
    scenes: Sequence[Scene], w: Words, *, text: str | None = None, more: Row | None = None
) -> PrivateScreen:
    """Return the lobbies with a free seat for the viewer, each with its button to join.

    text: a sentence to put first. more: further buttons.
    """
    head = w.n("**A table is waiting here.**", "**{n} tables are waiting here.**", len(scenes))
    return private(Accent.LOBBY, lines(text, head), *(_lobby(scene, w.for_scene(scene)) for scene in scenes), more)


def new_table_row(game: str, w: Words) -> Row | None:
    """Return the button to open a table of a game all the same.

    game: "" for the channel's default.
    """
    return row_of(button(w("Open a new table"), Browse.to(NEW_TABLE, game)))


def _lobby(scene: Scene, w: Words) -> ui.Section[Any]:
    """Return a lobby in a line: its table, its rules, the number of taken seats."""
    taken, seats = len(scene.chairs), scene.terms.rules.players
    seated = w("{taken} of {seats} seats taken", taken=taken, seats=seats)
    text = join((phrases.table(scene, w), phrases.preset(scene.terms, w), seated))
    return text_with_button(text, button(w("Join"), Press(scene.where.table, Verb.JOIN), ButtonStyle.success))


def may_wait(scene: Scene) -> bool:
    """Tell whether a viewer without a seat can get in line.

    There is a line at an open table without a free chair.
    """
    return scene.open and scene.seat is None and len(scene.chairs) == scene.terms.rules.players


def notify_button(w: Words) -> ui.Button[Any]:
    """Return the button to be notified of the next table in a channel."""
    return button(w("Tell me when a table opens here"), Browse.to(TELL, ANY))


def _seat_button(scene: Scene, join: MessageText, w: Words, *, waiting: bool) -> ui.Button[Any] | None:
    """Return the button to get a seat at once or to get in line.

    Returns None for a seated viewer. join: the label of the button for a seat.
    """
    if scene.seat is not None:
        return None
    if not may_wait(scene):
        return button(join, Press(scene.where.table, Verb.JOIN), ButtonStyle.success)
    label = w("✓ In line") if waiting else MessageText("+1")
    return button(label, Press(scene.where.table, Verb.WAIT_FOR_SEAT, at=1), ButtonStyle.success)


def _said(scene: Scene, w: Words) -> MessageText:
    """Return where the viewer does not sit, and why not."""
    table = phrases.table(scene, w)
    if scene.stage == "lobby":
        if may_wait(scene):
            return w("You're not at **{table}**, and all seats are taken.", table=table)
        return w("You're not at **{table}** yet.", table=table)
    if scene.open:
        return w("You're not at **{table}**, and the match has started.", table=table)
    return w("You didn't play at **{table}**.", table=table)


def out_of_line(scene: Scene, w: Words) -> PrivateScreen:
    """Return the confirmation that the viewer has left the line."""
    w = w.for_scene(scene)
    return private(Accent.LOBBY, w("OK, you're not in line any more."), row(scene, w))
