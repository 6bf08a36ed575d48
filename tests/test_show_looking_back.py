"""What is read of a look back: in every language, on every page, of every game."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from discord import ui

from bot.ai.levels import evaluate
from bot.ai.plain import plain_action
from bot.domain.chairs import Chair
from bot.domain.ids import TableId
from bot.games import GAMES
from bot.rules.core.asks import Choose, Give, GiveAsk, Name, Pass, Play, PlayAsk
from bot.rules.core.cards import cards
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.replay import played
from bot.rules.matches.review import Candidate, Chosen, ReviewFinding, Situation, best_findings, candidates
from bot.show.kit.card_symbols import TEXT
from bot.show.kit.layout import DOTS, PrivateScreen
from bot.show.kit.row_width import GAP, NARROW, label_width
from bot.show.kit.words import MessageText, Words, words
from bot.show.matches.review import AS_WELL, CLOSER, FINDINGS_PER_PAGE, NOTHING, FindingWords, closely, review
from tests.rules.test_review import MATCHES, RECORDED, found, hands, read
from tests.support.languages import CODES
from tests.support.replays import FullReplay
from tests.support.scenes import (
    CHAIRS,
    EMOJI,
    RULES,
    check_limits,
    drawn_view,
    persons_on_seats,
    texts,
    words_of_every_language,
)
from tests.support.short_searches import short_searches

NAME = MessageText("Big Two, table 3")
EN = words("en-US")
WORTH = " by 12.5 points"


def page_of(name: str, findings: Sequence[ReviewFinding], page: int, w: Words) -> PrivateScreen:
    return review(TableId(7), NAME, findings, page, w=w.for_players(CHAIRS, read(name).begin().rules))


@MATCHES
def test_every_review_page_of_every_game_fits(name: str) -> None:
    findings = best_findings(found(name))
    for w in words_of_every_language():
        for page in range(len(findings) // FINDINGS_PER_PAGE + 1):
            check_limits(page_of(name, findings, page, w))
        check_limits(page_of(name, (), 0, w))


@MATCHES
def test_a_hand_review_fits_and_shows_expected_points(name: str) -> None:
    record = read(name)
    better = [one for one in found(name) if one.best]
    moments = [one._replace(hand=1, step=3, gain=gain) for one in better[:2] for gain in (None, 12.5)][:3]
    for w in words_of_every_language():
        for is_running, count in ((False, 1), (True, 1), (True, 99)):
            for several in ((), moments):
                among = w.for_players(CHAIRS, record.begin().rules)
                shown = closely(TableId(7), NAME, 1, several, w=among, hands=count, is_running=is_running)
                check_limits(shown)
                assert (str(w(AS_WELL)) in texts(shown)) == (not several)
                assert texts(shown).count("12.5") == len(several) // 2


@MATCHES
def test_the_replay_of_a_running_match_fits(name: str) -> None:
    whole = FullReplay.of(7, 3, read(name), CHAIRS)
    is_running = replace(whole, replayed=replace(whole.replayed, is_running=True))
    for w in words_of_every_language():
        for step in (0, whole.last // 2, whole.last):
            check_limits(is_running.screen(step, w))


@pytest.mark.rotates(6)
@pytest.mark.parametrize("part", range(6))
def test_secret_answers_are_hidden_until_the_match_is_over(part: int) -> None:
    record, w = read("big_a.standard"), words("en-US")
    whole = FullReplay.of(7, 3, record, CHAIRS)
    is_running = replace(whole, replayed=replace(whole.replayed, is_running=True))
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


def test_a_missing_page_becomes_the_nearest() -> None:
    findings, w = best_findings(found("big_two.hong_kong")), words("en-US")
    first, last = (texts(page_of("big_two.hong_kong", findings, page, w)) for page in (0, 3))
    for page, said in ((-1, first), (4, last), (99, last)):
        assert texts(page_of("big_two.hong_kong", findings, page, w)) == said
    assert first != last


def combo(written: str) -> Combo:
    made = RULES.classify(cards(written))
    assert made
    return made


def said(finding: ReviewFinding, reader: int | None = 0, w: Words = EN) -> str:
    """Return a finding of Big Two as text; Rosa is a bot beside Ann."""
    chairs = (CHAIRS[0], Chair(1, None, "Rosa", house=True), *CHAIRS[2:])
    return FindingWords.of(w.for_players(chairs, RULES), reader).finding(finding).replace("\ufe0e", "")


def decided(done: Chosen, best: Chosen, top: str = "", gain: float | None = 1.6, **more: object) -> ReviewFinding:
    """Return the finding on what Ann did, on a play of Rosa's or leading."""
    lies = Situation(PlayAsk(may_pass=True), combo(top), 1) if top else Situation(PlayAsk(may_pass=False))
    made = ReviewFinding("better", 2, 35, 0, situation=lies, done=done, best=best, gain=gain)
    return made._replace(**more)  # type: ignore[arg-type]


def test_a_finding_shows_situation_action_better_play_and_gain() -> None:
    ace, tens = combo("Ad"), combo("Td Ts")
    assert said(decided(Pass(), ace, "Tc")) == "On Rosa's `10♣` you passed; `A♢` was better by 1.6 points."
    assert said(decided(combo("Ks"), Pass(), "Tc", 0.5)) == (
        "On Rosa's `10♣` you played `K♠`; passing was better by 0.5 points."
    )
    assert said(decided(combo("3d"), tens)) == "Leading, you played `3♢`; `10♢` `10♠` was better by 1.6 points."
    assert said(decided(combo("3d"), tens, gain=None)) == "Leading, you played `3♢`; `10♢` `10♠` was better."
    assert said(decided(combo("3d"), tens, gain=12.0, kind="out")) == (
        "Leading, you played `3♢`; going out with `10♢` `10♠` was better by 12.0 points."
    )


def test_actions_of_others_are_shown_with_their_name() -> None:
    finding = decided(Pass(), combo("Ad"), "Tc")
    assert said(finding, 2) == said(finding, None) == "On Rosa's `10♣` Ann passed; `A♢` was better by 1.6 points."
    assert said(finding, 1) == "On your `10♣` Ann passed; `A♢` was better by 1.6 points."
    assert said(decided(combo("3d"), combo("5d")), 1).startswith("Leading, Ann played `3♢`; ")


def test_of_an_a_round_it_is_said_that_it_was_one() -> None:
    game = GAMES["big_little_a"].rules("standard")
    four, seven, two = (game.classify(cards(one)) for one in ("4n", "7n", "2n"))
    assert seven
    assert two
    made = decided(seven, two)._replace(situation=Situation(PlayAsk(may_pass=False), four, 1, is_a_round=True))
    chairs = (CHAIRS[0], Chair(1, None, "Rosa", house=True), *CHAIRS[2:])
    told = FindingWords.of(EN.for_players(chairs, game), 0).finding(made)
    assert told == "In an A-round, after Rosa's `4` you played `7`; `2` was better by 1.6 points."


def test_no_semicolon_stands_alone_after_an_emoji() -> None:
    told = said(decided(combo("3d"), combo("5d")), w=words("en-US", EMOJI))
    assert re.fullmatch(r"Leading, you played <:\w+:\d+>\n<:\w+:\d+> was better by 1\.6 points\.", told)


def test_many_cards_are_named_unless_both_plays_have_the_same_name() -> None:
    game = GAMES["big_a"].rules("standard")
    written = ("5d 6c 7h 8s 9d Tc", "4d 5c 6h 7s 8d 9c", "5c 6c 7h 8s 9d Tc")
    long = [made for one in written if (made := game.classify(cards(one)))]
    assert len(long) == len(written)
    w = FindingWords.of(EN.for_players(CHAIRS, game), 0)
    others = (combo("Ad"), *long[1:])
    first, lower, alike = [w.finding(decided(long[0], other)).replace("\ufe0e", "") for other in others]
    assert first == "Leading, you played 5–10; `A♢` was better by 1.6 points."
    assert lower == "Leading, you played 5–10; 4–9 was better by 1.6 points."
    assert alike.count("`10♣`") == 2


def test_a_change_of_the_lead_names_its_play() -> None:
    finding = ReviewFinding(
        "overtaken", 2, 9, 1, situation=Situation(None, combo("9c"), 2), done=combo("Jd Js"), other=0
    )
    assert said(finding) == f"On {CHAIRS[2].name}'s `9♣` Rosa played `J♢` `J♠` and overtook you."
    assert said(finding, 1) == f"On {CHAIRS[2].name}'s `9♣` you played `J♢` `J♠` and overtook Ann."
    unknown = finding._replace(situation=None, done=None)
    assert [said(unknown, reader) for reader in (0, 1, 2)] == [
        "Rosa overtook you here.", "You overtook Ann here.", "Rosa overtook Ann here."
    ]  # fmt: skip


def test_a_returned_card_is_reviewed() -> None:
    asked = Situation(GiveAsk(Seat(2), 1, "C40.1"))
    finding = decided(Give(cards("4d")), Give(cards("3c")))._replace(situation=asked)
    assert said(finding) == "Asked for a card back, you gave `4♢`; `3♣` was better by 1.6 points."
    assert said(finding, 2) == "Asked for a card back, Ann gave `4♢`; `3♣` was better by 1.6 points."


# Every game: what its own matches have


FORM = re.compile(
    r"(?P<where>On .+'s .+|In an A-round, after .+'s .+|Leading,|Asked .+) "
    r"(?P<who>Player\d|you) (?P<did>passed|played|answered|gave)(?: .+)?; "
    r"(?P<best>.+) was better by 12\.5 points\."
)


def forms(name: str) -> Iterator[re.Match[str]]:
    """Yield what is said of each decision of a match that a plain house player would have taken otherwise."""
    match = read(name).begin()
    w = EN.for_players(persons_on_seats(match), match.rules)
    for each in decisions(name):
        best = Play(each.view.hand) if each.goes_out else each.planned
        assert best
        for reader in (each.seat, None):
            told = FindingWords.of(w, reader).finding(each.finding(best, 12.5))
            form = FORM.fullmatch(told)
            assert form, told
            assert (form["who"] == "you") == (reader == each.seat)
            yield form


def decisions(name: str) -> Iterator[Candidate]:
    """Yield the decisions of a match that a plain house player would have taken otherwise, as each seat is told."""
    for seat in range(read(name).begin().rules.players):
        for hand in hands(name):
            yield from (each for each in candidates(hand._replace(seat=seat), plain_action) if each.is_doubtful)


@MATCHES
def test_every_finding_of_every_game_has_the_same_form(name: str) -> None:
    every = list(forms(name))
    where = {form["where"].split()[0] for form in every}
    assert {"On", "Leading,"} <= where
    assert {form["did"] for form in every} >= {"passed", "played"}
    goes_out = any(form["best"].startswith("going out with ") for form in every)
    assert goes_out == any(finding.kind == "out" for finding in found(name))
    assert any(not form["best"].startswith(("going out", "passing", "“")) for form in every)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("big_a.standard", ("Show an ace?",)),
        ("a_bao.simple", ("Play solo?", "Call for a card?")),
        ("big_little_a.named_jokers", ("What do .+ stand for",)),
    ],
)
def test_decisions_that_are_no_plays_quote_their_question_and_their_answers(name: str, asked: Sequence[str]) -> None:
    told = defaultdict[str, set[str]](set)
    for form in forms(name):
        if form["where"].startswith("Asked “"):
            told[form["where"]].add(form["best"])
    for question in asked:
        found = [best for where, several in told.items() if re.search(question, where) for best in several]
        assert found, question
        assert all(best.startswith("“") and best.endswith("”") for best in found)


@pytest.mark.parametrize("name", ["a_bao.simple", "big_a.standard", "big_little_a.named_jokers", *RECORDED[:1]])
def test_the_gain_is_shown_where_known(name: str) -> None:
    """Plays are measured in every game, bids in Tàihé A Bāo."""
    kinds = defaultdict[type, set[bool]](set)
    with short_searches():
        for each in decisions(name):
            if len(kinds[type(each.done)]) < 1:
                evaluation = evaluate(each.view, each.done)
                if evaluation.loss != 0:
                    kinds[type(each.done)].add(evaluation.loss is None)
    assert kinds[Play] == {False}
    for kind in (Choose, Name, Give):
        assert kinds[kind] <= {name != "a_bao.simple"}


def test_without_findings_a_hand_review_is_offered_if_available() -> None:
    rules = read("big_two.hong_kong").begin().rules
    for count in (0, 2):
        nothing = texts(review(TableId(7), NAME, (), 0, w=EN.for_players(CHAIRS, rules), hands=count))
        assert NOTHING in nothing
        assert (CLOSER in nothing) == bool(count)


def test_each_finding_names_its_hand_and_move() -> None:
    finding = decided(Pass(), combo("Ad"), "Tc")
    rules = read("big_two.hong_kong").begin().rules
    w = EN.for_players(CHAIRS, rules)
    assert "-# Hand 2 · move 35\nOn " in texts(review(TableId(7), NAME, [finding], 0, w=w))
    assert "-# move 35\nOn " in texts(closely(TableId(7), NAME, 2, [finding], w=w, hands=2))


def rows_of(screen: PrivateScreen) -> list[list[str]]:
    """Return the labels of the buttons of a screen, row by row."""
    rows = (item for item in drawn_view(screen).walk_children() if isinstance(item, ui.ActionRow))
    found = [[each.label or "" for each in row.children if isinstance(each, ui.Button)] for row in rows]
    return [labels for labels in found if labels]


@pytest.mark.parametrize("language", CODES)
def test_replay_buttons_say_what_they_skip_and_fit_two_rows(language: str) -> None:
    rows = rows_of(FullReplay.of(7, 3, read("big_two.hong_kong"), CHAIRS).screen(5, words(language)))
    assert [len(labels) for labels in rows] == [4, 3]
    for labels in rows:
        assert sum(map(label_width, labels)) + GAP * (len(labels) - 1) <= NARROW, labels
    if language == CODES[0]:
        assert [[each.replace(TEXT, "") for each in labels] for labels in rows] == [
            ["⏮", "◀", "Move ▶", "⏭"],
            ["Trick ▶", "Hand ▶", DOTS],
        ]


def test_a_replay_names_bombs() -> None:
    record = read("tien_len.south")
    whole, kinds = FullReplay.of(7, 3, record, CHAIRS), set[bool]()
    for before, after in pairwise(range(whole.last + 1)):
        now, laid = whole.snapshot(after), played(whole.snapshot(after))
        below = whole.snapshot(before).match.view(None).trick.top
        if laid and below and now.match.number == whole.snapshot(before).match.number:
            bomb = (laid[1].kind, len(laid[1].cards)) != (below.kind, len(below.cards))
            assert (" plays a bomb, " in texts(whole.screen(after, EN))) == bomb
            kinds.add(bomb)
    assert kinds == {False, True}
