"""Votes: questions to all players of a table, as pure queries and changes of the chairs.

The effects of a vote live elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.chairs import PACE_VOTES, Chair, Vote
from bot.table.core.chairs import Chairs, changed


def current_vote(chairs: Chairs) -> Vote:
    """Return the open vote, "" for none: never two at a time."""
    return next((chair.vote for chair in chairs if chair.vote not in ("", "granted")), "")


def agreeing_seats(chairs: Chairs, vote: Vote) -> tuple[int, ...]:
    """Return the seats with agreement to a vote; none if a different vote is open."""
    return tuple(chair.seat for chair in chairs if chair.vote) if current_vote(chairs) == vote != "" else ()


def ending_seats(chairs: Chairs) -> tuple[int, ...]:
    """Return the seats with a wish to end the match."""
    return agreeing_seats(chairs, "end")


def undecided_seats(chairs: Chairs) -> tuple[int, ...]:
    """Return the seats without an answer; late owners may vote, owners away by choice may not."""
    people = (chair for chair in chairs if chair.user is not None and chair.away in ("", "late"))
    return tuple(chair.seat for chair in people if not chair.vote)


def with_vote(chairs: Chairs, seat: int, vote: Vote) -> Chairs:
    """Return the chairs after the seat's owner agreed to the open vote, or opened this vote."""
    if current_vote(chairs) != vote:
        return changed(without_vote(chairs), replace(chairs[seat], vote=vote))
    if chairs[seat].vote:
        return chairs
    return changed(chairs, replace(chairs[seat], vote="granted" if vote == "concede" else vote))


def declined(chairs: Chairs, now: datetime, span: timedelta) -> Chairs:
    """Return the chairs after a player declined the open vote, the proposer included.

    For this span its supporters cannot open the same vote again, to prevent repeated calls.
    """
    wanted = current_vote(chairs)
    return without_vote(tuple(_refused(chair, now, span) if chair.vote == wanted != "" else chair for chair in chairs))


def _refused(chair: Chair, now: datetime, span: timedelta) -> Chair:
    late = chair.unwanted if chair.refused and now - chair.refused < span else ""
    return replace(chair, unwanted=f"{late} {_about(chair.vote)}".strip(), refused=now)


def _about(vote: Vote) -> str:
    """Return the topic of a vote: all votes on paces share a topic."""
    return "pace" if vote in PACE_VOTES else vote


def next_ask_at(chair: Chair, vote: Vote, span: timedelta) -> datetime | None:
    """Return the earliest time for the chair's owner to open a declined vote again.

    None if never declined.
    """
    return chair.refused + span if chair.refused and _about(vote) in chair.unwanted.split() else None


def without_vote(chairs: Chairs) -> Chairs:
    """Return the chairs without an open vote."""
    return tuple(replace(chair, vote="") if chair.vote else chair for chair in chairs)
