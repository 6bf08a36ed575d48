"""One table: it orders what happens. Check, remember, then tell.

Knows who takes and leaves a seat in a match. Everything else about a table is in the classes it is made of, which
docs/architecture.md draws, with what each of them adds.
"""

from __future__ import annotations

from bot.ground.ids import UserId
from bot.ground.place import Place
from bot.ground.refused import Refused
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core.agreements import VotingTable
from bot.table.core.seats import BACK, HOUSE_MOVES_FOR_YOU
from bot.table.environment import Around
from bot.table.records import match_of

LEFT = "{name} has left. A house player plays on; {name} can take the seat back until the match ends."
GONE = "{name} is no longer on this server, so a house player plays on."
GONE_BEFORE = "{name} is no longer on this server, so their seat is free."
GAVE_BACK = (
    "{name} does not sit in for {owner} any more. A house player plays on; {owner} can take the seat back until the "
    "match ends."
)


class Table(VotingTable):
    """A table that has been touched. Made by Tables; every change goes through its lock."""

    @classmethod
    async def load(cls, row: TableRow, around: Around) -> Table:
        """Return the table of a row, its match replayed off the event loop."""
        table = cls(row, around)
        table.match = await match_of(row, around.workers)
        if row.phase == "lobby":
            await table.learn_lasting(row.pace)
            await table.learn_deletions()
        if row.pace.slow and row.open:
            await table.reckon()
        return table

    # Seats during the match

    async def leave(self, user: UserId) -> None:
        """Give up a seat: in the lobby for good, in a match a house player takes over at once."""
        async with self._locked():
            seat = seating.own_seat(self.row.chairs, user)
            if self.row.phase == "lobby":
                await self._reseat(seating.emptied(self.row.chairs, seat))
            elif self.row.phase == "playing":
                await self._leave_match(seat)
            else:
                raise Refused("This match is over; there is nothing to leave.")

    async def gone(self, user: UserId, before: str = GONE_BEFORE) -> None:
        """Let a person leave who is not on the server any more, or does not see the lobby they sit in.

        Nothing happens where they play at no seat here. before: what is said of them in a lobby.
        """
        async with self._locked():
            chair = next((chair for chair in self.row.chairs if chair.user == user and not chair.house), None)
            if chair is not None and self.row.phase == "playing":
                await self._leave_match(chair.seat, GONE)
            elif chair is not None and self.row.phase == "lobby":
                self._announce(before, about=[chair], name=chair.name)
                await self._reseat(seating.emptied(self.row.chairs, chair.seat))

    async def _leave_match(self, seat: int, sentence: str = LEFT) -> None:
        if self.row.chairs[seat].house:
            raise Refused("A house player already plays for you here.")
        gone, chairs = self.row.chairs[seat], seating.handed_to_house(self.row.chairs, seat)
        if gone.owner_name:
            self._announce(GAVE_BACK, about=[gone], name=gone.name, owner=gone.owner_name)
        elif not self._is_deserted(seat, chairs):
            self._announce(sentence, about=[gone], name=gone.name)
        await self._give_up(seat, chairs)

    async def take_back(self, user: UserId) -> None:
        """Let a person play again whose seat a house player keeps."""
        async with self._locked():
            if self.row.phase != "playing":
                seating.own_seat(self.row.chairs, user)
                raise Refused("This match is over.")
            seat, chairs = seating.way_back(self.row.chairs, user)
            self._only_between_moves(seat, HOUSE_MOVES_FOR_YOU)
            self._announce(BACK, about=[chairs[seat]], name=chairs[seat].name)
            await self._change_hands(seating.sat_down(chairs, seat, self.ply))

    async def lose_place(self, place: Place | None = None) -> None:
        """End the table because its channel, thread or server is gone. place: what that was, where it is known."""
        async with self._locked():
            if self.row.open:
                await self._break_off(place or await self._where(self.row.channel))

    async def close(self) -> None:
        """Close the table for good, because its only player goes on elsewhere, or its time is over."""
        async with self._locked():
            if self.row.open:
                await self._close()
