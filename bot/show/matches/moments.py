"""Moments of ended matches to share: a step of the replay, and the card of the end."""

from __future__ import annotations

from discord import ButtonStyle

from bot.domain.ids import TableId
from bot.rules.matches.replay import Snapshot
from bot.scene import PublicScene
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PublicScreen, button, lines, row, screen, small, watch_button
from bot.show.kit.layout import pictured as show_picture
from bot.show.kit.phrases import table as called
from bot.show.kit.words import MessageText, Words
from bot.show.matches.moment_codes import MomentCode
from bot.show.matches.replay import MOMENT, happened
from bot.show.pictures.canvas import Picture
from bot.show.table.board import top_play


def moment(
    scene: PublicScene, snapshot: Snapshot, picture: Picture | None, by: MessageText, *, w: Words
) -> PublicScreen:
    """Return the post of a moment.

    scene: the table at that moment. picture: None for text alone. by: the poster's name.
    """
    table, there = scene.where.table, w.for_scene(scene)
    where = MessageText(f"{called(scene, there)} · {w('Hand {hand}', hand=snapshot.match.number)}")
    text = lines(
        f"### {happened(snapshot, there)}",
        small(w("{name} shared a moment of {match}.", name=by, match=where)),
    )
    return PublicScreen(
        screen(
            Accent.OVER,
            text,
            show_picture(picture.name, picture.alt_text) if picture else top_play(snapshot.match.view(None), there),
            row(button(w("Replay from here"), opens(table, snapshot.step), ButtonStyle.primary)),
            small(w("Code: {code}", code=MessageText(f"`{MomentCode(table, snapshot.step)}`"))),
        )
    )


def opens(table: TableId, step: int) -> Browse:
    """Return the custom id that opens a replay at a step."""
    return Browse.to(MOMENT, table, step)


def ending(scene: PublicScene, card: Picture, by: MessageText, *, w: Words, pictured: bool) -> PublicScreen:
    """Return the post of the end of a match.

    pictured: whether the card is attached. by: the poster's name.
    """
    match = MessageText(called(scene, w.for_scene(scene)))
    return PublicScreen(
        screen(
            Accent.OVER,
            show_picture(card.name, card.alt_text) if pictured else _to_copy(card),
            small(w("{name} shares the end of {match}.", name=by, match=match)),
            row(watch_button(scene.where.table, w)),
        )
    )


def shared(picture: Picture, w: Words) -> MessageText:
    """Return the text below the picture.

    It has the instructions, and the picture's words in a block to copy.
    """
    return MessageText(f"{w('Share it anywhere: save the picture, copy the words.')}\n{_to_copy(picture)}")


def _to_copy(picture: Picture) -> str:
    """Return the words of a picture in a block without markup."""
    return f"```\n{picture.alt_text.replace('`', chr(39))}\n```"
