"""The reasons for an action, each in one true sentence.

A claim follows from one View and an action, and stays silent if it could be false: a reason is never only likely, and
never told from hidden cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from bot.ai.engine.reading import takes
from bot.ai.engine.strategy import goes_out
from bot.domain.message_ids import N_
from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.legality import Combinations
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY, Combo

Values: TypeAlias = Mapping[str, Any]
OfPlay: TypeAlias = Callable[[View, Combo], Values | None]
OfPass: TypeAlias = Callable[[View], Values | None]

MANY = 4  # cards at once
FEW = 6  # cards that beat a single one
NEAR = 3  # cards: a rival with no more is about to go out
LOOKED_AT = 500  # plays; where there are more, nothing is said of all of them
MOST_WAYS = 500  # ways to go on it that are looked at; of more, one will do
ANY_NUMBER = 1000  # cards: as many as there may be

SAID: Final[Mapping[str, str]] = {
    "out": N_("That's your last play: you go out!"),
    "then_out": N_("Nobody can beat it, and then {combo} is all you have left."),
    "too_few": N_("{seat} has too few cards to beat it."),
    "unbeaten": N_("Nobody can beat it, so you lead next."),
    "many": N_("Gets rid of {n} cards at once."),
    "low": N_("Gets rid of {card}, your lowest card."),
    "only": N_("It's the only thing you have that beats it."),
    "least": N_("It's your lowest play that beats it."),
    "whole": N_("It's the lowest that doesn't break up your hand."),
    "low_of_kind": N_("You have nothing lower of that kind."),
    "few": N_("Single cards you haven't seen that beat it: {n}."),
    "ally": N_("{seat} is on your side and winning the trick."),
    "keep": N_("It would take {cards}, which nobody can beat: save that for {seat}."),
    "spend": N_("It would take {cards}, which nobody can beat."),
    "split": N_("Beating it would break up cards that belong together."),
}


class Reason(NamedTuple):
    """A claim that holds. name: which; values: what fills its sentence."""

    name: str
    values: Values

    @property
    def note(self) -> Note:
        """The sentence; no article says it."""
        return Note("", SAID[self.name], tuple(self.values.items()))


def reason(view: View, action: Action) -> Reason | None:
    """Return the first claim that holds for a seat's action, None without one."""
    return next(claims(view, action), None)


def distinctive_reason(view: View, action: Action, others: Iterable[Action]) -> Reason | None:
    """Return the first claim that holds for this action alone among the others, or None."""
    said = {claim.name for other in others if other != action for claim in claims(view, other)}
    return next((claim for claim in claims(view, action) if claim.name not in said), None)


def claims(view: View, action: Action) -> Iterator[Reason]:
    """Yield every true claim, the most informative first."""
    if not isinstance(view.ask, PlayAsk):
        return
    match action:
        case Play(cards=cards) if combo := _legal(view, cards):
            yield from _holding((name, claim(view, combo)) for name, claim in OF_PLAYS.items())
        case Pass() if view.plays:
            yield from _holding((name, claim(view)) for name, claim in OF_PASSES.items())


def _holding(claimed: Iterable[tuple[str, Values | None]]) -> Iterator[Reason]:
    return (Reason(name, values) for name, values in claimed if values is not None)


def _legal(view: View, cards: Cards) -> Combo | None:
    try:
        return view.plays.verify(cards)
    except Illegal:
        return None


# What is played


def _out(view: View, combo: Combo) -> Values | None:
    return {} if len(combo.cards) == len(view.hand) and goes_out(view) else None


def _then_out(view: View, combo: Combo) -> Values | None:
    """With nobody to go on it, the seat leads next, and that is the end."""
    rest = without(view.hand, combo.cards)
    then = _legal(_leading(view, rest), rest) if rest and not takes(combo, view.trick.top) else None
    return {"combo": then} if then and unbeaten(view, combo) else None


def _leading(view: View, hand: Cards) -> View:
    return replace(view, hand=hand, trick=EMPTY, must=None, ask=PlayAsk(may_pass=False))


def _too_few(view: View, combo: Combo) -> Values | None:
    """The rival with fewest cards publicly cannot beat this play, unlike the play before."""
    rivals = _nearly_out(view)
    if not rivals:
        return None
    seat, top = rivals[0], view.trick.top
    new = top is None or not view.rules.is_provably_unbeatable(view.counts[seat], top)
    return {"seat": Seat(seat)} if new and view.rules.is_provably_unbeatable(view.counts[seat], combo) else None


def _nearly_out(view: View) -> list[int]:
    """Return the rivals who are publicly about to go out, fewest cards first."""
    if not view.rules.counted:
        return []
    near = (seat for seat, count in enumerate(view.counts) if 0 < count <= NEAR)
    apart = {view.seat, *view.allies}
    return sorted((seat for seat in near if seat not in apart), key=lambda seat: view.counts[seat])


def _unbeaten(view: View, combo: Combo) -> Values | None:
    return {} if not takes(combo, view.trick.top) and unbeaten(view, combo) else None


def _leads_many_cards(view: View, combo: Combo) -> Values | None:
    leads = view.trick.top is None
    return {"n": len(combo.cards)} if leads and len(combo.cards) >= MANY else None


def _low(view: View, combo: Combo) -> Values | None:
    lowest = view.hand[0]
    return {"card": lowest} if view.trick.top is None and lowest in combo.cards else None


def _beats(view: View, combo: Combo) -> bool:
    """Tell whether the combination beats the top, rather than being laid there by duty."""
    top = view.trick.top
    return top is not None and view.rules.compare(combo.cards, top.cards) is None


def _only(view: View, combo: Combo) -> Values | None:
    return {} if _beats(view, combo) and len(view.plays.first(2)) == 1 else None


def _least(view: View, combo: Combo) -> Values | None:
    others = _others(view, combo)
    return {} if others and _is_least(combo, others) else None


def _whole(view: View, combo: Combo) -> Values | None:
    """A lower combination takes some cards of a rank and leaves the rest."""
    others = [play for play in _others(view, combo) if not _splits(view, play)]
    return {} if not _splits(view, combo) and others and _is_least(combo, others) else None


def _low_of_kind(view: View, combo: Combo) -> Values | None:
    others = [play for play in _plays(view) if (play.kind, len(play.cards)) == (combo.kind, len(combo.cards))]
    return {} if view.trick.top is None and len(others) > 1 and _is_least(combo, others) else None


def _few(view: View, combo: Combo) -> Values | None:
    """Few unseen single cards beat this single one.

    They may lie in any hand, or in none.
    """
    if len(combo.cards) > 1 or not (view.trick.top is None or _beats(view, combo)):
        return None
    higher = sum(n for card, n in unseen_cards(view).items() if view.rules.compare((card,), combo.cards) is None)
    return {"n": higher} if 0 < higher <= FEW else None


def _others(view: View, combo: Combo) -> list[Combo]:
    """Return the plays of the same size that beat the top.

    Empty if this play does not beat the top.
    """
    top = view.trick.top
    plays = [play for play in _plays(view) if len(play.cards) == len(combo.cards) and not takes(play, top)]
    return plays if _beats(view, combo) and not takes(combo, top) else []


def _plays(view: View) -> list[Combo]:
    """Return all plays, or none if there are too many to look at."""
    plays = view.plays.first(LOOKED_AT)
    return plays if len(plays) < LOOKED_AT else []


def _is_least(combo: Combo, others: Sequence[Combo]) -> bool:
    return (combo.level, combo.strength) == min((play.level, play.strength) for play in others)


def _splits(view: View, play: Combo) -> bool:
    """Tell whether it takes some cards of a rank, and leaves others of it."""
    held, taken = (Counter(card.rank for card in cards) for cards in (view.hand, play.cards))
    return any(count < held[rank] for rank, count in taken.items())


# What is not played


def _ally(view: View) -> Values | None:
    owner = view.trick.owner
    return {"seat": Seat(owner)} if owner is not None and owner in view.allies else None


def _keep(view: View) -> Values | None:
    spent, near = _spent(view), _nearly_out(view)
    return {"cards": spent, "seat": Seat(near[0])} if spent and near else None


def _spend(view: View) -> Values | None:
    spent = _spent(view)
    return {"cards": spent} if spent else None


def _spent(view: View) -> Cards:
    """Return unbeaten cards if every legal play takes one of them, else none."""
    plays = [set(play.cards) for play in _plays(view)]
    best = tuple(card for card in view.hand if any(card in play for play in plays) and _best(view, card))
    return best if plays and all(play & set(best) for play in plays) else ()


def _best(view: View, card: Card) -> bool:
    alone = view.rules.classify((card,))
    return alone is not None and unbeaten(view, alone)


def _split(view: View) -> Values | None:
    plays = _plays(view)
    return {} if plays and all(_splits(view, play) for play in plays) else None


# What is certain, whatever the others hold


def unbeaten(view: View, combo: Combo) -> bool:
    """Tell whether the seat of the view can know that no opponent beats the combination."""
    groups = getattr(view.rules, "groups", None)
    if not isinstance(groups, Combinations) or not groups.is_constant:
        return False
    free, others = unseen_cards(view), [seat for seat in range(len(view.counts)) if seat != view.seat]
    known = {seat: Counter(card for holder, card in view.known if holder == seat) for seat in others}
    rooms = {seat: view.counts[seat] - known[seat].total() for seat in others if view.counts[seat]}
    if not view.rules.counted or free.total() > sum(rooms.values()):  # what is in no hand yet may come into any
        rooms = dict.fromkeys(rooms, ANY_NUMBER)
    return not any(_may_beat(groups, combo, known[seat], free, room) for seat, room in rooms.items())


def _may_beat(groups: Combinations, combo: Combo, known: Counter[Card], free: Counter[Card], room: int) -> bool:
    """Tell whether a hand of known and so many unknown cards can beat the combination."""
    pool = groups.sort(tuple((known + free).elements()))
    most = room + known.total()
    ways = (found for found in groups.over(pool, combo) if len(found.cards) <= most)
    for at, found in enumerate(islice(ways, MOST_WAYS)):
        if (Counter(found.cards) - known).total() <= room or at == MOST_WAYS - 1:
            return True
    return False


OF_PLAYS: Final[Mapping[str, OfPlay]] = {
    "out": _out,
    "then_out": _then_out,
    "too_few": _too_few,
    "unbeaten": _unbeaten,
    "many": _leads_many_cards,
    "low": _low,
    "only": _only,
    "least": _least,
    "whole": _whole,
    "low_of_kind": _low_of_kind,
    "few": _few,
}
OF_PASSES: Final[Mapping[str, OfPass]] = {"ally": _ally, "keep": _keep, "spend": _spend, "split": _split}
