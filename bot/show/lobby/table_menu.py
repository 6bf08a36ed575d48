"""The menu of a table with a running or ended match, for players and moderators.

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
from bot.show.table import outside, votes
from bot.show.table.board import about_deal
from bot.show.table.spectators import watched

NOT_A_MODERATOR = N_(
    "Moderators look after the tables here: anyone who can manage messages in this channel or has the "
    "role this server chose. If something's wrong, ask one of them."
)
OWN_TABLE = N_("You're playing here, so another moderator has to look after this table.")
SAID_ALOUD = N_("What you do here is announced in the channel, with your name.")
REPOST = N_("Repost the board")
MATCH_LABELS = {
    Verb.LAST: N_("Last trick"),
    Verb.RULES: N_("Rules"),
    Verb.CHECK: CHECK,
    Verb.SHARE: N_("Share…"),
    Verb.LEAVE: N_("Leave"),
    Verb.PAUSE: N_("Pause"),
    Verb.RESUME: N_("Continue"),
    Verb.REDRAW: REPOST,
    Verb.END: N_("Stop match…"),
    Verb.END_NOW: N_("Stop match"),
    Verb.CALL_OFF: N_("Cancel match…"),
    Verb.CALL_OFF_NOW: N_("Cancel match"),
}
DANGER = (Verb.END_NOW, Verb.CALL_OFF_NOW)
QUESTIONS = {
    Verb.END_NOW: N_("Stop {table} now? The match is saved, but it doesn't count."),
    Verb.CALL_OFF_NOW: N_("Cancel {table}? Nothing counts, and the table is closed."),
}


def menu(
    scene: Scene,
    w: Words,
    *,
    notice: str | None = None,
    moderator: bool = False,
    waiting: bool = False,
    watching: bool = False,
) -> PrivateScreen:
    """Return the menu of a table, with the actions of viewers, players and moderators.

    notice: a sentence to put first. moderator: whether the viewer moderates the channel. waiting: whether the viewer is
    in line for a seat. watching: whether the viewer is notified of the table's events.
    """
    w = w.for_scene(scene)
    seated = scene.seat is not None
    return private(
        Accent.CLOSED,
        lines(
            notice,
            f"**{phrases.table(scene, w)}**",
            watched(scene, w) if watching else None,
            small(w(OWN_TABLE)) if moderator and seated and scene.open else None,
            small(about_deal(scene, w)),
        ),
        line(),
        row(*_ended(scene, w), *(_match_button(scene, verb, w) for verb in _of_all(scene))),
        votes.choices(scene, w),
        row(*(_match_button(scene, verb, w) for verb in (Verb.LEAVE, Verb.REDRAW))) if seated and scene.open else None,
        outside.row(scene, w, waiting=waiting, watching=watching),
        row(tools_button(scene, w)) if moderator and not seated and scene.open else None,
    )


def _of_all(scene: Scene) -> tuple[Verb, ...]:
    """Return the actions for everybody that are missing below a board with a picture."""
    last = (Verb.LAST,) if scene.stage == "playing" else ()
    return (*last, Verb.RULES, Verb.CHECK)


def _ended(scene: Scene, w: Words) -> list[ui.Button[Any]]:
    """Return the actions after a match, or after a hand."""
    if scene.stage == "between" and scene.terms.hints:
        return [look_closely(scene.where.table, scene.tally.hand, w)]
    return [_match_button(scene, Verb.SHARE, w), look_back(scene.where.table, w)] if scene.stage == "over" else []


def tools_button(scene: Scene, w: Words) -> ui.Button[Any]:
    """Return the button that shows the actions of moderators."""
    return button(w("Moderator tools…"), Press(scene.where.table, Verb.TOOLS))


def tools(scene: Scene, w: Words, offerable: Collection[int]) -> PrivateScreen:
    """Return the actions of a moderator without a seat at an open table.

    offerable: the seats of absent players that may be offered to substitutes.
    """
    w = w.for_scene(scene)
    return private(
        Accent.CLOSED,
        lines(f"**{phrases.table(scene, w)}**", small(w(SAID_ALOUD))),
        line(),
        row(*(_match_button(scene, verb, w) for verb in _of_moderators(scene))),
        _expelling(scene, w),
        _offering(scene, offerable, w),
        row(button(w("Back"), Press(scene.where.table, Verb.MENU))),
    )


def _of_moderators(scene: Scene) -> tuple[Verb, ...]:
    if scene.stage == "lobby":
        return Verb.REDRAW, Verb.CALL_OFF
    return Verb.RESUME if scene.wait.paused else Verb.PAUSE, Verb.REDRAW, Verb.END, Verb.CALL_OFF


def _expelling(scene: Scene, w: Words) -> Row | None:
    """Return a select of the people who can be removed; None without any."""
    there = [chair for chair in scene.chairs if chair.user is not None and chair.away != "removed"]
    options = [option(chair.name, f"{chair.seat}:{chair.name}"[:100]) for chair in there]
    expel = Press(scene.where.table, Verb.EXPEL)
    return select(expel, w("Remove a player, for a day"), options)


def _offering(scene: Scene, offerable: Collection[int], w: Words) -> Row | None:
    """Return a select of the seats that can be offered to substitutes; None without any."""
    there = [chair for chair in scene.chairs if chair.seat in offerable]
    options = [option(chair.name, f"{chair.seat}:{chair.name}"[:100]) for chair in there]
    return select(Press(scene.where.table, Verb.OFFER_FOR), w("Offer the seat of a player who's away"), options)


def sure(scene: Scene, verb: Verb, w: Words) -> PrivateScreen:
    """Return the confirmation before a match is ended or called off.

    verb: of the confirming button.
    """
    text = w(QUESTIONS[verb], table=phrases.table(scene, w))
    back = button(w("Back"), Press(scene.where.table, Verb.TOOLS))
    return private(
        Accent.CLOSED, text, small(w("Pausing is a gentler option.")), row(_match_button(scene, verb, w), back)
    )


def done(w: Words) -> MessageText:
    """Return the confirmation of an action visible in the table's channel, clicked elsewhere."""
    return w("Done. Everyone can see it in the table's channel.")


def _match_button(scene: Scene, verb: Verb, w: Words) -> ui.Button[Any]:
    style = ButtonStyle.danger if verb in DANGER else ButtonStyle.secondary
    return button(w(MATCH_LABELS[verb]), Press(scene.where.table, verb), style)
