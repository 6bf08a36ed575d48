"""The list of a server's finished matches, filtered and page by page.

Filters and order come from the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Self

from babel.dates import format_date, format_skeleton
from discord import ui
from discord.utils import format_dt

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.results import FinishedMatch, SeatResult
from bot.domain.seasons import Month
from bot.games import GAMES
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, button, lines, option, private, row, select, small
from bot.show.kit.words import MessageText, Words, join
from bot.show.table.scores import final_scores

MATCHES_PER_PAGE = 5  # finished matches on a page
HISTORY, OPEN = "history", "open"  # the verbs: show this page; replay the chosen match
LOOK_FOR = N_("Looking for one? {command} finds matches by person, game, month or table number.")


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """A filter of finished matches: by person, game and month; empty fields match everything."""

    user: UserId | None = None
    game: str = ""
    month: Month | None = None

    @property
    def args(self) -> tuple[object, ...]:
        """The filter in a custom id."""
        return self.user or "", self.game, self.month or ""

    @classmethod
    def read(cls, args: Sequence[str]) -> Self:
        """Return the filter in a custom id; empty in one of an earlier release.

        Raises ValueError, KeyError.
        """
        user, game, month = (*args, "", "", "")[:3]
        if game and game not in GAMES:
            raise KeyError(game)
        return cls(UserId(int(user)) if user else None, game, Month.read(month) if month else None)


NO_FILTER: Final = MatchFilter()


def nearest(page: int, count: int) -> int:
    """Return the existing page nearest to this one, from 0. count: all finished matches."""
    return min(max(page, 0), _last(count))


def _last(count: int) -> int:
    return max(0, -(-count // MATCHES_PER_PAGE) - 1)


def history(
    shown: Sequence[FinishedMatch], page: int, count: int, w: Words, *, where: str, wish: MatchFilter = NO_FILTER
) -> PrivateScreen:
    """Return a page of a server's finished matches, the latest first.

    shown: the matches of this page. page: from 0, an existing one. count: all finished matches that pass the filter.
    """
    options = [option(title(match, w), str(match.table), _winner(match, w)) for match in shown if not match.gone]
    every = button(w("Show all"), Browse.to(HISTORY, 0))
    return private(
        Accent.BOOK,
        lines("## " + w("Finished matches in {server}", server=where), _wished(wish, w)),
        "\n".join(_match(match, w) for match in shown) or _none(wish, w),
        select(Browse.to(OPEN), w("Replay a match"), options),
        row(
            *(_turn(page, _last(count), wish, w) if count > MATCHES_PER_PAGE else ()),
            every if wish != NO_FILTER else None,
        ),
        small(w(LOOK_FOR, command=MessageText("`/matches list`")))
        if wish == NO_FILTER and count > MATCHES_PER_PAGE
        else None,
    )


def _wished(wish: MatchFilter, w: Words) -> MessageText:
    """Return the filter in a few words."""
    user = phrases.person(wish.user, w) if wish.user else MessageText()
    game = w(GAMES[wish.game].title) if wish.game else MessageText()
    return join((user, game, month(wish.month, w) if wish.month else MessageText()))


def _none(wish: MatchFilter, w: Words) -> MessageText:
    if wish == NO_FILTER:
        return w("No finished matches here yet.")
    return w("No finished match fits. Try fewer filters, or show all.")


def month(wanted: Month, w: Words) -> MessageText:
    """Return a month in words: "November 2026"."""
    return MessageText(format_skeleton("yMMMM", date(wanted.year, wanted.number, 1), locale=w.locale))


def _turn(at: int, last: int, wish: MatchFilter, w: Words) -> Iterator[ui.Button[Any]]:
    yield button(w("Previous"), Browse.to(HISTORY, at - 1, *wish.args), disabled=at == 0)
    yield button(w("Next"), Browse.to(HISTORY, at + 1, *wish.args), disabled=at == last)


def title(match: FinishedMatch, w: Words) -> MessageText:
    """Return the name of a match: the game, and "table 3"."""
    return w("{game}, table {number}", game=w(GAMES[match.game].title), number=match.number)


def offered(match: FinishedMatch, w: Words) -> MessageText:
    """Return the autocomplete text of a match."""
    when = MessageText(format_date(match.outcome.finished, "medium", locale=w.locale))
    return join((title(match, w), MessageText(_winner(match, w)), when))


def _winner(match: FinishedMatch, w: Words) -> str:
    best = min(match.outcome.standings, key=lambda standing: standing.place)
    return w("Nobody stayed to the end.") if best.left else f"{phrases.MEDALS[1]} {w.for_labels().person(best.name)}"


def _match(match: FinishedMatch, w: Words) -> str:
    when = MessageText(format_dt(match.outcome.finished, "d"))
    head = join((MessageText(f"**{title(match, w)}**"), w.n("{n} hand", "{n} hands", match.outcome.hands), when))
    ranked = sorted(match.outcome.standings, key=lambda standing: (standing.place, standing.seat))
    stands = final_scores(match)
    names = (phrases.placed(one.place, join((_who(one, w), stands[one.seat]), " ")) for one in ranked)
    return join((head, join(names), small(_counted(match, w)), small(_gone(match, w))), "\n")


def _counted(match: FinishedMatch, w: Words) -> MessageText:
    """Return why a match does not count; empty if it counts."""
    if match.annulled:
        return w("This match is annulled.")
    return MessageText() if match.outcome.counts else w("This match is unrated.")


def _gone(match: FinishedMatch, w: Words) -> MessageText:
    return w("The moves aren't stored any more.") if match.gone else MessageText()


def _who(one: SeatResult, w: Words) -> MessageText:
    name = w.person(one.name, house=one.house, level=one.level)
    return w("{name} (left)", name=name) if one.left else name
