"""The server's leaderboard and its finished matches.

Draws rows the store has counted; refuses to count or to sort anything itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord.utils import format_dt

from bot.games import GAMES
from bot.ground.ids import UserId
from bot.ground.names import called
from bot.ground.results import Finished, Line, Standing
from bot.show import phrases
from bot.show.ids import Browse
from bot.show.layout import Accent, PrivateScreen, Row, button, line, option, private, row, select, small
from bot.show.words import N_, Said, Words, join

TOP = 10
PAGE = 5  # finished matches on a page
ORDER = N_(
    "Most wins first, then fewest matches; equals share a place. Sharing the first place is a win, leaving never is. "
    "Points are not added up: some games want few of them, others many."
)
HISTORY, OPEN = "history", "open"  # the verbs: show this page; step through the chosen match


def leaderboard(ranked: Sequence[Line], me: UserId, w: Words, *, where: str) -> PrivateScreen:
    """Return the best ten of a server and in any case the line of ``me`` (a user id). ranked: the best first."""
    shown = _told_apart([*ranked[:TOP], *(entry for entry in ranked[TOP:] if entry.user == me)])
    top, mine = shown[: len(ranked[:TOP])], shown[len(ranked[:TOP]) :]
    return private(
        Accent.BOOK,
        "## " + w("Leaderboard of {server}", server=where),
        "\n".join(_line(entry, me, w) for entry in top) or w("Nobody has finished a match that counts here yet."),
        line(),
        "\n".join(_line(entry, me, w) for entry in mine) or _unranked(ranked, me, w),
        line(),
        small(w(ORDER)),
    )


def _told_apart(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with names that are not taken for each other: they may come from different tables."""
    told = list[Line]()
    for entry in lines:
        told.append(replace(entry, name=called(entry.name, entry.user, [other.name for other in told])))
    return told


def _unranked(ranked: Sequence[Line], me: UserId, w: Words) -> Said | None:
    known = any(entry.user == me for entry in ranked)
    return None if known else w("You have not finished a match that counts here yet.")


def _line(entry: Line, me: UserId, w: Words) -> str:
    name = w("**{name}** (you)" if entry.user == me else "**{name}**", name=entry.name)
    who = phrases.placed(entry.place, name)
    wins = w.n("{n} win", "{n} wins", entry.wins)
    matches = w.n("{n} match", "{n} matches", entry.matches)
    return join((who, wins, matches))


def nearest(page: int, count: int) -> int:
    """Return the page (from 0) of so many finished matches that comes closest to this one."""
    return min(max(page, 0), _last(count))


def _last(count: int) -> int:
    return max(0, -(-count // PAGE) - 1)


def history(shown: Sequence[Finished], page: int, count: int, w: Words, *, where: str) -> PrivateScreen:
    """Return a page of a server's finished matches, the latest first.

    shown: the matches of this page. page: from 0, one there is. count: the finished matches of the server.
    """
    options = [option(_title(match, w), str(match.table), _winner(match, w)) for match in shown]
    return private(
        Accent.BOOK,
        "## " + w("Finished matches in {server}", server=where),
        "\n".join(_match(match, w) for match in shown) or w("No match has been finished here yet."),
        select(Browse.to(OPEN), w("Step through a match"), options),
        _turn(page, _last(count), w) if count > PAGE else None,
    )


def _turn(at: int, last: int, w: Words) -> Row | None:
    return row(
        button(w("Previous"), Browse.to(HISTORY, at - 1), disabled=at == 0),
        button(w("Next"), Browse.to(HISTORY, at + 1), disabled=at == last),
    )


def _title(match: Finished, w: Words) -> Said:
    return w("{game}, table {number}", game=w(GAMES[match.game].title), number=match.number)


def _winner(match: Finished, w: Words) -> str:
    best = min(match.outcome.standings, key=lambda standing: standing.place)
    return w("Nobody stayed to the end.") if best.left else f"{phrases.MEDALS[1]} {w.bare().person(best.name)}"


def _match(match: Finished, w: Words) -> str:
    when = Said(format_dt(match.outcome.finished, "d"))
    head = join((Said(f"**{_title(match, w)}**"), w.n("{n} hand", "{n} hands", match.outcome.hands), when))
    ranked = sorted(match.outcome.standings, key=lambda standing: (standing.place, standing.seat))
    names = (phrases.placed(one.place, join((_who(one, w), w.show(one.points)), " ")) for one in ranked)
    just_for_fun = Said() if match.outcome.counts else small(w("This match does not count."))
    return join((head, join(names), just_for_fun), "\n")


def _who(one: Standing, w: Words) -> Said:
    name = w.person(one.name, house=one.house)
    return w("{name} (left)", name=name) if one.left else name
