"""The tables of the database, with their constraints and indexes.

Portable to PostgreSQL: only common column types and constraints. Refuses to know when a row is written. A change needs
a new file in ``migrations/versions``; a new column declares whom it is about (bot/store/schema/meaning.py).
"""

from bot.store.schema.columns import metadata
from bot.store.schema.day_deals import tries
from bot.store.schema.derived import balances, books, entries, ledgers, ratings
from bot.store.schema.duplicates import duplicates, parts
from bot.store.schema.named import NAMED_IN
from bot.store.schema.people import (
    apart,
    directs,
    erasures,
    habits,
    hours,
    house_rules,
    lessons,
    notes,
    own_threads,
    uses,
    vacations,
    waits,
)
from bot.store.schema.play import (
    actions,
    bars,
    chairs,
    cuts,
    invited,
    moderations,
    notices,
    openings,
    outbox,
    packs,
    pings,
    sat_in,
    seat_times,
    sittings,
    suspension_notices,
    tables,
    turns,
    watchers,
)
from bot.store.schema.puzzles import answers, puzzles
from bot.store.schema.results import deeds, hands, payments, players, results, standings
from bot.store.schema.seasons import finalists, seasons
from bot.store.schema.servers import (
    channel_defaults,
    departures,
    heartbeat,
    outages,
    permission_notices,
    server_changes,
    servers,
)
from bot.store.schema.settling import settlements

__all__ = [
    "NAMED_IN",
    "actions",
    "answers",
    "apart",
    "balances",
    "bars",
    "books",
    "chairs",
    "channel_defaults",
    "cuts",
    "deeds",
    "departures",
    "directs",
    "duplicates",
    "entries",
    "erasures",
    "finalists",
    "habits",
    "hands",
    "heartbeat",
    "hours",
    "house_rules",
    "invited",
    "ledgers",
    "lessons",
    "metadata",
    "moderations",
    "notes",
    "notices",
    "openings",
    "outages",
    "outbox",
    "own_threads",
    "packs",
    "parts",
    "payments",
    "permission_notices",
    "pings",
    "players",
    "puzzles",
    "ratings",
    "results",
    "sat_in",
    "seasons",
    "seat_times",
    "server_changes",
    "servers",
    "settlements",
    "sittings",
    "standings",
    "suspension_notices",
    "tables",
    "tries",
    "turns",
    "uses",
    "vacations",
    "waits",
    "watchers",
]
