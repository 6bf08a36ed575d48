"""The lobby: what will be played, who sits where, and the buttons to come, go and start.

Knows who may sit; refuses to know who may press what, which the table decides.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.rules.game import Seat
from bot.rules.registry import GAMES
from bot.show import phrases
from bot.show.ids import Pick, Press, Verb
from bot.show.layout import Accent, button, line, lines, option, row, screen, select, small
from bot.show.words import HOUSE, N_, Said, Words, join
from bot.table.scene import Scene

LABELS = {
    Verb.JOIN: N_("Join"),
    Verb.LEAVE: N_("Leave"),
    Verb.ADD: N_("Add house player"),
    Verb.REMOVE: N_("Remove…"),
    Verb.START: N_("Start"),
    Verb.CANCEL: N_("Cancel"),
    Verb.RULES: N_("Rules"),
}
STYLES = {Verb.JOIN: ButtonStyle.success, Verb.START: ButtonStyle.primary, Verb.CANCEL: ButtonStyle.danger}


def lobby(scene: Scene, w: Words) -> ui.LayoutView:
    """Return the public screen of a table that is still filling up."""
    w = w.at(scene)
    full = len(scene.chairs) == scene.rules.players
    return screen(
        Accent.LOBBY,
        lines(f"## {phrases.table(scene, w)}", w(GAMES[scene.game].blurb), _terms(scene, w)),
        line(),
        _seats(scene, w),
        lines(_ready(scene, w), small(_closing(scene, w))),
        row(
            _button(scene, Verb.JOIN, w, disabled=full),
            _button(scene, Verb.LEAVE, w, disabled=not scene.chairs),
            _button(scene, Verb.ADD, w, disabled=full),
            _button(scene, Verb.REMOVE, w, disabled=not scene.chairs),
        ),
        row(
            _button(scene, Verb.START, w, disabled=not full),
            _button(scene, Verb.CANCEL, w),
            _button(scene, Verb.RULES, w),
        ),
    )


def remove(scene: Scene, w: Words) -> ui.LayoutView:
    """Return the private screen on which the host chooses who has to get up."""
    others = [chair for chair in scene.chairs if chair.user != scene.host]
    options = [
        option(f"{chair.name} {HOUSE}" if chair.house else chair.name, f"{chair.seat}:{chair.name}"[:100])
        for chair in others
    ]
    target = Pick(scene.table, scene.ply, Verb.REMOVE)
    return screen(
        Accent.LOBBY,
        w("Who has to get up from {table}?", table=phrases.table(scene, w)) if options else w("Nobody else sits here."),
        select(target, w("Choose a player"), options),
    )


def _terms(scene: Scene, w: Words) -> Said:
    """Preset, length and pace, and what differs from the preset."""
    terms = join((phrases.preset(scene, w), phrases.length(scene.rules, w), phrases.pace(scene, w)))
    return join((terms, phrases.changes(scene, w)), "\n")


def _seats(scene: Scene, w: Words) -> str:
    """A line for each seat, in the order of play."""
    seated = {chair.seat: chair for chair in scene.chairs}
    return "\n".join(
        _seat(seat, w, host=seated[seat].user == scene.host)
        if seat in seated
        else phrases.numbered(seat + 1, w("free"))
        for seat in range(scene.rules.players)
    )


def _seat(seat: int, w: Words, *, host: bool) -> Said:
    return phrases.numbered(seat + 1, w("**{seat}** (host)" if host else "**{seat}**", seat=Seat(seat)))


def _ready(scene: Scene, w: Words) -> Said:
    free = scene.rules.players - len(scene.chairs)
    if free:
        return w.n("{n} seat is still free. Friends or house players are welcome.",
                   "{n} seats are still free. Friends or house players are welcome.", free)  # fmt: skip
    return w("Everybody is here: the host can start.")


def _closing(scene: Scene, w: Words) -> Said:
    return w("The table closes {when} if nobody starts.", when=scene.deadline) if scene.deadline else Said()


def _button(scene: Scene, verb: Verb, w: Words, *, disabled: bool = False) -> ui.Button[Any]:
    style = STYLES.get(verb, ButtonStyle.secondary)
    return button(w(LABELS[verb]), Press(scene.table, scene.ply, verb), style, disabled=disabled)
