"""What a person has chosen for themselves. Refuses to know where that is kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """What a person has chosen for themselves.

    by_suit: how cards are sorted. mirror: the hand comes by direct message when it is their turn. locale: their
    language when they chose that, as Discord writes it. uninvited: they want no invitations. four_colours: each suit
    has a colour of its own; text_only: cards are text; large: the hand is shown large as well. confirm: a play takes a
    second tap.
    """

    by_suit: bool = False
    mirror: bool = False
    locale: str = ""
    uninvited: bool = False
    four_colours: bool = False
    text_only: bool = False
    large: bool = False
    confirm: bool = False
