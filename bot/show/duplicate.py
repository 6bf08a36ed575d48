"""Duplicate: the invitation to play the same deals, one's own part, and the sheet that compares without luck."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from discord import ButtonStyle

from bot.games import GAMES
from bot.ground.duplicate import Compared, DuplicateSheet
from bot.ground.ids import TableId, UserId
from bot.show.ids import Browse, Press, Verb
from bot.show.layout import (
    Accent,
    Block,
    PrivateScreen,
    PublicScreen,
    Row,
    button,
    line,
    lines,
    option,
    private,
    row,
    screen,
    select,
    small,
)
from bot.show.matches import OPEN
from bot.show.phrases import placed, signed
from bot.show.words import N_, Said, Words, escaped, join, sentences

# The verbs: ask whether a lobby shall become a duplicate, and make it one; play its deals; show its sheet.
ASK, MAKE, PLAY, SHEET = "dup_ask", "dup_make", "dup_play", "dup_sheet"
OF_TABLE, ANOTHER = "sheet_of", "another"  # show the sheet of a private table; practise once more as at one
MOST: Final = 10  # people on a sheet
HANDS: Final = 4
QUESTION = N_(
    "Close this table, and let everybody here play the same {n} hands instead? Each plays alone against house players, "
    "whenever it suits them. Then one sheet compares you, luck aside."
)
INVITED = N_(
    "Everybody is dealt the same {n} hands and plays them alone against house players, whenever it suits them, within "
    "two weeks. Then one sheet compares you, luck aside."
)
SEALED = N_(
    "Only who has played them to the end sees the sheet. Nobody plays twice, and for ratings it does not count."
)
LEFT = N_("You left before the end, so you are not on the sheet.")
WITHOUT_LUCK = N_("How many points above the average of your seats in these deals. In brackets: points.")


def question(table: TableId, w: Words) -> PrivateScreen:
    """Return the question before a lobby becomes a duplicate."""
    yes = button(w("Same deals for all"), Browse.to(MAKE, table), ButtonStyle.primary)
    return private(Accent.LOBBY, w(QUESTION, n=HANDS), small(w(SEALED)), row(yes))


def invitation(number: int, game: str, preset: str, name: str, w: Words) -> PublicScreen:
    """Return what a channel reads of a duplicate. name: who has opened it."""
    played = _game(game, preset, w)
    return PublicScreen(
        screen(
            Accent.LOBBY,
            lines(f"## {w('🔁 Same deals for all')}", small(played)),
            w("{name} invites you.", name=name),
            lines(w(INVITED, n=HANDS), small(w(SEALED))),
            row(
                button(w("Deal the cards"), Browse.to(PLAY, number), ButtonStyle.success),
                button(w("The sheet"), Browse.to(SHEET, number)),
            ),
        )
    )


def _game(game: str, preset: str, w: Words) -> Said:
    known = GAMES[game]
    return join((w(known.title), w(known.sheet.presets[preset].title)))


def duplicate(sheet: DuplicateSheet, viewer: UserId, w: Words) -> PrivateScreen:
    """Return what somebody reads of a duplicate."""
    return private(
        Accent.BOOK if sheet.state in {"over", "left"} else Accent.YOURS,
        lines(f"## {w('🔁 Same deals for all')}", small(_game(sheet.game, sheet.preset, w))),
        *_told(sheet, viewer, w),
        line(),
        small(_count(sheet, w)),
        _buttons(sheet, w),
    )


def _told(sheet: DuplicateSheet, viewer: UserId, w: Words) -> Iterator[Block]:
    """The comparison, or why there is none to see."""
    if sheet.lines:
        yield lines(*(_line(one, viewer) for one in sheet.lines[:MOST]))
        own = next((one for one in sheet.lines[MOST:] if one.user == viewer), None)
        yield lines("…", _line(own, viewer)) if own else None
        yield small(w(WITHOUT_LUCK))
        watched = [
            option(w.bare().person(one.name), str(one.table)) for one in sheet.lines[:MOST] if one.user != viewer
        ]
        yield select(Browse.to(OPEN), w("See how somebody played it"), watched)
    elif sheet.state == "left":
        yield w(LEFT)
    else:
        yield lines(w(INVITED, n=sheet.hands), small(w(SEALED)))


def _line(one: Compared, viewer: UserId) -> str:
    name = f"**{escaped(one.name)}**" if one.user == viewer else escaped(one.name)
    gain = Said(f"{one.gain:+.1f}".replace("-", "\u2212"))
    return placed(one.place, join((Said(name), Said(f"{gain} ({signed(one.stand)})"))))


def _count(sheet: DuplicateSheet, w: Words) -> Said:
    begun = w.n("{n} person has begun.", "{n} people have begun.", sheet.begun)
    played = w.n("{n} has played to the end.", "{n} have played to the end.", sheet.played)
    return sentences((begun, played))


def _buttons(sheet: DuplicateSheet, w: Words) -> Row | None:
    if sheet.state == "over" and sheet.table is not None:
        return row(button(w("Watch again"), Press(sheet.table, Verb.WATCH)))
    if sheet.state == "begun":
        return row(button(w("Go on playing"), Browse.to(PLAY, sheet.number), ButtonStyle.success))
    if sheet.state == "new" and sheet.open:
        return row(button(w("Deal the cards"), Browse.to(PLAY, sheet.number), ButtonStyle.success))
    return None
