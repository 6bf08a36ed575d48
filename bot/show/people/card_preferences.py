"""A person's card preferences: a toggle button for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.preferences import Preferences
from bot.scene import Scene
from bot.show.hand.selection import has_suits
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import Accent, Block, PrivateScreen, back_to_hand, button, lines, private, row, small
from bot.show.kit.words import Words


@dataclass(frozen=True, slots=True)
class CardPreference:
    """A preference that is on or off.

    field: of the preferences. verb: of its button. off: the verb of the opposite button, if different. values: of the
    field, for off and on. code: the number that turns the preference on, in the custom id of its button.
    """

    field: str
    title: str
    verb: Verb
    off: Verb | None = None
    _: KW_ONLY
    values: tuple[object, object] = (False, True)
    code: int = 1

    def is_on(self, now: Preferences) -> bool:
        """Tell whether the preference is on."""
        return bool(getattr(now, self.field) == self.values[1])

    def press(self, table: TableId, *, on: bool) -> Press:
        """Return the custom id of the button that turns the preference on or off."""
        if self.off:
            return Press(table, self.verb if on else self.off)
        return Press(table, self.verb, at=self.code if on else 1 - self.code)

    def wanted(self, press: Press, now: Preferences) -> object:
        """Return the value of the field after a press; buttons of earlier releases just toggle."""
        if self.off:
            return self.values[press.verb is self.verb]
        return self.values[not self.is_on(now) if press.at is None else press.at == self.code]


CARD_PREFERENCES = (
    CardPreference("by_suit", N_("Sort by suit"), Verb.BY_SUIT, Verb.BY_RANK),
    CardPreference("suit_colours", N_("Two colors"), Verb.FOUR_COLOURS, values=("four", "two"), code=0),
    CardPreference("text_only", N_("Text only"), Verb.TEXT_ONLY),
    CardPreference("large", N_("Big cards"), Verb.LARGE),
    CardPreference("confirm", N_("Confirm plays"), Verb.CONFIRM),
    CardPreference("mirror", N_("Hand by DM"), Verb.MIRROR),
)
TOLD = {
    "large": N_("Big cards: shows your hand again, larger."),
    "confirm": N_("Confirm plays: every play needs a second tap."),
    "mirror": N_(
        "Hand by DM: you get your cards when it's your turn, as long as you accept messages from this server."
    ),
}
IN_A_ROW = 2  # on a phone
PREFERENCE_BY_VERB: Final = {verb: like for like in CARD_PREFERENCES for verb in (like.verb, like.off) if verb}


def preference_rows(
    now: Preferences, choose: Callable[[CardPreference, bool], Press | Browse], w: Words, leave: Iterable[str] = ()
) -> list[Block]:
    """Return a toggle button for each preference.

    choose: returns the target of a toggle. leave: fields left out.
    """
    there = [like for like in CARD_PREFERENCES if like.field not in leave]
    buttons = [_button(like, choose, w, on=like.is_on(now)) for like in there]
    text = "\n".join(w(TOLD[like.field]) for like in there if like.field in TOLD)
    return [*(row(*buttons[at : at + IN_A_ROW]) for at in range(0, len(buttons), IN_A_ROW)), small(text)]


def _button(
    like: CardPreference, choose: Callable[[CardPreference, bool], Press | Browse], w: Words, *, on: bool
) -> ui.Button[Any]:
    """Return the button of a preference; both states have the same width."""
    sign, style = ("☑\ufe0e", ButtonStyle.success) if on else ("☐", ButtonStyle.secondary)
    return button(f"{sign} {w(like.title)}", choose(like, not on), style)


def settings(scene: Scene, now: Preferences, w: Words) -> PrivateScreen:
    """Return the card preferences, in place of the hand."""

    def choose(like: CardPreference, wanted: bool) -> Press:
        return like.press(scene.where.table, on=wanted)

    return private(
        Accent.YOURS,
        lines(
            f"### {w('How you like your cards')}", small(w("On every server. Only you can see this.")), _look(scene, w)
        ),
        *preference_rows(now, choose, w, _pointless(scene)),
        row(back_to_hand(scene.where.table, w)),
    )


def _look(scene: Scene, w: Words) -> str | None:
    """Return a sample of the card look: a card of each suit in the viewer's hand."""
    view = scene.view
    if view is None or not view.hand:
        return None
    return w.faces.large({card.suit: card for card in view.rules.sort(view.hand)}.values())


def _pointless(scene: Scene) -> list[str]:
    """Return the preferences without an effect at this table."""
    unsuited = [] if has_suits(scene.terms.rules) else ["by_suit"]
    return unsuited if scene.terms.server.mirror else [*unsuited, "mirror"]
