"""The mark of message ids.

English sentences and words that screens translate into the language of the reader.
"""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802  # the name gettext tools know
    """Mark a message id that stands in a table and is translated later."""
    return message
