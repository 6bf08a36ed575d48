"""The content of the pictures of a lobby, a table and an ending, and the same in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bot.domain.chairs import Chair
from bot.rules.core.cards import CARD_NAMES, Card
from bot.rules.core.game import Drawn, Public
from bot.rules.core.sentences import From, Of, Seat
from bot.rules.core.trick import Move
from bot.scene import PublicScene, Scene
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbols
from bot.show.kit.house_levels import level
from bot.show.kit.layout import cut
from bot.show.kit.phrases import scored
from bot.show.kit.play_names import THIN_SPACE, listed, plate_name
from bot.show.kit.words import STARS, MessageText, Words, capital, join, sentences, starred
from bot.show.pictures.canvas import ALT, Picture
from bot.show.pictures.colours import hues_by_seat
from bot.show.pictures.lobby import LobbyDrawing, LobbySeat
from bot.show.pictures.podium import EndingDrawing, EndingRow
from bot.show.pictures.table import Plate, TableDrawing
from bot.show.table import paces
from bot.show.table.hand_results import story
from bot.show.table.rule_card import at_stake
from bot.show.table.scores import SeatScore, headline, rows, winners
from bot.show.table.sides import banner, sign


def picture(scene: PublicScene, w: Words) -> Picture | None:
    """Return the picture of a table at any stage; None for a closed table."""
    if scene.stage == "lobby":
        return filling(scene, w)
    if not isinstance(scene.view, Public) or scene.stage == "closed":
        return None
    if scene.stage != "playing":
        return ended(scene, scene.view, w)
    return playing(scene, scene.view, w)


def playing(scene: PublicScene, view: Public, w: Words) -> Picture:
    """Return the picture of a hand in progress."""
    bare = w.for_scene(scene).for_labels()
    named = bare.for_players((replace(chair, house=False) for chair in scene.chairs), scene.terms.rules)
    hues = hues_by_seat(scene.chairs)
    drawing = TableDrawing(
        tuple(replace(_plate(scene, view, seat, bare), hue=hues[seat]) for seat in range(len(scene.chairs))),
        cards=_written(view.trick.top.cards if view.trick.top else ()),
        title=_title(view, named),
        taken=_written(phrases.captured(view.trick)),
        lying=_written(card for cards in _drawn(view, "lying") for card in cards),
        progress=view.progress,
        clockwise=scene.terms.rules.clockwise,
    )
    return Picture(drawing, cut(_alt_text(scene, view, drawing, bare), ALT))


def _written(cards: Iterable[Card]) -> tuple[str, ...]:
    """Return cards in the notation of pictures."""
    return tuple(map(CARD_NAMES.__getitem__, cards))


def _drawn(view: Public, how: Drawn) -> Iterator[Any]:
    """Yield the values of the facts that a picture shows in this way."""
    return (value for name, value in view.facts if view.rules.drawn.get(name) == how)


def _plate(scene: PublicScene, view: Public, seat: int, w: Words) -> Plate:
    count, chair = view.counts[seat], scene.chairs[seat]
    return Plate(
        starred(chair) if chair.level in STARS else chair.name,
        held=str(count) if view.rules.counted and (count or view.phase_note) else "",
        does=_did(view, seat, w),
        house=chair.house,
        leads=seat == view.trick.owner,
        turn=not scene.together and not scene.wait.paused and seat in scene.wait.awaited,
        few=view.rules.counted and phrases.is_few(count),
        side=sign(view.teams, seat) if view.teams else "",
        role=_role(view, seat, w),
        held_cards=_written(_held(view, seat)),
        reaction=scene.reactions.get(seat, ""),
    )


def _role(view: Public, seat: int, w: Words) -> str:
    """Return the part of a seat in its side.

    The text is empty for a side without parts, and for an unknown side.
    """
    if view.teams is None or seat not in view.teams.declaring:
        return ""
    return w("declarer") if seat in _drawn(view, "declarer") else w("partner")


def _held(view: Public, seat: int) -> Iterator[Card]:
    """Yield the cards that a picture shows at their holder."""
    drawn = view.rules.drawn
    return (how for name, value in view.facts if isinstance(how := drawn.get(name), Card) and value == seat)


def _did(view: Public, seat: int, w: Words) -> str:
    """Return the latest action of a seat in this trick, or before play, in a word or two."""
    if view.phase_note:
        return _said(view, seat, w)
    if not view.counts[seat]:
        return w("out")
    move = next((move for move in reversed(view.trick.moves) if move.seat == seat), None)
    if move is None:
        return ""
    return w("on top") if seat == view.trick.owner and move.combo else _briefly(move, w)


def _said(view: Public, seat: int, w: Words) -> str:
    """Return the cards that a seat has publicly shown or named, or "passed"."""
    facts = {name: value for name, value in view.facts if name in view.rules.facts}
    heard = (each for value in facts.values() if isinstance(value, tuple) for each in value)
    named = [each.amount for each in heard if isinstance(each, Of | From) and each.seat == seat]
    shown = [symbols(cards) for cards in named if isinstance(cards, tuple)]
    return shown[-1] if shown else w("passed") if seat in facts.get("passed", ()) else ""


def _briefly(move: Move, w: Words) -> str:
    if move.combo is None:
        return w("took up") if move.taken else w("passed")
    return _apart(plate_name(move.combo, w))


def _apart(ranks: str) -> str:
    """Return ranks with wider spaces.

    In small letters of a picture "1 1" would read as eleven.
    """
    return ranks.replace(THIN_SPACE, " ")


def _title(view: Public, w: Words) -> str:
    """Return the name of the top play, or the current event."""
    if view.phase_note:
        return phrases.note(view.phase_note, w)
    if view.trick.top is None:
        return w("New trick.")
    named, taken = w.name(view.trick.top), phrases.captured(view.trick)
    named = capital(phrases.bomb_named(named, w) if phrases.bombed(view.trick, view.rules) else named)
    return w("{combo}, taking {cards}", combo=named, cards=MessageText(_apart(listed(taken)))) if taken else named


def _alt_text(scene: PublicScene, view: Public, drawing: TableDrawing, w: Words) -> str:
    """Return the content in lines.

    The top play and its player come first, then each seat in the order of turns.
    """
    top, owner = view.trick.top, view.trick.owner
    lies = (
        drawing.title if top is None or owner is None else w("On top: {combo}, by {seat}.", combo=top, seat=Seat(owner))
    )
    seats = (_line(view, drawing.plates[seat], seat, w) for seat in scene.order)
    return "\n".join(filter(None, (lies, _beside(view, w), banner(view, w) if view.teams else None, *seats)))


def _beside(view: Public, w: Words) -> MessageText:
    """Return the cards that the top play captured, and those that lie beside the pile."""
    taken, lying = phrases.captured(view.trick), tuple(_drawn(view, "lying"))
    return sentences(
        (
            w("It picks up {cards}.", cards=taken) if taken else MessageText(),
            *(w("In the middle: {value}.", value=cards) for cards in lying),
        )
    )


def _line(view: Public, plate: Plate, seat: int, w: Words) -> MessageText:
    held = w.n("{n} card", "{n} cards", view.counts[seat]) if plate.held else MessageText()
    turn = w("to play") if plate.turn else MessageText()
    name = f"{plate.side} {w.seat(seat)}" if plate.side else w.seat(seat)
    cards = MessageText(symbols(_held(view, seat)))
    return join((name, plate.role, held, cards, plate.does, turn, plate.reaction))


def filling(scene: Scene, w: Words) -> Picture:
    """Return the picture of a lobby."""
    w = w.for_scene(scene).for_labels()
    seated, hues = {chair.seat: chair for chair in scene.chairs}, hues_by_seat(scene.chairs)
    title = join((phrases.game(scene.terms, w), phrases.preset(scene.terms, w)))
    how_long = join((phrases.length_in_short(scene.terms.rules, w), paces.lasts(scene.terms, w)))
    terms = join((at_stake(scene, w), paces.in_short(scene.terms, w)))
    places = tuple(
        replace(_place(scene, seated[seat], w), hue=hues[seat]) if seat in seated else LobbySeat(seat)
        for seat in scene.order
    )
    drawing = LobbyDrawing(title, tuple(filter(None, (how_long, terms))), places, w("free"))
    return Picture(drawing, cut(_lobby_in_words(scene, drawing, w), ALT))


def _place(scene: Scene, chair: Chair, w: Words) -> LobbySeat:
    return LobbySeat(
        chair.seat,
        name=chair.name,
        does=_status(scene, chair, w),
        house=chair.house,
        host=chair.user == scene.terms.host,
    )


def _status(scene: Scene, chair: Chair, w: Words) -> MessageText:
    """Return a person's status in a word, or the level of a house player above the plain one."""
    if chair.house:
        return level(chair.level, w) if chair.level else MessageText()
    if chair.seat in scene.wait.awaited:
        return w("not yet")
    return w("host") if chair.user == scene.terms.host else w("ready")


def _lobby_in_words(scene: Scene, drawing: LobbyDrawing, w: Words) -> str:
    """Return the content in lines: the game, then each seat in the order of turns."""
    seated = {chair.seat for chair in scene.chairs}
    seats = (
        join((w.seat(place.seat), place.does)) if place.seat in seated else drawing.free for place in drawing.places
    )
    return "\n".join((drawing.title, *drawing.parts, *(f"{number}. {said}" for number, said in enumerate(seats, 1))))


def ended(scene: PublicScene, view: Public, w: Words) -> Picture:
    """Return the picture of the end of a hand, or of a match."""
    bare = w.for_scene(scene).for_labels()
    called = replace(bare, chairs=tuple(replace(chair, house=False) for chair in scene.chairs))  # faces mark the house
    whole, hues = scene.stage == "over" and scene.tally.hand > 1, hues_by_seat(scene.chairs)
    told, crowned = story(scene, view, called), winners(scene, view.result)
    drawing = EndingDrawing(
        headline(scene, view.result, called),
        _of(scene, bare),
        () if whole else _columns(scene, bare),
        tuple(
            replace(_ending_line(scene, view, row, whole=whole), hue=hues[row.seat], crown=row.seat in crowned)
            for row in rows(scene)
        ),
        course=_course(scene) if whole else (),
        hands=bare.n("{n} hand", "{n} hands", scene.tally.course[-1].hand) if whole else "",
        decided=told.decided,
        besides=told.besides,
    )
    return Picture(drawing, cut("\n".join(_ending_in_words(drawing, bare)), ALT))


def _of(scene: PublicScene, w: Words) -> MessageText:
    """Return the game, and the number of the ended hand."""
    game = phrases.game(scene.terms, w)
    return game if scene.stage == "over" else join((game, phrases.hand_number(scene, w)))


def _columns(scene: PublicScene, w: Words) -> tuple[str, ...]:
    return (w("cards left"), *([w("hand")] if scene.tally.hand > 1 else []), w("total"))


def _ending_line(scene: PublicScene, view: Public, row: SeatScore, *, whole: bool) -> EndingRow:
    held = view.result.left[row.seat] if view.result else ()
    before = (
        ()
        if whole
        else (str(len(held)) if held else "", *([scored(row.hand, scene.terms.rules)] if scene.tally.hand > 1 else []))
    )
    chair = scene.chairs[row.seat]
    return EndingRow(
        row.seat,
        str(row.place),
        starred(chair) if chair.level in STARS else chair.name,
        (*before, scored(row.match, scene.terms.rules)),
        house=chair.house,
    )


def _course(scene: PublicScene) -> tuple[tuple[int, ...], ...]:
    return tuple(zip(*(stop.stands for stop in scene.tally.course), strict=True))


def _ending_in_words(drawing: EndingDrawing, w: Words) -> Iterator[str]:
    """Yield the content in lines of text."""
    yield drawing.title
    yield drawing.under
    for line in drawing.lines:
        numbers = drawing.columns or ("",)
        said = (f"{name} {number}".strip() for name, number in zip(numbers, line.numbers, strict=True) if number)
        yield join((MessageText(f"{line.place}. {w.seat(line.seat)}"), *said))
    yield from filter(None, (drawing.decided, drawing.besides))
