"""Short messages beside the board: turn pings, reminders, news, the last trick, and the question before leaving.

Knows wording; refuses to know who is to be told.
"""

from __future__ import annotations

from collections.abc import Iterable

from discord import ButtonStyle, ui

from bot.rules.game import Seat
from bot.show import phrases
from bot.show.ids import Press, Verb
from bot.show.layout import Accent, button, fitted, row, screen
from bot.show.words import N_, Said, Words, join
from bot.table.scene import Scene

LEAVING = N_("Leave {table}? A house player takes your seat at once. You can take it back until the match ends.")
LEAVING_LAST = N_("Leave {table}? You are the last person here, so the match ends unfinished and the table closes.")


def ping(scene: Scene, w: Words, users: Iterable[int]) -> Said:
    """Return the message that calls people to the table: whom, to which game, and where it is."""
    return w("{people}, it is your turn: {table}", people=_people(users), table=_linked(scene, w))


def reminder(scene: Scene, w: Words, users: Iterable[int]) -> Said:
    """Return the one reminder before the time is up."""
    people, where = _people(users), _linked(scene, w)
    if scene.deadline is None:
        return ping(scene, w, users)
    return w("{people}, your time is up {when}: {table}", people=people, when=scene.deadline, table=where)


def last_trick(scene: Scene, w: Words) -> ui.LayoutView:
    """Return the last finished trick, move by move; all of it was public."""
    return fitted(lambda words: _last(scene, words.at(scene)), w)


def _last(scene: Scene, w: Words) -> ui.LayoutView:
    if scene.view is None or not scene.view.tricks:
        return screen(Accent.PLAYING, w("No trick has been finished in this hand yet."))
    trick = scene.view.tricks[-1]
    moves = [
        w("{seat}: {combo}", seat=Seat(move.seat), combo=move.combo)
        if move.combo
        else w("{seat} passes", seat=Seat(move.seat))
        for move in trick.moves
    ]
    return screen(Accent.PLAYING, w("**The last trick**"), join(moves, "\n"))


def leaving(scene: Scene, w: Words) -> ui.LayoutView:
    """Return the question whether somebody really wants to leave a running match."""
    press = Press(scene.table, scene.ply, Verb.LEAVE_NOW)
    stay = [chair for chair in scene.chairs if chair.user is not None and chair.seat != scene.seat]
    return screen(
        Accent.CLOSED,
        w(LEAVING if stay else LEAVING_LAST, table=phrases.table(scene, w)),
        row(button(w("Leave the match"), press, ButtonStyle.danger)),
    )


def left(scene: Scene, w: Words) -> ui.LayoutView:
    """Return what somebody reads who has just left, with the way back as long as the match goes on."""
    back = button(w("Take my seat back"), Press(scene.table, scene.ply, Verb.BACK))
    kept = scene.seat is not None and scene.stage in ("playing", "between")
    return screen(
        Accent.CLOSED, w("You have left {table}.", table=phrases.table(scene, w)), row(back if kept else None)
    )


def said(text: str) -> ui.LayoutView:
    """Return a single sentence, ready for a message, as a screen."""
    return screen(Accent.CLOSED, text)


def _people(users: Iterable[int]) -> list[Said]:
    return [Said(f"<@{user}>") for user in users]


def _linked(scene: Scene, w: Words) -> Said:
    return Said(f"[{phrases.table(scene, w)}]({phrases.link(scene)})")
