"""The short word by which a person and whoever runs the bot speak of the same fault.

It stands in the log beside what has happened, and in what the person reads; nothing about either follows from it.
"""

from __future__ import annotations

import secrets

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is taken for another when it is read out
LENGTH = 4


def new_report() -> str:
    """Return such a word: one of some 800,000, which is enough for the faults of a month."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
