"""One table before its start: who comes and goes, by which rules it is played, and who agrees to them.

Knows what may happen in a lobby and who may do it; refuses to know what happens in a match.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.rules.ruleset import Ruleset
from bot.table import chairs as seating
from bot.table.chairs import Chairs
from bot.table.kept import KeptTable
from bot.table.refused import Refused

OTHER_RULES = "The rules have changed since that button was shown. Look at them again, and press it once more."
NOT_READY = "These players have not agreed to the rules yet: {names}. Wait until they press Ready, or remove them."


class LobbyTable(KeptTable):
    """A table as far as its lobby goes."""

    async def join(self, user: int, name: str, edition: int) -> None:
        """Give a person the first free seat. edition: of the rules they were shown, to which they agree by this."""
        async with self._alone():
            self._only_in_lobby()
            await self._reseat(seating.joined(self.row.chairs, self.row.seats, user, name, edition))

    async def agree(self, user: int, edition: int) -> None:
        """Note that a person wants to play by the rules they were shown, which must still be those in force."""
        async with self._alone():
            self._only_in_lobby()
            seat = seating.own_seat(self.row.chairs, user)
            self._only_current(edition)
            await self._reseat(seating.agreeing(self.row.chairs, seat, edition))

    async def change_rules(self, user: int, change: Callable[[Ruleset], Ruleset]) -> None:
        """Put other rules in force; only the host may. Everybody else has to agree to them.

        change: gives the new rules for those before. What it raises is raised, and then nothing has changed.
        """
        async with self._alone():
            self.check_host(user)
            before = self.ruleset
            if (new := change(before)) == before:
                return
            seats = new.rules.players
            chairs = seating.resized(self.row.chairs, seats)
            await self._save(
                preset=new.preset, options=new.plain_changes, seats=seats, chairs=chairs,
                deadline=self._around.times.for_lobby(self._around.now()),
            )  # fmt: skip
            self._around.teller.changed(self)

    async def add_house_player(self, user: int) -> None:
        """Put a house player on the first free seat; only the host may."""
        async with self._alone():
            self.check_host(user)
            await self._reseat(seating.with_house_player(self.row.chairs, self.row.seats))

    async def remove(self, user: int, seat: int, name: str) -> None:
        """Take a seat away before the start from whoever has this name; only the host may."""
        async with self._alone():
            self.check_host(user)
            if seat == seating.seat_of(self.row.chairs, user):
                raise Refused("To give up your own seat, use Leave.")
            if name not in {chair.name for chair in self.row.chairs if chair.seat == seat}:
                raise Refused("Nobody sits on that seat any more.")
            await self._reseat(seating.emptied(self.row.chairs, seat))

    def check_start(self, user: int, edition: int) -> None:
        """Raise Refused unless this person may deal now: the host, when all seats are taken by people who agree.

        edition: of the rules the host was shown.
        """
        self.check_host(user)
        self._only_current(edition)
        free = self.row.seats - len(self.row.chairs)
        if free:
            raise Refused("This game needs {seats} players: {free} more, people or house players.",
                          seats=self.row.seats, free=free)  # fmt: skip
        missing = seating.undecided(self.row.chairs, self.row.host, edition)
        if missing:
            raise Refused(NOT_READY, names=[chair.name for chair in missing])

    async def cancel(self, user: int) -> None:
        """Close the lobby; only the host may."""
        async with self._alone():
            self.check_host(user)
            await self._close()

    def _only_in_lobby(self) -> None:
        if self.row.phase == "closed":
            raise Refused("This table is closed.")
        if self.row.phase != "lobby":
            raise Refused("This match has already begun.")

    def check_host(self, user: int) -> None:
        """Raise Refused unless this is a lobby and this person its host."""
        self._only_in_lobby()
        if user != self.row.host:
            raise Refused("Only the host of this table can do that.")

    def _only_current(self, edition: int) -> None:
        if edition != self.ruleset.edition:
            raise Refused(OTHER_RULES)

    async def _reseat(self, chairs: Chairs) -> None:
        """Write new chairs of a lobby; whoever sat down first becomes host when the host has gone."""
        sitting = seating.people(chairs)
        if not sitting:
            await self._close()
            return
        host = self.row.host if self.row.host in sitting else sitting[0]
        await self._save(chairs=chairs, host=host, deadline=self._around.times.for_lobby(self._around.now()))
        self._around.teller.changed(self)

    async def _close(self, sentence: str | None = None) -> None:
        await self._save(phase="closed", deadline=None)
        self._around.teller.changed(self)
        if sentence:
            self._around.teller.news(self, sentence)
