"""The deal of the day.

An introduction, the viewer's result, the results of the server, and a line to share.

A Sheet contains no cards; the line to share reveals only which tricks the player took.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from discord import ButtonStyle

from bot.domain.contests import DailyDealLine, DailyDealSheet
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.matches.score import shown_score
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    line,
    lines,
    option,
    private,
    row,
    select,
    small,
)
from bot.show.kit.phrases import MEDALS, placed
from bot.show.kit.words import MessageText, Words, escaped, join, sentences
from bot.show.table.match_list import OPEN

DAY_DEAL, BEGIN = "day_deal", "day_begin"  # the verbs: show a day; play it; without an argument, today's
MAX_PEOPLE_LISTED = 10  # people on a sheet
BACK = 7  # the number of past days to look back at
DAY: Final = timedelta(days=1)
TAKEN, LOST = "🟩", "⬜"  # a trick
PLAYED, MISSED = "🟢", "⚪"  # a day
ABOUT = N_("Same cards for everyone: you against three bots, one try.")
SEALED = N_("Nobody sees your cards. Scores appear once you've played; it's not rated.")
LEFT = N_("You had your try and didn't finish it. There's a new deal tomorrow.")
MISSED_IT = N_("You didn't finish this one.")
LATE = N_("I was away at midnight, so you can still finish this one. It closes {when}.")
LATE_OF = N_("I was away at midnight, so you can still finish the deal of {day}. It closes {when}.")
WAITS = N_("Someone may still be finishing it, so scores are shown later.")
COPY = N_("Share (no spoilers):")


def day_deal(sheet: DailyDealSheet, viewer: UserId, w: Words) -> PrivateScreen:
    """Return the deal of a day, as seen by this viewer."""
    return private(
        Accent.YOURS if sheet.today and sheet.state in {"new", "begun"} else Accent.BOOK,
        lines(f"## {w('🗓️ Deal of the day')}", small(join((MessageText(sheet.day.isoformat()), _game(sheet, w))))),
        *(_mine(sheet, w) if sheet.stand is not None else _to_play(sheet, w)),
        _late(sheet, w),
        line(),
        *_sheet(sheet, viewer, w),
        _buttons(sheet, w),
    )


def _game(sheet: DailyDealSheet, w: Words) -> MessageText:
    known = GAMES[sheet.game]
    return join((w(known.title), w(known.sheet.presets[sheet.preset].title)))


def _to_play(sheet: DailyDealSheet, w: Words) -> Iterator[Block]:
    """Yield the texts for a viewer without a result."""
    if not sheet.today:
        yield None if _is_late(sheet) else w(MISSED_IT)
    elif sheet.state in {"new", "begun"}:
        yield lines(w(ABOUT), small(w(SEALED)))
    else:
        yield w(LEFT)
    yield _week(sheet, w) if sheet.run else None


def _is_late(sheet: DailyDealSheet) -> bool:
    """Tell whether the viewer may still finish this deal after the end of its day."""
    return sheet.late is not None and sheet.late[0] == sheet.day


def _late(sheet: DailyDealSheet, w: Words) -> MessageText | None:
    """Return the notice of a past day's deal that the viewer may still finish.

    None without one.
    """
    if sheet.late is None:
        return None
    day, until = sheet.late
    return w(LATE, when=until) if _is_late(sheet) else w(LATE_OF, day=MessageText(day.isoformat()), when=until)


def _mine(sheet: DailyDealSheet, w: Words) -> Iterator[Block]:
    """Yield the viewer's result, and a line to share."""
    assert sheet.stand is not None
    place = join((w("place {n}", n=sheet.place), MessageText(shown_score(sheet.stand, low=sheet.low))))
    yield lines(f"### {w('You: {result}', result=place)}", tricks(sheet.marks), _week(sheet, w))
    yield lines(small(w(COPY)), f"```\n{shared(sheet, w)}\n```")


def tricks(marks: Iterable[bool]) -> str:
    """Return a square for each trick: taken or lost."""
    return "".join(TAKEN if taken else LOST for taken in marks)


def _week(sheet: DailyDealSheet, w: Words) -> str:
    week = MessageText("".join(PLAYED if played else MISSED for played in sheet.week))
    run = w.n("{n} day in a row", "{n} days in a row", sheet.run) if sheet.run > 1 else MessageText()
    return small(join((week, run)))


def shared(sheet: DailyDealSheet, w: Words) -> str:
    """Return the line to share: the result, without any card."""
    assert sheet.stand is not None
    w = w.for_labels()
    head = f"{w('Bigger, deal of the day')}\n{sheet.day.isoformat()} · {w(GAMES[sheet.game].title)}"
    medal = MEDALS.get(sheet.place, "🃏")
    run = f" · 🔥 {sheet.run}" if sheet.run > 1 else ""
    return f"{head}\n{medal} {shown_score(sheet.stand, low=sheet.low)} {tricks(sheet.marks)}{run}"


def _sheet(sheet: DailyDealSheet, viewer: UserId, w: Words) -> Iterator[Block]:
    """Yield the results on this server, and the number of players on all servers."""
    if sheet.lines:
        yield lines(
            f"### {w('On this server')}", *(_line(one, sheet, viewer) for one in sheet.lines[:MAX_PEOPLE_LISTED])
        )
        own = next((one for one in sheet.lines[MAX_PEOPLE_LISTED:] if one.user == viewer), None)
        yield lines("…", _line(own, sheet, viewer)) if own else None
    if sheet.open and not sheet.today and sheet.state == "new":
        yield small(w(WAITS))
    yield small(_everywhere(sheet, w))
    watched = [
        option(w.for_labels().person(one.name), str(one.table))
        for one in sheet.lines[:MAX_PEOPLE_LISTED]
        if one.user != viewer
    ]
    yield select(Browse.to(OPEN), w("Someone's replay"), watched)


def _line(one: DailyDealLine, sheet: DailyDealSheet, viewer: UserId) -> str:
    name = f"**{escaped(one.name)}**" if one.user == viewer else escaped(one.name)
    return placed(one.place, join((MessageText(name), MessageText(shown_score(one.stand, low=sheet.low)))))


def _everywhere(sheet: DailyDealSheet, w: Words) -> MessageText:
    if not sheet.played:
        return w("Nobody has finished it yet.") if sheet.open else w("Nobody finished it.")
    played = w.n("{n} person has played it.", "{n} people have played it.", sheet.played)
    if sheet.stand is None or sheet.played == 1:
        return played
    better = w.n("{n} of them did better than you.", "{n} of them did better than you.", sheet.better)
    return sentences((played, better if sheet.better else w("Nobody did better than you.")))


def _buttons(sheet: DailyDealSheet, w: Words) -> Row | None:
    begin = None
    if sheet.today and sheet.state == "new":
        begin = button(w("Deal the cards"), Browse.to(BEGIN), ButtonStyle.success)
    elif (sheet.today and sheet.state == "begun") or _is_late(sheet):
        begin = button(w("Keep playing"), Browse.to(BEGIN, sheet.day.isoformat()), ButtonStyle.success)
    late = None
    if sheet.late is not None and not _is_late(sheet):
        day = sheet.late[0].isoformat()
        late = button(w("Finish {day}", day=MessageText(day)), Browse.to(BEGIN, day), ButtonStyle.success)
    watch = None
    if sheet.table is not None and sheet.state == "over":
        watch = button(w("Replay"), Press(sheet.table, Verb.WATCH))
    return row(
        begin,
        late,
        watch,
        button(w("Day before"), Browse.to(DAY_DEAL, (sheet.day - DAY).isoformat())),
        None if sheet.today else button(w("Today"), Browse.to(DAY_DEAL)),
    )
