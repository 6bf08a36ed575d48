"""The coach's reasons for an action, in words for newcomers.

A reason is true in this position, and the one that the action was chosen for. What is certain comes from
``bot/ai/reasons.py``; the rest tells what an action keeps, breaks up, or leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from bot.ai.reasons import SAID as HINTS
from bot.ai.reasons import Reason, reason
from bot.domain.message_ids import N_
from bot.rules.coaching.moments import A_CARDS
from bot.rules.core.asks import Action, Give, Name, Pass, Play, PlayAsk
from bot.rules.core.cards import Card, Cards, Rank, without
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.sentences import Illegal, Note
from bot.rules.core.trick import EMPTY, Combo

LOOKED_AT = 600  # plays
EARLY = 7  # cards in hand from which on something can be saved for later
FEW = 2  # cards: a rival with no more of them leaves no time to save anything
HIGH, LOW = 0.1, 0.5  # the share of the unseen cards above a high card at most, and above a low card at least
PLAIN: Final = {"out", "too_few", "many", "only", "ally", "keep"}  # hints that a newcomer understands
SAID: Final = {
    # Nobody can beat it
    "highest": N_("It's the highest card, so nobody can beat it."),
    "gone": N_("Every higher card is gone, so nobody can beat it."),
    "counted": N_("Going by the cards played and your own, nobody can have anything that beats it."),
    "highest_then": N_("It's the highest card, so nobody can beat it. Then {combo} is all you have left."),
    "gone_then": N_("Every higher card is gone, so nobody can beat it. Then {combo} is all you have left."),
    "counted_then": N_(
        "Going by the cards played and your own, nobody can have anything that beats it. "
        "Then {combo} is all you have left."
    ),
    # Other plays
    "least": N_("It's the lowest you have that beats it. Save anything higher for later."),
    "kept": N_("It's the lowest that keeps {combo} together."),
    "breaks": N_("That breaks up {set}, but you keep {combo}."),
    "then": N_("Then {combo} is all you have left."),
    "several": N_("Gets rid of {n} cards at once."),
    "low": N_("Get your low cards out while you can: they hardly beat anything."),
    "alone": N_("Nothing else you have goes with it."),
    "strong": N_("Few cards beat it, so it may well stay on top."),
    "weaker": N_("Your weaker plays go first: the strong ones can still beat others later."),
    "together": N_("The cards you keep go together best this way."),
    # Passes
    "stuck": N_("Nothing you have beats {top}."),
    "short": N_("You have too few cards left to beat it."),
    "belongs": N_("You could beat it with {play}, but that would break up {combo}."),
    "spare": N_("You could beat it with {play}, but save that: with it you can get the lead near the end."),
    "later": N_("{play} would beat it, but you'll get more out of that later."),
    # Cards that are called, and given back
    "completes": N_("With it you have {combo}, and may well win solo."),
    "give": N_("You need it least."),
}


def plain_reason(view: View, action: Action) -> Note | None:
    """Return the reason for an action, None where there is nothing to say."""
    claim = reason(view, action)
    return next(chain(_certain(view, action, claim), _general(view, action)), None)


def _certain(view: View, action: Action, claim: Reason | None) -> Iterator[Note]:
    """Yield a reason of hints, in simpler words."""
    if claim is None:
        return
    if claim.name in PLAIN:
        yield claim.note
    elif claim.name in ("unbeaten", "then_out") and (combo := _played(view, action)):
        yield _note(_because(view, combo) + ("_then" if claim.name == "then_out" else ""), **claim.values)
    elif claim.name == "least":
        yield _note("least") if _can_save(view) else Note("", HINTS["least"])


def _general(view: View, action: Action) -> Iterator[Note]:
    """Yield reasons in any game, the most telling first."""
    match action:
        case Pass() if isinstance(view.ask, PlayAsk) and view.trick.top is not None:
            yield _of_pass(view, view.trick.top)
        case Play() if combo := _played(view, action):
            yield from _of_lead(view, combo) if view.trick.top is None else _of_follow(view, combo)
        case Name(card=card):
            yield from _of_call(view, card)
        case Give():
            yield _note("give")


def _of_pass(view: View, top: Combo) -> Note:
    lowest = next(iter(view.plays.first(1)), None)
    if lowest is None:
        fewest = view.rules.groups.fewest(top) if hasattr(view.rules, "groups") else 0
        return _note("short") if fewest is None or len(view.hand) < fewest else _note("stuck", top=top)
    if broken := _broken(view, lowest):
        return _note("belongs", play=lowest, combo=broken)
    return _note("spare" if _can_save(view) else "later", play=lowest)


def _of_lead(view: View, combo: Combo) -> Iterator[Note]:
    rest, size = without(view.hand, combo.cards), len(combo.cards)
    yield from _of_rest(view, rest)
    yield from _of_split(view, combo)
    if size > 2:
        yield _note("several", n=size)
    if (kept := _kept(view, combo)) and size < len(kept.cards):
        yield _note("kept", combo=kept)
    above = _above(view, combo.head)
    if above >= LOW:
        yield _note("low")
    if size > 1:
        yield _note("several", n=size)
    if above <= HIGH:
        yield _note("strong")
    if _goes_with_nothing(view, combo.head) and combo.head == view.hand[0]:
        yield _note("alone")
    yield _note("weaker")


def _of_follow(view: View, combo: Combo) -> Iterator[Note]:
    if view.trick.top and not view.rules.captures(combo, view.trick.top):
        yield from _of_rest(view, without(view.hand, combo.cards))
    if kept := _kept(view, combo):
        yield _note("kept", combo=kept)
    yield _note("strong") if len(combo.cards) == 1 and _above(view, combo.head) <= HIGH else _note("together")


def _of_rest(view: View, rest: Cards) -> Iterator[Note]:
    """Yield the play that these last cards make together."""
    yield from (_note("then", combo=then) for then in _leads(view, rest) if len(then.cards) == len(rest))


def _of_split(view: View, combo: Combo) -> Iterator[Note]:
    """Yield what is kept in return for breaking up cards of one rank."""
    sets = [each for each in _leads(view, view.hand) if _ranks(each).keys() == _ranks(combo).keys()]
    whole = max(sets, key=lambda each: len(each.cards), default=combo)
    rest = without(view.hand, combo.cards)
    runs = [each for each in _leads(view, rest) if len(_ranks(each)) > 1 and combo.head.rank in _ranks(each)]
    if len(_ranks(combo)) == 1 and len(whole.cards) > len(combo.cards) and runs:
        yield _note("breaks", set=whole, combo=min(runs, key=lambda each: len(each.cards)))


def _of_call(view: View, called: Card) -> Iterator[Note]:
    """Yield the longest combination that a called card completes."""
    ranks = Counter(card.rank for card in view.hand)
    found = _leads(view, view.rules.sort((*view.hand, called)))
    new = [each for each in found if called in each.cards and not _ranks(each) <= ranks and len(each.cards) > 1]
    yield from (_note("completes", combo=each) for each in sorted(new, key=lambda each: -len(each.cards))[:1])


# What a play breaks up, and what it keeps


def _kept(view: View, combo: Combo) -> Combo | None:
    """Return the longest combination that this play keeps, and each lower one breaks up."""
    lower = [play for play in view.plays.first(LOOKED_AT) if _is_below(play, combo)]
    kept = _longest(view, without(view.hand, combo.cards))
    lost = (each for each in kept if not any(_is_left(each, without(view.hand, play.cards)) for play in lower))
    return next(lost, None) if lower else None


def _broken(view: View, play: Combo) -> Combo | None:
    """Return the longest combination that this play breaks up, if it is longer."""
    rest = without(view.hand, play.cards)
    broken = (
        each for each in _longest(view, view.hand) if len(each.cards) > len(play.cards) and not _is_left(each, rest)
    )
    return next((each for each in broken if set(play.cards) <= set(each.cards)), None)


def _is_below(play: Combo, combo: Combo) -> bool:
    same = len(play.cards) == len(combo.cards)
    return same and (play.level, play.strength) < (combo.level, combo.strength)


def _is_left(combo: Combo, rest: Cards) -> bool:
    return _ranks(combo) <= Counter(card.rank for card in rest)


def _ranks(combo: Combo) -> Counter[Rank]:
    return Counter(card.rank for card in combo.cards)


def _longest(view: View, hand: Cards) -> list[Combo]:
    """Return what these cards could lead in several cards, the longest first.

    No joker stands for another card.
    """
    found = (each for each in _leads(view, hand) if len(each.cards) > 1)
    return sorted((each for each in found if Rank.JOKER not in _ranks(each)), key=lambda each: -len(each.cards))


def _leads(view: View, hand: Cards) -> Sequence[Combo]:
    """Return what these cards could lead."""
    return replace(view, hand=hand, trick=EMPTY, must=None, ask=PlayAsk(may_pass=False)).plays.first(LOOKED_AT)


def _goes_with_nothing(view: View, card: Card) -> bool:
    return not any(card in each.cards for each in _longest(view, view.hand))


# How good a play is


def _because(view: View, combo: Combo) -> str:
    """Return why nobody can beat a combination that is known to be unbeaten."""
    ways = view.rules.groups.reach(combo) if hasattr(view.rules, "groups") else {}
    if len(combo.cards) > 1 or any(size > 1 for _, size in ways):
        return "counted"
    pack = (card for card in view.rules.pack if view.rules.compare((card,), combo.cards) is None)
    return "gone" if any(pack) else "highest"


def _above(view: View, card: Card) -> float:
    """Return the share of the unseen cards that beat this one alone, from 0 to 1."""
    if card.rank in A_CARDS:
        return 1.0
    unseen = unseen_cards(view)
    higher = sum(n for other, n in unseen.items() if view.rules.compare((other,), (card,)) is None)
    return higher / max(1, unseen.total())


def _can_save(view: View) -> bool:
    """Tell whether there is still time to save something for later."""
    rivals = [count for seat, count in enumerate(view.counts) if seat not in {view.seat, *view.allies} and count]
    return len(view.hand) >= EARLY and min(rivals, default=0) > FEW


def _played(view: View, action: Action) -> Combo | None:
    """Return the combination of a play, as it counts on the table."""
    if not isinstance(action, Play):
        return None
    try:
        return view.plays.verify(action.cards)
    except Illegal:
        return None


def _note(name: str, **values: object) -> Note:
    return Note("", SAID[name], tuple(values.items()))
