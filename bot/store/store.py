"""The store: the bot's persistent state, in a file or in a database on a server.

Offers rows and queries; refuses to know Discord, the rules and the purpose of a table. A write survives a crash and a
power cut once the call returns. Every call may raise StoreError.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Self

from bot.domain.ids import Share, UserId
from bot.runtime.metrics import MetricsRecorder
from bot.runtime.store_address import Address, DatabaseServer
from bot.store.cluster.membership import Membership, MembershipListener
from bot.store.engine.deletion_ledger import FileDeletionLedger, ledger_path
from bot.store.engine.gate import Gate
from bot.store.erasure.deletions import DeletionRepository, Deletions, LeftoverRepository
from bot.store.erasure.own_data import OwnData
from bot.store.postgres.deletion_ledger import read_ledger
from bot.store.postgres.opening import ServerGate
from bot.store.postgres.opening import open_gate as open_server
from bot.store.postgres.processes import MembershipTerms
from bot.store.repositories.clock import ClockRepository
from bot.store.repositories.contests import DailyDealRepository, PuzzleRepository
from bot.store.repositories.debts import DebtRepository
from bot.store.repositories.duplicates import DuplicateRepository
from bot.store.repositories.house_rules import HouseRulesRepository
from bot.store.repositories.leaderboards import LeaderboardRepository
from bot.store.repositories.limits import StoredLimits
from bot.store.repositories.moderations import ModerationRepository
from bot.store.repositories.notes import NoteRepository
from bot.store.repositories.notices import NoticeRepository
from bot.store.repositories.outbox import OutboxRepository
from bot.store.repositories.people import PersonRepository, PrivateThreadRepository, SocialRepository
from bot.store.repositories.pings import PingRepository
from bot.store.repositories.records import RecordRepository
from bot.store.repositories.results import ResultRepository
from bot.store.repositories.seasons import SeasonRepository
from bot.store.repositories.seat_queue import SeatQueueRepository
from bot.store.repositories.servers import ServerRepository
from bot.store.repositories.spectators import WatcherRepository
from bot.store.repositories.tables import TableRepository
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
        self.leaderboards = LeaderboardRepository(gate)
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
        self.seat_queue = SeatQueueRepository(gate)

    @classmethod
    async def open(
        cls,
        address: Address,
        now: Callable[[], datetime],
        *,
        shared: bool = False,
        watch: MetricsRecorder | None = None,
    ) -> Self:
        """Open the database at ``address``, or create it.

        Raises StoreError, with the database unchanged. now: the clock, for the file name of the copy made before a
        migration. shared: open a server database together with other bots. watch: counts the retries of transactions.
        """
        gate = await (
            open_server(address, shared=shared) if isinstance(address, DatabaseServer) else open_file(address, now)
        )
        gate.on_retry = watch.count_retry if watch else None
        try:
            ledger = (
                await read_ledger(gate)
                if isinstance(address, DatabaseServer)
                else FileDeletionLedger(ledger_path(address))
            )
            deletions = Deletions(ledger, now)
            await gate.run(deletions.catch_up)
        except BaseException:
            await gate.close()
            raise
        return cls(gate, deletions, now)

    async def close(self) -> None:
        """Finish the running transactions, then release the database."""
        await self._gate.close()

    @property
    def own(self) -> Share:
        """The shards of this process: every shard, unless the process is a member of a group."""
        return self._gate.own

    @property
    def share(self) -> Share:
        """The connected shards among `own`: the work of the clock is limited to their tables."""
        return self._gate.share

    async def join(self, name: str, terms: MembershipTerms, count: int, told: MembershipListener) -> Membership:
        """Join the group of processes that share a server database.

        terms: the lease and the capacity of this process. count: the number of shards, used by the first
        member. told: receives the events of the membership.
        """
        assert isinstance(self._gate, ServerGate)
        return await Membership.begin(self._gate, name, terms, count, told)

    def own_data(self, user: UserId) -> OwnData:
        """Return the reader of a person's stored data, which counts rows and reads pages."""
        return OwnData(self._gate, self._deletions, user)

    async def person_data(self, user: UserId) -> dict[str, list[dict[str, Any]]]:
        """Read the stored data of a person at once.

        A row is its columns by name; the rows are grouped by table name.
        """
        found = dict[str, list[dict[str, Any]]]()
        async for page in self.own_data(user).pages():
            found.setdefault(page.name, []).extend(page.rows)
        return found
