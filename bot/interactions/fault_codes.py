"""Report codes: short words for users and the operator to refer to the same fault.

The code appears in the log next to the error, and in the message to the user; it contains no information about either.
"""

from __future__ import annotations

import secrets

# Without letters that sound or look alike, and without suits, aces and jokers: a code that reads as cards ("9H2S")
# would be blotted out of the log.
LETTERS = "23456789BEFGKMPQRTVWXYZ"
LENGTH = 4


def new_report() -> str:
    """Return a new code: one of about 280,000, enough for a month's faults."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
