"""The private panel of one person at a table: one message, with their hand on it or what they have opened in its place.

Knows how each is drawn; refuses to know where the message stands, and when it is drawn.
"""

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
    """What stands on a panel: the hand, what is behind its dots, or something that no play changes, such as rules.

    One that sleeps follows the game no more. What stood there before the deal never does: the hand takes its place.
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
    """Return what stands on a panel from now on, though its owner has not asked for that; the rest as ``hand`` has it.

    menus: those that stand there and may be open.
    """
    if still(tab, scene) is Tab.MENU:
        return hand_menu(scene, w, chosen, habits.level, menus)
    return hand(scene, w, where=where, chosen=chosen, tapped=tapped, habits=habits, desk=desk, menus=menus)


def still(tab: Tab, scene: Scene) -> Tab:
    """Return what stays on a panel that has to show this scene: all else goes with a hand, the match or a seat."""
    return tab if scene.stage == "playing" and scene.seat is not None else Tab.HAND
