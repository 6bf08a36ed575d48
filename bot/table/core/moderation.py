"""One table in the hands of moderators: paused, ended, called off, moved, and somebody removed from it.

Each act is in the store with who did it before anybody hears of it. Whoever sits at the table, or sat there in this
match, has no such power over it. Refuses to know who is a moderator: that is for whoever calls this to find out.
"""

from __future__ import annotations

from datetime import timedelta

from bot.ground.effects import Deletion, Redraw
from bot.ground.ids import ChannelId, UserId
from bot.ground.refused import Barred, Refused
from bot.store.rows import NO_MESSAGE, Bar, Moderation
from bot.table.core import chairs as seating
from bot.table.core import votes
from bot.table.core.lobby import CLOSED, check_welcome
from bot.table.core.suspension import SleepingTable
from bot.table.records import Moderator

AWAY = timedelta(days=1)  # for which whoever was removed sits down at no table in the same channel
OWN_TABLE = "You sit at this table, so another moderator has to do that."
OWN_DEALS = "You play the same deals at another table, so another moderator has to do that."
NO_MATCH = "No match is being played at this table now."
PAUSED = "{moderator} has paused {table}. No clock runs, and nobody can play until a moderator lets it go on."
PAUSE_OVER = "{table} was paused for a week, so it goes on now."
RESUMED = "{moderator} lets {table} go on."
ENDED = "{moderator} has ended {table}. What was played is kept, but it does not count."
CALLED_OFF = "{moderator} has called {table} off. Nothing of it counts."
REMOVED = (
    "{moderator} has removed {name} from {table}. A house player goes on; {name} can sit down here again in a day."
)
REMOVED_BEFORE = "{moderator} has removed {name} from {table}. {name} can sit down here again in a day."
REDRAWN = "{moderator} has posted {table} anew."
MOVED = "{moderator} has moved {table} here."
STAYS = "Other tables play the same deals, so this one stays where only those see it who play here."
UNWELCOME = "A moderator removed {name} from a table here. {name} can sit down here again {when}."


class ModeratedTable(SleepingTable):
    """A table as far as moderators go."""

    async def pause(self, by: Moderator) -> None:
        """Stop the clock of a match, and everybody."""
        async with self._locked():
            await self._only_in_match(by)
            if self.row.paused:
                raise Refused("This table is paused already.")
            pause = self._resting(self._around.times.for_pause(self._around.now()))
            quiet = votes.unvoted(self.row.chairs)
            self._announce(PAUSED, by=by)
            await self._save(
                chairs=quiet, paused=True, **self._halted(), deadline=pause, moderation=self._noted(by, "pause")
            )
            self._around.teller.changed(self)

    async def resume(self, by: Moderator) -> None:
        """Let a match that was paused go on."""
        async with self._locked():
            await self._only_in_match(by)
            if not self.row.paused:
                raise Refused("This table is not paused.")
            self._announce(RESUMED, by=by)
            if self.row.asleep:  # to show it is what wakes it, where it can be shown
                await self._save(moderation=self._noted(by, "resume"))
                self._around.teller.changed(self)
            else:
                await self._resume(moderation=self._noted(by, "resume"))

    async def _time_is_up(self) -> None:
        if self.row.paused and not self.row.asleep:
            self._announce(PAUSE_OVER)
            await self._resume()
        else:
            await super()._time_is_up()

    async def check_end(self, by: Moderator) -> None:
        """Raise Refused where this moderator cannot end a match."""
        await self._only_in_match(by)

    async def check_call_off(self, by: Moderator) -> None:
        """Raise Refused where this moderator cannot call the table off."""
        await self._only_outside(by)

    async def end(self, by: Moderator) -> None:
        """End a match as it stands; without a hand that was played to its end there is no result."""
        async with self._locked():
            await self._only_in_match(by)
            assert self.match is not None
            done = self._noted(by, "end")
            if not self.match.results:
                self._announce(CALLED_OFF, by=by)
                await self._close(moderation=done)
                return
            self._announce(ENDED, by=by)
            await self._save(moderation=done, **await self._over(self.match, self.row.chairs, "moderator"))
            self._go_on_with(self.match)

    async def call_off(self, by: Moderator) -> None:
        """Close a lobby, or a match of which nothing is to count."""
        async with self._locked():
            await self._only_outside(by)
            if self.row.phase == "playing":
                self._announce(CALLED_OFF, by=by)
            else:
                self._announce(CLOSED, by=by, called=seating.people(self.row.chairs), name=by.name)
            await self._close(moderation=self._noted(by, "cancel"))

    async def expel(self, by: Moderator, seat: int, name: str) -> None:
        """Remove a person from a seat, and keep them from the tables of the channel for a day.

        name: whom the moderator saw there. In a match a house player goes on, and the result stays with that person.
        """
        async with self._locked():
            await self._only_outside(by)
            chair = next((chair for chair in self.row.chairs if (chair.seat, chair.name) == (seat, name)), None)
            if chair is None or chair.user is None or chair.away == "removed":
                raise Refused("Nobody sits on that seat any more.")
            done = self._noted(by, "remove", seat, chair.user)
            if self.row.phase == "lobby":
                self._announce(REMOVED_BEFORE, by=by, about=[chair], name=name)
                await self._reseat(seating.emptied(self.row.chairs, seat), moderation=done)
            else:
                chairs = seating.handed_to_house(self.row.chairs, seat, "removed")
                sentence = REMOVED_BEFORE if self._ends_without(seat, chairs) else REMOVED
                self._announce(sentence, by=by, about=[chair], name=name)
                await self._give_up(seat, chairs, moderation=done)

    async def redraw(self, by: Moderator | None) -> None:
        """Have the board posted anew. by: the moderator who asks for it, None for somebody who sits there."""
        async with self._locked():
            self.only_open()
            if by is not None:
                await self._only_outside(by)
                self._announce(REDRAWN, by=by)
            self._plan(Redraw(anew=True))
            await self._save(moderation=self._noted(by, "redraw") if by is not None else None)

    async def move(self, by: Moderator, channel: ChannelId, *, host: bool = False) -> None:
        """Go on in another channel. host: by right of the table's host, not of a moderator."""
        async with self._locked():
            self.only_open()
            if self.row.stays:
                raise Refused(STAYS)
            if host and by.user != self.row.host:
                raise Refused("Only the host of this table can do that.")
            if not host:
                await self._only_outside(by)
            if channel == self.row.home:
                raise Refused("This table is here already.")
            if host:
                await self._check_company(channel)
            place = await self._around.place(self.row.guild, channel) if self.row.phase == "playing" else None
            moved = {"home": channel, "channel": channel, "message": NO_MESSAGE, "place": place}
            self._announce(MOVED, by=by)
            if self.row.message:
                self._plan(Deletion(self.row.home, self.row.message))
            await self._save(**moved, moderation=self._noted(by, "move"))
            self._around.teller.changed(self)

    async def _check_company(self, channel: ChannelId) -> None:
        """Raise Refused where somebody who sits here may not sit down in another channel."""
        for chair in self.row.chairs:
            if chair.user is None:
                continue
            try:
                await check_welcome(self._around, self.row.guild, channel, chair.user)
            except Barred as barred:
                raise Refused(UNWELCOME, name=chair.name, when=barred.values["when"]) from None

    def only_open(self) -> None:
        """Raise Refused where nothing goes on any more."""
        if not self.row.open:
            raise Refused("This table is closed." if self.row.phase == "closed" else "This match is over.")

    async def _only_outside(self, by: Moderator) -> None:
        """Raise Refused for somebody who sits or sat here, or is compared with it, and where nothing is to be done."""
        self.only_open()
        if await self._has_sat_here(by.user):
            raise Refused(OWN_TABLE)
        if await self._elsewhere([by.user]):
            raise Refused(OWN_DEALS)

    async def _only_in_match(self, by: Moderator) -> None:
        """Raise Refused also where the match has not begun yet."""
        await self._only_outside(by)
        if self.row.phase != "playing":
            raise Refused(NO_MATCH)

    async def _has_sat_here(self, user: UserId) -> bool:
        """Tell whether a person has a seat here, or had one in this match, even if their data was deleted."""
        if any(user in (chair.user, chair.owner) for chair in self.row.chairs):
            return True
        mark = self._around.keeper.mark(user)
        return mark in {chair.mark for chair in self.row.chairs} or await self._around.keeper.has_sat_in(self.id, mark)

    def _noted(self, by: Moderator, what: str, seat: int | None = None, user: UserId | None = None) -> Moderation:
        """Return what is written down. user: whom it keeps away."""
        row, now = self.row, self._around.now()
        bar = Bar(row.guild, row.channel, self._around.keeper.mark(user), now + AWAY) if user else None
        return Moderation(now, by.user, what, seat, bar)
