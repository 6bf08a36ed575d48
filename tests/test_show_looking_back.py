"""What is read of a look back: in every language, on every page, of every game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ground.ids import TableId
from bot.rules.review import Finding, best
from bot.rules.trick import Combo
from bot.show.layout import PrivateScreen
from bot.show.looking_back import PAGE, review
from bot.show.words import Said, Words, words
from tests.rules.test_review import MATCHES, found, read
from tests.scenes import CHAIRS, check_limits, every_voice, texts

NAME = Said("Big Two, table 3")


def page_of(name: str, findings: Sequence[Finding], page: int, w: Words) -> PrivateScreen:
    return review(TableId(7), NAME, findings, page, w.among(CHAIRS, read(name).begin().rules))


@MATCHES
def test_every_page_of_every_game_finds_room(name: str) -> None:
    findings = best(found(name))
    for w in every_voice():
        for page in range(len(findings) // PAGE + 1):
            check_limits(page_of(name, findings, page, w))
        check_limits(page_of(name, (), 0, w))


def test_a_page_that_is_not_there_becomes_the_nearest() -> None:
    findings, w = best(found("big_two.hong_kong")), words("en-US")
    first, last = (texts(page_of("big_two.hong_kong", findings, page, w)) for page in (0, 3))
    for page, said in ((-1, first), (4, last), (99, last)):
        assert texts(page_of("big_two.hong_kong", findings, page, w)) == said
    assert first != last


def test_what_is_said_is_short() -> None:
    combo: Combo = next(finding.combo for finding in found("big_two.hong_kong") if finding.combo)
    findings = [
        Finding("overtaken", 2, 9, seat=0, other=2), Finding("out", 2, 8, seat=0, combo=combo),
        Finding("house", 2, 8, seat=0), Finding("house", 1, 3, seat=0, combo=combo),
    ]  # fmt: skip
    said = "\n".join(texts(page_of("big_two.hong_kong", findings, page, words("en-US"))) for page in (0, 1))
    who, other = CHAIRS[0].name, CHAIRS[2].name
    for line in (
        f"Hand 2: {who} overtook {other} here.",
        f"Hand 2: here {who} could have gone out with ",
        f"Hand 2, {who} to play: a house player would have passed.",
        f"Hand 1, {who} to play: a house player would have played ",
    ):
        assert line in said
    nothing = texts(page_of("big_two.hong_kong", (), 0, words("en-US")))
    assert "Nothing in this match needs a second look." in nothing
