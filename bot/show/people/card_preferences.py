"""How a person likes their cards: a button for each choice, which says whether it holds.

Knows what each choice does; refuses to change anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.domain.preferences import Habits
from bot.scene import Scene
from bot.show.hand.selection import suited
from bot.show.kit.back_button import back
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import Accent, Block, PrivateScreen, button, lines, private, row, small
from bot.show.kit.words import N_, Words


@dataclass(frozen=True, slots=True)
class Like:
    """One choice. field: of the habits. verb: of its button; off: of the one that takes it back, where that differs."""

    field: str
    title: str
    verb: Verb
    off: Verb | None = None

    def press(self, table: TableId, *, on: bool) -> Press:
        """Return the button by which it holds from now on, or no more."""
        return Press(table, self.verb if on else self.off) if self.off else Press(table, self.verb, int(on))

    def wanted(self, press: Press, *, now: bool) -> bool:
        """Tell whether it holds after such a button. now: whether it does; one of earlier releases does not say it."""
        if self.off:
            return press.verb is self.verb
        return not now if press.at is None else press.at == 1


LIKES = (
    Like("by_suit", N_("Sort by suit"), Verb.BY_SUIT, Verb.BY_RANK),
    Like("four_colours", N_("Four colours"), Verb.FOUR_COLOURS),
    Like("text_only", N_("Text only"), Verb.TEXT_ONLY),
    Like("large", N_("Large cards"), Verb.LARGE),
    Like("confirm", N_("Ask me first"), Verb.CONFIRM),
    Like("mirror", N_("Hand by DM"), Verb.MIRROR),
)
TOLD = {
    "large": N_("Large cards: your hand once more, above the buttons."),
    "confirm": N_("Ask me first: what you play takes a second tap."),
    "mirror": N_("Hand by DM: it comes when it is your turn, as long as your messages are open to the server."),
}
IN_A_ROW = 2  # on a phone
CHOOSING: Final = {verb: like for like in LIKES for verb in (like.verb, like.off) if verb}


def likes(
    now: Habits, choose: Callable[[Like, bool], Press | Browse], w: Words, leave: Iterable[str] = ()
) -> list[Block]:
    """Return a button for each choice. choose: addresses the one that lets it hold or not; leave: those left out."""
    there = [like for like in LIKES if like.field not in leave]
    buttons = [_button(like, choose, w, on=getattr(now, like.field)) for like in there]
    told = "\n".join(w(TOLD[like.field]) for like in there if like.field in TOLD)
    return [*(row(*buttons[at : at + IN_A_ROW]) for at in range(0, len(buttons), IN_A_ROW)), small(told)]


def _button(like: Like, choose: Callable[[Like, bool], Press | Browse], w: Words, *, on: bool) -> ui.Button[Any]:
    """Return the button of a choice, as wide as it was before it was pressed."""
    sign, style = ("☑\ufe0e", ButtonStyle.success) if on else ("☐", ButtonStyle.secondary)
    return button(f"{sign} {w(like.title)}", choose(like, not on), style)


def settings(scene: Scene, now: Habits, w: Words) -> PrivateScreen:
    """Return what stands in place of a hand while its owner chooses how it looks."""

    def choose(like: Like, wanted: bool) -> Press:
        return like.press(scene.where.table, on=wanted)

    return private(
        Accent.YOURS,
        lines(f"### {w('How you like your cards')}", small(w("On every server. Only you see this.")), _look(scene, w)),
        *likes(now, choose, w, _pointless(scene)),
        row(back(scene.where.table, w)),
    )


def _look(scene: Scene, w: Words) -> str | None:
    """How a card of each suit that the viewer holds looks."""
    view = scene.view
    if view is None or not view.hand:
        return None
    return w.faces.large({card.suit: card for card in view.rules.sort(view.hand)}.values())


def _pointless(scene: Scene) -> list[str]:
    """Return what makes no difference at this table."""
    unsuited = [] if suited(scene.terms.rules) else ["by_suit"]
    return unsuited if scene.terms.server.mirror else [*unsuited, "mirror"]
