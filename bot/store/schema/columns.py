"""Column types of the tables: times, durations, paces, counters; and the naming of constraints.

Portable to PostgreSQL: a time is a whole number of microseconds since 1970, so that SQL compares and adds times the
same on both databases.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import BigInteger, Dialect, Integer, MetaData, String, TypeDecorator

from bot.domain.level import Level
from bot.domain.pace import Pace

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class TimestampType(TypeDecorator[datetime]):
    """An aware datetime, stored as whole microseconds since 1970 (UTC) and returned in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return microseconds. Raises TypeError for a naive datetime."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Return the same time, in UTC."""
        return None if value is None else EPOCH + value * MICROSECOND


class DurationType(TypeDecorator[timedelta]):
    """A duration, stored as whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        """Return microseconds."""
        return None if value is None else value // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> timedelta | None:
        """Return the duration."""
        return None if value is None else value * MICROSECOND


class PaceType(TypeDecorator[Pace]):
    """The pace of a table, stored in its written form."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Pace | None, dialect: Dialect) -> str | None:
        """Return the written form."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Pace | None:
        """Return the pace."""
        return None if value is None else Pace.read(value)


class LevelType(TypeDecorator[Level]):
    """The level of a house player, stored as a word; "" without one."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Level | None, dialect: Dialect) -> str | None:
        """Return the word."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Level | None:
        """Return the level."""
        return None if value is None else Level(value)


# SQLite generates ids only for a column declared INTEGER.
Counter = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
