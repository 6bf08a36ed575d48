"""Lessons: the prepared deals, and a coach who always has a legal answer with a reason, whatever the learner does."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from discord import ui

from bot.ai.coach import coach_turn
from bot.ai.coach_reasons import SAID
from bot.ai.plain import timeout_action
from bot.ai_pool.moves import choose_action, dice_seed
from bot.club.practice import lesson_rules
from bot.domain.chairs import Chair, Level
from bot.games import GAMES, LESSONS
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.coaching.moments import MOMENTS
from bot.rules.coaching.sheet import CoachTurn, parse_lesson
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import cards, without
from bot.rules.core.game import View
from bot.rules.core.sentences import Note
from bot.rules.matches.match import Match
from bot.scene import Scene
from bot.show.contests.coach import happened
from bot.show.contests.practice import lesson_button
from bot.show.hand.hand import hand
from bot.show.hand.offered_plays import ready
from bot.show.kit import phrases
from bot.show.kit.words import words
from bot.table.core.chairs import HOUSE_NAMES
from tests.moments.lesson_deals import LESSON_TWISTS, LessonWalk, play_lesson
from tests.rules.big_little_a_positions import after, table
from tests.support.scenes import (
    check_limits,
    drawn_view,
    persons_on_seats,
    scene,
    texts,
    with_changes,
    words_of_every_language,
)

EN = words("en-US")
every_lesson = pytest.mark.parametrize("game", LESSONS)
LONGEST = 25  # decisions: ten minutes, at twenty-odd seconds each
ANSWER = ("Try ", "I'd pass.", "Give ", "I'd pick: ")
ASKED = ("**Your turn", "**")


def advised(game: str) -> LessonWalk:
    """Return the prepared lesson of a game as played by the coach's advice."""
    return play_lesson(game, LESSONS[game].seed)


def chairs_of(match: Match) -> tuple[Chair, ...]:
    """Return a person with a name on each seat."""
    return tuple(replace(chair, name=HOUSE_NAMES[chair.seat]) for chair in persons_on_seats(match))


def seen(match: Match, coach: CoachTurn | None) -> Scene:
    """Return a lesson as its learner sees it."""
    at = scene(match, match.moment, 0, chairs=chairs_of(match))
    return with_changes(at, solo="lesson", coach=coach, undo=True, guild=0, home=0, message=None)


def any_action(view: View, rng: random.Random) -> Action:
    """Return any legal action."""
    match view.ask:
        case PlayAsk(may_pass=may_pass):
            plays = view.plays.first(60)
            return Pass() if may_pass and (not plays or rng.random() < 0.3) else Play(rng.choice(plays).cards)
        case ChooseAsk() as ask:
            return Choose(rng.choice(ask.offered).codes)
        case NameAsk() as ask:
            return Pass() if ask.may_pass and rng.random() < 0.3 else Name(rng.choice(ask.cards))
        case GiveAsk() as ask:
            return Give(tuple(rng.sample(ask.givable(view.hand), ask.count)))
    return timeout_action(view)


def strayed(game: str, seed: str) -> Iterator[tuple[Match, View, CoachTurn | None]]:
    """Play a deal of a lesson's game at random, against house players; yield each decision of the learner."""
    rng, said = random.Random(seed), set[str]()
    match = Match.start(lesson_rules(game).rules, seed)
    while not match.game.result:
        seat, before = min(match.awaited), match
        view = match.view(seat)
        if seat == 0:
            coach = coach_turn(view, LESSONS[game], said)
            said |= {coach.concept} if coach and coach.concept else set()
            yield match, view, coach
            match = match.act(seat, any_action(view, rng))
        else:
            match = match.act(seat, choose_action(view) or timeout_action(view))
        assert match != before


def test_every_built_in_game_has_an_optional_lesson() -> None:
    assert {"big_two", "big_a", "a_bao", "big_little_a", "tien_len"} <= LESSONS.keys() <= GAMES.keys()
    assert lesson_button("stairs", EN) is None


@every_lesson
def test_following_the_coach_wins_in_a_few_minutes(game: str) -> None:
    walked = advised(game)
    assert walked.match is not None
    assert walked.match.over
    assert walked.won
    assert walked.first_out == 0
    assert walked.tricks >= 2
    assert len(walked.decisions) <= LONGEST


@every_lesson
def test_each_turn_has_a_reason_and_no_concept_comes_twice(game: str) -> None:
    walked = advised(game)
    assert all(one.coach and one.coach.why for one in walked.decisions)
    assert len(walked.concepts) == len(set(walked.concepts)) >= 5


@every_lesson
def test_a_lesson_includes_beating_leading_and_going_out(game: str) -> None:
    walked = advised(game)
    plays = [one for one in walked.decisions if isinstance(one.action, Play)]
    assert any(one.view.trick.top for one in plays)
    assert any(not one.view.trick.top and one.view.tricks for one in plays)
    assert any(len(one.action.cards) > 1 for one in plays if isinstance(one.action, Play))
    assert walked.match
    assert not walked.match.view(0).hand


@every_lesson
def test_a_lesson_includes_the_twist_of_its_game(game: str) -> None:
    met = {
        name
        for one in advised(game).decisions
        for name, moment in MOMENTS.items()
        if one.coach and moment(one.view, one.coach.action)
    }
    assert met.issuperset(LESSON_TWISTS[game])


@every_lesson
def test_each_turn_shows_the_question_and_a_good_answer(game: str) -> None:
    walked, match = advised(game), Match.start(lesson_rules(game).rules, LESSONS[game].seed)
    for one in walked.decisions:
        match = next_decision(match, game, LESSONS[game].seed)
        lines = texts(hand(seen(match, one.coach), EN, where="")).splitlines()
        assert any(line.startswith(ASKED) for line in lines), lines
        assert sum(line.startswith(ANSWER) for line in lines) == 1, lines
        match = match.act(0, one.action)


def next_decision(match: Match, game: str, seed: str) -> Match:
    """Return the match at the learner's next decision, as house players bring it there."""
    while 0 not in match.awaited:
        seat = min(match.awaited)
        match = match.act(seat, choose_action(match.view(seat), Level.EASY, dice_seed(seed, seat, match.ply)) or Pass())
    return match


@every_lesson
def test_the_advice_is_legal_after_any_play_of_the_learner(game: str) -> None:
    for seed in ("one", "two", "three"):
        for match, view, coach in strayed(game, seed):
            asked = view.ask is not None and not (isinstance(view.ask, ChooseAsk) and view.ask.given)
            assert (coach is not None) == asked
            assert coach is None or match.act(0, coach.action) != match
            assert coach is None or coach.why


@every_lesson
def test_claims_of_a_reason_about_other_cards_are_true(game: str) -> None:
    for seed in ("one", "two", "three"):
        for _, view, coach in strayed(game, seed):
            if coach and coach.why and isinstance(coach.action, Play | Pass):
                check_reason(view, coach.action, coach.why)


def check_reason(view: View, action: Play | Pass, why: Note) -> None:
    """Fail if a reason names cards that are not kept, broken up, or left as it says."""
    values = dict(why.values)
    rest = without(view.hand, action.cards) if isinstance(action, Play) else view.hand
    if why.sentence in (SAID["kept"], SAID["breaks"]):
        kept = {card.rank for card in values["combo"].cards}
        assert kept <= {card.rank for card in rest}
    if why.sentence == SAID["breaks"]:
        assert {*values["set"].cards} & {*rest}
    if why.sentence == SAID["belongs"]:
        assert {*values["play"].cards} < {*values["combo"].cards} <= {*view.hand}
    if "Then {combo} is all you have left." in why.sentence:
        assert values["combo"].cards == rest
    if why.sentence == SAID["stuck"]:
        assert not view.plays


def test_a_lesson_addresses_the_learner_and_shows_the_coachs_play() -> None:
    seed = LESSONS["a_bao"].seed
    match = Match.start(lesson_rules("a_bao").rules, seed)
    for one in advised("a_bao").decisions:
        match = next_decision(match, "a_bao", seed)
        said = texts(hand(seen(match, one.coach), EN, where=""))
        assert HOUSE_NAMES[0] not in said
        assert not isinstance(one.action, Give) or "give" in said
        match = match.act(0, one.action)


@every_lesson
def test_the_quick_buttons_include_the_coachs_play(game: str) -> None:
    for match, view, coach in strayed(game, "one"):
        if coach and isinstance(coach.action, Play):
            first = ready(seen(match, coach), view)[0]
            assert first.cards == view.plays.verify(coach.action.cards).cards


@every_lesson
def test_the_coach_fits_into_every_hand_in_every_language(game: str) -> None:
    for number, (match, _, coach) in enumerate(strayed(game, "limits")):
        if number % 4 == 0:
            for w in words_of_every_language():
                check_limits(hand(seen(match, coach), w, where=""))


@every_lesson
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_the_learner_makes_every_own_move(game: str, seed: str) -> None:
    match, rng, made = Match.start(lesson_rules(game).rules, seed), random.Random(seed), 0
    while not match.game.result:
        seat = min(match.awaited)
        view = match.view(seat)
        made += seat == 0 and isinstance(view.ask, PlayAsk)
        match = match.act(seat, any_action(view, rng) if seat == 0 else choose_action(view) or timeout_action(view))
    moves = [move for trick in match.view(0).ended_tricks for move in trick.moves if move.seat == 0]
    assert sum(bool(move.combo) or not move.taken for move in moves) == made


@every_lesson
def test_what_happened_names_a_player_once(game: str) -> None:
    for seed in (LESSONS[game].seed, "one", "two", "three"):
        for match, _, coach in strayed(game, seed):
            shown = texts(hand(seen(match, coach), EN, where="")).splitlines()
            for line in (line for line in shown if line.startswith("🎓")):
                named = re.findall("|".join(HOUSE_NAMES), line)
                assert len(named) == len(set(named)), line


@every_lesson
def test_a_turn_to_follow_says_whether_a_pass_is_final(game: str) -> None:
    final = {"tien_len": "wait for the next trick", "big_little_a": "Your only turn this round"}
    for match, view, coach in strayed(game, "one"):
        if isinstance(view.ask, PlayAsk) and view.trick.top and not view.ask.limit:
            assert final.get(game, "pass for now") in texts(hand(seen(match, coach), EN, where=""))


@every_lesson
def test_between_turns_the_coach_names_the_next_player_and_asks_nothing(game: str) -> None:
    match = Match.start(lesson_rules(game).rules, LESSONS[game].seed)
    while not match.game.result:
        seat = min(match.awaited)
        if 0 not in match.awaited and not match.game.secrecy.together:
            said = texts(hand(seen(match, None), EN, where=""))
            assert f"### **{HOUSE_NAMES[seat]}**" in said
            assert "Your turn" not in said
            assert not any(line.startswith(ANSWER) for line in said.splitlines())
        view = match.view(seat)
        match = match.act(seat, choose_action(view) or timeout_action(view))


def test_winning_an_a_round_explains_the_card_taken() -> None:
    seed = LESSONS["big_little_a"].seed
    match, said = Match.start(lesson_rules("big_little_a").rules, seed), list[str]()
    for lead in ("6n 6n", "2n"):
        match = next_decision(match, "big_little_a", seed).act(0, Play(cards(lead)))
        match = next_decision(match, "big_little_a", seed)
        said.append(texts(hand(seen(match, None), EN, where="")))
    assert "so you had to take `a` from the middle." in said[0], "after the first round"
    assert "so you had to take" not in said[1]


def told(game: BigLittleAGame, seat: int) -> str:
    """Return what a seat reads of the events before its turn."""
    view = game.view(seat)
    return happened(view, EN.for_players([Chair(at, None, name) for at, name in enumerate(HOUSE_NAMES)], view.rules))


def test_others_read_who_had_to_take_an_a_card_from_the_middle() -> None:
    won, ben = after(table("2 9 9", "5 7 7", "3 8 8", number=1), "2", "5", "-"), HOUSE_NAMES[1]
    assert told(won, 2) == f"{ben} won the round and had to take `a` from the middle."
    assert told(after(won, "7"), 2) == f"{ben} won the round, had to take `a` from the middle, and leads:"
    assert told(after(won, "7 7"), 2).startswith(f"{ben} won the round, had to take `a` from the middle, and leads a ")


def test_a_tie_for_an_a_card_is_told_as_one() -> None:
    tied, ben = after(table("a 9 9", "5 7 7", "5 8 8", "4 6 6"), "a", "5", "5", "4"), HOUSE_NAMES[1]
    assert told(tied, 1) == "You were first to play the highest card, so you took `a`."
    assert told(tied, 2) == f"{ben} was first to play the highest card and took `a`."
    assert told(after(tied, "7"), 2) == f"{ben} was first to play the highest card, took `a`, and leads:"
    alone = after(table("a 9 9", "5 7 7", "3 8 8", "4 6 6"), "a", "5", "3", "4")
    assert told(alone, 2) == f"{ben} had the highest card and took `a`."


@every_lesson
def test_the_coach_never_passes_with_a_play_after_which_one_is_left(game: str) -> None:
    views = [(one.view, one.coach) for one in advised(game).decisions]
    views += [(view, coach) for seed in ("one", "two", "three") for _, view, coach in strayed(game, seed)]
    for view, coach in views:
        if coach and isinstance(coach.action, Pass) and view.trick.top and view.trick.owner not in view.allies:
            left_to_others = any(all(MOMENTS[name](view, Pass()) for name in when) for when in LESSONS[game].lose)
            plays = [Play(combo.cards) for combo in view.plays.first(60)]
            last = [one for one in plays if MOMENTS["nearly_out"](view, one) and not MOMENTS["capture"](view, one)]
            assert left_to_others or not last


def test_the_coach_avoids_winning_a_round_with_an_a_card() -> None:
    waiting = [one for one in advised("big_little_a").decisions if dict(one.view.facts).get("middle")]
    assert [one.view.trick.top is None for one in waiting] == [True, False]
    assert [len(one.action.cards) if isinstance(one.action, Play) else 0 for one in waiting] == [1, 0]


@every_lesson
def test_every_sentence_of_a_lesson_fits_in_every_language(game: str) -> None:
    sheet = LESSONS[game]
    match = Match.start(lesson_rules(game).rules, sheet.seed)
    for sentence in sheet.once:
        for w in words_of_every_language():
            check_limits(hand(seen(match, CoachTurn(timeout_action(match.view(0)), None, sentence.text)), w, where=""))


@every_lesson
def test_the_last_page_shows_result_lessons_and_next_steps(game: str) -> None:
    walked = advised(game)
    assert walked.match
    shown = hand(seen(walked.match, None), EN, where="")
    assert f"You won {walked.tricks} {'rounds' if game == 'big_little_a' else 'tricks'}." in texts(shown)
    assert "Well played!" in texts(shown)
    assert texts(shown).count("\n- ") == 3
    result = walked.match.view(0).result
    assert result
    assert f"-# Points: {HOUSE_NAMES[0]} " in texts(shown)
    assert (f"-# First to last: {HOUSE_NAMES[0]}, " in texts(shown)) == (game in ("big_a", "tien_len"))
    named = EN.for_players(chairs_of(walked.match), walked.match.rules)
    assert all(f"-# {phrases.note(note, named)}" in texts(shown) for note in result.notes)
    labels = [item.label for item in drawn_view(shown).walk_children() if isinstance(item, ui.Button)]
    assert labels == ["Play a match", "Once more", "↩", "How to play", "🧩 Puzzles"]
    for w in words_of_every_language():
        check_limits(hand(seen(walked.match, None), w, where=""))


def test_a_lesson_with_an_unknown_trigger_is_refused() -> None:
    sentence = {"when": "begin, never", "say": "..."}
    raw = {"seed": "x", "beat_or_pass": "...", "once": [sentence], "reasons": [], "learned": []}
    with pytest.raises(ValueError, match="no moment never"):
        parse_lesson(raw)


def test_every_lesson_trigger_is_used() -> None:
    used = {name for sheet in LESSONS.values() for one in (*sheet.once, *sheet.reasons) for name in one.moments}
    assert MOMENTS.keys() == used | {"last_play"}
