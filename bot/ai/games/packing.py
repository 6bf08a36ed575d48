"""Which games are packed as hands in which tricks are played. Refuses to know how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bot.ai.engine.codes import Codes
from bot.ai.engine.hand import PackedTricks
from bot.ai.games import a_bao_hand as packed_a_bao
from bot.ai.games import big_a_hand as packed_big_a
from bot.ai.games import tien_len_hand as packed_tien_len


class Packing(NamedTuple):
    """How a game is packed. codes: the combinations under its rules; tricks: a hand of it, from the readable one."""

    codes: Callable[[Any], Codes]
    tricks: Callable[[Any], PackedTricks]


PACKED: Mapping[str, Packing] = {
    "a_bao": Packing(packed_a_bao.codes, packed_a_bao.ABaoTricks),
    "big_a": Packing(packed_big_a.codes, packed_big_a.BigATricks),
    "tien_len": Packing(packed_tien_len.codes, packed_tien_len.TienLenTricks),
}
