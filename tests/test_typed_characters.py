"""What keyboards, chats and calendars add to typed text changes nothing of what it means."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.domain.ids import TableId
from bot.rules.core.cards import cards, number_pack, pack
from bot.show.matches.moment_codes import MomentCode
from bot.show.typed.cards import read
from bot.show.typed.cities import exactly
from bot.show.typed.dates import read_day
from bot.show.typed.durations import one_span
from bot.show.typed.games import plain

NOW = datetime(2026, 11, 28, tzinfo=UTC)
INVISIBLE = ["\u200b", "\u200e", "\u200f", "\u2060", "\u2068", "\ufeff", "\u00ad"]
MOMENT = MomentCode(TableId(1234), 56)
HYPHENS = ["\u2010", "\u2011", "\u2013", "\u2014", "\u2212", "\uff0d"]


@pytest.mark.parametrize("mark", INVISIBLE)
def test_what_cannot_be_seen_is_not_read(mark: str) -> None:
    """A reader who is told that a text is wrong could not see why."""
    assert read(f"{mark}3d{mark} 4{mark}c{mark}", pack()) == cards("3d 4c")
    assert read_day(f"{mark}12/24/2026{mark}", NOW.date(), "en-US") == date(2026, 12, 24)
    assert one_span(f"{mark}8{mark} h{mark}", lambda _: True) == timedelta(hours=8)
    assert exactly(f"{mark}UTC+8{mark}", NOW) == "Etc/GMT-8"
    assert exactly(f"{mark}Paris{mark}", NOW) == "Europe/Paris"
    assert plain(f"{mark}Big{mark} Two") == "bigtwo"
    assert MomentCode.read(f"{mark}{MOMENT}{mark}") == MOMENT


@pytest.mark.parametrize("mark", HYPHENS)
def test_any_hyphen_or_dash_is_a_hyphen(mark: str) -> None:
    assert read(f"3d{mark}4c", pack()) == cards("3d 4c")
    assert read_day(f"2026{mark}12{mark}24", NOW.date(), "en-US") == date(2026, 12, 24)
    assert exactly(f"UTC{mark}8", NOW) == "Etc/GMT+8"
    assert MomentCode.read(str(MOMENT).replace("-", mark)) == MOMENT
    with pytest.raises(ValueError, match=mark):
        one_span(f"{mark}8 h", lambda _: True)


@pytest.mark.parametrize(
    "typed",
    [
        "3D。4C。", "3d：4c", "3d•4c", "3d | 4c", "3d > 4c", "(3d 4c)", "「3d 4c」", "“3d”, “4c”", "`3d` `4c`",
        "**3d 4c**", "3d 4c!", "3d… 4c",
        "3d and 4c", "方块3和梅花4", "3 rô và 4 chuồn", "3d und 4c", ":diamonds:3 :clubs:4",
    ],
)  # fmt: skip
def test_punctuation_and_a_word_for_and_stand_between_and_around_cards(typed: str) -> None:
    assert read(typed, pack()) == cards("3d 4c")


@pytest.mark.parametrize("around", ["``", "“”", "„“", "「」", '""', "''"])
def test_a_pasted_code_may_stand_between_quotation_marks(around: str) -> None:
    before, after = tuple(around)
    assert MomentCode.read(f"{before}{MOMENT}{after}") == MOMENT


def test_a_number_in_two_signs_is_one_card() -> None:
    assert read("一 十 十一 十二 十三 十四", number_pack()) == cards("1n 10n 11n 12n 13n JK")
