"""The cost of a reply in function calls.

The number is nearly the same on every machine at any load.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, ParamSpec

P = ParamSpec("P")


def count_calls(function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> int:
    """Return the number of function calls during a call."""
    count = 0

    def heard(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(heard)
    try:
        function(*args, **kwargs)
    finally:
        sys.setprofile(None)
    return count
