"""The duration of SQL statements, from sending to the answer, for metrics.

Reports the kind of a statement, never its content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from sqlalchemy import Engine, event

STATEMENTS = ("select", "insert", "update", "delete", "other")


@contextmanager
def time_statements(tell: Callable[[str, float], None]) -> Iterator[None]:
    """Report the kind (one of STATEMENTS) and the duration in seconds of every statement.

    Covers successful statements of stores opened within the context.
    """

    def sent(_connection: Any, _cursor: Any, _statement: str, _values: Any, context: Any, _many: bool) -> None:
        context.bigger_begun = perf_counter()

    def answered(_connection: Any, _cursor: Any, statement: str, _values: Any, context: Any, _many: bool) -> None:
        kind = statement.lstrip(" (").partition(" ")[0].lower()
        tell(kind if kind in STATEMENTS else "other", perf_counter() - context.bigger_begun)

    event.listen(Engine, "before_cursor_execute", sent)
    event.listen(Engine, "after_cursor_execute", answered)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", sent)
        event.remove(Engine, "after_cursor_execute", answered)
