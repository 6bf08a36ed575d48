"""The metrics of a running bot: names, labels and counting, and routes of requests."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Final, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from bot.games import GAMES
from bot.runtime.metrics import KINDS, OBSTACLES, Kind, Obstacle, Progress
from bot.store.engine.gate import STATEMENTS
from bot.store.repositories.tables import STATES
from bot.store.rows import Decider
from bot.version import version

QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
PATIENT = (0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0)  # Discord waits three seconds for an acknowledgement
SLOW = (0.1, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0)
LEVELS = ("WARNING", "ERROR", "CRITICAL")

disable_created_metrics()  # type: ignore[no-untyped-call]  # the time of each first count: useless extra lines


class BotMetrics:
    """The metrics of one bot: a MetricsRecorder, and further metrics."""

    def __init__(self) -> None:
        self.registry = known = CollectorRegistry()
        ProcessCollector(registry=known)
        PlatformCollector(registry=known)
        GCCollector(registry=known)
        self._add_interactions(known)
        self._add_play(known)
        self._add_work(known)
        self._add_present(known)
        self._create_all_labels()

    def _add_interactions(self, known: CollectorRegistry) -> None:
        """Add the metrics of interactions, and of the time until their answers."""
        self._came = Counter("bigger_interactions", "Clicks, forms and commands.", ["kind"], registry=known)
        self._progress = {
            "acknowledged": Histogram(
                "bigger_acknowledged_seconds",
                "Until an interaction was acknowledged.",
                ["kind"],
                buckets=PATIENT,
                registry=known,
            ),
            "answered": Histogram(
                "bigger_answered_seconds",
                "Until an interaction was answered.",
                ["kind"],
                buckets=PATIENT,
                registry=known,
            ),
        }

    def _add_play(self, known: CollectorRegistry) -> None:
        """Add the metrics of what players, house players and the clock do."""
        self._played = Counter("bigger_plays", "Actions kept, by who decided them.", ["game", "by"], registry=known)
        self._thought = Histogram(
            "bigger_thinking_seconds", "Until house players knew what to do.", ["game"], buckets=QUICK, registry=known
        )
        self._late = Histogram(
            "bigger_late_seconds", "How long something was due when the clock came to it.", buckets=SLOW, registry=known
        )

    def _add_work(self, known: CollectorRegistry) -> None:
        """Add the metrics of requests, of the store, of the event loop and of the log."""
        self.requests = Counter("bigger_requests", "Requests to Discord.", ["route", "status"], registry=known)
        self.took = Histogram(
            "bigger_request_seconds", "Until Discord answered.", ["route"], buckets=PATIENT, registry=known
        )
        self.statements = Histogram(
            "bigger_statement_seconds", "What the store took.", ["kind"], buckets=QUICK, registry=known
        )
        self._retried = Counter(
            "bigger_transactions_retried", "Transactions begun again, by what ended them.", ["why"], registry=known
        )
        self.lag = Histogram(
            "bigger_loop_lag_seconds",
            "How late the event loop comes to what is to be done now.",
            buckets=QUICK,
            registry=known,
        )
        self.lines = Counter("bigger_log_lines", "What was logged.", ["level"], registry=known)

    def _add_present(self, known: CollectorRegistry) -> None:
        """Add the gauges, which tell the present state at each look."""
        self.waiting = Gauge("bigger_waiting_writes", "What waits to be written to Discord.", registry=known)
        self.oldest = Gauge("bigger_oldest_write_seconds", "How long the oldest of it has waited.", registry=known)
        self.tables = Gauge("bigger_tables", "Tables that are open.", ["state"], registry=known)
        self.loaded = Gauge("bigger_tables_in_memory", "Tables in memory.", registry=known)
        self.overdue = Gauge("bigger_overdue_seconds", "How long the clock is behind by now.", registry=known)
        self.shards = Gauge("bigger_shards_connected", "Shards that are connected to Discord.", registry=known)
        self.servers = Gauge("bigger_servers", "Servers the bot is on.", registry=known)
        self.store = Gauge("bigger_store_answers", "1 where the store answers, else 0.", registry=known)
        about = Gauge("bigger_version", "1, for the version that runs.", ["version"], registry=known)
        about.labels(version()).set(1)

    def _create_all_labels(self) -> None:
        """Create all label values at the start, so that a first event appears as an increase."""
        for kind in KINDS:
            self._came.labels(kind)
            for progress in self._progress.values():
                progress.labels(kind)
        for game in GAMES:
            self._thought.labels(game)
            for by in get_args(Decider):
                self._played.labels(game, by)
        for statement in STATEMENTS:
            self.statements.labels(statement)
        for why in OBSTACLES:
            self._retried.labels(why)
        for level in LEVELS:
            self.lines.labels(level)
        for state in STATES:
            self.tables.labels(state)

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)

    # Methods of MetricsRecorder

    def count_interaction(self, kind: Kind) -> Callable[[Progress], None]:
        """Count an interaction; return the callback for its progress."""
        self._came.labels(kind).inc()
        begun, heard = perf_counter(), set[Progress]()

        def report(progress: Progress) -> None:
            for step in (
                "acknowledged",
                progress,
            ):  # an answer is also an acknowledgement, if none came before
                if step not in heard:
                    heard.add(step)
                    self._progress[step].labels(kind).observe(perf_counter() - begun)

        return report

    def count_action(self, game: str, by: str) -> None:
        """Count a saved action."""
        self._played.labels(game, by).inc()

    def record_decision_time(self, game: str, seconds: float) -> None:
        """Record the time that house players took to decide."""
        self._thought.labels(game).observe(seconds)

    def record_delay(self, seconds: float) -> None:
        """Record the delay between a table's deadline and its handling by the clock."""
        self._late.observe(max(seconds, 0.0))

    def count_retry(self, why: Obstacle) -> None:
        """Count a repeated transaction."""
        self._retried.labels(why).inc()

    # Further metrics

    def record_request(self, route: str, status: str, seconds: float) -> None:
        """Count a request to Discord, with labels from ``bot.ops.monitoring.figures``."""
        assert route in ROUTES | {OTHER}
        assert status in STATUSES | {OTHER, UNREACHED}
        self.requests.labels(route, status).inc()
        self.took.labels(route).observe(seconds)

    def record_statement(self, kind: str, seconds: float) -> None:
        """Record a statement of the store."""
        self.statements.labels(kind).observe(seconds)


class LogLineCounter(logging.Handler):
    """Counts log messages of warnings and errors."""

    def __init__(self, figures: BotMetrics) -> None:
        super().__init__(logging.WARNING)
        self._lines = figures.lines

    def emit(self, record: logging.LogRecord) -> None:
        """Count one message."""
        self._lines.labels(record.levelname if record.levelname in LEVELS else LEVELS[-1]).inc()


OTHER: Final = "other"
UNREACHED: Final = "none"  # instead of a status, without a response
SECRET = re.compile(r"(?<=/)\d+(?=/|$)|(?<=^/interactions/\{\}/)[^/]+|(?<=^/webhooks/\{\}/)[^/]+")
ROUTES: Final = frozenset(
    {
        "DELETE /channels/{}/messages/{}",
        "DELETE /webhooks/{}/{}/messages/@original",
        "DELETE /webhooks/{}/{}/messages/{}",
        "GET /applications/{}/commands",
        "GET /applications/{}/emojis",
        "GET /channels/{}",
        "GET /channels/{}/messages",
        "GET /channels/{}/messages/{}",
        "GET /channels/{}/thread-members/{}",
        "GET /gateway/bot",
        "GET /guilds/{}",
        "GET /guilds/{}/members/{}",
        "GET /oauth2/applications/@me",
        "GET /users/@me",
        "GET /users/{}",
        "PATCH /channels/{}",
        "PATCH /channels/{}/messages/{}",
        "PATCH /webhooks/{}/{}/messages/@original",
        "PATCH /webhooks/{}/{}/messages/{}",
        "POST /applications/{}/emojis",
        "POST /channels/{}/messages",
        "POST /channels/{}/messages/{}/threads",
        "POST /channels/{}/threads",
        "POST /interactions/{}/{}/callback",
        "POST /users/@me/channels",
        "POST /webhooks/{}/{}",
        "PUT /applications/{}/commands",
        "PUT /applications/{}/guilds/{}/commands",
        "PUT /channels/{}/thread-members/{}",
    }
)
STATUSES: Final = frozenset(str(int(status)) for status in HTTPStatus)


def route_of(method: str, path: str) -> str:
    """Return the route of a request. path: after the API version."""
    plain = path
    for _ in range(2):  # first ids, then the tokens after them
        plain = SECRET.sub("{}", plain)
    route = f"{method} {plain}"
    return route if route in ROUTES else OTHER


def status_of(status: int) -> str:
    """Return the label for a response's status."""
    return str(status) if str(status) in STATUSES else OTHER
