"""What people at a table ask each other that takes all who play: pure questions about the chairs, and changes of them.

Knows who has a say and who has said so. Refuses to know what comes of it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.ground.chair import PACES, Chair, Vote
from bot.table.core.chairs import Chairs, changed


def current_vote(chairs: Chairs) -> Vote:
    """Return what all who play are asked to agree to, "" for nothing: never two things at a time."""
    return next((chair.vote for chair in chairs if chair.vote not in ("", "granted")), "")


def agreeing_seats(chairs: Chairs, vote: Vote) -> tuple[int, ...]:
    """Return the seats whose owners agree to this; none where it is not asked."""
    return tuple(chair.seat for chair in chairs if chair.vote) if current_vote(chairs) == vote != "" else ()


def ending_seats(chairs: Chairs) -> tuple[int, ...]:
    """Return the seats whose owners want to end the match."""
    return agreeing_seats(chairs, "end")


def undecided_seats(chairs: Chairs) -> tuple[int, ...]:
    """Return the seats whose owners have yet to agree; who went away has no say, who was late has one."""
    people = (chair for chair in chairs if chair.user is not None and chair.away in ("", "late"))
    return tuple(chair.seat for chair in people if not chair.vote)


def with_vote(chairs: Chairs, seat: int, vote: Vote) -> Chairs:
    """Return the chairs with the owner of this seat agreeing to what is asked, or asking it."""
    if current_vote(chairs) != vote:
        return changed(without_vote(chairs), replace(chairs[seat], vote=vote))
    if chairs[seat].vote:
        return chairs
    return changed(chairs, replace(chairs[seat], vote="granted" if vote == "concede" else vote))


def declined(chairs: Chairs, now: datetime, span: timedelta) -> Chairs:
    """Return the chairs with nothing asked any more, for somebody does not want it: not even who has asked for it.

    For that span those who wanted it do not ask for the same again, else they could have all called again and again.
    """
    wanted = current_vote(chairs)
    return without_vote(tuple(_refused(chair, now, span) if chair.vote == wanted != "" else chair for chair in chairs))


def _refused(chair: Chair, now: datetime, span: timedelta) -> Chair:
    late = chair.unwanted if chair.refused and now - chair.refused < span else ""
    return replace(chair, unwanted=f"{late} {_about(chair.vote)}".strip(), refused=now)


def _about(vote: Vote) -> str:
    """Name what a question is about: of paces there is not one question after the other."""
    return "pace" if vote in PACES else vote


def next_ask_at(chair: Chair, vote: Vote, span: timedelta) -> datetime | None:
    """Return when the owner of a chair may ask for this again that was not wanted; None where it was not asked."""
    return chair.refused + span if chair.refused and _about(vote) in chair.unwanted.split() else None


def without_vote(chairs: Chairs) -> Chairs:
    """Return the chairs with nothing asked any more."""
    return tuple(replace(chair, vote="") if chair.vote else chair for chair in chairs)
