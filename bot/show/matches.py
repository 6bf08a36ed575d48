"""The finished matches of a server, page by page.

Draws rows the store has found; refuses to find or to sort anything itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from discord.utils import format_dt

from bot.games import GAMES
from bot.ground.results import Finished, Standing
from bot.show import phrases
from bot.show.ids import Browse
from bot.show.layout import Accent, PrivateScreen, Row, button, option, private, row, select, small
from bot.show.words import Said, Words, join

PAGE = 5  # finished matches on a page
HISTORY, OPEN = "history", "open"  # the verbs: show this page; step through the chosen match


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
    return join((head, join(names), small(_counted(match, w))), "\n")


def _counted(match: Finished, w: Words) -> Said:
    """Return why a match does not count, nothing where it does."""
    if match.annulled:
        return w("This match is annulled.")
    return Said() if match.outcome.counts else w("This match does not count.")


def _who(one: Standing, w: Words) -> Said:
    name = w.person(one.name, house=one.house)
    return w("{name} (left)", name=name) if one.left else name
