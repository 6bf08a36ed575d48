"""One table before its start: who comes and goes, by which rules it is played, and who agrees to them.

What people agree to (the rules with hands and stake, and the pace) has a number, its edition, that rises by one with
each change of it, whoever sits there; so nobody can have agreed to anything but what stood on their screen. Knows what
may happen in a lobby and who may do it; refuses to know what happens in a match.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bot.ground.cut import Cut
from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.level import Level
from bot.ground.pace import Pace
from bot.ground.refused import Barred, Refused, Unseen
from bot.ground.revision import Revision
from bot.ground.server_settings import PLAIN
from bot.house import levels
from bot.rules.ruleset import Ruleset
from bot.rules.seating import order_of_turns
from bot.table.core import allowed
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.environment import Around
from bot.table.records import KeptTable

LOOK = timedelta(seconds=2)  # for which nobody agrees to what somebody else has just changed
STAKES_ON = "There are stakes on this server now. Whoever sits at {table} agrees to that first."
STAKES_OFF = "There are no stakes on this server any more. Whoever sits at {table} agrees to that first."
OTHER_RULES = "The rules have changed since that button was shown. Look at them again, and press it once more."
JUST_CHANGED = "{name} has changed the rules this very moment. Look at them first, then press it once more."
CLOSED = "{people}: {name} has closed {table} before it began."
ASLEEP = (
    "I may not write where this table stands, so it sleeps and its clock stands still. It goes on by itself when I "
    "may, or in another channel: there its host or a moderator says /table move."
)
ASLEEP_THERE = (
    "I may not write where this table stands, so it sleeps and its clock stands still. It goes on by itself when I may."
)
OWN_CHOICE = "Somebody sits here with whom you would rather not play. /my choices lets you take that back."
NO_SEAT = "There is no seat for you at this table. Find another one, or open your own with /deal."
SAME_RULES = (
    "The same deals are played at several tables, all by these rules. Only the time for a move can change here."
)
UNCUT = "The same deals are played at several tables, so nobody cuts the cards here."
NOT_READY = "These players have not agreed to the rules yet: {names}. Wait until they press Ready, or remove them."


async def check_welcome(around: Around, guild: GuildId, channel: ChannelId, user: UserId) -> None:
    """Raise Barred for somebody whom a moderator removed from a table in this channel less than a day ago.

    A thread is a part of its channel.
    """
    whole = (await around.place(guild, channel)).channel
    for room in dict.fromkeys((channel, whole)):
        until = await around.keeper.barred(room, around.keeper.mark(user), around.now())
        if until is not None:
            raise Barred(until)


class LobbyTable(KeptTable):
    """A table as far as its lobby goes."""

    async def join(self, user: UserId, name: str, edition: int, wanted: int = 0) -> None:
        """Give a person the wanted seat, or else the first free one.

        edition: what they were shown, to which they agree by this.

        Raises Unseen, here and below, where that is not what is to be agreed to now, or may not have been seen yet.
        """
        async with self._locked():
            self.only_in_lobby()
            self._only_awake()
            await check_welcome(self._around, self.row.guild, self.row.channel, user)
            await self._check_newcomer(user)
            called = seating.named(self.row.chairs, user, name, self._around.reserved)
            chairs = seating.joined(self.row.chairs, self._order, user, called, edition, wanted)
            self._only_seen(user, edition)
            await self.learn_deletions(user)
            await self._reseat(chairs)

    async def _check_newcomer(self, user: UserId) -> None:
        """Raise Refused where somebody sits with whom this person would rather not play, or who would not with them.

        Only whoever has chosen so themselves is told.
        """
        apart = await self._around.keeper.apart_from(user, seating.people(self.row.chairs))
        if apart != "no":
            raise Refused(OWN_CHOICE if apart == "own" else NO_SEAT)

    async def agree(self, user: UserId, edition: int) -> None:
        """Note that a person wants to play by what they were shown."""
        async with self._locked():
            self.only_in_lobby()
            self._only_awake()
            seat = seating.own_seat(self.row.chairs, user)
            self._only_seen(user, edition)
            await self._reseat(seating.agreeing(self.row.chairs, seat, edition))

    async def cut(self, user: UserId, word: str) -> None:
        """Put a word of somebody who sits here on top of the seed, in place of one they gave before; "" takes it back.

        Raises Refused once the cards are dealt: then words are closed.
        """
        async with self._locked():
            self.only_in_lobby()
            self._only_awake()
            seat = seating.own_seat(self.row.chairs, user)
            if self.row.duplicate_id is not None:
                raise Refused(UNCUT)
            others = tuple(cut for cut in self.row.cuts if cut.user != user)
            await self._save(cuts=(*others, Cut(user, seat, word)) if word else others)

    async def change_rules(self, user: UserId, change: Callable[[Ruleset], Ruleset]) -> None:
        """Put other rules in force; only the host may. Everybody else has to agree to them.

        change: gives the new rules for those before. What it raises is raised, and then nothing has changed.
        """
        async with self._locked():
            self.check_host(user)
            await self._revise(user, change(self.ruleset), self.row.pace)

    async def change_pace(self, user: UserId, pace: Pace) -> None:
        """Give moves another time; as :meth:`change_rules`."""
        async with self._locked():
            self.check_host(user)
            await self._revise(user, self.ruleset, pace)

    async def follow_stakes(self, sent: str = "") -> None:
        """Ask everybody anew where the server has turned stakes on or off; a lobby that is played for none goes on.

        sent: the key of the effect that this is.
        """
        async with self._locked():
            if self.row.phase == "lobby":
                await self._follow_stakes(sent)

    async def _follow_stakes(self, sent: str = "") -> bool:
        """Let a lobby have stakes as its server has now; tell whether that is another thing than was agreed to."""
        row, server = self.row, self._around.chosen.get(self.row.guild, PLAIN)
        stakes = allowed.has_stakes(server, self.ruleset, row.duplicate_id)
        if stakes == row.stakes:
            return False
        new = allowed.settled(server, self.ruleset)
        self._announce(STAKES_ON if stakes else STAKES_OFF)
        await self._save(options=new.plain_changes, stakes=stakes, edition=row.edition + 1, sent=sent)
        self._around.teller.changed(self)
        return True

    async def _revise(self, user: UserId, new: Ruleset, pace: Pace, **also: Any) -> None:
        """Write what is to be agreed to from now on, if that is anything else, and by whom."""
        row, now, server = self.row, self._around.now(), self._around.chosen.get(self.row.guild, PLAIN)
        new = allowed.revised(server, self.ruleset, new, pace)
        if (new, pace) == (self.ruleset, row.pace) and not also:
            return
        if new != self.ruleset and row.duplicate_id is not None:
            raise Refused(SAME_RULES)
        new = new.renewed()
        await self.learn_lasting(pace)
        name = self._name_of(user)
        alike = row.duplicate_id is not None or "duplicate_id" in also
        seated = seating.levelled(row.chairs, lambda level: _level(level, new, alike=alike))
        chairs = seating.following(seating.resized(seated, new.rules.players), user, row.edition)
        await self._save(
            preset=new.preset, options=new.plain_changes, rules=new.version, seats=new.rules.players, pace=pace,
            stakes=allowed.has_stakes(server, new, also.get("duplicate_id", row.duplicate_id)),
            chairs=chairs, edition=row.edition + 1, revised=Revision(user, name, now, **self._held_before(user)),
            deadline=self._around.times.for_lobby(now), **also,
        )  # fmt: skip
        self._around.teller.changed(self)

    def _held_before(self, user: UserId) -> dict[str, Any]:
        """Return what a change is told against: what held before it.

        As long as nobody has agreed to what one person is changing step by step, what held before the first step.
        """
        row, last = self.row, self.row.revised
        others = [chair for chair in row.chairs if chair.user not in (None, user)]
        if last and last.by == user and others and all(chair.agreed != row.edition for chair in others):
            return {"preset": last.preset, "options": last.options, "pace": last.pace}
        return {"preset": row.preset, "options": row.options, "pace": row.pace}

    async def add_house_player(self, user: UserId, level: Level) -> None:
        """Put a house player on the first free seat; only the host may.

        level: the one that is wanted, here and below; where the game knows no such level, or the same deals are played
        elsewhere, the one that comes first, or the only one.
        """
        async with self._locked():
            self.check_host(user)
            await self._reseat(seating.with_house_player(self.row.chairs, self._order, self._level(level)))

    async def fill_up(self, user: UserId, level: Level) -> None:
        """Put house players on all free seats; only the host may."""
        async with self._locked():
            self.check_host(user)
            await self._reseat(seating.filled(self.row.chairs, self._order, self._level(level)))

    async def choose_level(self, user: UserId, level: Level) -> None:
        """Let the house players that sit here play at a level; only the host may."""
        async with self._locked():
            self.check_host(user)
            await self._reseat(seating.levelled(self.row.chairs, lambda _: self._level(level)))

    @property
    def _order(self) -> tuple[int, ...]:
        """The seats in the order in which people and house players take them: that of turns."""
        return order_of_turns(self.ruleset.rules, 1)

    def _level(self, wanted: Level) -> Level:
        return _level(wanted, self.ruleset, alike=self.row.duplicate_id is not None)

    async def remove(self, user: UserId, seat: int, name: str) -> None:
        """Take a seat away before the start from whoever has this name; only the host may."""
        async with self._locked():
            self.check_host(user)
            if seat == seating.seat_of(self.row.chairs, user):
                raise Refused("To give up your own seat, use Leave.")
            if name not in {chair.name for chair in self.row.chairs if chair.seat == seat}:
                raise Refused("Nobody sits on that seat any more.")
            await self._reseat(seating.emptied(self.row.chairs, seat))

    def check_start(self, user: UserId, edition: int, *, filling: bool = False) -> None:
        """Raise Refused unless this person may deal now: the host, when all seats are taken by people who agree.

        edition: what the host was shown. filling: whether free seats do not matter, since house players will take them.
        """
        self.check_host(user)
        self._only_seen(user, edition)
        self.ruleset.renewed()
        free = self.row.seats - len(self.row.chairs)
        if free and not filling:
            raise Refused("This game needs {seats} players: {free} more, people or house players.",
                          seats=self.row.seats, free=free)  # fmt: skip
        missing = seating.undecided(self.row.chairs, edition)
        if missing:
            raise Refused(NOT_READY, names=[chair.name for chair in missing])

    def check_closing(self, user: UserId) -> None:
        """Raise Refused unless this is a lobby, be it one that sleeps, and this person its host."""
        self.only_in_lobby()
        self._only_host(user)

    async def cancel(self, user: UserId) -> None:
        """Close the lobby, and tell the others who sit there; only the host may."""
        async with self._locked():
            self.check_closing(user)
            host = next(chair for chair in self.row.chairs if chair.user == user)
            if others := self._people_but(user):
                self._announce(CLOSED, about=[host], called=others, name=host.name)
            await self._close()

    def _people_but(self, user: UserId) -> tuple[UserId, ...]:
        return tuple(other for other in seating.people(self.row.chairs) if other != user)

    def _name_of(self, user: UserId) -> str:
        return next(chair.name for chair in self.row.chairs if chair.user == user)

    def only_in_lobby(self) -> None:
        """Raise Refused once the match has begun, or the table is closed."""
        if self.row.phase == "closed":
            raise Refused("This table is closed.")
        if self.row.phase != "lobby":
            raise Refused("This match has already begun.")

    def check_host(self, user: UserId) -> None:
        """Raise Refused unless this is a lobby that does not sleep, and this person its host."""
        self.only_in_lobby()
        self._only_host(user)
        self._only_awake()

    def _only_awake(self) -> None:
        """Raise Refused at a table that sleeps; it is shown again, for it may wake by that."""
        if self.row.asleep:
            self._around.teller.changed(self)
            raise Refused(ASLEEP_THERE if self.row.stays else ASLEEP)

    def _only_host(self, user: UserId) -> None:
        if user != self.row.host:
            raise Refused("Only the host of this table can do that.")

    def _only_seen(self, user: UserId, edition: int) -> None:
        """Raise Unseen for what was shown before the last change, or too soon after somebody else's to be seen."""
        if edition != self.row.edition:
            raise Unseen(OTHER_RULES)
        last = self.row.revised
        if last and last.by != user and self._around.now() < last.at + LOOK:
            raise Unseen(JUST_CHANGED, name=last.name)

    async def _reseat(self, chairs: Chairs, **also: Any) -> None:
        """Write new chairs of a lobby, which closes without people."""
        if not seating.people(chairs):
            await self._close(**also)
            return
        closing = self.row.deadline if self.row.asleep else self._around.times.for_lobby(self._around.now())
        self._keep_deletions_of(chairs)
        await self._save(chairs=chairs, deadline=closing, **also)
        self._around.teller.changed(self)

    async def _close(self, sentence: str | None = None, **also: Any) -> None:
        if sentence:
            self._announce(sentence)
        await self._save(phase="closed", deadline=None, **also)
        self._around.teller.changed(self)


def _level(wanted: Level, rules: Ruleset, *, alike: bool) -> Level:
    """Return how well house players play whom somebody wants at this level; those with the same deals meet the same."""
    return Level.PLAIN if alike else levels.at(wanted, rules.rules)
