"""What all tables are made of: moments, spans, paces, numbers that count by themselves, and how constraints are named.

Portable to PostgreSQL: a moment is a whole number of microseconds since 1970, so that it can be compared and shifted
alike everywhere. Refuses to know any table.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import BigInteger, Dialect, Integer, MetaData, String, TypeDecorator

from bot.domain.level import Level
from bot.domain.pace import Pace

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Moment(TypeDecorator[datetime]):
    """An aware datetime, kept as whole microseconds since 1970 (UTC) and given back in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Count microseconds; a naive datetime is a TypeError."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Give back the same moment, in UTC."""
        return None if value is None else EPOCH + value * MICROSECOND


class Span(TypeDecorator[timedelta]):
    """A length of time, kept as whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        """Count microseconds."""
        return None if value is None else value // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> timedelta | None:
        """Give back the same length."""
        return None if value is None else value * MICROSECOND


class Tempo(TypeDecorator[Pace]):
    """How fast a table is, as it is written."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Pace | None, dialect: Dialect) -> str | None:
        """Write it."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Pace | None:
        """Read it."""
        return None if value is None else Pace.read(value)


class Degree(TypeDecorator[Level]):
    """How well a house player plays, as a word; "" where nothing is said."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Level | None, dialect: Dialect) -> str | None:
        """Write it."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Level | None:
        """Read it."""
        return None if value is None else Level(value)


# SQLite counts only a column declared INTEGER by itself.
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
