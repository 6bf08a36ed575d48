"""The private choice of a reaction, which the board shows on the player's seat."""

from __future__ import annotations

from bot.domain.reactions import REACTIONS, offered_reactions
from bot.scene import Scene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, button, lines, private, row, small
from bot.show.kit.words import MessageText, Words

IN_A_ROW = 3  # on a phone


def reactions(scene: Scene, left: int, w: Words, given: str = "") -> PrivateScreen:
    """Return the reactions to choose from.

    left: how many more the player may show in this hand. given: the latest.
    """
    w = w.for_scene(scene)
    if given:
        text = w("{reaction} shows on your seat with the next move.", reaction=MessageText(given))
    else:
        text = w("Shows on your seat with the next move, until the trick ends.")
    rest = w.n("{n} left in this hand", "{n} left in this hand", left)
    offered = offered_reactions(scene.terms.pace, scene.terms.server)
    buttons = [
        button(sign, Press(scene.where.table, Verb.REACTED, at=scene.tally.deal, part=part), disabled=not left)
        for part, sign in enumerate(REACTIONS)
        if sign in offered
    ]
    rows = (row(*buttons[at : at + IN_A_ROW]) for at in range(0, len(buttons), IN_A_ROW))
    return private(Accent.PLAYING, lines(text, small(rest)), *rows)
