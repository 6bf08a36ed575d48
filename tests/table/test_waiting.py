"""The line for a seat: who may wait, the asked player of each seat, and the takers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.ids import UserId
from bot.domain.refusals import Barred, Refused
from bot.rules.core.asks import Ready
from bot.store.rows import ANSWER_LIMIT, WAIT_LIMIT, Waiter
from bot.table.core import chairs
from bot.table.core.commands import Act, Expel, Join, Leave, OfferSeatOf, Pause, Substitute, TakeBack
from bot.table.core.facts import Facts, MissingFact
from bot.table.core.lobby import ASKED_FIRST, NO_SEAT, OWN_CHOICE
from bot.table.core.seats import HAS_SEEN
from bot.table.core.waiting import LineChange, check_may_wait, free_seats, next_step
from tests.table.game import ANN, BEN, CAT, MO, Game
from tests.table.screens import board_text
from tests.table.world import CHANNEL, PEOPLE, mark_of, name_of

DAN, EVE, FAY = PEOPLE[3:6]
SECOND = timedelta(seconds=1)


def line(game: Game, *users: UserId) -> tuple[Waiter, ...]:
    """Return these people in line, a second after each other."""
    return tuple(Waiter(user, game.row.id, game.world.now + at * SECOND) for at, user in enumerate(users))


def step(game: Game, waiters: tuple[Waiter, ...], expected: int = 0) -> LineChange:
    return next_step(waiters, game.row, game.world.now, expected)


def why_not(game: Game, user: UserId) -> Refused | None:
    """Return the reason against waiting, or None."""
    facts = Facts(game.world.now)
    while True:
        try:
            check_may_wait(game.world.state, facts, user)
        except MissingFact as missing:
            facts = facts.knowing(missing.question, game.world._answer(missing.question))
        except Refused as refused:
            return refused
        else:
            return None


def test_the_first_in_line_is_asked_for_each_free_seat_of_a_lobby() -> None:
    game = Game(players=4, started=False)
    game.send(Leave(CAT))
    assert free_seats(game.row) == (2,)
    waiting = line(game, EVE, FAY)
    assert step(game, waiting) == LineChange(asked={EVE: 2})
    assert step(game, waiting, expected=1) == LineChange(), "a former player is awaited there"
    game.send(Leave(BEN))
    assert step(game, waiting) == LineChange(asked={EVE: 1, FAY: 2})


def test_a_seat_under_question_is_reserved_for_the_asked_user() -> None:
    game = Game(players=4, started=False)
    game.send(Leave(CAT))
    game.world.line = (Waiter(EVE, game.row.id, game.world.now, game.world.now, 2),)
    refused = game.send_refused(Join(FAY, name_of(FAY), 1))
    assert isinstance(refused, Refused)
    assert (refused.sentence, refused.values["when"]) == (ASKED_FIRST, game.world.now + ANSWER_LIMIT)
    game.send(Join(EVE, name_of(EVE), 1))
    assert step(game, game.world.line) == LineChange(gone=(EVE,))


def test_during_a_match_the_seat_of_a_player_who_left_is_free_until_it_is_taken() -> None:
    game = Game()
    assert free_seats(game.row) == ()
    game.send(Leave(CAT))
    assert step(game, line(game, EVE)) == LineChange(asked={EVE: 2})
    refused = game.send_refused(Substitute(EVE, name_of(EVE), 2))
    assert isinstance(refused, Refused)
    assert refused.sentence == chairs.NOT_OFFERED, "it is no offer to everybody"
    game.world.line = (Waiter(EVE, game.row.id, game.world.now, game.world.now, 2),)
    game.send(TakeBack(CAT))
    assert step(game, game.world.line) == LineChange(waiting=(EVE,)), "she keeps her place"
    game.send(Leave(CAT))
    game.send(Substitute(EVE, name_of(EVE), 2))
    assert (game.row.chairs[2].user, game.row.chairs[2].owner) == (EVE, CAT)


def test_places_in_line_and_questions_expire() -> None:
    game = Game(players=4, started=False)
    game.send(Leave(CAT))
    first, second = line(game, EVE, FAY)
    asked = Waiter(EVE, first.table_id, first.since, game.world.now, 2)
    assert step(game, (asked, second)) == LineChange()
    game.advance(minutes=2)
    assert step(game, (asked, second)) == LineChange(gone=(EVE,), asked={FAY: 2})
    game.advance(seconds=WAIT_LIMIT.total_seconds())
    assert step(game, (second,)) == LineChange(gone=(FAY,))


def test_no_seat_question_during_a_pause() -> None:
    game = Game()
    game.send(Leave(CAT))
    game.send(Pause(MO))
    assert step(game, line(game, EVE)) == LineChange()


REFUSALS = [
    ("nothing", None),
    ("seated", chairs.SEATED),
    ("blocked", NO_SEAT),
    ("blocks", OWN_CHOICE),
    ("has sat here", HAS_SEEN),
]


@pytest.mark.parametrize(("case", "sentence"), REFUSALS)
def test_a_user_who_could_not_take_a_seat_cannot_join_the_line(case: str, sentence: str | None) -> None:
    game, user = Game(), EVE
    if case == "seated":
        user = BEN
    elif case in ("blocked", "blocks"):
        game.world.apart[frozenset((ANN, EVE))] = ANN if case == "blocked" else EVE
    elif case == "has sat here":
        game.world.substitutes.add(mark_of(EVE))
    refused = why_not(game, user)
    assert (refused and refused.sentence) == sentence


def test_a_removed_player_cannot_join_the_line() -> None:
    game = Game()
    game.world.bars[CHANNEL, mark_of(EVE)] = game.world.now + timedelta(hours=3)
    assert isinstance(why_not(game, EVE), Barred)


def test_a_removed_player_cannot_return_after_a_substitute_leaves() -> None:
    game = Game()
    game.send(Expel(MO, 1, name_of(BEN)))
    game.send(OfferSeatOf(MO, 1, name_of(BEN)))
    game.send(Substitute(EVE, name_of(EVE), 1))
    game.send(Leave(EVE))
    assert isinstance(game.send_refused(TakeBack(BEN)), Barred)


def test_between_hands_the_board_says_how_to_get_a_seat() -> None:
    game, says = Game(hands=2), "Want a seat? Open ⋯ and press +1."
    for between, ready in ((1, True), (0, False)):
        assert says not in board_text(game)
        while not game.match.game.result:
            game.play_awaited()
        assert board_text(game).count(says) == between
        for user in PEOPLE[:3] if ready else ():
            game.send(Act(user, Ready()))
