"""The deal of the day.

An introduction, the viewer's result, the results of the server, and a line to share.

A Sheet contains no cards; the line to share reveals only which tricks the player took.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from discord import ButtonStyle

from bot.domain.contests import DailyDealLine, DailyDealScoresheet
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.matches.score import shown_score
from bot.show.kit.custom_ids import Browse
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
    watch_button,
)
from bot.show.kit.phrases import MEDALS, placed
from bot.show.kit.words import MessageText, Words, escaped, join, sentences
from bot.show.table.match_list import OPEN

DAY_DEAL, BEGIN = "day_deal", "day_begin"  # the verbs: show a day; play it; without an argument, today's
MAX_PEOPLE_LISTED = 10  # people on a scoresheet
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


def day_deal(scoresheet: DailyDealScoresheet, viewer: UserId, w: Words) -> PrivateScreen:
    """Return the deal of a day, as seen by this viewer."""
    return private(
        Accent.YOURS if scoresheet.today and scoresheet.state in {"new", "begun"} else Accent.BOOK,
        lines(
            f"## {w('🗓️ Deal of the day')}", small(join((MessageText(scoresheet.day.isoformat()), _game(scoresheet, w))))
        ),
        *(_mine(scoresheet, w) if scoresheet.score is not None else _to_play(scoresheet, w)),
        _late(scoresheet, w),
        line(),
        *_scores(scoresheet, viewer, w),
        _buttons(scoresheet, w),
    )


def _game(scoresheet: DailyDealScoresheet, w: Words) -> MessageText:
    known = GAMES[scoresheet.game]
    return join((w(known.title), w(known.sheet.presets[scoresheet.preset].title)))


def _to_play(scoresheet: DailyDealScoresheet, w: Words) -> Iterator[Block]:
    """Yield the texts for a viewer without a result."""
    if not scoresheet.today:
        yield None if _is_late(scoresheet) else w(MISSED_IT)
    elif scoresheet.state in {"new", "begun"}:
        yield lines(w(ABOUT), small(w(SEALED)))
    else:
        yield w(LEFT)
    yield _week(scoresheet, w) if scoresheet.run else None


def _is_late(scoresheet: DailyDealScoresheet) -> bool:
    """Tell whether the viewer may still finish this deal after the end of its day."""
    return scoresheet.late is not None and scoresheet.late[0] == scoresheet.day


def _late(scoresheet: DailyDealScoresheet, w: Words) -> MessageText | None:
    """Return the notice of a past day's deal that the viewer may still finish.

    None without one.
    """
    if scoresheet.late is None:
        return None
    day, until = scoresheet.late
    return w(LATE, when=until) if _is_late(scoresheet) else w(LATE_OF, day=MessageText(day.isoformat()), when=until)


def _mine(scoresheet: DailyDealScoresheet, w: Words) -> Iterator[Block]:
    """Yield the viewer's result, and a line to share."""
    assert scoresheet.score is not None
    place = join((w("place {n}", n=scoresheet.place), MessageText(shown_score(scoresheet.score, low=scoresheet.low))))
    yield lines(f"### {w('You: {result}', result=place)}", tricks(scoresheet.marks), _week(scoresheet, w))
    yield lines(small(w(COPY)), f"```\n{shared(scoresheet, w)}\n```")


def tricks(marks: Iterable[bool]) -> str:
    """Return a square for each trick: taken or lost."""
    return "".join(TAKEN if taken else LOST for taken in marks)


def _week(scoresheet: DailyDealScoresheet, w: Words) -> str:
    week = MessageText("".join(PLAYED if played else MISSED for played in scoresheet.week))
    run = w.n("{n} day in a row", "{n} days in a row", scoresheet.run) if scoresheet.run > 1 else MessageText()
    return small(join((week, run)))


def shared(scoresheet: DailyDealScoresheet, w: Words) -> str:
    """Return the line to share: the result, without any card."""
    assert scoresheet.score is not None
    w = w.for_labels()
    head = f"{w('Bigger, deal of the day')}\n{scoresheet.day.isoformat()} · {w(GAMES[scoresheet.game].title)}"
    medal = MEDALS.get(scoresheet.place, "🃏")
    run = f" · 🔥 {scoresheet.run}" if scoresheet.run > 1 else ""
    return f"{head}\n{medal} {shown_score(scoresheet.score, low=scoresheet.low)} {tricks(scoresheet.marks)}{run}"


def _scores(scoresheet: DailyDealScoresheet, viewer: UserId, w: Words) -> Iterator[Block]:
    """Yield the results on this server, and the number of players on all servers."""
    if scoresheet.lines:
        yield lines(
            f"### {w('On this server')}",
            *(_line(one, scoresheet, viewer) for one in scoresheet.lines[:MAX_PEOPLE_LISTED]),
        )
        own = next((one for one in scoresheet.lines[MAX_PEOPLE_LISTED:] if one.user == viewer), None)
        yield lines("…", _line(own, scoresheet, viewer)) if own else None
    if scoresheet.open and not scoresheet.today and scoresheet.state == "new":
        yield small(w(WAITS))
    yield small(_everywhere(scoresheet, w))
    watched = [
        option(w.for_labels().person(one.name), str(one.table))
        for one in scoresheet.lines[:MAX_PEOPLE_LISTED]
        if one.user != viewer
    ]
    yield select(Browse.to(OPEN), w("Someone's replay"), watched)


def _line(one: DailyDealLine, scoresheet: DailyDealScoresheet, viewer: UserId) -> str:
    name = f"**{escaped(one.name)}**" if one.user == viewer else escaped(one.name)
    return placed(one.place, join((MessageText(name), MessageText(shown_score(one.score, low=scoresheet.low)))))


def _everywhere(scoresheet: DailyDealScoresheet, w: Words) -> MessageText:
    if not scoresheet.played:
        return w("Nobody has finished it yet.") if scoresheet.open else w("Nobody finished it.")
    played = w.n("{n} person has played it.", "{n} people have played it.", scoresheet.played)
    if scoresheet.score is None or scoresheet.played == 1:
        return played
    better = w.n("{n} of them did better than you.", "{n} of them did better than you.", scoresheet.better)
    return sentences((played, better if scoresheet.better else w("Nobody did better than you.")))


def _buttons(scoresheet: DailyDealScoresheet, w: Words) -> Row | None:
    begin = None
    if scoresheet.today and scoresheet.state == "new":
        begin = button(w("Deal the cards"), Browse.to(BEGIN), ButtonStyle.success)
    elif (scoresheet.today and scoresheet.state == "begun") or _is_late(scoresheet):
        begin = button(w("Keep playing"), Browse.to(BEGIN, scoresheet.day.isoformat()), ButtonStyle.success)
    late = None
    if scoresheet.late is not None and not _is_late(scoresheet):
        day = scoresheet.late[0].isoformat()
        late = button(w("Finish {day}", day=MessageText(day)), Browse.to(BEGIN, day), ButtonStyle.success)
    watch = None
    if scoresheet.table is not None and scoresheet.state == "over":
        watch = watch_button(scoresheet.table, w)
    return row(
        begin,
        late,
        watch,
        button(w("Day before"), Browse.to(DAY_DEAL, (scoresheet.day - DAY).isoformat())),
        None if scoresheet.today else button(w("Today"), Browse.to(DAY_DEAL)),
    )
