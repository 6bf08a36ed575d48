"""A player's private panel: one message with the hand, its menu, or another screen."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from discord import ui

from bot.domain.chairs import Level
from bot.domain.preferences import Preferences
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo
from bot.scene import Scene
from bot.show.contests.lesson import begin
from bot.show.contests.practice import practising
from bot.show.hand import premoves
from bot.show.hand.hand import hand
from bot.show.kit import phrases
from bot.show.kit.card_codes import join
from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import (
    MAX_OPTIONS,
    Accent,
    PrivateScreen,
    Row,
    back_to_hand,
    button,
    fitted,
    line,
    lines,
    option,
    row,
    screen,
    select,
)
from bot.show.kit.open_menus import NO_MENUS, Menus, keep_menus
from bot.show.kit.words import MessageText, Words
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import questions, votes
from bot.show.table.board import top_play
from bot.show.table.notices import last_moves
from bot.show.table.scores import as_text, penalty


class PanelTab(Enum):
    """The content of a panel.

    The hand, its menu, or a screen unaffected by plays, such as the rules.

    An EXPIRED panel no longer follows the game. UNDEALT content, from before the deal, is replaced by the hand.
    """

    HAND = auto()
    MENU = auto()
    OTHER_SCREEN = auto()
    EXPIRED = auto()
    UNDEALT = auto()


def panel(
    tab: PanelTab,
    scene: Scene,
    w: Words,
    *,
    where: str,
    preferences: Preferences,
    chosen: Cards,
    tapped: frozenset[int],
    desk: bool,
    menus: Menus = NO_MENUS,
) -> PrivateScreen:
    """Return the new content of a panel after a change of the game.

    The other arguments as in ``hand``. menus: the menus of the panel, which may be open.
    """
    if visible_tab(tab, scene) is PanelTab.MENU:
        return hand_menu(scene, w, chosen=chosen, level=preferences.level, menus=menus)
    return hand(scene, w, where=where, chosen=chosen, tapped=tapped, preferences=preferences, desk=desk, menus=menus)


def visible_tab(tab: PanelTab, scene: Scene) -> PanelTab:
    """Return the tab to show for this scene.

    After the deal, and without a seat in a running hand, the hand.
    """
    playing = scene.stage == "playing" and scene.seat is not None
    return tab if playing and tab is not PanelTab.UNDEALT else PanelTab.HAND


MAX_PLAYS_LISTED = MAX_OPTIONS - 1  # the most legal plays to list: the option back needs room below


def hand_menu(
    scene: Scene, w: Words, *, chosen: Cards = (), level: Level = Level.EASY, menus: Menus = NO_MENUS
) -> PrivateScreen:
    """Return the menu of the viewer's hand.

    chosen: the selected cards. level: the viewer's preferred level of house players. menus: the menus of the redrawn
    message, which may be open.
    """

    def draw(words: Words) -> ui.LayoutView:
        view = _draw(scene, words.for_scene(scene), chosen, level)
        return keep_menus(view, menus, scene.where.table, words) if menus else view

    return PrivateScreen(fitted(draw, w))


def _draw(scene: Scene, w: Words, chosen: Cards, level: Level) -> ui.LayoutView:
    view, own = scene.view, w.to_seat(scene.seat)
    return screen(
        Accent.YOURS,
        w("### Your turn") if scene.wanted else None,
        lines(f"### {w('Score')}", as_text(scene, w), penalty(scene, w)) if len(scene.tally.course) > 1 else None,
        lines(f"### {w('Last trick')}", *last_moves(view, own)) if view and view.ended_tricks else None,
        line(),
        _plays(scene, view, w) if view else None,
        top_play(view, own) if view and view.phase_note is None and premoves.can_queue(scene) else None,
        *premoves.premove_menus(scene, chosen, w),
        questions.beforehand(scene, ask, w) if (ask := questions.asked(scene)) else None,
        row(
            back_to_hand(scene.where.table, w),
            _button(scene, Verb.RULES, w("Rules")),
            begin(BookRules.of_scene(scene), w),
            _button(scene, Verb.SETTINGS, w("Settings")),
            _button(scene, Verb.LEAVE, w("Leave")) if scene.open else None,
        ),
        row(_button(scene, Verb.AVAILABILITY, w("Who's free when")), _grant(scene, w))
        if scene.terms.pace.slow
        else None,
        votes.choices(scene, w),
        *practising(scene, w, level),
    )


def _grant(scene: Scene, w: Words) -> ui.Button[Any] | None:
    """Return the button that gives the player to move more time.

    None if no other person is to move.
    """
    others = [seat for seat in scene.wait.awaited if seat != scene.seat and not scene.chairs[seat].house]
    if scene.stage != "playing" or scene.together or not others or scene.wait.paused:
        return None
    w = w.for_labels()
    return button(
        w("+12 hours for {seat}", seat=Seat(others[0])), Press(scene.where.table, Verb.GRANT, at=scene.moment)
    )


def plays_to_list(view: View) -> list[Combo]:
    """Return the plays to list, weakest first; of too many leads, one of each kind."""
    plays = view.plays.first(MAX_PLAYS_LISTED + 1) if isinstance(view.ask, PlayAsk) else []
    if len(plays) > MAX_PLAYS_LISTED and view.trick.top is None:
        plays = view.plays.ready(MAX_PLAYS_LISTED)
    return plays if len(plays) <= MAX_PLAYS_LISTED else []


def _plays(scene: Scene, view: View, w: Words) -> Row | None:
    """Return the menu of plays; None without any, and for too many to list."""
    plays = plays_to_list(view)
    if not plays:
        return None
    whole = len(view.plays.first(MAX_PLAYS_LISTED + 1)) <= MAX_PLAYS_LISTED
    text = (
        w.n("What you can play: 1 play", "What you can play: {n} plays", len(plays))
        if whole
        else w("Lowest of each kind")
    )
    options = [
        option(symbols(play.cards), join(play.cards), _named(play, view, w), emoji=w.faces.pictures.get(play.head))
        for play in plays
    ]
    target = Press(scene.where.table, Verb.PLAYS, at=scene.tally.deal)
    return select(target, text, options)


def _named(play: Combo, view: View, w: Words) -> MessageText:
    """Return the name of a legal play, and whether it is legal as a bomb."""
    name = w.name(play)
    return phrases.bomb_named(name, w) if phrases.is_bomb(play, view.trick.top, view.rules) else name


def _button(scene: Scene, verb: Verb, label: MessageText) -> ui.Button[Any]:
    return button(label, Press(scene.where.table, verb))
