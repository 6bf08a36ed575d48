"""Choosing cards in a private hand: what the choice is, and whether it can be played and why not.

Asks the rules through the View; decides nothing itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from discord import SelectOption

from bot.domain.preferences import Habits
from bot.rules.core.asks import GiveAsk, NameAsk, PlayAsk
from bot.rules.core.cards import SUITS, Cards, without
from bot.rules.core.game import Deals, View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.scene import Scene
from bot.show.hand.hints import Degree
from bot.show.kit import phrases
from bot.show.kit.card_codes import valued, values
from bot.show.kit.card_symbols import symbol
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import OPTIONS, Row, select
from bot.show.kit.words import Said, Words, sentences

MANY = 500  # plays in which what is picked is looked for
CARDS = OPTIONS - 1  # of one select: the way back has room below them


@dataclass(frozen=True)
class Pick:
    """Cards picked from those there are, and what the rules say to them. Cards no longer there are dropped.

    tapped: places in the pack, which tell twins apart. sure: whether they are asked now if they are sure. then: what a
    hint says next.
    """

    view: View
    asked: Cards = field(repr=False)
    by_suit: bool
    tapped: frozenset[int] = field(default=frozenset(), repr=False)
    sure: bool = False
    then: Degree = Degree.KIND

    @classmethod
    def of(
        cls,
        view: View,
        asked: Cards,
        habits: Habits,
        tapped: frozenset[int] = frozenset(),
        *,
        sure: bool = False,
        then: Degree = Degree.KIND,
    ) -> Pick:
        """Return the choice of somebody who likes their cards sorted so."""
        return cls(view, asked, habits.by_suit and suited(view.rules), tapped, sure, then)

    @cached_property
    def cards(self) -> Cards:
        """The chosen cards that can be chosen, in order; where one is to be named, the one that was chosen last."""
        if self.naming:
            return tuple(card for card in self.asked if card in self.naming.cards)[-1:]
        return _shared(self.view.hand, self.asked)

    @cached_property
    def naming(self) -> NameAsk | None:
        """What asks for a card that need not be in the hand, if that is what is asked."""
        return self.view.ask if isinstance(self.view.ask, NameAsk) else None

    @cached_property
    def combo(self) -> Combo | None:
        """What the chosen cards make."""
        return self.view.rules.classify(self.cards) if self.cards and not self.naming else None

    @cached_property
    def refused(self) -> Illegal | None:
        """Why the choice cannot be played; where nothing is asked, why it could not be even then."""
        try:
            self._tried.verify(self.cards)
        except Illegal as refused:
            return refused
        return None

    @cached_property
    def whole(self) -> Combo | None:
        """What the choice is a part of, the weakest such play; None where it can be played, or is part of nothing."""
        if not self.refused or self.naming or isinstance(self.view.ask, GiveAsk):
            return None
        picked = Counter(self.cards)
        return next((play for play in self._tried.plays.first(MANY) if picked <= Counter(play.cards)), None)

    @property
    def _tried(self) -> View:
        """The view, as if anything could be played where nothing is asked."""
        return self.view if self.view.ask else replace(self.view, ask=PlayAsk(may_pass=True), must=None)

    @cached_property
    def legal(self) -> bool:
        """Whether it can be played now."""
        return bool(self.view.ask and self.cards and not self.refused)

    @cached_property
    def sorted(self) -> Cards:
        """The hand as its owner likes it."""
        return self.view.rules.sort(self.view.hand, by_suit=self.by_suit)


def suited(rules: Deals) -> bool:
    """Tell whether cards have suits here, so that a hand can be sorted by them."""
    return len({card.suit for card in rules.pack} & set(SUITS)) > 1


def question(scene: Scene) -> int | None:
    """Return the moment at which the viewer was asked for cards that are not to be played; None for those that are.

    What is picked for one question is for no other.
    """
    return scene.moment if scene.view and isinstance(scene.view.ask, GiveAsk | NameAsk) else None


def judged(scene: Scene, choice: Pick, w: Words) -> Said | None:
    """Return what the chosen cards are and whether they can be played, or why not."""
    if choice.naming:
        return _called(choice, choice.naming, w)
    giving = isinstance(choice.view.ask, GiveAsk)
    if not choice.cards:
        return w("Pick the cards you want to play.") if choice.view.ask and choice.view.plays else None
    if giving and choice.legal:
        return Said(f"✓ {w('You give {cards}.', cards=choice.cards)}")
    if choice.refused:
        return _unfinished(choice, w) or Said(f"✗ {_named(choice, w)}{phrases.refusal(choice.refused, w)}")
    if not choice.view.ask:
        return _not_yet(scene, choice, w)
    return Said(f"✓ {_fits(choice.combo, choice.view.trick.top, w)}")


def _unfinished(choice: Pick, w: Words) -> Said | None:
    """What somebody reads who has not picked all yet: half-way is not wrong."""
    top = choice.view.trick.top
    if choice.whole is not None:
        return w("{n} of {count} for {combo}.", n=len(choice.cards), count=len(choice.whole.cards), combo=choice.whole)
    if top is not None and len(choice.cards) < len(top.cards):
        return w("Nothing with these beats {top}.", top=top)
    return None


def _not_yet(scene: Scene, choice: Pick, w: Words) -> Said:
    """What whoever is not asked reads about cards that could be played."""
    seats = phrases.seats(scene.wait.awaited)
    if choice.view.trick.top is None:
        return w("{combo}. Wait for {seats}.", combo=choice.combo, seats=seats)
    return w("{combo} could be played on this. Wait for {seats}.", combo=choice.combo, seats=seats)


def _called(choice: Pick, ask: NameAsk, w: Words) -> Said:
    """What comes of a card to be named."""
    if not choice.cards:
        wanted = w("Pick a card to name, or pass.") if ask.may_pass else w("Pick a card to name.")
        return sentences((wanted, phrases.note(ask.out, w))) if ask.out else wanted
    if choice.refused:
        return Said(f"✗ {phrases.refusal(choice.refused, w)}")
    return Said(f"✓ {w(ask.sentence, card=choice.cards[0])}")


def _fits(combo: Combo | None, top: Combo | None, w: Words) -> Said:
    """What comes of a choice that can be played."""
    if combo is None or top is None:
        return w("{combo} can lead.", combo=combo)
    if (combo.level, combo.strength) > (top.level, top.strength):
        return w("{combo} beats {top}.", combo=combo, top=top)
    if combo.level == top.level:
        return w("{combo} can be played; {top} stays the highest.", combo=combo, top=top)
    return w("{combo} takes {cards}.", combo=combo, cards=top.cards)  # what is lower can only go on it for that


def _named(choice: Pick, w: Words) -> Said:
    """What the chosen cards are, where the refusal does not say it itself."""
    if choice.combo is None or choice.refused is None or choice.combo in choice.refused.values.values():
        return Said()
    return w("{combo}: ", combo=choice.combo)


def selects(scene: Scene, choice: Pick, w: Words) -> list[Row | None]:
    """Return selects of 24 cards at most, for hands that are too large for buttons."""
    parts, asked = _shares(choice), question(scene)
    several = len(parts) > 1
    return [
        _pick(
            Press(scene.where.table, Verb.PICK, scene.tally.deal, number, within=asked), part, mine, w, several=several
        )
        for number, (part, mine) in enumerate(parts)
    ]


def _shares(choice: Pick) -> list[tuple[Cards, Cards]]:
    """Return the cards of each select, and those of them that are picked."""
    rest, shares = choice.cards, list[tuple[Cards, Cards]]()
    for part in _parts(choice.sorted, by_suit=choice.by_suit):
        mine = _shared(part, rest)
        rest = without(rest, mine)
        shares.append((part, mine))
    return shares


def repicked(choice: Pick, part: int, chosen: Iterable[str]) -> Cards:
    """Return what is picked once these values are chosen in the select of this number, the last ones last."""
    others = (mine for number, (_, mine) in enumerate(_shares(choice)) if number != part)
    return (*(card for mine in others for card in mine), *valued(chosen))


def _parts(held: Cards, *, by_suit: bool) -> list[Cards]:
    """Return the cards in parts for a select each, cards of one rank together where they are sorted by rank."""
    parts: list[Cards] = [()]
    for _, alike in groupby(held, attrgetter("suit" if by_suit else "rank")):
        group = tuple(alike)
        if len(parts[-1]) + len(group) > CARDS:
            parts.append(())
        parts[-1] += group
    return [part[at : at + CARDS] for part in parts for at in range(0, len(part), CARDS)]


def _shared(held: Cards, wanted: Cards) -> Cards:
    """Return the cards of ``held`` that are wanted, each wanted copy once."""
    left, found = Counter(wanted), []
    for card in held:
        if left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)


def _pick(target: Press, part: Cards, mine: Cards, w: Words, *, several: bool) -> Row | None:
    """One select. several: whether there are others, so that it has to say which cards are in this one."""
    marked, first, last = values(mine), Said(symbol(part[0])), Said(symbol(part[-1]))
    wish = w("Pick cards ({first} to {last})", first=first, last=last) if several else w("Pick cards")
    options = [
        SelectOption(label=symbol(card), value=value, emoji=w.faces.pictures.get(card), default=value in marked)
        for card, value in zip(part, values(part), strict=True)
    ]
    return select(target, wish, options, least=0, most=len(part))
