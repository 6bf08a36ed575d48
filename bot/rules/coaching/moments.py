"""The moments of a hand at which a coach has something to say, by name.

Each is a pure question about a learner's View and the action that the coach recommends there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Card, Cards, Rank, card, jokers, without
from bot.rules.core.game import View
from bot.rules.core.trick import Combo, Move, Trick

Moment: TypeAlias = Callable[[View, Action], bool]

FIVE = 5  # cards of a poker hand
FEW = 2  # cards: an opponent with no more of them is about to go out
A_CARDS: Final = (Rank.LITTLE_A, Rank.BIG_A)
A_CARD_FACTS: Final = {"little": card("LA"), "big": card("BA")}  # by the fact that names its holder


def _top(view: View) -> Combo | None:
    return view.trick.top if isinstance(view.ask, PlayAsk) else None


def _cards(action: Action) -> Cards:
    return action.cards if isinstance(action, Play) else ()


def _leads(view: View, _: Action) -> bool:
    return isinstance(view.ask, PlayAsk) and view.trick.top is None


def _won(view: View, action: Action) -> bool:
    return _leads(view, action) and bool(view.tricks) and view.tricks[-1].owner == view.seat


def has_played(view: View) -> bool:
    """Tell whether the seat of a view has played or passed in this hand."""
    return any(move.seat == view.seat for trick in (*view.tricks, view.trick) for move in trick.moves)


def _begins(view: View, _: Action) -> bool:
    return isinstance(view.ask, PlayAsk) and not has_played(view)


def _beaten(view: View, _: Action) -> bool:
    """Another player has beaten a play of the seat in the current trick."""
    own = any(move.seat == view.seat and move.combo for move in view.trick.moves)
    return isinstance(view.ask, PlayAsk) and own and view.trick.owner != view.seat


def _follows(size: int) -> Moment:
    def follows(view: View, _: Action) -> bool:
        top = _top(view)
        plain = top is not None and not view.rules.bomb(top) and not is_a_round(view.trick)
        return plain and top is not None and len(top.cards) == size

    return follows


def _follows_many(view: View, _: Action) -> bool:
    top = _top(view)
    return top is not None and len(top.cards) > 2


def _follows_run(view: View, _: Action) -> bool:
    top = _top(view)
    return top is not None and _is_run(top.cards)


def _is_run(cards: Cards) -> bool:
    """Tell whether a legal play of several cards has each rank once, as sequences have."""
    return len(cards) > 2 and len({card.rank for card in cards}) == len(cards)


def _is_stuck(view: View, action: Action) -> bool:
    return _top(view) is not None and not view.plays and isinstance(action, Pass)


def _saves(view: View, action: Action) -> bool:
    """The coach recommends a pass although a play is possible."""
    return _top(view) is not None and bool(view.plays) and isinstance(action, Pass)


def _saves_jokers(view: View, action: Action) -> bool:
    """The coach recommends a pass where only jokers together would beat the top."""
    plays = view.plays.first(FEW) if _saves(view, action) else []
    return bool(plays) and all(len(play.cards) > 1 and {*play.cards} <= {*jokers()} for play in plays)


def _has_rival_near_end(view: View, _: Action) -> bool:
    if not (view.rules.counted and isinstance(view.ask, PlayAsk)):
        return False
    apart = {view.seat, *view.allies}
    return any(0 < count <= FEW for seat, count in enumerate(view.counts) if seat not in apart)


def _goes_out(view: View, action: Action) -> bool:
    return bool(_cards(action)) and len(_cards(action)) == len(view.hand)


def _is_nearly_out(view: View, action: Action) -> bool:
    """After the recommended play, one combination is left."""
    played = _cards(action)
    rest = without(view.hand, played) if played else ()
    return bool(rest) and view.rules.classify(rest) is not None


def _throws_bomb(view: View, action: Action) -> bool:
    """The coach recommends a bomb on something that is none."""
    combo, top = view.rules.classify(_cards(action)) if _cards(action) else None, _top(view)
    return combo is not None and top is not None and view.rules.bomb(combo) and not view.rules.bomb(top)


def _meets_bomb(view: View, _: Action) -> bool:
    top = _top(view)
    return top is not None and view.rules.bomb(top)


def _meets_two(view: View, _: Action) -> bool:
    top = _top(view)
    return top is not None and len(top.cards) == 1 and top.head.rank is Rank.TWO


def _plays_two(_: View, action: Action) -> bool:
    return {card.rank for card in _cards(action)} == {Rank.TWO}


def _captures(view: View, action: Action) -> bool:
    """The recommended play takes cards from the pile, as fours do in some games."""
    top, played = _top(view), _cards(action)
    return top is not None and len(played) < len(top.cards) and {card.rank for card in played} == {Rank.FOUR}


def _is_asked(view: View, _: Action) -> bool:
    return isinstance(view.ask, ChooseAsk)


def _answers(view: View, action: Action) -> bool:
    """The coach recommends another answer than the declining one."""
    return isinstance(view.ask, ChooseAsk) and action != Choose(view.ask.answers[0].codes)


def _has_no_choice(view: View, _: Action) -> bool:
    return isinstance(view.ask, ChooseAsk) and len(view.ask.offered) == 1


def _declines(view: View, action: Action) -> bool:
    return isinstance(view.ask, ChooseAsk) and action == Choose(view.ask.answers[0].codes)


def _says(code: str) -> Moment:
    """Return a moment.

    The coach recommends an answer with this code, or with this beginning of a code.
    """
    return lambda _, action: isinstance(action, Choose) and action.codes[0].split(":")[0] == code


def _fact(name: str) -> Moment:
    return lambda view, _: any(known == name for known, _ in view.facts)


def _own_fact(name: str) -> Moment:
    return lambda view, _: any(known == name and value == view.seat for known, value in view.facts)


def _is_solo(view: View, _: Action) -> bool:
    """The seat plays alone against everyone else, as it knows."""
    teams = view.own_teams
    return teams is not None and teams.declaring == {view.seat} and len(teams.against) == len(view.counts) - 1


def _has_ally(view: View, _: Action) -> bool:
    return bool(view.allies)


def _is_against(view: View, _: Action) -> bool:
    return view.own_teams is not None and view.seat in view.own_teams.against


def _is_ally_on_top(view: View, _: Action) -> bool:
    return _top(view) is not None and view.trick.owner in view.allies


def leading_move(trick: Trick) -> Move:
    """Return the first play of a trick that has begun."""
    return next(move for move in trick.moves if move.combo)


def is_a_round(trick: Trick) -> bool:
    """Tell whether a trick was led with an A card, which its highest card takes."""
    return any(_is_led_with(rank, trick) for rank in A_CARDS)


def _is_led_with(rank: Rank, trick: Trick) -> bool:
    led = leading_move(trick).combo if trick.top else None
    return led is not None and led.head.rank is rank


def _has_been_led(rank: Rank) -> Moment:
    """Return a moment: a card of this rank led an earlier trick."""
    return lambda view, _: any(_is_led_with(rank, trick) for trick in view.tricks)


def is_tied(trick: Trick) -> bool:
    """Tell whether several cards of an A round are the highest; the first takes all."""
    strengths = [move.combo.strength for move in trick.moves if move.combo]
    return strengths.count(max(strengths)) > 1


def card_just_taken(view: View, seat: int) -> Card | None:
    """Return the A card that a seat took in the last round and cannot lead yet.

    Returns None if there is no such card.
    """
    facts = dict(view.facts)
    taken = (held for name, held in A_CARD_FACTS.items() if facts.get(name) == seat and f"{name}_from" in facts)
    return next(taken, None)


def _stays_under(view: View, action: Action) -> bool:
    """Tell whether the recommended card stays below the highest of an A round."""
    top = _top(view)
    return top is not None and bool(_cards(action)) and not _beats(view, _cards(action), top)


def _is_over_all(view: View, _: Action) -> bool:
    """Each card that may be played in an A round is higher than the highest one so far."""
    top = _top(view)
    return top is not None and all(_beats(view, play.cards, top) for play in view.plays.first(50))


def _beats(view: View, cards: Cards, top: Combo) -> bool:
    return view.rules.compare(cards, top.cards) is None


def _holds_a_card(view: View, _: Action) -> bool:
    return any(card.rank in A_CARDS for card in view.hand)


def _leads_a_card(_: View, action: Action) -> bool:
    return any(card.rank in A_CARDS for card in _cards(action))


MOMENTS: Final[Mapping[str, Moment]] = {
    # Any game
    "begin": _begins,
    "lead": _leads,
    "won": _won,
    "beaten": _beaten,
    "follow": lambda view, _: _top(view) is not None,
    "follow_single": _follows(1),
    "follow_pair": _follows(2),
    "follow_many": _follows_many,
    "follow_five": _follows(FIVE),
    "follow_run": _follows_run,
    "stuck": _is_stuck,
    "save": _saves,
    "save_jokers": _saves_jokers,
    "play": lambda _, action: isinstance(action, Play),
    "play_five": lambda _, action: len(_cards(action)) == FIVE,
    "play_run": lambda _, action: _is_run(_cards(action)),
    "rival_near_end": _has_rival_near_end,
    "last_play": _goes_out,
    "nearly_out": _is_nearly_out,
    "throw_bomb": _throws_bomb,
    "meet_bomb": _meets_bomb,
    "meet_two": _meets_two,
    "play_two": _plays_two,
    # Questions before the play
    "asked": _is_asked,
    "answer": _answers,
    "decline": _declines,
    "no_choice": _has_no_choice,
    "asked_name": lambda view, _: isinstance(view.ask, NameAsk),
    "name": lambda _, action: isinstance(action, Name),
    "name_none": lambda view, action: isinstance(view.ask, NameAsk) and isinstance(action, Pass),
    "asked_give": lambda view, _: isinstance(view.ask, GiveAsk),
    "give": lambda _, action: isinstance(action, Give),
    "called": _fact("called"),
    # Sides
    "solo": _is_solo,
    "against": _is_against,
    "ally": _has_ally,
    "ally_on_top": _is_ally_on_top,
    # Aces shown, and captures
    "show_ace": _says("expose"),
    "show_pair": _says("pair"),
    "show_twin": _says("reveal"),
    "declarer": _own_fact("declarer"),
    "ace_shown": _fact("shown"),
    "capture": _captures,
    # A cards of the number pack
    "a_round": lambda view, _: isinstance(view.ask, PlayAsk) and is_a_round(view.trick),
    "a_card_waits": _fact("middle"),
    "little_gone": _has_been_led(Rank.LITTLE_A),
    "big_gone": _has_been_led(Rank.BIG_A),
    "holds_a_card": _holds_a_card,
    "lead_a_card": _leads_a_card,
    "stay_under": _stays_under,
    "play_joker": lambda _, action: any(card.rank is Rank.JOKER for card in _cards(action)),
    "over_all": _is_over_all,
}
