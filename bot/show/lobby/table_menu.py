"""The menu of a table with a running or ended match: the actions of moderators and of players.

The menu shows no more of the game than the board, even to moderators.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.message_ids import N_
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, Row, button, line, lines, option, private, row, select, small
from bot.show.kit.words import MessageText, Words
from bot.show.matches.replay import look_back, look_closely
from bot.show.rulebook.deal_check import CHECK
from bot.show.table import votes
from bot.show.table.board import about_deal
from bot.show.table.spectators import watch, watched

NOT_A_MODERATOR = N_(
    "Moderators look after the tables here: whoever may manage messages in this channel, or has the role that the "
    "server has chosen for it. If something is wrong, ask one of them."
)
OWN_TABLE = N_("You sit at this table. So that all is fair, another moderator has to look after it.")
SAID_ALOUD = N_("Whatever you do here is said in the channel, with your name.")
STUCK = N_("Does the table look stuck? Post it anew.")
MATCH_LABELS = {
    Verb.LAST: N_("Last trick"),
    Verb.RULES: N_("Rules"),
    Verb.CHECK: CHECK,
    Verb.SHARE: N_("Share…"),
    Verb.LEAVE: N_("Leave"),
    Verb.PAUSE: N_("Pause"),
    Verb.RESUME: N_("Go on"),
    Verb.REDRAW: N_("Post it anew"),
    Verb.END: N_("End the match…"),
    Verb.END_NOW: N_("End the match"),
    Verb.CALL_OFF: N_("Call it off…"),
    Verb.CALL_OFF_NOW: N_("Call it off"),
}
DANGER = (Verb.END_NOW, Verb.CALL_OFF_NOW)
QUESTIONS = {
    Verb.END_NOW: N_("End {table} now? What was played is kept, but it does not count."),
    Verb.CALL_OFF_NOW: N_("Call {table} off? Nothing of it counts, and it is closed."),
}


def menu(scene: Scene, w: Words, *, moderator: bool, watching: bool, offerable: Collection[int] = ()) -> PrivateScreen:
    """Return the menu of a table.

    moderator: whether the viewer moderates the channel. watching: whether the viewer is notified of the table's events.
    offerable: the seats of absent players that may be offered to substitutes.
    """
    w = w.at(scene)
    seated = scene.seat is not None
    outside = moderator and not seated
    return private(
        Accent.CLOSED,
        lines(
            f"**{phrases.table(scene, w)}**",
            watched(scene, w) if watching else None,
            _said(scene, w, moderator=moderator),
            small(about_deal(scene, w)),
        ),
        line(),
        row(
            *_ended(scene, w),
            *(_match_button(scene, verb, w) for verb in _behind_the_dots(scene)),
            watch(scene, w, watching=watching),
        ),
        row(*(_match_button(scene, verb, w) for verb in _offered(scene, seated=seated, outside=outside))),
        votes.choices(scene, w),
        expelling(scene, w) if outside else None,
        _offering(scene, offerable, w) if outside else None,
    )


def _said(scene: Scene, w: Words, *, moderator: bool) -> str | None:
    if scene.seat is not None:
        return lines(w(OWN_TABLE) if moderator else w(NOT_A_MODERATOR), w(STUCK)) if scene.open else None
    return w(SAID_ALOUD) if moderator else small(w(NOT_A_MODERATOR))


def _behind_the_dots(scene: Scene) -> list[Verb]:
    """Return the actions for everybody that are missing below a board with a picture."""
    leave = [Verb.LEAVE] if scene.open and scene.seat is not None else []
    if scene.stage == "playing":
        return [Verb.LAST, Verb.RULES, Verb.CHECK, *leave]
    return [Verb.RULES, Verb.CHECK, *leave]


def _ended(scene: Scene, w: Words) -> list[ui.Button[Any]]:
    """Return the actions after a match, or after a hand."""
    if scene.stage == "between" and scene.terms.hints:
        return [look_closely(scene.where.table, scene.tally.hand, w)]
    return [_match_button(scene, Verb.SHARE, w), look_back(scene.where.table, w)] if scene.stage == "over" else []


def _offered(scene: Scene, *, seated: bool, outside: bool) -> list[Verb]:
    if not scene.open:
        return []
    if not outside:
        return [Verb.REDRAW] if seated else []
    return [Verb.RESUME if scene.wait.paused else Verb.PAUSE, Verb.REDRAW, Verb.END, Verb.CALL_OFF]


def expelling(scene: Scene, w: Words) -> Row | None:
    """Return a select of the people who can be removed; None at a closed table."""
    there = [chair for chair in scene.chairs if chair.user is not None and chair.away != "removed"]
    options = [option(chair.name, f"{chair.seat}:{chair.name}"[:100]) for chair in there]
    expel = Press(scene.where.table, Verb.EXPEL)
    return select(expel, w("Remove a player, for a day"), options) if scene.open else None


def _offering(scene: Scene, offerable: Collection[int], w: Words) -> Row | None:
    """Return a select of the seats that can be offered to substitutes; None without any."""
    there = [chair for chair in scene.chairs if chair.seat in offerable]
    options = [option(chair.name, f"{chair.seat}:{chair.name}"[:100]) for chair in there]
    return select(Press(scene.where.table, Verb.OFFER_FOR), w("Offer the seat of somebody who is away"), options)


def sure(scene: Scene, verb: Verb, w: Words) -> PrivateScreen:
    """Return the confirmation before a match is ended or called off. verb: of the confirming button."""
    said = w(QUESTIONS[verb], table=phrases.table(scene, w))
    return private(Accent.CLOSED, said, small(w("Pausing it is milder.")), row(_match_button(scene, verb, w)))


def done(w: Words) -> MessageText:
    """Return the confirmation of an action visible in the table's channel, for a click made elsewhere."""
    return w("Done. Everybody sees it in the channel of the table.")


def _match_button(scene: Scene, verb: Verb, w: Words) -> ui.Button[Any]:
    style = ButtonStyle.danger if verb in DANGER else ButtonStyle.secondary
    return button(w(MATCH_LABELS[verb]), Press(scene.where.table, verb), style)
