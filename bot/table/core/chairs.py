"""The chairs of a table: queries, and pure changes.

A participle (`joined`, `emptied`) names the chairs after a change. A chair belongs to a person or to nobody (a house
player's own chair); a house player may act for an absent person.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from bot.domain.chairs import AbsenceReason, Chair, Cut, Level, OfferedBy
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.names import Reserved, distinct_name, lookalike_keys
from bot.domain.pace import Pace
from bot.domain.refusals import NO_WAY_BACK, SITTING_IN, Outside, Refused
from bot.domain.results import Sitting
from bot.rules.core.premoves import Premoves, after_own_move, read_premove, write_premove

Chairs: TypeAlias = tuple[Chair, ...]

TOO_MANY_PEOPLE = N_("{taken} people are seated, and that would leave {seats} seats. Someone has to leave first.")
FULL = N_("All seats at this table are taken.")
SEATED = N_("You're already at this table.")
NOT_OFFERED = N_("This seat isn't free any more.")
NO_HOST = UserId(0)  # the host of a table without persons at play
HOUSE_NAMES = ("Mei", "Otto", "Rosa", "Juno", "Bao", "Lena", "Iggy", "Tala", "Zeno")


def seat_of(chairs: Chairs, user: UserId | None) -> int | None:
    """Return the seat of a person, or None."""
    return next((chair.seat for chair in chairs if user is not None and chair.user == user), None)


def visible_seat(chairs: Chairs, seat: int | None) -> int | None:
    """Return the seat whose cards its owner may see.

    None for a removed owner, who sees a spectator's view.
    """
    return None if any((chair.seat, chair.away) == (seat, "removed") for chair in chairs) else seat


def own_seat(chairs: Chairs, user: UserId) -> int:
    """Return the seat of a person. Raises Outside for a person without a seat."""
    seat = seat_of(chairs, user)
    if seat is None:
        raise Outside("You're not at this table.")
    return seat


def people(chairs: Chairs) -> tuple[UserId, ...]:
    """Return the persons acting for themselves at this table."""
    return tuple(chair.user for chair in chairs if chair.user is not None and not chair.house)


def host_after(host: UserId, before: Chairs, after: Chairs) -> UserId:
    """Return the host of a table after a change of its chairs.

    NO_HOST without an eligible person. The role of an absent host passes to the next person in seat order. A late host
    keeps the role for lack of others.
    """
    playing = people(after)
    if host in playing or host == NO_HOST:
        return host
    seat = seat_of(before, host)
    if playing:
        last = -1 if seat is None else seat
        in_turn = sorted(
            (chair for chair in after if chair.user in playing), key=lambda one: (one.seat <= last, one.seat)
        )
        return UserId(in_turn[0].user or NO_HOST)
    late = any((chair.user, chair.away) == (host, "late") for chair in after)
    return host if late else NO_HOST


def is_alone(chairs: Chairs) -> bool:
    """Tell whether a single person plays at this table, with house players."""
    return len(people(chairs)) == 1


def has_auto_answers(chairs: Chairs, pace: Pace) -> bool:
    """Tell whether the table answers for players without a choice.

    It does if the timing reveals nothing. At a live table every such question stays open for the same time.
    """
    return pace.kind == "live" or is_alone(chairs)


def is_vacant(chair: Chair) -> bool:
    """Tell whether a substitute can take a chair that was offered or given up, during a match."""
    return bool(chair.offered) or (chair.user is not None and chair.house and chair.away == "left")


def is_only_person(chairs: Chairs, seat: int) -> bool:
    """Tell whether no other seat belongs to a person, present or absent."""
    return not any(chair.user is not None for chair in chairs if chair.seat != seat)


def unique_name(chairs: Chairs, user: UserId, name: str, reserved: Reserved = ()) -> str:
    """Return the display name of a person here, distinct from all other names at the table.

    The name is distinct from the names of house players and reserved phrases as well. reserved: as in
    ``bot.domain.names.distinct_name``.
    """
    others = [chair.name for chair in chairs if chair.user != user]
    owners = [chair.owner_name for chair in chairs if chair.owner_name and chair.owner != user]
    return distinct_name(name, user, (*others, *owners, *HOUSE_NAMES), reserved)


def joined(chairs: Chairs, order: Sequence[int], user: UserId, name: str, *, agreed: int, wanted: int = 0) -> Chairs:
    """Return the chairs with a person on the wanted seat if free, else on the first free seat.

    Raises Refused. order: the seats in the order of turns. agreed: the edition accepted by joining.
    """
    if seat_of(chairs, user) is not None:
        raise Refused(SEATED)
    if len(chairs) >= len(order):
        raise Outside(FULL)
    return _seated(chairs, order, Chair(wanted, user, name, agreed=agreed))


def with_agreement(chairs: Chairs, seat: int, edition: int) -> Chairs:
    """Return the chairs after the seat's owner agreed to this edition."""
    return tuple(replace(chair, agreed=edition) if chair.seat == seat else chair for chair in chairs)


def with_editor_agreed(chairs: Chairs, user: UserId, edition: int) -> Chairs:
    """Return the chairs after a change of this edition.

    The editor's agreement moves to the next edition.
    """
    return tuple(
        replace(chair, agreed=edition + 1) if (chair.user, chair.agreed) == (user, edition) else chair
        for chair in chairs
    )


def without_agreement(chairs: Chairs, edition: int) -> Chairs:
    """Return the chairs of persons without agreement to this edition."""
    return tuple(chair for chair in chairs if chair.user is not None and chair.agreed != edition)


def resized(chairs: Chairs, seats: int) -> Chairs:
    """Return the chairs of a table with this number of seats.

    House players go first, persons keep their order. Raises Refused with more persons than seats.
    """
    taken = sum(chair.user is not None for chair in chairs)
    if taken > seats:
        raise Refused(TOO_MANY_PEOPLE, taken=taken, seats=seats)
    spare = [chair for chair in chairs if chair.user is None][max(seats - taken, 0) :]
    staying = tuple(chair for chair in chairs if chair not in spare)
    if all(chair.seat < seats for chair in staying):
        return staying
    return tuple(replace(chair, seat=seat) for seat, chair in enumerate(staying))


def with_house_player(chairs: Chairs, order: Sequence[int], level: Level = Level.PLAIN) -> Chairs:
    """Return the chairs with a house player of this level on the first free seat.

    The house player gets an unused name.
    """
    used = frozenset[str]().union(*(lookalike_keys(chair.name) for chair in chairs))
    name = next((name for name in HOUSE_NAMES if lookalike_keys(name).isdisjoint(used)), HOUSE_NAMES[len(chairs) - 1])
    return _seated(chairs, order, Chair(order[0], None, name, house=True, level=level))


def filled(chairs: Chairs, order: Sequence[int], level: Level = Level.PLAIN) -> Chairs:
    """Return the chairs with house players of this level on all free seats."""
    while len(chairs) < len(order):
        chairs = with_house_player(chairs, order, level)
    return chairs


def rematch_seat(seat: int, pace: Pace, seats: int) -> int:
    """Return the seat at a rematch of the player on this seat. seats: at the table."""
    return (seat + 1) % seats if pace.rotate else seat


def own_house_players(chairs: Chairs) -> Chairs:
    """Return the house players with chairs of their own, as new chairs for another table."""
    return tuple(
        Chair(chair.seat, None, chair.name, house=True, level=chair.level) for chair in chairs if chair.user is None
    )


def levelled(chairs: Chairs, change: Callable[[Level], Level]) -> Chairs:
    """Return the chairs with each house player's level changed by a function."""
    return tuple(replace(chair, level=change(chair.level)) if chair.user is None else chair for chair in chairs)


def _seated(chairs: Chairs, order: Sequence[int], new: Chair) -> Chairs:
    taken = {chair.seat for chair in chairs}
    free = [seat for seat in order if seat not in taken]
    if not free:
        raise Refused(FULL)
    return in_order((*chairs, new if new.seat in free else replace(new, seat=free[0])))


def emptied(chairs: Chairs, seat: int) -> Chairs:
    """Return the chairs without this seat's chair. Raises Refused for a free seat."""
    left = tuple(chair for chair in chairs if chair.seat != seat)
    if len(left) == len(chairs):
        raise Refused("Nobody has that seat any more.")
    return left


def handed_to_house(chairs: Chairs, seat: int, away: AbsenceReason = "left") -> Chairs:
    """Return the chairs with a house player acting for this seat. away: the owner's reason.

    A substitute returns the seat to its owner, away by choice.
    """
    left = replace(chairs[seat], house=True, misses=0, away=away, vote="", premoves="")
    if left.owner_name:
        left = replace(left, user=left.owner, name=left.owner_name, owner=None, owner_name="", away="left")
    return changed(chairs, left)


def taken_back(chairs: Chairs, seat: int) -> Chairs:
    """Return the chairs with the owner acting for the seat again."""
    return changed(chairs, replace(chairs[seat], house=False, misses=0, away="", offered=""))


def after_join(chairs: Chairs, seat: int, ply: int) -> Chairs:
    """Return the chairs after the seat's owner sat down at this ply.

    Earlier actions belong to another player.
    """
    return changed(chairs, replace(chairs[seat], live_ply=-ply))


def taken_back_by(chairs: Chairs, user: UserId) -> tuple[int, Chairs]:
    """Return the seat a person may take back from a house player, and the chairs after it.

    Raises Refused without a right to return. After a substitute lost the seat to a house player, the owner may return.
    """
    seat = seat_of(chairs, user)
    if seat is not None:
        if not chairs[seat].house:
            raise Refused("You're already playing.")
        if chairs[seat].away == "removed":
            raise Refused(NO_WAY_BACK)
        return seat, taken_back(chairs, seat)
    theirs = next((chair for chair in chairs if chair.owner == user), None)
    if theirs is None:
        raise Outside("You're not at this table.")
    if not theirs.house:
        raise Refused(SITTING_IN, name=theirs.name)
    return theirs.seat, taken_back(handed_to_house(chairs, theirs.seat), theirs.seat)


def with_offer(chairs: Chairs, seat: int, offered: OfferedBy) -> Chairs:
    """Return the chairs with this seat offered to substitutes, or withdrawn."""
    return changed(chairs, replace(chairs[seat], offered=offered))


def substituted(chairs: Chairs, seat: int, user: UserId, name: str) -> Chairs:
    """Return the chairs with a substitute on a vacant seat. Raises Refused for any other seat."""
    chair = next((chair for chair in chairs if chair.seat == seat), None)
    if chair is None or not is_vacant(chair):
        raise Refused(NOT_OFFERED)
    owner = (chair.owner, chair.owner_name) if chair.owner_name else (chair.user, chair.name)
    if user == owner[0]:
        return taken_back(handed_to_house(chairs, seat), seat)
    new = Chair(seat, user, name, agreed=chair.agreed, owner=owner[0], owner_name=owner[1], mark=chair.mark)
    return changed(chairs, new)


def cuts_of(chairs: Chairs, cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Return the cut words of the seated persons, in order of seats."""
    given = {cut.user: cut for cut in cuts}
    return tuple(replace(given[chair.user], seat=chair.seat) for chair in chairs if chair.user in given)


def missed_deadline(chairs: Chairs, seat: int, most: int) -> Chairs:
    """Return the chairs after the seat's owner missed a deadline.

    most: the number in a row to lose the seat.
    """
    misses = chairs[seat].misses + 1
    if misses >= most:
        return changed(chairs, replace(chairs[seat], misses=misses, house=True, away="late", vote="", premoves=""))
    return changed(chairs, replace(chairs[seat], misses=misses))


def acted_in_time(chairs: Chairs, seat: int) -> Chairs:
    """Return the chairs after the seat's owner acted in time, with the premoves still valid."""
    chair = chairs[seat]
    if not chair.misses and not chair.premoves and chair.offered != "moderator":
        return chairs
    offered: OfferedBy = "owner" if chair.offered == "owner" else ""
    return changed(chairs, replace(chair, misses=0, premoves=premoves_after_acting(chair), offered=offered))


def with_premoves(chairs: Chairs, seat: int, premoves: str) -> Chairs:
    """Return the chairs with the owner's premoves on this seat."""
    return changed(chairs, replace(chairs[seat], premoves=premoves)) if chairs[seat].premoves != premoves else chairs


def changed(chairs: Sequence[Chair], new: Chair) -> Chairs:
    """Return the chairs with the new chair in place of the one with its seat number."""
    return tuple(new if chair.seat == new.seat else chair for chair in chairs)


def in_order(chairs: Chairs) -> Chairs:
    """Return the chairs by seat number."""
    return tuple(sorted(chairs, key=lambda chair: chair.seat))


def sittings(before: Chairs, after: Chairs, ply: int) -> tuple[Sitting, ...]:
    """Return the seats with a new acting person or house player, as of this ply."""
    if after is before:
        return ()
    was = {chair.seat: _acting(chair) for chair in before}
    new = (chair for chair in after if was.get(chair.seat) != _acting(chair))
    return tuple(Sitting(chair.seat, ply, *_acting(chair), away=chair.away) for chair in new)


def _acting(chair: Chair) -> tuple[UserId | None, bool]:
    """Return the acting person, or None, and whether a house player acts."""
    return None if chair.house else chair.user, chair.house


# Premoves on a chair


def premoves_of(chair: Chair) -> Premoves:
    """Return the premoves of a chair's owner."""
    return _read(chair.premoves) if chair.premoves else ()


@lru_cache(maxsize=1 << 10)
def _read(text: str) -> Premoves:
    return tuple(map(read_premove, text.splitlines()))


def write_premoves(premoves: Premoves) -> str:
    """Return premoves in the stored format of a chair, one per line."""
    return "\n".join(map(write_premove, premoves))


def premoves_after_acting(chair: Chair) -> str:
    """Return the stored premoves of a chair after its owner acted without a premove."""
    return write_premoves(after_own_move(premoves_of(chair)))
