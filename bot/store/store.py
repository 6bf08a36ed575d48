"""The store: everything the bot remembers, in one file or in a database on a server.

Knows rows and what may be asked of them; refuses to know Discord, the rules, or what a table is for. What a call
has written when it returns survives the end of the process and of the power. Every call may raise StoreError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Self

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import Pending
from bot.domain.house_rules import ChannelDefault, HouseRules, Owner, Played
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.preferences import Apart, Habits
from bot.domain.server_settings import SettingChange
from bot.domain.shard_share import Share
from bot.domain.working_hours import Day
from bot.runtime.metrics import Watch
from bot.runtime.store_address import Address, Server
from bot.store import schema
from bot.store.cluster.membership import Membership, Told
from bot.store.engine import erasures
from bot.store.engine.deletion_ledger import FileLedger, ledger_of
from bot.store.engine.erasures import Erasure
from bot.store.engine.gate import Gate
from bot.store.engine.upsert import put
from bot.store.erasure import personal_rows
from bot.store.erasure.deletions import Deletions, Pieces
from bot.store.erasure.own_data import OwnData
from bot.store.play import Play
from bot.store.postgres.deletion_ledger import read_ledger
from bot.store.postgres.gate import ServerGate
from bot.store.postgres.opening import open_gate as open_server
from bot.store.postgres.processes import Terms
from bot.store.repositories import days, house_rules, notes, outbox, servers, social, tables
from bot.store.repositories import departures as departing
from bot.store.repositories import moderations as moderation
from bot.store.repositories.clock import ClockRepository
from bot.store.repositories.daily_deals import DailyDealRepository
from bot.store.repositories.debts import DebtRepository
from bot.store.repositories.duplicates import DuplicateRepository
from bot.store.repositories.ladders import LadderRepository
from bot.store.repositories.limits import StoredLimits
from bot.store.repositories.notices import NoticeRepository
from bot.store.repositories.outbox import OutboxRepository
from bot.store.repositories.pings import PingRepository
from bot.store.repositories.private_threads import PrivateThreadRepository
from bot.store.repositories.puzzles import PuzzleRepository
from bot.store.repositories.results import ResultRepository
from bot.store.repositories.seasons import SeasonRepository
from bot.store.repositories.watchers import WatcherRepository
from bot.store.rows import Departure, Direct, Moderation, Waiting
from bot.store.schema.meaning import Kind
from bot.store.sqlite.opening import open_gate as open_file


class Store(Play):
    """An open database. Open it with ``await Store.open(...)``, and close it."""

    def __init__(self, gate: Gate, deletions: Deletions, now: Callable[[], datetime]) -> None:
        super().__init__(gate)
        self._deletions = deletions
        self.limits = StoredLimits(gate, deletions.ledger, now)
        self._pieces = Pieces()
        self.results = ResultRepository(gate)
        self.seasons = SeasonRepository(gate)
        self.ladders = LadderRepository(gate)
        self.debts = DebtRepository(gate)
        self.clock = ClockRepository(gate)
        self.daily_deals = DailyDealRepository(gate)
        self.duplicates = DuplicateRepository(gate)
        self.puzzles = PuzzleRepository(gate)
        self.outbox = OutboxRepository(gate)
        self.pings = PingRepository(gate)
        self.notices = NoticeRepository(gate)
        self.private_threads = PrivateThreadRepository(gate)
        self.watchers = WatcherRepository(gate)

    @classmethod
    async def open(
        cls, address: Address, now: Callable[[], datetime], *, shared: bool = False, watch: Watch | None = None
    ) -> Self:
        """Open or make the database at ``address``. StoreError says why it cannot be had; it is then untouched.

        now: the clock, for the name of the copy that is made before an older file is brought up to date. shared: with
        other bots, where it is on a server. watch: counts what is begun again.
        """
        gate = await (open_server(address, shared=shared) if isinstance(address, Server) else open_file(address, now))
        gate.retried = watch.retried if watch else None
        try:
            ledger = await read_ledger(gate) if isinstance(address, Server) else FileLedger(ledger_of(address))
            deletions = Deletions(ledger, now)
            await gate.run(deletions.catch_up)
        except BaseException:
            await gate.close()
            raise
        return cls(gate, deletions, now)

    async def close(self) -> None:
        """Finish what is being written, then let go of the database."""
        await self._gate.close()

    @property
    def own(self) -> Share:
        """The shards whose tables are this process's: all of them, unless it is a member."""
        return self._gate.own

    @property
    def share(self) -> Share:
        """The shards for which this process does what is due: those of its own that are connected."""
        return self._gate.share

    async def join(self, name: str, terms: Terms, count: int, told: Told) -> Membership:
        """Share a database on a server with other processes, on these terms; told: hears what becomes of it.

        count: how many shards there are, if nobody has said so yet.
        """
        assert isinstance(self._gate, ServerGate)
        return await Membership.begin(self._gate, name, terms, count, told)

    # People

    async def habits(self, user: UserId) -> Habits:
        """Give what a person has chosen, or what holds for those who have not."""
        return await self._gate.read(tables.habits_of, user)

    async def keep_habits(self, user: UserId, habits: Habits) -> None:
        """Remember what a person has chosen."""
        await self._gate.run(put, schema.habits, {"user": user}, asdict(habits))

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Give when the days of these people run."""
        return await self._gate.read(days.days, users)

    async def keep_day(self, user: UserId, day: Day) -> None:
        """Remember when somebody has time, in place of what was known."""
        await self._gate.run(days.keep_day, user, day)

    async def keep_apart(self, user: UserId, other: UserId) -> bool:
        """Remember that a person would rather not play with another, or forget it; tell which. TooMany without room."""
        return await self._gate.run(social.keep_apart, user, self.mark(other))

    async def kept_apart(self, user: UserId) -> int:
        """Count the people with whom a person would rather not play."""
        return await self._gate.read(social.kept_apart, user)

    async def apart_from(self, user: UserId, others: Collection[UserId]) -> Apart:
        """Tell whether a person would rather not play with any of these, or one of these with them."""
        marks = [self.mark(other) for other in others]
        return await self._gate.read(social.apart_from, user, self.mark(user), others, marks)

    async def invited(self, table: TableId) -> bool:
        """Tell whether people have been called to this lobby."""
        return await self._gate.read(social.invited, table)

    async def wait(self, wanted: Waiting, now: datetime) -> None:
        """Remember that a person waits for a table in a channel, in place of what they waited for there."""
        await self._gate.run(social.wait, wanted, now)

    async def stop_waiting(self, user: UserId, channel: ChannelId) -> None:
        """Forget that a person waits for a table in a channel."""
        await self._gate.run(social.stop_waiting, user, channel)

    async def call_waiting(
        self, channel: ChannelId, game: str, now: datetime, call: Callable[[tuple[UserId, ...]], Pending]
    ) -> tuple[Pending, ...]:
        """Forget who waits for a table of this game in a channel; remember and give their call, if there are any."""
        return await self._gate.run(social.call_waiting, channel, game, now, call)

    async def offer_lesson(self, user: UserId, guild: GuildId, game: str) -> bool:
        """Remember that somebody is offered a lesson in a game, or takes one; tell whether they are new to it there."""
        return await self._gate.run(social.offer_lesson, user, guild, game)

    async def last_played(self, channel: ChannelId) -> Played | None:
        """Give the rules by which a match was begun last in a channel, None where none was."""
        return await self._gate.read(social.last_played, channel)

    async def once(self, what: str, guild: GuildId, effects: Iterable[Pending] = ()) -> bool:
        """Remember for ever that a server was told this; tell whether it had not been. By a mark, not by its id.

        effects: how it is told, here and below.
        """
        key = f"{what} {self._deletions.ledger.mark('server', guild)}"
        if await self.recall(key) is not None:
            return False
        await self.remember(key, "yes", effects)
        return True

    async def add_invited(
        self, table: TableId, users: Collection[UserId], by: UserId, at: datetime, effects: Iterable[Pending] = ()
    ) -> bool:
        """Remember who is called to a lobby, by whom; 0 for a role. Tell whether nobody had been called there before.

        What is older than a few days is forgotten.
        """
        return await self._gate.run(outbox.followed_by(effects, social.add_invited), table, users, by, at)

    async def direct(self, user: UserId) -> ChannelId | None:
        """Give the channel of direct messages with a person, None where none has been opened."""
        return await self._gate.read(tables.direct_of, user)

    async def keep_direct(self, direct: Direct) -> None:
        """Remember the channel of direct messages with a person."""
        values = {"channel": direct.channel, "opened": direct.opened}
        await self._gate.run(put, schema.directs, {"user": direct.user}, values)

    async def forget_direct(self, user: UserId) -> None:
        """Forget the channel of direct messages with a person."""
        await self._gate.run(_forget_direct, user)

    async def recall(self, key: str) -> str | None:
        """Give what was remembered under ``key``."""
        return await self._gate.read(tables.note, key)

    async def remember(self, key: str, value: str, effects: Iterable[Pending] = ()) -> None:
        """Remember a small text under ``key``, in place of what was there."""
        await self._gate.run(outbox.followed_by(effects, notes.put_note), key, value)

    # Servers

    async def server_settings(self) -> Mapping[GuildId, Mapping[str, Any]]:
        """Give what differs from the defaults, for every server that has chosen anything."""
        return await self._gate.read(servers.settings)

    async def change_server(
        self, change: SettingChange, chosen: Mapping[str, Any], effects: Iterable[Pending] = ()
    ) -> None:
        """Keep all that is chosen on a server, in place of what was kept, and who changed it."""
        await self._gate.run(outbox.followed_by(effects, servers.change), change, chosen)

    async def server_changes(self, guild: GuildId, limit: int) -> tuple[SettingChange, ...]:
        """Give the latest changes on a server, the last one first."""
        return await self._gate.read(servers.changes, guild, limit)

    async def take_permission_notice(self, guild: GuildId, channel: ChannelId, now: datetime, span: timedelta) -> bool:
        """Remember that a manager is told now what the bot lacks in a channel; tell whether none was for so long."""
        return await self._gate.run(servers.take_permission_notice, guild, channel, now, span)

    async def switched(self, guild: GuildId, name: str) -> tuple[tuple[datetime, bool], ...]:
        """Give when something was turned on or off on a server, oldest first."""
        return await self._gate.read(servers.switched, guild, name)

    async def lobbies(self, guild: GuildId, host: UserId) -> tuple[int, int]:
        """Count the open lobbies of a guild, and those among them that this person has opened."""
        return await self._gate.read(tables.lobbies, guild, host)

    # Forgetting

    def own_data(self, user: UserId) -> OwnData:
        """Return what counts and reads all that is kept about a person, page by page."""
        return OwnData(self._gate, self._deletions, user)

    async def person_data(self, user: UserId) -> dict[str, list[dict[str, Any]]]:
        """Give all that is kept about a person at once: rows as columns by name, under the name of their table."""
        found = dict[str, list[dict[str, Any]]]()
        async for page in self.own_data(user).pages():
            found.setdefault(page.name, []).extend(page.rows)
        return found

    async def is_kept(self, user: UserId) -> bool:
        """Tell whether anything is kept about a person that a deletion would delete."""
        return await self._gate.read(personal_rows.is_kept, user)

    async def note_deletion(self, user: UserId) -> tuple[Pending, ...]:
        """Note that all that is kept about a person is deleted, and give what follows; no reader finds it from now on.

        It is for good, also should an older copy be put back one day. The rows follow: `delete_some`.
        """
        noted = await self._gate.run_alone(self._deletions.note, "person", user, self._gate.member or 0)
        self._gate.forgotten = noted.deletions
        self._gate.erasing |= {Erasure("person", user)}
        return noted.effects

    async def delete_some(self) -> timedelta | None:
        """Delete rows of a noted deletion, as many as hold up nobody.

        Give for how long others are to have the database now, None where this process has nothing more to delete.
        """
        piece = await self._pieces.run(self._gate, self._deletions)
        if piece is not None and piece.is_last:
            self._gate.erasing -= {piece.erasure}
            await self._gate.empty()
        return None if piece is None else self._pieces.rest

    async def forget_person(self, user: UserId) -> None:
        """Note a deletion and carry it out to the last row, for whoever waits for that."""
        await self.note_deletion(user)
        await self.carry_out_deletions()

    async def carry_out_deletions(self) -> None:
        """Delete all rows of the deletions that are noted."""
        while await self.delete_some() is not None:
            pass

    async def look_for_erasures(self) -> None:
        """Find out whose rows are being deleted, before anybody is answered."""
        self._gate.erasing = await self._gate.read(erasures.ongoing)

    async def is_erasing(self, user: UserId) -> bool:
        """Tell whether rows of a person are being deleted."""
        erasure = Erasure("person", user)
        if erasure not in self._gate.erasing:
            return False
        if not await self._gate.read(erasures.is_ongoing, erasure):  # another process has carried it out
            self._gate.erasing -= {erasure}
        return erasure in self._gate.erasing

    async def forget_server(self, guild: GuildId) -> None:
        """Delete all that is kept about a server, in the same way."""
        noted = await self._gate.run_alone(self._deletions.note, "server", guild)
        self._gate.forgotten = noted.deletions
        await self._gate.empty()

    async def forgotten(self, user: UserId) -> datetime | None:
        """Give when all that was kept about a person was deleted last; None where that never was."""
        return await self._gate.read(self._deletions.forgotten, user)

    async def deleted_since(self, users: Collection[UserId], since: datetime) -> Mapping[UserId, datetime]:
        """Give who of these people had their data deleted after that moment, and when last."""
        return await self._gate.read(self._deletions.deleted_since, users, since)

    def mark(self, user: UserId) -> str:
        """Return a keyed hash of a person's id, by which they can be told again and nobody can find out who it is."""
        return self._deletions.ledger.mark("person", user)

    def mark_of(self, kind: Kind, number: int) -> str:
        """Return the same of a person or of a server."""
        return self._deletions.ledger.mark(kind, number)

    def key_for(self, purpose: str) -> str:
        """Return a secret of this installation for a purpose, of 256 bits: the same each time, and nowhere written."""
        return self._deletions.ledger.key_for(purpose)

    async def barred(self, channel: ChannelId, mark: str, now: datetime) -> datetime | None:
        """Give until when whoever has this mark may not sit down in a channel, None where they may."""
        return await self._gate.read(moderation.barred, channel, mark, now)

    async def end_bars(self, now: datetime) -> None:
        """Forget everybody who may sit down again where they were removed."""
        await self._gate.run(moderation.end_bars, now)

    async def judge(self, table: TableId, done: Moderation, *, annulled: bool, effects: Iterable[Pending] = ()) -> bool:
        """Annul a finished match, or let it count again; tell whether that changed anything."""
        return await self._gate.run(outbox.followed_by(effects, moderation.judge), table, done, annulled=annulled)

    async def moderations(self, table: TableId) -> tuple[Moderation, ...]:
        """Give what moderators did to a table, oldest first."""
        return await self._gate.read(moderation.of_table, table)

    async def depart(self, guild: GuildId, at: datetime) -> None:
        """Note that the bot is no longer on a server, unless that is noted."""
        await self._gate.run(departing.depart, guild, at)

    async def come_back(self, guild: GuildId) -> None:
        """Note that the bot is on a server."""
        await self._gate.run(departing.come_back, guild)

    async def departures(self) -> tuple[Departure, ...]:
        """Give the servers of this process that the bot is no longer on, the longest gone first."""
        return tuple(gone for gone in await self._gate.read(departing.departures) if self.share.has(gone.guild))

    async def known_servers(self) -> frozenset[GuildId]:
        """Give every server of this process of which anything is kept."""
        return frozenset(filter(self.share.has, await self._gate.read(departing.known_servers)))

    # House rules

    async def house_rules(self, owner: Owner) -> tuple[HouseRules, ...]:
        """Give all house rules of a person or a server by name, HOUSE_RULES_EACH at most."""
        return await self._gate.read(house_rules.owned, owner)

    async def house_rules_called(self, owner: Owner, name: str) -> HouseRules | None:
        """Give the house rules of this name, in whatever case it is written; None where there are none."""
        return await self._gate.read(house_rules.called, owner, name)

    async def save_house_rules(self, rules: HouseRules, *, replace: bool = False) -> None:
        """Keep house rules under their name.

        NameTaken where their owner has others of this name that are not to be replaced, TooMany without room.
        """
        await self._gate.run(house_rules.save, rules, replace=replace)

    async def rename_house_rules(self, owner: Owner, name: str, to: str) -> bool:
        """Give house rules another name; False where there are none. NameTaken where others have it."""
        return await self._gate.run(house_rules.rename, owner, name, to)

    async def delete_house_rules(self, owner: Owner, name: str) -> bool:
        """Forget house rules; False where there are none."""
        return await self._gate.run(house_rules.remove, owner, name)

    async def set_channel_default(self, default: ChannelDefault) -> None:
        """Keep what is played in a channel where nothing else is said, in place of what was kept."""
        await self._gate.run(house_rules.set_default, default)

    async def channel_default(self, channel: ChannelId) -> ChannelDefault | None:
        """Give what is played in a channel where nothing else is said, None where that is not set."""
        return await self._gate.read(house_rules.default_of, channel)

    async def clear_channel_default(self, channel: ChannelId) -> bool:
        """Forget the default of a channel; False where there is none."""
        return await self._gate.run(house_rules.clear_default, channel)


async def _forget_direct(connection: AsyncConnection, user: UserId) -> None:
    await connection.execute(delete(schema.directs).filter_by(user=user))
