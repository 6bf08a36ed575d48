"""Refusals for reasons outside the rules, and limits on how often an action is possible."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.domain.message_ids import N_

NO_TABLE = N_("That table is gone.")
NO_WAY_BACK = N_("A moderator removed you from this table. A bot plays your seat to the end.")
SITTING_IN = N_("{name} is playing for you. You can have the seat back when they leave.")

BEING_DELETED = N_("Your data is being deleted. Try again in a few minutes.")
HOST_GONE = N_("The host of {table} left, so it's closed. Anyone can open a new one with `/deal`.")


class Refused(Exception):
    """A request that a table refuses.

    sentence: an English message id with named fields; values: the values of the fields.
    """

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.values = values

    def __str__(self) -> str:
        return self.sentence.format(**self.values)


class Outside(Refused):
    """A request of a person without a seat at the table.

    A click is answered with the ways to get in.
    """


class Unseen(Refused):
    """A click that agrees to terms the player may not have seen.

    The click is answered with the current screen.
    """


class Outdated(Refused):
    """A request that the clicked screen allowed, and the table no longer allows.

    A click is answered with the present screen. above: the message id of the sentence above that screen, by default the
    refusal itself.
    """

    def __init__(self, sentence: str, above: str = "", **values: Any) -> None:
        super().__init__(sentence, **values)
        self.above = above or sentence


class Barred(Refused):
    """A request for a seat by a player whom a moderator removed in the same channel."""

    def __init__(self, until: datetime) -> None:
        super().__init__(N_("A moderator removed you from a table here. You can join again {when}."), when=until)


class TooLate(Refused):
    """A click made for an earlier moment of the game."""

    def __init__(self) -> None:
        super().__init__(N_("The game has moved on since that button was shown. This is how it stands now."))


TOO_OFTEN = N_("That's enough for now. You can do it again {when}.")


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of uses in a period, per user or per thing.

    kind: the name under which the store counts uses. refusal: the English message id for a use beyond the limit; its
    fields are {most} and {when}, the moment of the next possible use.
    """

    kind: str
    most: int
    within: timedelta
    refusal: str = TOO_OFTEN
