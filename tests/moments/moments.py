"""Named moments for work on screens, described by what Ann knows.

Ann has the first seat and is awaited, so every game has each moment that its questions allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match

ANN = 0
FEW_CARDS = 3  # cards
MIDDLE_TURN = 5  # turns of a lesson


class Moment(NamedTuple):
    """A moment of a match.

    about: description. reached: whether a match that awaits Ann, or whose hand is over, is at the moment; None before
    the match. full: whether all seats of the lobby are taken. hands: of the match. lesson: whether it is in a lesson,
    which Ann plays as the coach says.
    """

    about: str
    reached: Callable[[Match], bool] | None
    full: bool = True
    hands: int = 2
    lesson: bool = False


def _asked(wanted: Callable[[View], bool]) -> Callable[[Match], bool]:
    """Return a predicate: Ann is asked, and her view fulfils ``wanted``."""

    def reached(match: Match) -> bool:
        view = match.view(ANN)
        return view.result is None and view.ask is not None and wanted(view)

    return reached


def _to_play(wanted: Callable[[View], bool]) -> Callable[[Match], bool]:
    """Return a predicate: Ann is asked to play cards, and her view fulfils ``wanted``."""
    return _asked(lambda view: isinstance(view.ask, PlayAsk) and wanted(view))


def _goes_out(view: View) -> bool:
    """Whether the whole hand can be played at once."""
    try:
        view.plays.verify(view.hand)
    except Illegal:
        return False
    return True


def _bombed(view: View) -> bool:
    """Whether the top is of another kind than the play before it."""
    kinds = [move.combo.kind for move in view.trick.moves if move.combo]
    return len(kinds) > 1 and kinds[-1] != kinds[-2]


def _others(view: View) -> tuple[int, ...]:
    """Return the numbers of cards of the other players who still have cards."""
    return tuple(count for seat, count in enumerate(view.counts) if seat != ANN and count)


def _answers(view: View) -> int:
    """Return the number of answers that Ann can choose from; 0 without a question."""
    return len(view.ask.answers) if isinstance(view.ask, ChooseAsk) else 0


def _own_turns(view: View) -> int:
    """Return how often Ann has played or passed in this hand."""
    return sum(move.seat == ANN for trick in (*view.tricks, view.trick) for move in trick.moves)


_may_speak = _asked(lambda view: _answers(view) > 1)

MOMENTS: Mapping[str, Moment] = {
    "lobby": Moment("Ann has opened a table, and nobody else sits there", None, full=False),
    "full": Moment("all seats are taken, and Ann may start", None),
    "first-play": Moment("Ann plays first", _to_play(lambda view: not view.trick.moves and not view.tricks)),
    "lead": Moment("Ann leads a later trick", _to_play(lambda view: not view.trick.moves and bool(view.tricks))),
    "follow": Moment("Ann may go on, or pass", _to_play(lambda view: bool(view.trick.top and view.plays))),
    "stuck": Moment("Ann can only pass", _to_play(lambda view: bool(view.trick.top and not view.plays))),
    "bomb": Moment("a bomb lies before Ann: a play of another kind than what it beat", _to_play(_bombed)),
    "capture": Moment(
        "somebody has taken cards of this trick, as fours do in Big A",
        _to_play(lambda view: any(move.taken for move in view.trick.moves)),
    ),
    "few-left": Moment(
        "somebody else holds three cards at most", _to_play(lambda view: min(_others(view)) <= FEW_CARDS)
    ),
    "last-play": Moment("Ann can play all she holds", _to_play(_goes_out)),
    "draw": Moment(
        "all are asked at the same time, and Ann has nothing to say", _asked(lambda view: _answers(view) == 1)
    ),
    "expose": Moment("all are asked at the same time, and Ann may show an ace in Big A", _may_speak),
    "bid": Moment("all are asked at the same time, and Ann may declare in Tàihé A Bāo", _may_speak),
    "call": Moment(
        "Ann may name a card, such as in the second bidding of Tàihé A Bāo",
        _asked(lambda view: isinstance(view.ask, NameAsk)),
    ),
    "give": Moment("Ann has to give cards to somebody", _asked(lambda view: isinstance(view.ask, GiveAsk))),
    "end-of-hand": Moment("a hand is over, and another follows", lambda match: match.game.result is not None),
    "end-of-match": Moment("the match is over", lambda match: match.over, hands=1),
    "lesson": Moment("Ann begins the lesson of the game", lambda _: True, lesson=True),
    "lesson-middle": Moment(
        "Ann is in the middle of the lesson", _to_play(lambda view: _own_turns(view) >= MIDDLE_TURN), lesson=True
    ),
    "lesson-end": Moment("Ann has played the lesson to its end", lambda match: match.over, lesson=True),
}
