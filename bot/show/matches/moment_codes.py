"""The code of a moment: a match and one of its steps, in a few characters to type.

A code grants no access: whether a reader may see the match is checked elsewhere.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bot.domain.ids import TableId
from bot.domain.typed_text import QUOTES, readable
from bot.show.kit.custom_ids import MAX_TABLE_ID

SIGNS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's digits, without look-alikes
TAKEN_FOR: Final = str.maketrans("OIL", "011")
CODE: Final = re.compile(f"([{SIGNS}]{{1,13}})-([{SIGNS}]{{1,7}})([{SIGNS}])")


class InvalidMomentCode(ValueError):
    """Text that is not the code of a moment."""


class MomentCode(NamedTuple):
    """A step of a match."""

    table: TableId
    step: int

    def __str__(self) -> str:
        return f"{_written(self.table)}-{_written(self.step)}{_check(self.table, self.step)}"

    @classmethod
    def read(cls, text: str) -> MomentCode:
        """Return the moment of a typed code.

        Raises InvalidMomentCode, also for a wrong check character.
        """
        found = CODE.fullmatch("".join(readable(text).split()).strip(QUOTES).upper().translate(TAKEN_FOR))
        if found is None:
            raise InvalidMomentCode(text)
        moment = cls(TableId(_number(found[1])), _number(found[2]))
        if moment.table > MAX_TABLE_ID or str(moment) != found[0]:  # such as 0A-17, which is no second spelling of A-17
            raise InvalidMomentCode(text)
        return moment


def _written(number: int) -> str:
    higher, last = divmod(number, len(SIGNS))
    return (_written(higher) if higher else "") + SIGNS[last]


def _number(text: str) -> int:
    return int(text.translate(str.maketrans(SIGNS, "0123456789abcdefghijklmnopqrstuv")), len(SIGNS))


def _check(table: int, step: int) -> str:
    """Return a check character that reveals a mistyped character or a transposition."""
    digits = [SIGNS.index(sign) for sign in f"{_written(table)}{_written(step)}"]
    return SIGNS[sum(digit * (2 * at + 1) for at, digit in enumerate(digits)) % len(SIGNS)]
