"""Moments of the matches of every game: the code of each leads back to it, and what one jumps to is what happened."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.chairs import Chair
from bot.domain.ids import TableId
from bot.games import GAMES
from bot.rules.core.asks import Play
from bot.rules.matches.record import Record
from bot.rules.matches.replay import LAST_CARDS, Mark, Playback, Snapshot, marks
from bot.show.kit.custom_ids import MAX_TABLE_ID
from bot.show.kit.words import words
from bot.show.matches.moment_codes import SIGNS, TAKEN_FOR, InvalidMomentCode, MomentCode
from bot.show.matches.replay import moments
from tests.laws.matches import dice, records, steps
from tests.support.law_settings import law_examples

HANDS = 3
codes = st.builds(MomentCode, st.integers(0, MAX_TABLE_ID).map(TableId), st.integers(0, 10**6))


def test_a_moment_code_is_read_in_any_spelling() -> None:
    @law_examples(100)
    @given(moment=codes)
    def law(moment: MomentCode) -> None:
        code = str(moment)
        for typed in (code, code.lower(), f" {code} ", f"`{code}`", code.replace("0", "O").replace("1", "l")):
            assert MomentCode.read(typed) == moment

    law()


def test_a_code_with_one_character_mistyped_or_two_swapped_is_refused() -> None:
    @law_examples(100)
    @given(moment=codes, rng=dice)
    def law(moment: MomentCode, rng: random.Random) -> None:
        code = str(moment)
        wrong = {code[:at] + sign + code[at + 1 :] for at in range(len(code)) for sign in f"{SIGNS}-U*"} - {code}
        wrong |= {code[:at] + code[at + 1 :] + rng.choice("-*") for at in range(len(code))}
        for typed in wrong:
            with pytest.raises(InvalidMomentCode):
                MomentCode.read(typed)

    law()


def test_no_two_code_characters_are_confusable() -> None:
    assert not set(map(chr, TAKEN_FOR)) & set(SIGNS)
    assert len(set(SIGNS)) == len(SIGNS) == 32


def hands_of(record: Record, rng: random.Random) -> list[tuple[Snapshot, ...]]:
    """Play some hands and return what can be seen of each, step by step."""
    for _, seat, action in steps(record.begin(), rng, hands=HANDS):
        record = record.then(seat, action)
    playback = Playback(record, len(record.steps))
    playback.feed(record.steps)
    found = []
    for deal in range(len(playback.openings)):
        first, end = playback.plies(deal)
        found.append(playback.snapshots(deal, record.steps[first:end]))
    return found


def told_rightly(mark: Mark, snapshot: Snapshot) -> bool:
    """Tell whether the marked event happened at this step, as seen by the public."""
    assert snapshot.before is not None
    before, after = snapshot.before.view(None), snapshot.match.view(None)
    laid = any(done.seat == mark.seat and isinstance(done.action, Play) for done in snapshot.done)
    match mark.kind:
        case "trick":
            return laid and before.trick.top is None and mark.combo is not None
        case "bomb":
            return laid and before.trick.top is not None and len(mark.combo.cards if mark.combo else ()) == mark.number
    return before.counts[mark.seat] > LAST_CARDS >= after.counts[mark.seat] == mark.number


@pytest.mark.parametrize("name", GAMES)
def test_jumping_to_a_moment_shows_what_happened(name: str) -> None:
    @law_examples(3)
    @given(record=records(name, next(iter(GAMES[name].presets))), rng=dice)
    def law(record: Record, rng: random.Random) -> None:
        rules = record.begin().rules
        w = (
            words("en-US")
            .for_players([Chair(seat, None, str(seat)) for seat in range(rules.players)], rules)
            .for_labels()
        )
        for hand in hands_of(record, rng):
            found, by_step = marks(hand), {snapshot.step: snapshot for snapshot in hand if snapshot.before}
            assert [mark.step for mark in found] == sorted(mark.step for mark in found)
            tricks = [mark.number for mark in found if mark.kind == "trick"]
            assert tricks == list(range(1, len(tricks) + 1))
            assert all(told_rightly(mark, by_step[mark.step]) for mark in found)
            offered = [int(option.value[1:]) for option in moments(hand, w)]
            assert offered == sorted({mark.step for mark in found})
            assert {*offered} <= set(by_step)

    law()
