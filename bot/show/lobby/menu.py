"""The menu of a lobby behind its dots, and invitations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from discord import ButtonStyle, SelectOption, ui

from bot.domain.chairs import Level
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.sentences import Seat
from bot.rules.variants.lengths import PRESENT, PRESET, lengths
from bot.rules.variants.registration import STORED
from bot.rules.variants.ruleset import Ruleset
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.house_levels import levels
from bot.show.kit.layout import (
    Accent,
    PrivateScreen,
    Row,
    button,
    lines,
    option,
    private,
    role_select,
    row,
    select,
    small,
    titled_select,
    user_select,
)
from bot.show.kit.words import MessageText, Words
from bot.show.lobby.cut import CUT_CARDS
from bot.show.lobby.table_menu import REPOST, tools_button
from bot.show.table import outside, paces
from bot.show.table.duplicates import ASK
from bot.show.table.lobby import unrated
from bot.show.table.spectators import watched

CLOSE = N_("Close this table")
LABELS = {
    Verb.AGREE: N_("Ready"),
    Verb.INVITE: N_("Invite"),
    Verb.RULES: N_("Rules"),
    Verb.LEAVE: N_("Leave"),
    Verb.ADD: N_("Add a bot"),
    Verb.REMOVE: N_("Remove…"),
    Verb.CHANGE: N_("Rules…"),
    Verb.CANCEL: CLOSE,
    Verb.CLOSE_NOW: CLOSE,
    Verb.REDRAW: REPOST,
    Verb.AVAILABILITY: N_("Who's free when"),
    Verb.CUT: CUT_CARDS,
}
STYLES = {Verb.CLOSE_NOW: ButtonStyle.danger, Verb.AGREE: ButtonStyle.success, Verb.CANCEL: ButtonStyle.danger}


def lobby_menu(
    scene: Scene,
    w: Words,
    *,
    notice: str | None = None,
    moderator: bool = False,
    waiting: bool = False,
    watching: bool = False,
    level: Level = Level.EASY,
    declined: Collection[UserId] = (),
) -> PrivateScreen:
    """Return the menu of a lobby. notice: a sentence to put first.

    moderator: whether the viewer moderates the channel. waiting: whether the viewer is in line for a seat. watching:
    whether the viewer is notified of the table's events. level: the viewer's preferred level of house players.
    declined: the people who do not come, for the host alone.
    """
    w = w.for_scene(scene)
    hosting = scene.seat is not None and scene.viewer == scene.terms.host
    return private(
        Accent.LOBBY,
        lines(
            notice,
            f"**{phrases.table(scene, w)}**",
            _own(scene, w),
            unrated(scene, w),
            _declined(scene, declined, w) if hosting else None,
            watched(scene, w) if watching else None,
        ),
        row(*(_button(scene, verb, w) for verb in _to_agree(scene))),
        *(_choices(scene, level, w) if hosting else ()),
        *(_of_the_host(scene, w) if hosting else (row(*_of_all(scene, w)), row(*_besides(scene, w)))),
        outside.row(scene, w, waiting=waiting, watching=watching),
        row(tools_button(scene, w)) if moderator and scene.seat is None else None,
    )


def _declined(scene: Scene, users: Collection[UserId], w: Words) -> MessageText | None:
    """Return who has declined and does not sit at the table; None without any."""
    there = {chair.user for chair in scene.chairs}
    people = [phrases.person(user, w) for user in sorted(users) if user not in there]
    return w("Can't make it: {people}.", people=people) if people else None


def _own(scene: Scene, w: Words) -> MessageText:
    """Return the viewer's seat, and any missing agreement."""
    if scene.seat is None:
        return w("You're not at this table yet.")
    seat, seats = 1 + scene.order.index(scene.seat), scene.terms.rules.players
    if scene.seat in scene.wait.awaited:
        return w("You have seat {seat} of {seats}, and haven't agreed to these rules yet.", seat=seat, seats=seats)
    if scene.viewer == scene.terms.host:
        return w("You're the host, seat {seat} of {seats}.", seat=seat, seats=seats)
    return w("You're in: seat {seat} of {seats}, ready.", seat=seat, seats=seats)


def joined(scene: Scene, w: Words, server: str) -> tuple[str | None, str | None]:
    """Return the texts for a player who just took a seat, headed as the hand that follows."""
    w = w.for_scene(scene)
    assert scene.seat is not None
    seat, seats = 1 + scene.order.index(scene.seat), scene.terms.rules.players
    text = w("You're in: seat {seat} of {seats}.", seat=seat, seats=seats)
    soon = w("Your cards appear here when they're dealt. If that takes a while, I'll ping you.")
    return lines(small(phrases.headed(scene, server, w)), text, soon), unrated(scene, w)


def _choices(scene: Scene, level: Level, w: Words) -> tuple[Row | None, ...]:
    """Return the host's menus: the length, the pace, and the level of house players."""
    table, labels = scene.where.table, w.for_labels()
    alike = scene.where.duplicate is not None
    return (
        None if alike else titled_select(Press(table, Verb.LENGTH), w("Length"), _lengths(scene, labels), w),
        titled_select(Press(table, Verb.PACE), w("Pace"), paces.offered(scene.terms, labels), w),
        levels(scene, w, level),
    )


def _lengths(scene: Scene, w: Words) -> list[SelectOption]:
    now = Ruleset(GAMES[scene.terms.game], scene.terms.preset, scene.terms.changes, STORED)
    about = {PRESET: w("Back to preset"), PRESENT: w("As it is now")}
    return [
        option(phrases.length(offered.rules, w), code, about.get(code, ""), default=offered == now)
        for code, offered in lengths(now).items()
    ]


def _to_agree(scene: Scene) -> Iterator[Verb]:
    """Yield the actions of a player who has to agree to changed rules."""
    if scene.seat in scene.wait.awaited:
        yield Verb.AGREE
        if len(scene.chairs) < scene.terms.rules.players:
            yield Verb.INVITE


def _of_all(scene: Scene, w: Words) -> Iterator[ui.Button[Any]]:
    yield _button(scene, Verb.RULES, w)
    if scene.seat is not None:
        yield _button(scene, Verb.LEAVE, w)


def _of_the_host(scene: Scene, w: Words) -> Iterator[Row | None]:
    """Yield the host's rows, two buttons each: three wrap on a phone."""
    full, alone = len(scene.chairs) == scene.terms.rules.players, len(scene.chairs) == 1
    yield row(_button(scene, Verb.CHANGE, w), _button(scene, Verb.ADD, w, disabled=full))
    yield row(_button(scene, Verb.REMOVE, w, disabled=alone), _button(scene, Verb.REDRAW, w))
    if scene.where.duplicate is None:
        yield row(button(w("Same deals…"), Browse.to(ASK, scene.where.table)), _button(scene, Verb.CUT, w))
    yield row(_button(scene, Verb.AVAILABILITY, w)) if scene.terms.pace.slow else None
    yield row(_button(scene, Verb.LEAVE, w), _button(scene, Verb.CANCEL, w))


def _besides(scene: Scene, w: Words) -> Iterator[ui.Button[Any]]:
    """Yield the less frequent actions of seated players."""
    if scene.seat is None:
        return
    if scene.where.duplicate is None:
        yield _button(scene, Verb.CUT, w)
    if scene.terms.pace.slow:
        yield _button(scene, Verb.AVAILABILITY, w)
    yield _button(scene, Verb.REDRAW, w)


def _button(scene: Scene, verb: Verb, w: Words, *, disabled: bool = False) -> ui.Button[Any]:
    agreed = scene.terms.edition if verb is Verb.AGREE else None
    style = STYLES.get(verb, ButtonStyle.secondary)
    return button(w(LABELS[verb]), Press(scene.where.table, verb, at=agreed), style, disabled=disabled)


def seated(value: str) -> tuple[int, str]:
    """Return the seat and the name in a value of such a select. Raises ValueError."""
    seat, name = value.split(":", 1)
    return int(seat), name


def remove(scene: Scene, w: Words) -> PrivateScreen:
    """Return the private screen on which the host chooses a player to remove."""
    others = [chair for chair in scene.chairs if chair.user != scene.terms.host]
    options = [
        option(
            w.for_labels().person(chair.name, house=chair.house, level=chair.level), f"{chair.seat}:{chair.name}"[:100]
        )
        for chair in others
    ]
    target = Press(scene.where.table, Verb.SEATS)
    return private(
        Accent.LOBBY,
        w("Who should leave {table}?", table=phrases.table(scene, w)) if options else w("Nobody else is here."),
        select(target, w("Choose a player"), options),
        row(button(w("Back"), Press(scene.where.table, Verb.MENU))),
    )


def closing(scene: Scene, w: Words) -> PrivateScreen:
    """Return the confirmation before the host closes a lobby with other people."""
    w = w.for_scene(scene)
    others = [Seat(chair.seat) for chair in scene.chairs if chair.user not in (None, scene.terms.host)]
    question = w.n(
        "Close {table}? {seats} is here too, loses the seat, and will be told you closed it.",
        "Close {table}? {seats} are here too, lose their seats, and will be told you closed it.",
        len(others),
        table=phrases.table(scene, w),
        seats=others,
    )
    keep = button(w("Keep it open"), Press(scene.where.table, Verb.MENU))
    return private(Accent.CLOSED, question, row(_button(scene, Verb.CLOSE_NOW, w), keep))


def closed(w: Words) -> PrivateScreen:
    """Return the confirmation of a closed table, for its host."""
    return private(Accent.CLOSED, w("This table is closed. /deal opens a new one."))


def inviting(scene: Scene, w: Words, most: int) -> PrivateScreen:
    """Return the screen to choose invitees. most: the highest number of people."""
    w, table = w.for_scene(scene), scene.where.table
    return private(
        Accent.LOBBY,
        lines(
            f"**{w('Who do you want to invite to {table}?', table=phrases.table(scene, w))}**",
            small(w("I'll ping them once, right away, and delete the ping when the match starts.")),
        ),
        user_select(Press(table, Verb.CALL), w("Up to {most} people", most=most), most),
        role_select(Press(table, Verb.CALL_ROLE), w("Or a role"), None),
    )


def invitation(scene: Scene, seat: int, whom: str, w: Words) -> MessageText:
    """Return the invitation. seat: the inviting player; whom: mentions of the invitees."""
    w = w.for_scene(scene)
    where = MessageText(f"[{phrases.table(scene, w)}](<{phrases.link(scene.where)}>)")
    return w("{people}, **{seat}** invites you to {table}.", people=MessageText(whom), seat=Seat(seat), table=where)


def opened(scene: Scene, users: Iterable[UserId], w: Words) -> MessageText:
    """Return the notice of a new table for its subscribers."""
    w = w.for_scene(scene)
    people = MessageText(" ".join(phrases.person(user, w) for user in users))
    return w("{people}: a table is open. {table}", people=people, table=phrases.table(scene, w))


def called(whom: Sequence[MessageText], missing: Sequence[MessageText], w: Words) -> PrivateScreen:
    """Return the confirmation: who was invited, and who was not.

    The reason why not stays private to the invitee.
    """
    not_called = w("Not pinged, because they can't come or don't want pings: {people}.", people=missing)
    return private(Accent.LOBBY, lines(w("I pinged {people}.", people=whom), not_called if missing else None))
