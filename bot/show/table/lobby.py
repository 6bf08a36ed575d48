"""The lobby: the rules, the seats, and the buttons to join and to start.

Every button carries the edition of the terms on the screen, so that nobody agrees to unseen terms. The table
checks who may press a button.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.domain.chairs import Chair
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.sentences import Seat
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.house_levels import level
from bot.show.kit.layout import (
    DOTS,
    TEXT_LIMIT,
    Accent,
    Row,
    button,
    line,
    lines,
    pictured,
    row,
    screen,
    small,
    text_with_button,
)
from bot.show.kit.words import MessageText, Words, join, sentences
from bot.show.pictures.canvas import Picture
from bot.show.rulebook.ruleset import BookRules
from bot.show.table.rule_card import STEPS, differences, odds, revised, rule_card, whole

LABELS = {
    Verb.JOIN: N_("Join"),
    Verb.AGREE: N_("Ready"),
    Verb.INVITE: N_("Invite"),
    Verb.START: N_("Start"),
    Verb.PLAY_NOW: N_("Play now"),
    Verb.MENU: DOTS,
}
ALIKE = N_("Other tables play the same deals, so this one starts in a private thread and isn't rated.")
COUNTS_FOR_TWO = N_("Rated once two people are in.")
UNRATED_FOR_TWO = N_("Unrated. It counts once two people are in.")
MAX_CHANGES_BELOW_PICTURE = 2  # changes listed one by one below a picture
AGREEING = (Verb.JOIN, Verb.AGREE, Verb.START, Verb.PLAY_NOW)  # to the terms on the screen
STYLES = {
    Verb.JOIN: ButtonStyle.success,
    Verb.AGREE: ButtonStyle.success,
    Verb.START: ButtonStyle.primary,
    Verb.PLAY_NOW: ButtonStyle.primary,
}


def lobby(scene: Scene, w: Words, picture: Picture | None = None) -> ui.LayoutView:
    """Return the public screen of a table in its lobby.

    picture: shows the seats and the game. Without a picture, the screen is text, shortened to Discord's limit.
    """
    if picture:
        return _pictured(scene, picture, w.for_scene(scene))
    for told, coded in ((STEPS, True), (0, True), (0, False)):
        view = _draw(scene, w.for_scene(scene), told, coded=coded)
        if view.content_length() <= TEXT_LIMIT:
            break
    return view


def _draw(scene: Scene, w: Words, told: int, *, coded: bool) -> ui.LayoutView:
    """Return the lobby as text.

    told: the most changes to list one by one; coded: include the rule code.
    """
    return screen(
        Accent.LOBBY,
        lines(f"## {phrases.table(scene, w)}", w(GAMES[scene.terms.game].blurb)),
        line(),
        lines(rule_card(scene, w, coded=coded), revised(scene, w, told)),
        _all_of_it(scene, w),
        line(),
        _seats(scene, w),
        lines(
            phrases.halt_reason(scene, w) or _ready(scene, w),
            small(_counting(scene, w)),
            small(_open_end(scene, w)),
            small(_closing(scene, w)),
        ),
        _buttons(scene, w),
    )


def _pictured(scene: Scene, picture: Picture, w: Words) -> ui.LayoutView:
    """Return the lobby with a picture.

    Below the picture are the missing players, the differences, the buttons, and the rest in small print.
    """
    return screen(
        Accent.LOBBY,
        pictured(picture.name, picture.alt_text),
        lines(phrases.halt_reason(scene, w) or _missing(scene, w)),
        lines(odds(scene, w), revised(scene, w, MAX_CHANGES_BELOW_PICTURE)),
        _all_of_it(scene, w),
        _buttons(scene, w),
        small(
            join((phrases.table(scene, w), w("closes {when}", when=scene.wait.deadline) if scene.wait.deadline else ""))
        ),
    )


def _missing(scene: Scene, w: Words) -> MessageText:
    """Return who is missing, and whether the match will count."""
    free = scene.terms.rules.players - len(scene.chairs)
    if free and scene.wait.awaited:
        return w("The rules have changed. Press Ready to agree: {seats}.", seats=phrases.seats(scene.wait.awaited))
    if not free:
        return sentences((_ready(scene, w), _counting(scene, w)))
    host = next(Seat(chair.seat) for chair in scene.chairs if chair.user == scene.terms.host)
    waits = w("**{host}** is waiting for {free} more.", host=host, free=free)
    return sentences((waits, _counting(scene, w)))


def _buttons(scene: Scene, w: Words) -> Row | None:
    """Return the buttons that everybody needs, each in a fixed place.

    All other actions are in the menu.
    """
    full = len(scene.chairs) == scene.terms.rules.players
    return row(
        _button(scene, Verb.JOIN, w, quiet=full),
        _button(scene, Verb.START if full else Verb.PLAY_NOW, w),
        _button(scene, Verb.AGREE, w) if scene.wait.awaited else _button(scene, Verb.INVITE, w, disabled=full),
        _button(scene, Verb.MENU, w),
    )


def _seats(scene: Scene, w: Words) -> str:
    """Return a line for each seat, in the order of turns."""
    seated = {chair.seat: chair for chair in scene.chairs}
    return "\n".join(
        phrases.numbered(number, _seat(scene, seated[seat], w) if seat in seated else w("free"))
        for number, seat in enumerate(scene.order, 1)
    )


def _seat(scene: Scene, chair: Chair, w: Words) -> MessageText:
    """Return the player of a seat, and whether a person agrees to the rules.

    House players always do.
    """
    if chair.user == scene.terms.host and chair.seat not in scene.wait.awaited:
        return w("**{seat}** (host)", seat=Seat(chair.seat))
    if chair.house:
        return (
            w("**{seat}**: {said}", seat=Seat(chair.seat), said=level(chair.level, w))
            if chair.level
            else (phrases.marked(chair.seat, w))
        )
    if chair.user == scene.terms.host:
        return w("**{seat}** (host): hasn't agreed to these rules yet", seat=Seat(chair.seat))
    text = w("hasn't agreed to these rules yet") if chair.seat in scene.wait.awaited else w("ready")
    return w("**{seat}**: {said}", seat=Seat(chair.seat), said=text)


def _all_of_it(scene: Scene, w: Words) -> ui.Section[Any] | None:
    """Return the number of changed rules, if too many to list, with a button to show them."""
    if whole(scene):
        return None
    see = button(w("Show them"), Press(scene.where.table, Verb.TERMS))
    return text_with_button(
        w("**{differences}** here. Join shows them too.", differences=differences(BookRules.of_scene(scene), w)), see
    )


def _ready(scene: Scene, w: Words) -> MessageText:
    free = scene.terms.rules.players - len(scene.chairs)
    if free:
        return w.n(
            "{n} seat is still free. Play now fills it with a bot and starts.",
            "{n} seats are still free. Play now fills them with bots and starts.",
            free,
        )
    if scene.wait.awaited:
        return w(
            "Everyone's here, but the rules have changed. Press Ready to agree: {seats}.",
            seats=phrases.seats(scene.wait.awaited),
        )
    return w("Everyone's here: the host can start.")


def _counting(scene: Scene, w: Words) -> MessageText:
    """Return whether the match will count, and why not."""
    match scene.terms.uncounted:
        case "deals":
            return w(ALIKE)
        case "alone":
            return w(UNRATED_FOR_TWO if scene.terms.unrated else COUNTS_FOR_TWO)
        case "breaks_off":
            return w("Just for fun: by these rules, running out of time ends the match, so it can't count.")
    if scene.terms.unrated:
        return w("Unrated match (it still counts).")
    if not scene.terms.rated:
        return w("Unrated: the rules are too far from the usual ones. It still counts.")
    share = _share(scene)
    return w("Rated at {share}% because bots are playing.", share=share) if share else w("Rated match.")


def unrated(scene: Scene, w: Words) -> MessageText | None:
    """Return why matches with the viewer are unrated, for the viewer alone; None if rated."""
    if scene.unrated_until is None or scene.terms.uncounted not in (None, "alone"):
        return None
    return w(
        "Unrated, because you deleted your data: matches dealt with you don't affect ratings. You can "
        "play rated again {when}.",
        when=scene.unrated_until,
    )


def _share(scene: Scene) -> int:
    """Return the percentage of a match with house players that counts for the rating; else 0."""
    house = sum(chair.house for chair in scene.chairs)
    against = scene.terms.rules.players - 1
    return round(100 * (against - house) / against) if house else 0


def _open_end(scene: Scene, w: Words) -> MessageText:
    """Return how an endless match ends."""
    if scene.terms.rules.hands is not None or scene.terms.rules.target is not None:
        return MessageText()
    return w("It ends when everyone still playing agrees, or when someone asks and nobody objects for a day.")


def _closing(scene: Scene, w: Words) -> MessageText:
    return (
        w("The table closes {when} unless someone starts.", when=scene.wait.deadline)
        if scene.wait.deadline
        else MessageText()
    )


def _button(scene: Scene, verb: Verb, w: Words, *, disabled: bool = False, quiet: bool = False) -> ui.Button[Any]:
    """Return a button of the lobby. quiet: in grey."""
    style = ButtonStyle.secondary if quiet else STYLES.get(verb, ButtonStyle.secondary)
    agreed = scene.terms.edition if verb in AGREEING else None
    return button(w(LABELS[verb]), Press(scene.where.table, verb, at=agreed), style, disabled=disabled)
