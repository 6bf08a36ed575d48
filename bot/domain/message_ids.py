"""The mark of message ids: English text that screens translate into the reader's language."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802  # the name gettext tools know
    """Mark a message id that stands in a table and is translated later."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802  # as N_
    """Mark a message id in a table with its plural; both are translated later."""
    return one, many
