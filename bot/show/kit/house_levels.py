"""Levels of house players: their names, and the menu to choose a level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.domain.chairs import Level
from bot.domain.message_ids import N_
from bot.scene import Scene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Row, option, titled_select
from bot.show.kit.words import HOUSE, STARS, MessageText, Words

WORDS: Final[Mapping[Level, str]] = {Level.EASY: N_("easy"), Level.MEDIUM: N_("medium"), Level.HARD: N_("hard")}
ABOUT: Final[Mapping[Level, str]] = {
    Level.EASY: N_("Relaxed friends who miss things now and then"),
    Level.MEDIUM: N_("Like people who play every week"),
    Level.HARD: N_("As strong as they get"),
}


def level(which: Level, w: Words) -> MessageText:
    """Return the level of a house player in a word."""
    return w(WORDS[which])


def of_house(scene: Scene, w: Words) -> MessageText:
    """Return the sign and level of the house players at a table; empty at the plain level."""
    which = next((chair.level for chair in scene.chairs if chair.user is None), Level.PLAIN)
    return MessageText(f"{HOUSE}{STARS.get(which, '')} {level(which, w)}") if which else MessageText()


def levels(scene: Scene, w: Words, chosen: Level) -> Row | None:
    """Return the menu of levels in a lobby; None in a game without levels.

    chosen: the viewer's preferred level, for house players still to come. Seated house players keep their own level.
    """
    sitting = (chair.level for chair in scene.chairs if chair.user is None and chair.level)
    return _menu(scene, Verb.LEVEL, next(sitting, chosen), w)


def next_levels(scene: Scene, w: Words, chosen: Level) -> Row | None:
    """Return the menu of levels for the next practice hand.

    chosen: the viewer's preferred level.
    """
    return _menu(scene, Verb.NEXT_LEVEL, chosen, w)


def _menu(scene: Scene, verb: Verb, chosen: Level, w: Words) -> Row | None:
    known = scene.terms.levels
    now = chosen if chosen in known else known[-1] if known else Level.PLAIN
    options = [option(level(one, w), one, w(ABOUT[one]), default=one == now) for one in known]
    return titled_select(Press(scene.where.table, verb), w("Bots"), options, w)
