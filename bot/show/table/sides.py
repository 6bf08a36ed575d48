"""Who plays with whom: a line for the viewer, or for everybody, and a sign for each seat.

Draws what a View says of it. Refuses to know by what anybody came to a side.
"""

from __future__ import annotations

from bot.rules.core.game import Public, Teams, View
from bot.show.kit.words import N_, Said, Words, join
from bot.show.pictures.table import DOT, STAR

UNKNOWN, BESIDE = "?", "\u00a0"  # what nobody knows; a space at which no line ends
YOU = N_("You")
ALONE = N_("{side} alone against the rest")


def sign(teams: Teams, seat: int) -> str:
    """Return the sign of the side that a seat is on, as far as that is known."""
    return STAR if seat in teams.declaring else DOT if seat in teams.against else ""


def banner(view: Public, w: Words) -> Said:
    """Return who plays with whom as everybody knows it, the declarer's side first; nothing where there are no sides."""
    return _line(view.teams, len(view.counts), None, w) if view.teams else Said()


def own_banner(view: View, w: Words) -> Said:
    """Return the same as one seat knows it, its own side first."""
    return _line(view.own_teams, len(view.counts), view.seat, w) if view.own_teams else Said()


def _line(teams: Teams, players: int, me: int | None, w: Words) -> Said:
    more = len(teams.declaring) + len(teams.against) < players
    declaring = Said(f"{STAR}{BESIDE}{_side(teams.declaring, me, w, more=more)}")
    if me in teams.against:
        return w("{side} against {other}", side=_side(teams.against, me, w, more=more), other=declaring)
    alone = len(teams.declaring) == 1 and not more
    return w(ALONE if alone else "{side} against the rest", side=declaring)


def _side(seats: frozenset[int], me: int | None, w: Words, *, more: bool) -> Said:
    """Return those of a side that are known, the viewer first, by their names alone; and that somebody is missing."""
    names = {chair.seat: w.person(chair.name) for chair in w.chairs if chair.seat in seats}
    own = [w(YOU)] if me in seats else []
    others = [names.get(seat) or w.seat(seat) for seat in sorted(seats - {me})]
    return join((*own, *others, *[Said(UNKNOWN)] * more), " + ")
