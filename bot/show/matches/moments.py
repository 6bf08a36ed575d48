"""Moments of ended matches to share: a step of the replay, and the card of the end."""

from __future__ import annotations

from discord import ButtonStyle

from bot.domain.ids import TableId
from bot.rules.matches.replay import Snapshot
from bot.scene import PublicScene
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PublicScreen, button, lines, pictured, row, screen, small
from bot.show.kit.phrases import table as called
from bot.show.kit.words import MessageText, Words, escaped
from bot.show.matches.moment_codes import MomentCode
from bot.show.matches.replay import MOMENT, happened
from bot.show.pictures.canvas import Picture
from bot.show.table.board import top_play


def moment(scene: PublicScene, snapshot: Snapshot, picture: Picture | None, by: str, *, w: Words) -> PublicScreen:
    """Return the post. scene: the table at that moment. picture: None for text alone. by: the poster's name."""
    table, there = scene.where.table, w.at(scene)
    where = MessageText(f"{called(scene, there)} · {w('Hand {hand}', hand=snapshot.match.number)}")
    told = lines(
        f"### {happened(snapshot, there)}",
        small(w("{name} shows a moment of {match}.", name=escaped(by), match=where)),
    )
    return PublicScreen(
        screen(
            Accent.OVER,
            told,
            pictured(picture.name, picture.alt_text) if picture else top_play(snapshot.match.view(None), there),
            row(button(w("Watch from here"), opens(table, snapshot.step), ButtonStyle.primary)),
            small(w("Code: {code}", code=MessageText(f"`{MomentCode(table, snapshot.step)}`"))),
        )
    )


def opens(table: TableId, step: int) -> Browse:
    """Return the custom id that opens a replay at a step."""
    return Browse.to(MOMENT, table, step)


def shared(picture: Picture, w: Words) -> MessageText:
    """Return the text below the picture: the instructions, and the picture's words in a block to copy."""
    told = picture.alt_text.replace("`", "'")
    return MessageText(f"{w('Yours to show elsewhere: keep the picture, copy the words.')}\n```\n{told}\n```")
