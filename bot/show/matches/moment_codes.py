"""The code of a moment: which match, and which of its steps, in a few characters that people can type.

Knows how it is written. Refuses to know who may look at that match: a code opens nothing by itself.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import MOST

SIGNS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # as Crockford has it: none that is taken for another
TAKEN_FOR: Final = str.maketrans("OIL", "011")
CODE: Final = re.compile(f"([{SIGNS}]{{1,13}})-([{SIGNS}]{{1,7}})([{SIGNS}])")


class Unreadable(ValueError):
    """Text that is no code of a moment."""


class Moment(NamedTuple):
    """A step of a match."""

    table: TableId
    step: int

    def __str__(self) -> str:
        return f"{_written(self.table)}-{_written(self.step)}{_check(self.table, self.step)}"

    @classmethod
    def read(cls, text: str) -> Moment:
        """Return the moment of a code, however it is typed. Raises Unreadable, also where a character is wrong."""
        found = CODE.fullmatch("".join(text.split()).strip("`").upper().translate(TAKEN_FOR))
        if found is None:
            raise Unreadable(text)
        moment = cls(TableId(_number(found[1])), _number(found[2]))
        if moment.table > MOST or str(moment) != found[0]:  # as in 0A-17, which is no other way to write A-17
            raise Unreadable(text)
        return moment


def _written(number: int) -> str:
    higher, last = divmod(number, len(SIGNS))
    return (_written(higher) if higher else "") + SIGNS[last]


def _number(text: str) -> int:
    return int(text.translate(str.maketrans(SIGNS, "0123456789abcdefghijklmnopqrstuv")), len(SIGNS))


def _check(table: int, step: int) -> str:
    """Return a character that tells when one has been mistyped, or two have changed places."""
    digits = [SIGNS.index(sign) for sign in f"{_written(table)}{_written(step)}"]
    return SIGNS[sum(digit * (2 * at + 1) for at, digit in enumerate(digits)) % len(SIGNS)]
