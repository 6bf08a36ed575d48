"""Which games are packed as hands in which tricks are played. Refuses to know how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bot.ai.worlds import packed_a_bao, packed_big_a, packed_tien_len
from bot.ai.worlds.codes import Codes
from bot.ai.worlds.packed_tricks import PackedTricks


class Packing(NamedTuple):
    """How a game is packed. codes: the combinations under its rules; tricks: a hand of it, from the readable one."""

    codes: Callable[[Any], Codes]
    tricks: Callable[[Any], PackedTricks]


PACKED: Mapping[str, Packing] = {
    "a_bao": Packing(packed_a_bao.codes, packed_a_bao.ABaoTricks),
    "big_a": Packing(packed_big_a.codes, packed_big_a.BigATricks),
    "tien_len": Packing(packed_tien_len.codes, packed_tien_len.TienLenTricks),
}
