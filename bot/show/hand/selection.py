"""The selected cards of a private hand: their combination, and the verdict of the rules.

The rules are asked through the View.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from operator import attrgetter

from discord import SelectOption

from bot.domain.preferences import Preferences
from bot.rules.core.asks import GiveAsk, NameAsk, PlayAsk
from bot.rules.core.cards import SUITS, Cards, without
from bot.rules.core.game import DealRules, View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.scene import Scene
from bot.show.hand.hints import HintDegree
from bot.show.kit import phrases
from bot.show.kit.card_codes import valued, values
from bot.show.kit.card_symbols import symbol
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import MAX_OPTIONS, Row, select
from bot.show.kit.words import MessageText, Words, sentences

MANY = 500  # the number of plays searched for one that contains the selected cards
CARDS = MAX_OPTIONS - 1  # of one select: the option back needs room below


@dataclass(frozen=True)
class CardSelection:
    """The selected cards and the rules' verdict on them.

    Cards no longer available are dropped. tapped: places in the pack, which tell identical cards apart. sure: ask for
    confirmation now. then: the next degree of a hint.
    """

    view: View
    _: KW_ONLY
    asked: Cards = field(repr=False)
    by_suit: bool
    tapped: frozenset[int] = field(default=frozenset(), repr=False)
    sure: bool = False
    then: HintDegree = HintDegree.KIND

    @classmethod
    def of(
        cls,
        view: View,
        asked: Cards,
        preferences: Preferences,
        tapped: frozenset[int] = frozenset(),
        *,
        sure: bool = False,
        then: HintDegree = HintDegree.KIND,
    ) -> CardSelection:
        """Return the selection in the sort order of these habits."""
        return cls(
            view,
            asked=asked,
            by_suit=preferences.by_suit and has_suits(view.rules),
            tapped=tapped,
            sure=sure,
            then=then,
        )

    @cached_property
    def cards(self) -> Cards:
        """The available selected cards, in order; for naming, only the card selected last."""
        if self.naming:
            return tuple(card for card in self.asked if card in self.naming.cards)[-1:]
        return _shared(self.view.hand, self.asked)

    @cached_property
    def naming(self) -> NameAsk | None:
        """The request to name a card, which need not be in the hand; None otherwise."""
        return self.view.ask if isinstance(self.view.ask, NameAsk) else None

    @cached_property
    def combo(self) -> Combo | None:
        """The combination of the selected cards."""
        return self.view.rules.classify(self.cards) if self.cards and not self.naming else None

    @property
    def is_bomb(self) -> bool:
        """Whether the selected cards beat the top play by being a bomb."""
        return self.combo is not None and phrases.is_bomb(self.combo, self.view.trick.top, self.view.rules)

    @cached_property
    def refused(self) -> Illegal | None:
        """Why the selection cannot be played; while the viewer is not to move, why not even then."""
        try:
            self._tried.verify(self.cards)
        except Illegal as refused:
            return refused
        return None

    @cached_property
    def whole(self) -> Combo | None:
        """The weakest play that contains the selection.

        None if the selection is playable, or part of no play.
        """
        if not self.refused or self.naming or isinstance(self.view.ask, GiveAsk):
            return None
        picked = Counter(self.cards)
        return next((play for play in self._tried.plays.first(MANY) if picked <= Counter(play.cards)), None)

    @property
    def is_explained(self) -> bool:
        """Whether a button beside the selection shows the rule by which it cannot be played."""
        return bool(self.view.ask and self.cards and self.refused and not self.whole)

    @property
    def _tried(self) -> View:
        """The view; for a viewer not to move, as if any play were allowed."""
        return self.view if self.view.ask else replace(self.view, ask=PlayAsk(may_pass=True), must=None)

    @cached_property
    def legal(self) -> bool:
        """Whether the selection can be played now."""
        return bool(self.view.ask and self.cards and not self.refused)

    @cached_property
    def sorted(self) -> Cards:
        """The hand in its owner's sort order."""
        return self.view.rules.sort(self.view.hand, by_suit=self.by_suit)

    @cached_property
    def rises(self) -> bool:
        """Whether the hand as shown goes from the weakest card to the strongest.

        Not in the order of suits, nor with a card that any other beats though it stands last.
        """
        compare = self.view.rules.compare
        return not self.by_suit and all(compare((low,), (high,)) for low, high in pairwise(self.sorted))


def has_suits(rules: DealRules) -> bool:
    """Tell whether the pack has several suits, so that a hand can be sorted by suit."""
    return len({card.suit for card in rules.pack} & set(SUITS)) > 1


def question(scene: Scene) -> int | None:
    """Return the moment of a request to give or name cards; None for plays.

    A selection made for one request is valid for no other.
    """
    return scene.moment if scene.view and isinstance(scene.view.ask, GiveAsk | NameAsk) else None


def verdict(scene: Scene, choice: CardSelection, w: Words, *, named: bool = True) -> MessageText | None:
    """Return the verdict: the combination of the selected cards, and whether it can be played.

    Or why not. named: whether to name the combination before a refusal.
    """
    if choice.naming:
        return _called(choice, choice.naming, w)
    giving = isinstance(choice.view.ask, GiveAsk)
    if not choice.cards:
        return _invitation(choice, w) if choice.view.ask and choice.view.plays else None
    if giving and choice.legal:
        return MessageText("✓ " + w("You're giving {cards}.", cards=choice.cards))
    if choice.refused:
        name = _named(choice, w) if named else ""
        return _unfinished(choice, w) or MessageText(f"✗ {name}{phrases.refusal(choice.refused, w)}")
    if not choice.view.ask:
        return _not_yet(scene, choice, w)
    return MessageText(f"✓ {_fits(choice, w)}")


def _invitation(choice: CardSelection, w: Words) -> MessageText:
    """Return what to do with the cards, and their order, which shows where ace and two stand."""
    order = w("Sorted from low to high.") if choice.rises else MessageText()
    return sentences((w("Pick the cards you want to play."), order))


def _unfinished(choice: CardSelection, w: Words) -> MessageText | None:
    """Return the message for an incomplete selection: half-way is not wrong."""
    top = choice.view.trick.top
    if choice.whole is not None:
        return w("{n} of {count} for {combo}.", n=len(choice.cards), count=len(choice.whole.cards), combo=choice.whole)
    if top is not None and len(choice.cards) < len(top.cards):
        return w("Nothing you can make with these beats {top}.", top=top)
    return None


def _not_yet(scene: Scene, choice: CardSelection, w: Words) -> MessageText:
    """Return the verdict on playable cards for a viewer not to move."""
    seats = phrases.seats(scene.wait.awaited)
    if choice.view.trick.top is None:
        return w("{combo}. Waiting for {seats}.", combo=choice.combo, seats=seats)
    if choice.is_bomb:
        return w("{combo} beats this: it's a bomb. Waiting for {seats}.", combo=choice.combo, seats=seats)
    return w("{combo} beats this. Waiting for {seats}.", combo=choice.combo, seats=seats)


def _called(choice: CardSelection, ask: NameAsk, w: Words) -> MessageText:
    """Return the verdict on a card to name."""
    if not choice.cards:
        wanted = w("Call a card, or pass.") if ask.may_pass else w("Pick a card to name.")
        return sentences((wanted, phrases.note(ask.out, w))) if ask.out else wanted
    if choice.refused:
        return MessageText(f"✗ {phrases.refusal(choice.refused, w)}")
    return MessageText(f"✓ {w(ask.sentence, card=choice.cards[0])}")


def _fits(choice: CardSelection, w: Words) -> MessageText:
    """Return the effect of a playable selection."""
    combo, top = choice.combo, choice.view.trick.top
    if choice.is_bomb:
        return w("{combo} beats {top}: it's a bomb.", combo=combo, top=top)
    if combo is None or top is None:
        return w("You can lead {combo}.", combo=combo)
    if (combo.level, combo.strength) > (top.level, top.strength):
        return w("{combo} beats {top}.", combo=combo, top=top)
    if combo.level == top.level:
        return w("You can play {combo}; {top} stays highest.", combo=combo, top=top)
    return w("{combo} picks up {cards}.", combo=combo, cards=top.cards)  # a lower play is only legal to take them


def _named(choice: CardSelection, w: Words) -> MessageText:
    """Return the name of the combination, unless the refusal contains it."""
    if choice.combo is None or choice.refused is None or choice.combo in choice.refused.values.values():
        return MessageText()
    return w("{combo}: ", combo=choice.combo)


def selects(scene: Scene, choice: CardSelection, w: Words) -> list[Row | None]:
    """Return selects of at most 24 cards each, for hands too large for buttons."""
    parts, asked = _shares(choice), question(scene)
    several = len(parts) > 1
    return [
        _pick(
            Press(scene.where.table, Verb.PICK, at=scene.tally.deal, part=number, within=asked),
            part,
            mine,
            w,
            several=several,
        )
        for number, (part, mine) in enumerate(parts)
    ]


def _shares(choice: CardSelection) -> list[tuple[Cards, Cards]]:
    """Return the cards of each select, with the selected ones among them."""
    rest, shares = choice.cards, list[tuple[Cards, Cards]]()
    for part in _parts(choice.sorted, by_suit=choice.by_suit):
        mine = _shared(part, rest)
        rest = without(rest, mine)
        shares.append((part, mine))
    return shares


def repicked(choice: CardSelection, part: int, chosen: Iterable[str]) -> Cards:
    """Return the selection after these values were chosen in this select, with them last."""
    others = (mine for number, (_, mine) in enumerate(_shares(choice)) if number != part)
    return (*(card for mine in others for card in mine), *valued(chosen))


def _parts(held: Cards, *, by_suit: bool) -> list[Cards]:
    """Return the cards of each select; sorted by rank, cards of one rank stay together."""
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
    """Return one select.

    several: name the select's range of cards in the placeholder, to distinguish selects.
    """
    marked, first, last = values(mine), MessageText(symbol(part[0])), MessageText(symbol(part[-1]))
    wish = w("Pick cards ({first} to {last})", first=first, last=last) if several else w("Pick cards")
    options = [
        SelectOption(label=symbol(card), value=value, emoji=w.faces.pictures.get(card), default=value in marked)
        for card, value in zip(part, values(part), strict=True)
    ]
    return select(target, wish, options, least=0, most=len(part))
