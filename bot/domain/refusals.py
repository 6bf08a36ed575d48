"""Why a table turns somebody down, where no rule of the game is concerned."""

from __future__ import annotations

from datetime import datetime
from typing import Any

NO_WAY_BACK = "A moderator has removed you from this table, so a house player keeps your seat to the end."
SITTING_IN = "{name} sits in for you, so the seat is theirs until they leave."

BEING_DELETED = "Your data is being deleted; try again in a few minutes."
HOST_GONE = "The host of {table} has gone, so it is closed. Anybody can open a new one with `/deal`."


class Refused(Exception):
    """Something a table does not do.

    sentence: an English message id with named fields; values: what fills them.
    """

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.values = values

    def __str__(self) -> str:
        return self.sentence.format(**self.values)


class Unseen(Refused):
    """A click that agrees to something which the person may not have seen; to be answered with what there is to see."""


class Barred(Refused):
    """A seat for somebody whom a moderator has removed from a table in the same channel."""

    def __init__(self, until: datetime) -> None:
        super().__init__("A moderator removed you from a table here. You can sit down here again {when}.", when=until)


class TooLate(Refused):
    """A click that was made for an earlier moment of the game."""

    def __init__(self) -> None:
        super().__init__("The game has moved on since that button was shown. Here is how it stands now.")
