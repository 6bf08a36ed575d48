"""How long the statements of a store take, for whoever counts: from being sent to being answered.

Knows what kind a statement is. Refuses to tell what stands in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from sqlalchemy import Engine, event

STATEMENTS = ("select", "insert", "update", "delete", "other")


@contextmanager
def statements_timed(tell: Callable[[str, float], None]) -> Iterator[None]:
    """Tell meanwhile of every statement what kind it is, one of STATEMENTS, and how many seconds it took.

    Of stores that are opened after this has begun, and of statements that went well.
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
