"""A moment of a finished match as somebody shows it to a channel: who played what, the table, and a way in.

All of it is what everybody at the table saw then. Refuses to know hands.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.domain.ids import TableId
from bot.rules.matches.replay import Shot
from bot.scene import PublicScene
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PublicScreen, button, lines, pictured, row, screen, small
from bot.show.kit.phrases import table as called
from bot.show.kit.words import Said, Words, escaped
from bot.show.matches.moment_codes import Moment
from bot.show.matches.replay import MOMENT, happened
from bot.show.pictures.picture import Picture
from bot.show.table.board import lying


def moment(scene: PublicScene, shot: Shot, picture: Picture | None, by: str, w: Words) -> PublicScreen:
    """Return what the channel sees. scene: the table then. picture: of it, None for words alone. by: who shows it."""
    table, there = scene.where.table, w.at(scene)
    where = Said(f"{called(scene, there)} · {w('Hand {hand}', hand=shot.match.number)}")
    told = lines(
        f"### {happened(shot, there)}",
        small(w("{name} shows a moment of {match}.", name=escaped(by), match=where)),
    )
    return PublicScreen(
        screen(
            Accent.OVER,
            told,
            pictured(picture.name, picture.told) if picture else lying(shot.match.view(None), there),
            row(button(w("Watch from here"), opens(table, shot.step), ButtonStyle.primary)),
            small(w("Code: {code}", code=Said(f"`{Moment(table, shot.step)}`"))),
        )
    )


def opens(table: TableId, step: int) -> Browse:
    """Return the address that opens a replay at a step."""
    return Browse.to(MOMENT, table, step)
