"""A person's preferences, valid on every server.

They are about card look, invitations, standings and blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bot.domain.message_ids import N_
from bot.domain.preferences import Preferences
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, Block, PrivateScreen, button, line, lines, private, row, small, user_select
from bot.show.kit.words import MessageText, Words
from bot.show.people.card_preferences import CARD_PREFERENCES, CardPreference, preference_rows

CHOOSE, CHANGE_BLOCKS = "my_choice", "my_apart"  # the verbs: change a preference; block or unblock a person
UNINVITED, UNLISTED, EVERYWHERE = "uninvited", "unlisted", "everywhere"
# The fields that can be changed there, with their values for off and on.
CHOSEN: Final[Mapping[str, tuple[object, object]]] = {
    **dict.fromkeys((UNINVITED, UNLISTED, EVERYWHERE), (False, True)),
    **{like.field: like.values for like in CARD_PREFERENCES},
}
# Names on buttons of earlier releases: the field that each of them changes now, with its values for off and on.
FORMER: Final[Mapping[str, tuple[str, tuple[object, object]]]] = {"four_colours": ("suit_colours", ("two", "four"))}
APART_TOLD = N_(
    "You two won't be able to join each other's tables or invite each other. Nobody is told. Choose "
    "someone again to undo it."
)


def choices(now: Preferences, w: Words, apart: int = 0, notice: str | None = None) -> PrivateScreen:
    """Return the screen of all preferences. apart: the number of blocked people."""

    def choose(like: CardPreference, wanted: bool) -> Browse:
        return Browse.to(CHOOSE, like.field, int(wanted))

    return private(
        Accent.YOURS,
        lines("## " + w("Your preferences"), small(w("On every server. Only you can see this."))),
        *preference_rows(now, choose, w),
        line(),
        *_invitations(now, w),
        line(),
        *_standings(now, w),
        line(),
        *_apart(apart, w),
        notice,
    )


def _invitations(now: Preferences, w: Words) -> Iterator[Block]:
    if now.uninvited:
        yield lines(w("Nobody can invite you."), small(w("Roles you have can still be pinged.")))
        yield row(button(w("Allow invitations"), Browse.to(CHOOSE, UNINVITED, 0)))
    else:
        yield w("Others can invite you to tables, three times a day at most.")
        yield row(button(w("No invitations"), Browse.to(CHOOSE, UNINVITED, 1)))


def _standings(now: Preferences, w: Words) -> Iterator[Block]:
    yield w("You're hidden in /standings.") if now.unlisted else w("You're shown in /standings.")
    hide, everywhere = int(not now.unlisted), int(not now.everywhere)
    yield row(
        button(
            w("Show me in /standings") if now.unlisted else w("Hide me in /standings"),
            Browse.to(CHOOSE, UNLISTED, hide),
        ),
        button(
            w("Stop rating me on all servers") if now.everywhere else w("Rate me on all servers too"),
            Browse.to(CHOOSE, EVERYWHERE, everywhere),
        ),
    )


def _apart(apart: int, w: Words) -> Iterator[Block]:
    text = (
        w.n(
            "There is {n} person you don't play with.",
            "There are {n} people you don't play with.",
            apart,
        )
        if apart
        else None
    )
    yield lines(text, small(w(APART_TOLD)))
    yield user_select(Browse.to(CHANGE_BLOCKS), w("Don't play with…"))


def parted(name: str, w: Words, *, apart: bool) -> MessageText:
    """Return the confirmation after a person was chosen.

    apart: whether the person is now blocked.
    """
    if apart:
        return w("You and {name} won't meet at a table from now on.", name=name)
    return w("You and {name} can play together again.", name=name)
