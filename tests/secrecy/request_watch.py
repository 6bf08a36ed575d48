"""Looks at every request while the bot makes it, and knows who will read it and what they may know at that moment.

What may be known is worked out from the whole state of each table, not from the views the screens are drawn from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcord.types import HttpLogEntry

from bot.domain.ids import UserId
from bot.rules.core.cards import Card
from bot.rules.matches.seal import CHAIN_PREFIX
from bot.show.kit.card_symbols import Faces
from bot.show.kit.words import PLAIN_FACES
from bot.table.table import Table
from tests.secrecy.card_search import addressed, cards_among, cards_in, leaves, typed_in
from tests.secrecy.secret_facts import (
    answers_of_others,
    hidden_deals,
    is_about_answers,
    orders_offered,
    revealing_sentences,
    secret_cards,
    without_orders,
)
from tests.support.world import World

TABLES = re.compile(
    r"\bb[gp]:(\d+):|\bbv:(?:replay|replay_go|replay_menu|deal|verify|whose|moment|share_moment|post_moment|keep_moment|match_file):(\d+)\b"
)
CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)(/messages/.+)?")
MESSAGE = re.compile(r"/channels/(\d+)/(messages|threads).*")
EPHEMERAL = 1 << 6
LATER = (5, 6)  # types of answers without any content yet


@dataclass(frozen=True)
class Reader:
    """Who reads a request. user: None for every player. asked: what they sent to get it."""

    user: UserId | None
    channel: int | None = None
    asked: Any = None


@dataclass
class Watch:
    """Everything the bot has sent.

    leaks: information shown to a user who may not know it. direct: direct messages. public: requests that all can see.
    orders: offered premoves, in every form.
    """

    here: World
    requests: list[HttpLogEntry] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    direct: int = 0
    public: int = 0
    orders: set[str] = field(default_factory=set)
    seen: dict[int | None, int] = field(default_factory=dict)
    _asked: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Listen to both directions: what people send, and what the bot requests."""
        backend = self.here.env.backend
        watch, emit = self, backend.emit

        class Log(list[HttpLogEntry]):
            def append(self, entry: HttpLogEntry) -> None:
                super().append(entry)
                watch.look(entry)

        def heard(event: str, payload: Any, *args: Any, **kwargs: Any) -> Any:
            if event == "INTERACTION_CREATE":
                watch._asked[int(payload["id"])] = payload["data"]
            return emit(event, payload, *args, **kwargs)

        backend.http_requests = Log(backend.http_requests)
        backend.emit = heard  # type: ignore[method-assign]

    @property
    def tables(self) -> list[Table]:
        """The bot's tables in memory; it cannot show others."""
        return list(self.here.parts.tables._loaded.values()) if self.here.bot._parts else []

    @property
    def faces(self) -> Faces:
        """How the bot shows cards: as text until it has its emoji."""
        return self.here.parts.emoji.faces if self.here.bot._parts else PLAIN_FACES

    def look(self, entry: HttpLogEntry) -> None:
        """Compare one request with its reader's permissions."""
        self.requests.append(entry)
        if "/emojis" in entry.path:
            return  # the pictures of all cards, with their names
        reader = self.reader(entry)
        self.seen[reader.user] = self.seen.get(reader.user, 0) + 1
        self.public += reader.user is None and not _empty(entry)
        self.orders.update(orders_offered(entry.json))
        texts = set(leaves(without_orders(entry.json)))
        shown = cards_among(texts, self.faces) - cards_in(reader.asked, PLAIN_FACES) - typed_in(reader.asked)
        if reader.user is None and any(map(is_about_answers, leaves(entry.json))):
            self._tell(entry, "an answer on a public screen")
        for table in self._concerned(entry, reader):
            for wrong in self._of_table(table, reader.user, shown, texts):
                self._tell(entry, f"user {reader.user} sees {wrong} of table {table.id}")
        if reader.user is None and addressed(entry.json):
            self._tell(entry, "a card in a component of a public screen")
        written = json.dumps(entry.json, ensure_ascii=False) + entry.path
        for secret in self.secrets():
            if secret in written:
                self._tell(entry, "a seed or a token")

    def _of_table(self, table: Table, user: UserId | None, shown: set[Card], texts: set[str]) -> Iterator[str]:
        """Yield what is among cards and texts that their reader may not know of a table."""
        if wrong := shown & secret_cards(table, user):
            yield str(sorted(map(str, wrong)))
        yield from (pattern.pattern for pattern in revealing_sentences(table, user) if any(map(pattern.search, texts)))
        yield from texts & answers_of_others(table, user)

    def secrets(self) -> Iterator[str]:
        """Yield every text that must not be written anywhere now."""
        yield "secret.bot.token"
        for table in self.tables:
            if table.stage != "over":
                yield table.row.seed.removeprefix(CHAIN_PREFIX)
                yield from hidden_deals(table)

    def reader(self, entry: HttpLogEntry) -> Reader:
        """Return who will read what this request carries."""
        backend = self.here.env.backend
        if found := CALLBACK.fullmatch(entry.path):
            record = backend.interactions[int(found[1])]
            return self._answered(entry, record)
        if (found := WEBHOOK.fullmatch(entry.path)) and found[1] in backend.interaction_tokens:
            record = backend.interaction_by_token(found[1])
            return self._whoever_asked(record, self._is_for_one(record, (found[2] or "").rpartition("/")[2], entry))
        if found := MESSAGE.fullmatch(entry.path):
            recipient = self._recipient(int(found[1]))
            self.direct += entry.method == "POST" and recipient is not None
            return Reader(recipient, int(found[1]))
        if entry.path == "/users/@me/channels":
            return Reader(UserId(int((entry.json or {})["recipient_id"])))  # opened for one, and nobody hears of it
        return Reader(None)

    def _answered(self, entry: HttpLogEntry, record: Any) -> Reader:
        body = entry.json or {}
        kind, data = body["type"], body.get("data") or {}
        private = kind in (8, 9) or bool(data.get("flags", 0) & EPHEMERAL)
        if kind == 7:
            private = self._is_private(record.channel_id, record.source_message_id)
        return self._whoever_asked(record, private)

    def _is_for_one(self, record: Any, message: str, entry: HttpLogEntry) -> bool:
        """Tell whether only who asked sees the message of this name, or without one the one that is sent."""
        if not message and not record.loading:
            return bool((entry.json or {}).get("flags", 0) & EPHEMERAL)
        number = int(message) if message.isdecimal() else record.message_id
        return self._is_private(record.channel_id, number)

    def _whoever_asked(self, record: Any, private: bool) -> Reader:
        user = record.user_id if private else self._recipient(record.channel_id)
        return Reader(user, record.channel_id, self._asked[record.id])

    def _recipient(self, channel: int) -> UserId | None:
        """Return who reads a channel of direct messages, None where a channel is for all."""
        there = getattr(self.here.env.backend.channels.get(channel), "recipient_ids", None)
        return there[0] if there else None

    def _is_private(self, channel: int, message: int | None) -> bool:
        stored = self.here.env.backend.messages.get(channel, {}).get(message or 0)
        return stored is not None and stored.is_ephemeral

    def _concerned(self, entry: HttpLogEntry, reader: Reader) -> list[Table]:
        """Return the tables of a request; every table if unspecified."""
        for text in (json.dumps(entry.json), json.dumps(reader.asked)):
            named = {int(a or b) for a, b in TABLES.findall(text)}
            named |= {int(each) for each in re.findall(r'"name": "table", "type": 4, "value": (\d+)', text)}
            if found := [table for table in self.tables if table.id in named]:
                return found
        there = [table for table in self.tables if table.row.home == reader.channel]
        return there if len(there) == 1 else self.tables

    def _tell(self, entry: HttpLogEntry, what: str) -> None:
        self.leaks.append(f"{entry.method} {entry.path}: {what}: {json.dumps(entry.json, ensure_ascii=False)[:3000]}")


def _empty(entry: HttpLogEntry) -> bool:
    """Tell whether a request shows nothing to any player: it asks Discord, or only says that an answer will come."""
    promised = CALLBACK.fullmatch(entry.path) is not None and (entry.json or {}).get("type") in LATER
    return entry.method == "GET" or promised
