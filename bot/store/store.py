"""The store: everything the bot remembers, in one file or in a database on a server.

Knows rows and what may be asked of them; refuses to know Discord, the rules, or what a table is for. What a call
has written when it returns survives the end of the process and of the power. Every call may raise StoreError.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Self

from bot.domain.ids import UserId
from bot.domain.shard_share import Share
from bot.runtime.metrics import Watch
from bot.runtime.store_address import Address, Server
from bot.store.cluster.membership import Membership, Told
from bot.store.engine.deletion_ledger import FileLedger, ledger_of
from bot.store.engine.gate import Gate
from bot.store.erasure.deletions import DeletionRepository, Deletions
from bot.store.erasure.leftovers import LeftoverRepository
from bot.store.erasure.own_data import OwnData
from bot.store.postgres.deletion_ledger import read_ledger
from bot.store.postgres.gate import ServerGate
from bot.store.postgres.opening import open_gate as open_server
from bot.store.postgres.processes import Terms
from bot.store.repositories.clock import ClockRepository
from bot.store.repositories.daily_deals import DailyDealRepository
from bot.store.repositories.debts import DebtRepository
from bot.store.repositories.duplicates import DuplicateRepository
from bot.store.repositories.house_rules import HouseRulesRepository
from bot.store.repositories.ladders import LadderRepository
from bot.store.repositories.limits import StoredLimits
from bot.store.repositories.moderations import ModerationRepository
from bot.store.repositories.notes import NoteRepository
from bot.store.repositories.notices import NoticeRepository
from bot.store.repositories.outbox import OutboxRepository
from bot.store.repositories.people import PersonRepository
from bot.store.repositories.pings import PingRepository
from bot.store.repositories.private_threads import PrivateThreadRepository
from bot.store.repositories.puzzles import PuzzleRepository
from bot.store.repositories.records import RecordRepository
from bot.store.repositories.results import ResultRepository
from bot.store.repositories.seasons import SeasonRepository
from bot.store.repositories.servers import ServerRepository
from bot.store.repositories.social import SocialRepository
from bot.store.repositories.tables import TableRepository
from bot.store.repositories.watchers import WatcherRepository
from bot.store.sqlite.opening import open_gate as open_file


class Store:
    """An open database. Open it with ``await Store.open(...)``, and close it."""

    def __init__(self, gate: Gate, deletions: Deletions, now: Callable[[], datetime]) -> None:
        self._gate = gate
        self._deletions = deletions
        self.deletions = DeletionRepository(gate, deletions)
        self.limits = StoredLimits(gate, deletions.ledger, now)
        self.tables = TableRepository(gate)
        self.records = RecordRepository(gate)
        self.leftovers = LeftoverRepository(gate)
        self.results = ResultRepository(gate)
        self.seasons = SeasonRepository(gate)
        self.ladders = LadderRepository(gate)
        self.debts = DebtRepository(gate)
        self.clock = ClockRepository(gate)
        self.daily_deals = DailyDealRepository(gate)
        self.duplicates = DuplicateRepository(gate)
        self.puzzles = PuzzleRepository(gate)
        self.people = PersonRepository(gate)
        self.social = SocialRepository(gate, deletions.ledger)
        self.notes = NoteRepository(gate, deletions.ledger)
        self.servers = ServerRepository(gate)
        self.house_rules = HouseRulesRepository(gate)
        self.moderations = ModerationRepository(gate)
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

    def own_data(self, user: UserId) -> OwnData:
        """Return what counts and reads all that is kept about a person, page by page."""
        return OwnData(self._gate, self._deletions, user)

    async def person_data(self, user: UserId) -> dict[str, list[dict[str, Any]]]:
        """Give all that is kept about a person at once: rows as columns by name, under the name of their table."""
        found = dict[str, list[dict[str, Any]]]()
        async for page in self.own_data(user).pages():
            found.setdefault(page.name, []).extend(page.rows)
        return found
