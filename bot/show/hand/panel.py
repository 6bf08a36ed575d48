"""A player's private panel at a table: one message with the hand, or with a screen opened in its place."""

from __future__ import annotations

from enum import Enum, auto

from bot.domain.preferences import Habits
from bot.rules.core.cards import Cards
from bot.scene import Scene
from bot.show.hand.hand import hand
from bot.show.hand.menu import hand_menu
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.open_menus import NONE, Menus
from bot.show.kit.words import Words


class Tab(Enum):
    """The content of a panel: the hand, its menu, or a screen unaffected by plays, such as the rules.

    An expired panel (ASLEEP) no longer follows the game. Content from before the deal (BEFORE) is replaced by the hand.
    """

    HAND = auto()
    MENU = auto()
    ASIDE = auto()
    ASLEEP = auto()
    BEFORE = auto()


def panel(
    tab: Tab,
    scene: Scene,
    w: Words,
    *,
    where: str,
    habits: Habits,
    chosen: Cards,
    tapped: frozenset[int],
    desk: bool,
    menus: Menus = NONE,
) -> PrivateScreen:
    """Return the new content of a panel after a change of the game; the other arguments as in ``hand``.

    menus: the menus of the panel, which may be open.
    """
    if still(tab, scene) is Tab.MENU:
        return hand_menu(scene, w, chosen=chosen, level=habits.level, menus=menus)
    return hand(scene, w, where=where, chosen=chosen, tapped=tapped, habits=habits, desk=desk, menus=menus)


def still(tab: Tab, scene: Scene) -> Tab:
    """Return the tab to show for this scene: without a seat in a running hand, always the hand."""
    return tab if scene.stage == "playing" and scene.seat is not None else Tab.HAND
