"""A player's private panel at a table: one message with the hand, or with a screen opened in its place."""

from __future__ import annotations

from enum import Enum, auto

from bot.domain.preferences import Preferences
from bot.rules.core.cards import Cards
from bot.scene import Scene
from bot.show.hand.hand import hand
from bot.show.hand.menu import hand_menu
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.open_menus import NO_MENUS, Menus
from bot.show.kit.words import Words


class PanelTab(Enum):
    """The content of a panel: the hand, its menu, or a screen unaffected by plays, such as the rules.

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
    habits: Preferences,
    chosen: Cards,
    tapped: frozenset[int],
    desk: bool,
    menus: Menus = NO_MENUS,
) -> PrivateScreen:
    """Return the new content of a panel after a change of the game; the other arguments as in ``hand``.

    menus: the menus of the panel, which may be open.
    """
    if visible_tab(tab, scene) is PanelTab.MENU:
        return hand_menu(scene, w, chosen=chosen, level=habits.level, menus=menus)
    return hand(scene, w, where=where, chosen=chosen, tapped=tapped, habits=habits, desk=desk, menus=menus)


def visible_tab(tab: PanelTab, scene: Scene) -> PanelTab:
    """Return the tab to show for this scene: without a seat in a running hand, always the hand."""
    return tab if scene.stage == "playing" and scene.seat is not None else PanelTab.HAND
