"""The server's leaderboard and its finished matches.

Draws rows the store has counted; refuses to count or to sort anything itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from discord import ui
from discord.utils import format_dt

from bot.rules.registry import GAMES
from bot.show import phrases
from bot.show.ids import Browse
from bot.show.layout import Accent, Row, button, line, option, row, screen, select
from bot.show.words import HOUSE, Said, Words, escaped, join
from bot.store.rows import Finished, Line, Standing

TOP = 10
PAGE = 5  # finished matches on a page
HISTORY, OPEN = "history", "open"  # the verbs: show this page; step through the chosen match


def leaderboard(ranked: Sequence[Line], me: int, w: Words, *, where: str) -> ui.LayoutView:
    """Return the best ten of a server and in any case the line of ``me`` (a user id). ranked: the best first."""
    places = list(enumerate(ranked, 1))
    top, mine = places[:TOP], [(place, each) for place, each in places[TOP:] if each.user == me]
    return screen(
        Accent.BOOK,
        "## " + w("Leaderboard of {server}", server=where),
        "\n".join(_line(place, each, me, w) for place, each in top) or w("Nobody has finished a match here yet."),
        line(),
        "\n".join(_line(place, each, me, w) for place, each in mine) or _unranked(ranked, me, w),
    )


def _unranked(ranked: Sequence[Line], me: int, w: Words) -> Said | None:
    known = any(each.user == me for each in ranked)
    return None if known else w("You have not finished a match here yet.")


def _line(place: int, each: Line, me: int, w: Words) -> str:
    """Two short lines a person: a phone has no room for columns."""
    name = w("**{name}** (you)" if each.user == me else "**{name}**", name=each.name)
    who = phrases.placed(place, name)
    wins = w.n("{n} win", "{n} wins", each.wins)
    matches = w.n("{n} match", "{n} matches", each.matches)
    mean = w("{mean} points a hand", mean=each.points / each.hands) if each.hands else Said()
    return f"{join((who, wins, matches))}\n-# {join((phrases.points(each.points, w), mean))}"


def nearest(page: int, count: int) -> int:
    """Return the page (from 0) of so many finished matches that comes closest to this one."""
    return min(max(page, 0), _last(count))


def _last(count: int) -> int:
    return max(0, -(-count // PAGE) - 1)


def history(shown: Sequence[Finished], page: int, count: int, w: Words, *, where: str) -> ui.LayoutView:
    """Return a page of a server's finished matches, the latest first.

    shown: the matches of this page. page: from 0, one there is. count: the finished matches of the server.
    """
    options = [option(_title(each, w), str(each.table), _winner(each)) for each in shown]
    return screen(
        Accent.BOOK,
        "## " + w("Finished matches in {server}", server=where),
        "\n".join(_match(each, w) for each in shown) or w("No match has been finished here yet."),
        select(Browse.to(OPEN), w("Step through a match"), options),
        _turn(page, _last(count), w) if count > PAGE else None,
    )


def _turn(at: int, last: int, w: Words) -> Row | None:
    return row(
        button(w("Previous"), Browse.to(HISTORY, at - 1), disabled=at == 0),
        button(w("Next"), Browse.to(HISTORY, at + 1), disabled=at == last),
    )


def _title(each: Finished, w: Words) -> Said:
    return w("{game}, table {number}", game=w(GAMES[each.game].title), number=each.number)


def _winner(each: Finished) -> str:
    best = min(each.outcome.standings, key=lambda standing: standing.place)
    return f"{phrases.MEDALS[1]} {best.name}"


def _match(each: Finished, w: Words) -> str:
    when = Said(format_dt(each.outcome.finished, "d"))
    head = join((Said(f"**{_title(each, w)}**"), w.n("{n} hand", "{n} hands", each.outcome.hands), when))
    ranked = sorted(each.outcome.standings, key=lambda standing: (standing.place, standing.seat))
    names = (phrases.placed(one.place, join((Said(_who(one)), w.show(one.points)), " ")) for one in ranked)
    return f"{head}\n{join(names)}"


def _who(one: Standing) -> str:
    return f"{escaped(one.name)} {HOUSE}" if one.house else escaped(one.name)
