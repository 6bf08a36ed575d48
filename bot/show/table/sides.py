"""The sides of a hand: a line for the viewer or for everybody, and a sign for each seat."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.core.game import Public, Teams, View
from bot.show.kit.words import MessageText, Words, join
from bot.show.pictures.table import DOT, STAR

UNKNOWN, BESIDE = "?", "\u00a0"  # an unknown player; a non-breaking space
YOU = N_("You")
ALONE = N_("{side} alone against the rest")


def sign(teams: Teams, seat: int) -> str:
    """Return the sign of a seat's side; empty if unknown."""
    return STAR if seat in teams.declaring else DOT if seat in teams.against else ""


def banner(view: Public, w: Words) -> MessageText:
    """Return the publicly known sides, the declarer's first; empty without sides."""
    return _line(view.teams, len(view.counts), None, w) if view.teams else MessageText()


def own_banner(view: View, w: Words) -> MessageText:
    """Return the sides as known to one seat, its own first."""
    return _line(view.own_teams, len(view.counts), view.seat, w) if view.own_teams else MessageText()


def _line(teams: Teams, players: int, me: int | None, w: Words) -> MessageText:
    more = len(teams.declaring) + len(teams.against) < players
    declaring = MessageText(f"{STAR}{BESIDE}{_side(teams.declaring, me, w, more=more)}")
    if me in teams.against:
        return w("{side} against {other}", side=_side(teams.against, me, w, more=more), other=declaring)
    alone = len(teams.declaring) == 1 and not more
    return w(ALONE if alone else "{side} against the rest", side=declaring)


def _side(seats: frozenset[int], me: int | None, w: Words, *, more: bool) -> MessageText:
    """Return the known players of a side by name, the viewer first.

    more: add a sign for missing players.
    """
    names = {chair.seat: w.person(chair.name) for chair in w.chairs if chair.seat in seats}
    own = [w(YOU)] if me in seats else []
    others = [names.get(seat) or w.seat(seat) for seat in sorted(seats - {me})]
    return join((*own, *others, *[MessageText(UNKNOWN)] * more), " + ")
