"""The content of the picture of a lobby, taken from a scene, and the same in words for people who cannot see it."""

from __future__ import annotations

from bot.domain.chairs import Chair
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.house_levels import level
from bot.show.kit.layout import cut
from bot.show.kit.words import Said, Words, join
from bot.show.pictures.lobby import LobbyDrawing, LobbySeat
from bot.show.pictures.picture import ALT, Picture
from bot.show.table import paces
from bot.show.table.rule_card import at_stake


def filling(scene: Scene, w: Words) -> Picture:
    """Return the picture of a lobby."""
    w = w.at(scene).bare()
    seated = {chair.seat: chair for chair in scene.chairs}
    title = join((phrases.game(scene.terms, w), phrases.preset(scene.terms, w)))
    how_long = join((phrases.length_in_short(scene.terms.rules, w), paces.lasts(scene.terms, w)))
    terms = join((at_stake(scene, w), paces.in_short(scene.terms, w)))
    places = tuple(_place(scene, seated[seat], w) if seat in seated else LobbySeat(seat) for seat in scene.order)
    look = LobbyDrawing(title, tuple(filter(None, (how_long, terms))), places, w("free"))
    return Picture(look, cut(_told(scene, look, w), ALT))


def _place(scene: Scene, chair: Chair, w: Words) -> LobbySeat:
    return LobbySeat(
        chair.seat,
        name=chair.name,
        does=_stands(scene, chair, w),
        house=chair.house,
        host=chair.user == scene.terms.host,
    )


def _stands(scene: Scene, chair: Chair, w: Words) -> Said:
    """Return a person's status in a word, or the level of a house player above the plain one."""
    if chair.house:
        return level(chair.level, w) if chair.level else Said()
    if chair.seat in scene.wait.awaited:
        return w("not yet")
    return w("host") if chair.user == scene.terms.host else w("ready")


def _told(scene: Scene, look: LobbyDrawing, w: Words) -> str:
    """Return the content in lines: the game, then each seat in the order of turns."""
    seated = {chair.seat for chair in scene.chairs}
    seats = (join((w.seat(place.seat), place.does)) if place.seat in seated else look.free for place in look.places)
    return "\n".join((look.title, *look.parts, *(f"{number}. {said}" for number, said in enumerate(seats, 1))))
