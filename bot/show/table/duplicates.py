"""Duplicates: the invitation, the viewer's own part, and the comparison without luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from discord import ButtonStyle, SelectOption, ui

from bot.domain.contests import DUPLICATE_HANDS, Duplicate, DuplicateLine, DuplicateScoresheet
from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.matches.score import shown_score
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import (
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
    watch_button,
)
from bot.show.kit.phrases import placed, signed_average
from bot.show.kit.words import MessageText, Words, escaped, join, sentences
from bot.show.table.match_list import OPEN

# The verbs: offer to turn a lobby into a duplicate; make a solo duplicate, or one at several tables; play its deals
# alone; open another table with its deals; show its scoresheet; show one deal of the scoresheet.
ASK, MAKE, SEVERAL = "dup_ask", "dup_make", "dup_several"
PLAY, TABLE, SCORESHEET, DEAL = "dup_play", "dup_table", "dup_sheet", "dup_deal"
OF_TABLE = "sheet_of"  # show the scoresheet of a solo table
MAX_PEOPLE_LISTED: Final = 10  # people on a scoresheet
DEALS: Final = 24  # of a select, beside the option of all deals
TITLE, SHEET_TITLE = N_("🔁 Same deals for all"), N_("🔁 Same deals: how you compare")
AT_TABLES, OPEN_ANOTHER = N_("At several tables"), N_("Open another table")
THE_SHEET = N_("Scoresheet")
QUESTION = N_(
    "Close this table, and everyone here plays the same {n} hands instead? Each of you plays alone "
    "against bots, whenever you like. Then a scoresheet compares you with the luck taken out."
)
QUESTION_TABLES = N_(
    "Or keep this table: anyone without a seat opens another one with the same {n} hands. Then a "
    "scoresheet compares everyone who had the same cards."
)
INVITED = N_(
    "Everyone gets the same {n} hands and plays them alone against bots, whenever they like, within "
    "two weeks. Then a scoresheet compares you with the luck taken out."
)
INVITED_TABLES = N_(
    "The same {n} hands at every table. No seat left? Open another one within two weeks. Then a "
    "scoresheet compares everyone who had the same cards."
)
SEALED = N_(
    "You see the scoresheet once you've finished. Each hand is played like the first of a match. "
    "Nobody plays twice, and it's not rated."
)
SEALED_TABLES = N_(
    "Each table plays in a private thread that only its players and moderators who manage threads can "
    "see. Each hand is played like the first of a match. Nobody plays twice, and it's not rated."
)
SHARED = N_(
    "Several tables can play the same deals now. If you're seated here, press Ready once more; others "
    "open a table with the button in the channel."
)
LEFT = N_("You left before the end, so you're not on the scoresheet.")
WITHOUT_LUCK = N_("How many points above the average of your seats in these deals. In brackets: points.")
WITHOUT_LUCK_ALL = N_("How many points above the average of the same seat in the same deals.")


def question(table: TableId, hands: int, w: Words) -> PrivateScreen:
    """Return the choice to turn a lobby into a duplicate.

    hands: the number of hands at several tables.
    """
    alone = button(w("Everyone alone"), Browse.to(MAKE, table), ButtonStyle.primary)
    together = button(w(AT_TABLES), Browse.to(SEVERAL, table), ButtonStyle.primary)
    return private(
        Accent.LOBBY,
        lines(f"**{w('Everyone alone')}**", w(QUESTION, n=DUPLICATE_HANDS), small(w(SEALED))),
        line(),
        lines(f"**{w(AT_TABLES)}**", w(QUESTION_TABLES, n=hands), small(w(SEALED_TABLES))),
        row(alone, together),
    )


def shared(w: Words) -> PrivateScreen:
    """Return the confirmation for the host, once others may play the same deals."""
    return private(Accent.LOBBY, w(SHARED))


def invitation(number: int, game: str, preset: str, name: str, *, w: Words, hands: int | None = None) -> PublicScreen:
    """Return the invitation to a duplicate.

    name: its opener. hands: None if each player plays alone.
    """
    invited, sealed = (INVITED, SEALED) if hands is None else (INVITED_TABLES, SEALED_TABLES)
    begin = _deal(number, w) if hands is None else _another(number, w)
    return PublicScreen(
        screen(
            Accent.LOBBY,
            lines(f"## {w(TITLE)}", small(_game(game, preset, w))),
            w("{name} invites you.", name=name),
            lines(w(invited, n=hands or DUPLICATE_HANDS), small(w(sealed))),
            row(begin, scoresheet_button(number, w)),
        )
    )


def scoresheet_button(number: int, w: Words) -> ui.Button[Any]:
    """Return the button that shows the scoresheet of a duplicate."""
    return button(w(THE_SHEET), Browse.to(SCORESHEET, number))


def _deal(number: int, w: Words) -> ui.Button[Any]:
    return button(w("Deal the cards"), Browse.to(PLAY, number), ButtonStyle.success)


def _another(number: int, w: Words) -> ui.Button[Any]:
    return button(w(OPEN_ANOTHER), Browse.to(TABLE, number), ButtonStyle.success)


def _game(game: str, preset: str, w: Words) -> MessageText:
    known = GAMES[game]
    return join((w(known.title), w(known.sheet.presets[preset].title)))


def for_all(known: Duplicate, tables: int, compared: Sequence[DuplicateLine], w: Words) -> PublicScreen:
    """Return the public comparison, which reveals nothing of any hand.

    tables: the number of finished tables.
    """
    shown = [
        placed(one.place, join((MessageText(escaped(one.name)), _gain(one)))) for one in compared[:MAX_PEOPLE_LISTED]
    ]
    played = w.n("{n} table has played.", "{n} tables have played.", tables)
    return PublicScreen(
        screen(
            Accent.BOOK,
            lines(f"## {w(SHEET_TITLE)}", small(_game(known.game, known.preset, w))),
            lines(*shown) if shown else w("Everyone who finished chose to stay hidden."),
            small(sentences((played, w(WITHOUT_LUCK_ALL)))),
            row(scoresheet_button(known.number, w), _another(known.number, w)),
        )
    )


def duplicate(whole: DuplicateScoresheet, viewer: UserId, w: Words, deal: int = 0) -> PrivateScreen:
    """Return a duplicate, as seen by this viewer.

    deal: show the result of this deal alone, from 1; 0 for all.
    """
    scoresheet = whole.of_deal(deal) if deal else whole
    return private(
        Accent.BOOK if scoresheet.state in {"over", "left"} else Accent.YOURS,
        lines(f"## {w(TITLE)}", small(_game(scoresheet.game, scoresheet.preset, w))),
        *_comparison(scoresheet, viewer, w),
        _deals(whole, deal, w),
        line(),
        small(_count(scoresheet, w)),
        _buttons(scoresheet, w),
    )


def _comparison(scoresheet: DuplicateScoresheet, viewer: UserId, w: Words) -> Iterator[Block]:
    """Yield the comparison, or why it is hidden."""
    if scoresheet.lines:
        yield lines(*(_line(one, scoresheet, viewer, w) for one in scoresheet.lines[:MAX_PEOPLE_LISTED]))
        own = next((one for one in scoresheet.lines[MAX_PEOPLE_LISTED:] if one.user == viewer), None)
        yield lines("…", _line(own, scoresheet, viewer, w)) if own else None
        yield small(w(WITHOUT_LUCK))
        yield select(Browse.to(OPEN), w("Someone's replay"), _watched(scoresheet, w))
    elif scoresheet.state == "left":
        yield w(LEFT)
    elif scoresheet.together:
        yield lines(w(INVITED_TABLES, n=scoresheet.hands), small(w(SEALED_TABLES)))
    else:
        yield lines(w(INVITED, n=scoresheet.hands), small(w(SEALED)))


def _deals(scoresheet: DuplicateScoresheet, chosen: int, w: Words) -> Row | None:
    """Return the select of deals, to compare a single one."""
    most = max((len(one.deals) for one in scoresheet.lines), default=0)
    named = [
        w.for_labels()("All hands"),
        *(w.for_labels()("Hand {hand}", hand=hand) for hand in range(1, min(most, DEALS) + 1)),
    ]
    options = [option(name, str(hand), default=hand == chosen) for hand, name in enumerate(named)]
    return select(Browse.to(DEAL, scoresheet.number), w("Hand by hand"), options) if most > 1 else None


def _watched(scoresheet: DuplicateScoresheet, w: Words) -> list[SelectOption]:
    """Return the other tables to replay, named after their players."""
    others = sorted(
        (one for one in scoresheet.lines if one.table != scoresheet.table), key=lambda one: (one.table, one.seat)
    )
    at_tables = [(table, list(sat)) for table, sat in groupby(others, lambda one: one.table)]
    named = (
        (table, join([w.for_labels().person(one.name) for one in sat])) for table, sat in at_tables[:MAX_PEOPLE_LISTED]
    )
    return [option(names, str(table)) for table, names in named]


def _line(one: DuplicateLine, scoresheet: DuplicateScoresheet, viewer: UserId, w: Words) -> str:
    name = f"**{escaped(one.name)}**" if one.user == viewer else escaped(one.name)
    seat = w("seat {seat}", seat=one.seat + 1) if scoresheet.together else MessageText()
    gain = MessageText(f"{_gain(one)} ({shown_score(one.score, low=scoresheet.low)})")
    return placed(one.place, join(filter(None, (MessageText(name), seat, gain))))


def _gain(one: DuplicateLine) -> MessageText:
    return signed_average(one.gain)


def _count(scoresheet: DuplicateScoresheet, w: Words) -> MessageText:
    begun = w.n("{n} person has started.", "{n} people have started.", scoresheet.begun)
    played = w.n("{n} has finished.", "{n} have finished.", scoresheet.played)
    return sentences((begun, played))


def _buttons(scoresheet: DuplicateScoresheet, w: Words) -> Row | None:
    if scoresheet.state == "over" and scoresheet.table is not None:
        return row(watch_button(scoresheet.table, w))
    if scoresheet.state == "begun" and not scoresheet.together:
        return row(button(w("Keep playing"), Browse.to(PLAY, scoresheet.number), ButtonStyle.success))
    if scoresheet.state == "begun" and scoresheet.table is not None:
        return row(button(w("Keep playing"), Press(scoresheet.table, Verb.HAND), ButtonStyle.success))
    if scoresheet.state == "new" and scoresheet.open:
        return row(_another(scoresheet.number, w) if scoresheet.together else _deal(scoresheet.number, w))
    return None
