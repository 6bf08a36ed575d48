"""What is read of a look back: in every language, on every page, of every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.domain.ids import TableId
from bot.rules.core.asks import Pass, Play
from bot.rules.core.trick import Combo
from bot.rules.matches.review import ReviewFinding, best_findings
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import MessageText, Words, words
from bot.show.matches.review import AS_WELL, FINDINGS_PER_PAGE, closely, review
from tests.rules.test_review import MATCHES, found, read
from tests.support.replays import Whole
from tests.support.scenes import CHAIRS, check_limits, every_voice, texts

NAME = MessageText("Big Two, table 3")


def page_of(name: str, findings: Sequence[ReviewFinding], page: int, w: Words) -> PrivateScreen:
    return review(TableId(7), NAME, findings, page, w=w.for_players(CHAIRS, read(name).begin().rules))


@MATCHES
def test_every_page_of_every_game_finds_room(name: str) -> None:
    findings = best_findings(found(name))
    for w in every_voice():
        for page in range(len(findings) // FINDINGS_PER_PAGE + 1):
            check_limits(page_of(name, findings, page, w))
        check_limits(page_of(name, (), 0, w))


@MATCHES
def test_a_hand_looked_at_closely_finds_room_in_every_game_and_says_what_is_expected(name: str) -> None:
    record = read(name)
    moments = [
        ReviewFinding("strong", 1, 3, seat=0, combo=one.combo, gain=gain)
        for one in found(name)[:2]
        for gain in (None, 12.5)
    ][:3]
    for w in every_voice():
        for is_running, hands in ((False, 1), (True, 1), (True, 99)):
            for several in ((), moments):
                among = w.for_players(CHAIRS, record.begin().rules)
                shown = closely(TableId(7), NAME, 1, several, w=among, hands=hands, is_running=is_running)
                check_limits(shown)
                assert (str(w(AS_WELL)) in texts(shown)) == (not several)
                assert texts(shown).count("12.5") == len(several) // 2


@MATCHES
def test_the_way_through_a_match_that_is_running_finds_room_in_every_game(name: str) -> None:
    whole = Whole.of(7, 3, read(name), CHAIRS)
    is_running = replace(whole, filmed=replace(whole.filmed, is_running=True))
    for w in every_voice():
        for step in (0, whole.last // 2, whole.last):
            check_limits(is_running.screen(step, w))


@pytest.mark.rotates(6)
@pytest.mark.parametrize("part", range(6))
def test_what_was_answered_in_secret_is_not_told_before_the_match_is_over(part: int) -> None:
    record, w = read("big_a.standard"), words("en-US")
    whole = Whole.of(7, 3, record, CHAIRS)
    is_running = replace(whole, filmed=replace(whole.filmed, is_running=True))
    answers = [step for step, (_, action) in enumerate(record.steps, 1) if not isinstance(action, Play | Pass)]
    asked = {
        *answers[:2],
        *answers[2 + part :: 6],
    }  # the first two are told that a premove acted
    plans = [step for step in asked if " queues: " in texts(whole.screen(step, w))]
    assert plans
    for step in sorted(asked | {*range(25 * part, whole.last + 1, 150)}):
        now, later = texts(is_running.screen(step, w)), texts(whole.screen(step, w))
        assert " queues: " not in now
        assert step not in plans or now.splitlines()[1:9] == later.splitlines()[1:9], "all else is the same"


def test_a_page_that_is_not_there_becomes_the_nearest() -> None:
    findings, w = best_findings(found("big_two.hong_kong")), words("en-US")
    first, last = (texts(page_of("big_two.hong_kong", findings, page, w)) for page in (0, 3))
    for page, said in ((-1, first), (4, last), (99, last)):
        assert texts(page_of("big_two.hong_kong", findings, page, w)) == said
    assert first != last


def test_what_is_said_is_short() -> None:
    combo: Combo = next(finding.combo for finding in found("big_two.hong_kong") if finding.combo)
    findings = [
        ReviewFinding("overtaken", 2, 9, seat=0, other=2),
        ReviewFinding("out", 2, 8, seat=0, combo=combo),
        ReviewFinding("house", 2, 8, seat=0),
        ReviewFinding("house", 1, 3, seat=0, combo=combo),
    ]
    said = "\n".join(texts(page_of("big_two.hong_kong", findings, page, words("en-US"))) for page in (0, 1))
    who, other = CHAIRS[0].name, CHAIRS[2].name
    for line in (
        f"Hand 2: {who} overtook {other} here.",
        f"Hand 2: {who} could have gone out here with ",
        f"Hand 2, {who} to play: passing was better.",
        f"Hand 1, {who} to play: `",
    ):
        assert line in said
    assert said.count(" was better.") == 2, "the pass, and the play"
    nothing = texts(page_of("big_two.hong_kong", (), 0, words("en-US")))
    assert "No mistakes worth a second look" in nothing
