"""One table at which a seat is offered, and somebody sits in for whoever began there.

Whoever takes the seat has it as their own: they see its cards, and whoever had it sees what every onlooker sees. What
the match comes to stays with whoever began. Refuses to know who sees the channel: that is asked before.
"""

from __future__ import annotations

from datetime import timedelta

from bot.ground.chair import Chair
from bot.ground.ids import UserId
from bot.ground.pace import away_for
from bot.ground.refused import NO_WAY_BACK, Refused
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.core.lobby import check_welcome
from bot.table.core.moderation import ModeratedTable
from bot.table.core.play import NOT_WHILE_PAUSED
from bot.table.core.presence import for_now
from bot.table.core.seat_times import ALWAYS
from bot.table.records import Moderator

OFFERED = "{name} offers their seat. Whoever does not sit here can take it with the button on the board."
OFFERED_FOR = (
    "{moderator} offers the seat of {name}. Whoever does not sit here can take it with the button on the board."
)
KEPT = "{name} keeps their seat."
SITS_IN = "{name} sits in for {owner} from here on. What the match comes to stays with {owner}."
BACK = "{name} is back and plays again."
HOUSE_MOVES = "A house player is just making a move on that seat. Try again in a moment."
HOUSE_MOVES_FOR_YOU = "A house player is just making your move. Take your seat back in a moment."
HAS_SEEN = "You have sat at this table in this match and know cards of it, so somebody else has to take this seat."
PRESENT = "Whoever sits there has not been away for long enough."
OVER = "No match is being played at this table now."


class OfferedTable(ModeratedTable):
    """A table as far as seats are offered and taken over in a match."""

    def offerable(self) -> frozenset[int]:
        """Return the seats that a moderator may offer: a house player has them, or nobody has moved there for long."""
        chairs = self.row.chairs if self.row.phase == "playing" else ()
        return frozenset(chair.seat for chair in chairs if chair.user and not chair.offered and self._missed(chair))

    def _missed(self, chair: Chair) -> bool:
        """Tell whether somebody has been away for as long as the table has chosen: of their own day at a slow table.

        Where all are asked in secret, nobody may learn by this who has not answered. Who plays on live is there.
        """
        row, match, tempo = self.row, self.match, self._tempo
        if chair.house:
            return True
        if (
            match is None
            or row.paused
            or for_now(row)
            or match.game.secrecy.together
            or chair.seat not in match.awaited
        ):
            return False
        latest = row.steps[-1].at if row.steps else row.created
        day = self._days.get(chair.seat, ALWAYS) if row.pace.slow else ALWAYS
        most = away_for(row.pace, tempo.move if tempo else None, tempo.reserve if tempo else timedelta())
        return day.active(latest, self._around.now()) >= most

    async def offer(self, user: UserId) -> None:
        """Let somebody else take the seat of this person, who plays on until then. Raises Refused."""
        async with self._locked():
            seat = self._seat_in_match(user)
            if not self.row.chairs[seat].offered:
                self._announce(OFFERED, about=[self.row.chairs[seat]], name=self.row.chairs[seat].name)
                await self._save(chairs=seating.offering(self.row.chairs, seat, "owner"))
                self._around.teller.changed(self)

    async def keep(self, user: UserId) -> None:
        """Let nobody take the seat of this person any more. Raises Refused."""
        async with self._locked():
            seat = self._seat_in_match(user)
            if self.row.chairs[seat].offered:
                self._announce(KEPT, about=[self.row.chairs[seat]], name=self.row.chairs[seat].name)
                await self._save(chairs=seating.offering(self.row.chairs, seat, ""))
                self._around.teller.changed(self)

    async def offer_for(self, by: Moderator, seat: int, name: str) -> None:
        """Let somebody else take the seat of whoever is away. name: whom the moderator saw there. Raises Refused."""
        async with self._locked():
            await self._only_in_match(by)
            if (seat, name) not in [(chair.seat, chair.name) for chair in self.row.chairs]:
                raise Refused("Nobody sits on that seat any more.")
            if seat not in self.offerable():
                raise Refused(PRESENT)
            chairs = seating.offering(self.row.chairs, seat, "moderator")
            self._announce(OFFERED_FOR, by=by, about=[chairs[seat]], name=name)
            await self._save(chairs=chairs, moderation=self._noted(by, "offer", seat))
            self._around.teller.changed(self)

    async def sit_in(self, user: UserId, name: str, seat: int) -> None:
        """Give somebody an offered seat. Raises Refused."""
        async with self._locked():
            if self.row.phase != "playing":
                raise Refused(OVER)
            self._only_awake()
            if self.row.paused:
                raise Refused(NOT_WHILE_PAUSED)
            if seating.seat_of(self.row.chairs, user) is not None:
                raise Refused("You already sit at this table.")
            called = seating.named(self.row.chairs, user, name, self._around.reserved)
            chairs = seating.sat_in(self.row.chairs, seat, user, called)
            if chairs[seat].owner_name:
                await self._check_new(user)
            self._only_between_moves(seat)
            await self._seat_anew(seat, chairs)

    async def _check_new(self, user: UserId) -> None:
        """Raise Refused for somebody who may not sit down here, or knows what a hand of this match has held."""
        if await self._has_sat_here(user):
            raise Refused(HAS_SEEN)
        await check_welcome(self._around, self.row.guild, self.row.channel, user)
        await self._check_newcomer(user)

    async def _seat_anew(self, seat: int, chairs: Chairs) -> None:
        """Let somebody act for a seat from now on; they have the time of a move for what they find there."""
        chairs = seating.sat_down(chairs, seat, self.ply)
        match, chair = self.match, chairs[seat]
        assert match is not None
        turn = match.awaited == {seat} and not match.game.result and not match.game.secrecy.together
        waits = self._pending(match, chairs) | (self._move_anew(match, seat) if turn else {})
        mark = self._around.keeper.mark(chair.user) if chair.owner_name and chair.user else None
        new = self._parts((chair,)) if chair.owner_name else ()
        if chair.owner_name:
            self._announce(SITS_IN, about=[chair], name=chair.name, owner=chair.owner_name)
        else:
            self._announce(BACK, about=[chair], name=chair.name)
        await self._save(chairs=chairs, sits_in=mark, parts=new, **waits)
        if self.row.pace.slow:
            await self._learn_days()
            await self._reckon()
        self._go_on_with(match)

    def _only_between_moves(self, seat: int, sentence: str = HOUSE_MOVES) -> None:
        """Raise Refused while a house player is making the move of this seat.

        Whoever could take the seat before it is made would have new time for it, each time somebody left.
        """
        together = self.match is not None and self.match.game.secrecy.together
        if self.stage == "playing" and not together and seat in self._house_seats():
            raise Refused(sentence)

    def _seat_in_match(self, user: UserId) -> int:
        """Return the seat of a person that is theirs to give away. Raises Refused."""
        seat = seating.own_seat(self.row.chairs, user)
        if self.row.phase != "playing":
            raise Refused(OVER)
        if self.row.chairs[seat].away == "removed":
            raise Refused(NO_WAY_BACK)
        return seat
