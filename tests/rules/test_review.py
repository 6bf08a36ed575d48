"""The review of a match: each finding looked up again in the whole record, by what its seat saw and might do then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import ORDER, Action, Choose, ChooseAsk, Pass, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal, Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.replay import Playback, ReplayedAction
from bot.rules.matches.review import (
    MAX_FINDINGS,
    MAX_REVIEWED_HANDS,
    Candidate,
    ReviewedHand,
    ReviewFinding,
    best_findings,
    candidates,
    deciding_hand,
    hands_to_review,
    has_choice,
    turning_points,
)
from tests.golden.play import golden_path
from tests.laws.matches import offered

RECORDED = ("big_two.hong_kong", "big_a.standard", "a_bao.three", "big_little_a.standard", "tien_len.south")
MATCHES = pytest.mark.parametrize("name", RECORDED)


@lru_cache
def read(name: str) -> Record:
    return Record.from_json(golden_path(*name.split(".")).read_text(), GAMES)


@lru_cache
def hands(name: str) -> tuple[ReviewedHand, ...]:
    """Return the finished hands of a match, all of it played by people."""
    record = read(name)
    playback, first = Playback.of(record), deciding_hand(record.replay())
    return tuple(hand(playback, record, deal, first) for deal in range(len(playback.openings)))


def hand(playback: Playback, record: Record, deal: int, first: int) -> ReviewedHand:
    begin, end = playback.plies(deal)
    number = playback.openings[deal].number
    return ReviewedHand(
        number, playback.snapshots(deal, record.steps[begin:end]), (True,) * (end - begin), number == first
    )


@lru_cache
def found(name: str) -> tuple[ReviewFinding, ...]:
    return tuple(finding for hand in hands(name) for finding in all_of(hand))


def all_of(hand: ReviewedHand) -> list[ReviewFinding]:
    """Return the findings of a hand, including all better plays of a house player."""
    return [*turning_points(hand), *(told(each) for each in candidates(hand, plain_action) if each.is_doubtful)]


def told(candidate: Candidate) -> ReviewFinding:
    """Return what is told of a decision if a house player is right."""
    best = Play(candidate.view.hand) if candidate.goes_out else candidate.planned
    assert best
    return candidate.finding(best, None)


Turn = tuple[Match, int, Action, Match]


@lru_cache
def turns(name: str) -> dict[tuple[int, int], Turn]:
    """Return the action of each public step, with the match before and after.

    An answer in secret that was changed counts once: as it was given in the end, and by what was seen at first, or
    after answers that were queued.
    """
    record, found = read(name), dict[tuple[int, int], Turn]()
    every = list(record.positions())
    for before, (seat, action), after in zip(every, record.steps, every[1:], strict=False):
        key = before.moment, seat
        changed = key in found and isinstance(found[key][2], Choose) and not queued(found[key][2])
        found[key] = (found[key][0] if changed else before), seat, action, after
    return found


def queued(action: Action) -> bool:
    return isinstance(action, Choose) and action.codes[0] == ORDER


def gone(match: Match, seat: int) -> bool:
    return match.view(None).counts[seat] == 0


def could_go_out(match: Match, seat: int) -> bool:
    view = match.view(seat)
    try:
        return isinstance(view.ask, PlayAsk) and gone(match.act(seat, Play(view.hand)), seat)
    except Illegal:
        return False


def test_recorded_matches_cover_the_five_games() -> None:
    assert {name.split(".")[0] for name in RECORDED} == set(GAMES)
    kinds = {finding.kind for name in RECORDED for finding in found(name)}
    assert kinds == {"overtaken", "out", "better"}


@MATCHES
def test_findings_include_exactly_the_missed_chances_to_go_out(name: str) -> None:
    missed = {key for key, (before, seat, _, after) in turns(name).items()
              if could_go_out(before, seat) and not gone(after, seat)}  # fmt: skip
    outs = [finding for finding in found(name) if finding.kind == "out"]
    assert {(finding.step, finding.seat) for finding in outs} == missed
    for finding in outs:
        before, seat, _, _ = turns(name)[finding.step, finding.seat]
        assert finding.hand == before.number
        assert isinstance(finding.best, Combo)
        assert sorted(map(str, finding.best.cards)) == sorted(map(str, before.view(seat).hand))


@MATCHES
def test_findings_are_reproducible_from_the_view_of_their_seat(name: str) -> None:
    better = [finding for finding in found(name) if finding.kind == "better"]
    assert better
    for finding in better:
        before, seat, action, _ = turns(name)[finding.step, finding.seat]
        answer = plain_action(before.view(seat))
        assert not could_go_out(before, seat)
        if isinstance(answer, Play):
            assert isinstance(finding.best, Combo)
            assert sorted(map(str, answer.cards)) == sorted(map(str, finding.best.cards))
        else:
            assert finding.best == answer
        if isinstance(answer, Play) and isinstance(action, Play):
            assert before.rules.alike(answer.cards) != before.rules.alike(action.cards)
        else:
            assert answer != action


@MATCHES
def test_each_finding_has_its_situation_and_the_action_taken(name: str) -> None:
    for finding in found(name):
        if finding.kind == "overtaken":
            continue
        before, seat, action, _ = turns(name)[finding.step, finding.seat]
        view, asked = before.view(seat), finding.situation
        assert asked
        assert type(asked.ask) is type(view.ask)
        assert (asked.top, asked.owner) == (view.trick.top, view.trick.owner)
        assert (asked.top is None) == (asked.owner is None)
        if isinstance(action, Play):
            assert isinstance(finding.done, Combo)
            assert sorted(map(str, finding.done.cards)) == sorted(map(str, action.cards))
        else:
            assert finding.done == action


@pytest.mark.parametrize("name", ["big_a.standard", "a_bao.three", "a_bao.simple", "big_little_a.named_jokers"])
def test_decisions_other_than_plays_are_reviewed(name: str) -> None:
    record, seats = read(name), range(read(name).begin().rules.players)
    reviewed = [hand._replace(seat=seat) for hand in hands(name) for seat in seats]
    asked = {type(each.view.ask) for hand in reviewed for each in candidates(hand, plain_action)}
    happened = zip(record.positions(), record.steps, strict=False)
    kinds = {type(match.view(seat).ask) for match, (seat, action) in happened
             if has_choice(ReplayedAction(match, Seat(seat), action))}  # fmt: skip
    assert asked == kinds
    assert len(kinds) > 1


def test_a_secret_answer_is_reviewed_for_its_seat_only() -> None:
    """In Tàihé A Bāo it stays secret forever, in Big A until the match is over."""

    def seats(hand: ReviewedHand) -> set[int]:
        return {each.seat for each in candidates(hand, plain_action) if isinstance(each.done, Choose)}

    for name, later in (("a_bao.three", False), ("big_a.standard", True)):
        asked = {seat for hand in hands(name) for seat in seats(hand)}
        running = {seat for hand in hands(name) for seat in seats(hand._replace(over=False))}
        own = [
            {seat for hand in hands(name) for seat in seats(hand._replace(over=False, seat=one))} for one in range(3)
        ]
        assert bool(asked) == later
        assert not running
        assert any(own)
        assert all(found <= {one} for one, found in enumerate(own))


@MATCHES
def test_the_review_uses_the_view_of_the_seat_only(name: str) -> None:
    seen = list[View]()

    def look(view: View) -> None:
        seen.append(view)

    for hand in hands(name):
        assert not any(each.is_doubtful and not each.goes_out for each in candidates(hand, look))
    asked = [before.view(seat) for before, seat, action, _ in turns(name).values()
             if has_choice(ReplayedAction(before, Seat(seat), action))]  # fmt: skip
    told = [view for view in asked if not (isinstance(view.ask, ChooseAsk) and view.ask.stays_secret)]
    assert len(seen) == len(told)
    assert all(view in told for view in seen)


@MATCHES
def test_a_change_of_lead_is_reported_at_its_step(name: str) -> None:
    every = {after.moment: (before, after) for before, _, _, after in turns(name).values()}
    overtaken = [finding for finding in found(name) if finding.kind == "overtaken"]
    assert len(overtaken) <= 1
    for finding in overtaken:
        before, after = (match.view(None).counts for match in every[finding.step])
        assert finding.other is not None
        assert after[finding.seat] < after[finding.other]
        assert before[finding.seat] >= before[finding.other]
        assert finding.hand == deciding_hand(read(name).replay())
        assert first_out(name, finding.hand) == finding.seat


def first_out(name: str, number: int) -> int:
    """Return who went out first in a hand."""
    played = (turn for turn in turns(name).values() if turn[0].number == number and isinstance(turn[2], Play))
    return next(seat for _, seat, _, after in played if gone(after, seat))


def leaders(match: Match, after: int) -> list[int]:
    ranking = match.rules.ranking(match.results[:after])
    return [seat for seat in range(match.rules.players) if ranking[seat] == min(ranking)]


@pytest.mark.parametrize("name", [*RECORDED, "a_bao.five", "big_two.indonesia", "big_two.two_player"])
def test_the_deciding_hand_is_where_the_winners_took_the_lead(name: str) -> None:
    match = read(name).replay()
    first, end = deciding_hand(match), len(match.results)
    assert all(leaders(match, after) == leaders(match, end) for after in range(first, end + 1))
    assert first == 1 or leaders(match, first - 1) != leaders(match, end)
    assert hands_to_review(match)[0] == first
    assert len(hands_to_review(match)) == len(set(hands_to_review(match))) == min(MAX_REVIEWED_HANDS, end)


def shown(name: str) -> Iterator[tuple[int, bool, int]]:
    """Give of each better choice whether it is of another hand, no missed chance, and how near the next rival was."""
    first = deciding_hand(read(name).replay())
    for finding in best_findings(found(name)):
        if finding.kind == "better":
            before, seat, action, _ = turns(name)[finding.step, finding.seat]
            view = before.view(seat)
            missed = not isinstance(view.ask, PlayAsk) or (isinstance(action, Pass) and isinstance(finding.best, Combo))
            rivals = set(range(len(view.counts))) - {seat} - view.allies
            near = min(view.counts[rival] for rival in rivals if view.counts[rival])
            yield finding.hand != first, not missed, near


@MATCHES
def test_the_best_findings_come_first_one_of_each_kind(name: str) -> None:
    every, shortened = found(name), best_findings(found(name))
    assert len(shortened) == min(MAX_FINDINGS, len(every))
    kinds = {finding.kind for finding in every}
    assert {finding.kind for finding in shortened[: len(kinds)]} == kinds
    assert list(shown(name)) == sorted(shown(name))


@MATCHES
def test_actions_not_chosen_by_a_person_give_no_finding(name: str) -> None:
    """House players, the clock and queued plays are not criticised; that the lead changed is true of any player."""
    alone = [finding for hand in hands(name) for finding in all_of(hand._replace(persons=(False,) * 999))]
    assert alone == [finding for finding in found(name) if finding.kind == "overtaken"]


@MATCHES
def test_forced_actions_give_no_finding(name: str) -> None:
    for finding in found(name):
        if finding.kind != "overtaken":
            before, seat, action, _ = turns(name)[finding.step, finding.seat]
            assert [other for other in offered(before.view(seat)) if other != action]


@MATCHES
def test_findings_before_a_lost_race_come_first(name: str) -> None:
    lost = list[bool]()
    for finding in best_findings(found(name)):
        if finding.kind == "out":
            later = ((seat, after) for (step, _), (before, seat, _, after) in turns(name).items()
                     if step > finding.step and before.number == finding.hand)  # fmt: skip
            lost.append(next((seat for seat, after in later if gone(after, seat)), finding.seat) != finding.seat)
    assert lost == sorted(lost, reverse=True)
