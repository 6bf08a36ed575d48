"""Choosing cards in a private hand: what the choice is, whether it can be played and why not, and the controls.

Asks the rules through the View; decides nothing itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any

from discord import ButtonStyle, SelectOption, ui

from bot.ground.habits import Habits
from bot.rules.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.cards import SUITS, Cards, without
from bot.rules.game import Deals, View
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo
from bot.scene.scene import Scene
from bot.show import asking, phrases
from bot.show.card_codes import join, valued, values
from bot.show.faces import symbol, symbols
from bot.show.ids import DECIDING, Press, Verb
from bot.show.layout import OPTIONS, Block, Row, button, option, row, select
from bot.show.offered import offers, passing, stuck
from bot.show.words import Said, Words

FEW = OPTIONS  # so many legal plays are listed


@dataclass(frozen=True)
class Pick:
    """Cards picked from those there are, and what the rules say to them. Cards no longer there are dropped."""

    view: View
    asked: Cards = field(repr=False)
    by_suit: bool

    @classmethod
    def of(cls, view: View, asked: Cards, habits: Habits) -> Pick:
        """Return the choice of somebody who likes their cards sorted so."""
        return cls(view, asked, habits.by_suit and suited(view.rules))

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
        view = self.view if self.view.ask else replace(self.view, ask=PlayAsk(may_pass=True), must=None)
        try:
            view.verify(self.cards)
        except Illegal as refused:
            return refused
        return None

    @property
    def legal(self) -> bool:
        """Whether it can be played now."""
        return bool(self.view.ask and self.cards and not self.refused)

    @cached_property
    def sorted(self) -> Cards:
        """The hand as its owner likes it."""
        return self.view.rules.sort(self.view.hand, by_suit=self.by_suit)

    def offered(self) -> Cards:
        """Return the cards to choose from, in the order of the hand."""
        if self.naming is None:
            return self.sorted
        named = self.naming.cards
        return self.view.rules.sort(named, by_suit=True) if self.by_suit else named


def suited(rules: Deals) -> bool:
    """Tell whether cards have suits here, so that a hand can be sorted by them."""
    return len({card.suit for card in rules.pack} & set(SUITS)) > 1


def judged(scene: Scene, choice: Pick, w: Words) -> Said | None:
    """Return what the chosen cards are and whether they can be played, or why not with the article."""
    if choice.naming:
        return _called(choice, choice.naming, w)
    giving = isinstance(choice.view.ask, GiveAsk)
    if not choice.cards:
        return w("Pick the cards you want to play.") if choice.view.ask and choice.view.plays else None
    if giving and choice.legal:
        return Said(f"✓ {w('You give {cards}.', cards=choice.cards)}")
    if choice.refused:
        return Said(f"✗ {_named(choice, w)}{phrases.refusal(choice.refused, w)}")
    if not choice.view.ask:
        return _not_yet(scene, choice, w)
    return Said(f"✓ {_fits(choice.combo, choice.view.trick.top, w)}")


def _not_yet(scene: Scene, choice: Pick, w: Words) -> Said:
    """What whoever is not asked reads about cards that could be played."""
    seats = phrases.seats(scene.wait.awaited)
    if choice.view.trick.top is None:
        return w("{combo}. Wait for {seats}.", combo=choice.combo, seats=seats)
    return w("{combo} could be played on this. Wait for {seats}.", combo=choice.combo, seats=seats)


def _called(choice: Pick, ask: NameAsk, w: Words) -> Said:
    """What comes of a card to be named."""
    if not choice.cards:
        return w("Pick a card to name, or pass.") if ask.may_pass else w("Pick a card to name.")
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


def controls(scene: Scene, choice: Pick, w: Words) -> list[Block]:
    """Return the selects and buttons under a hand, by what can be done now."""
    if scene.stage != "playing":
        return [_after(scene, w)]
    if ask := asking.asked(scene):
        return [*asking.answers(scene, ask, w), _looking(scene, choice, w)]
    if choice.view.doing and not choice.view.ask:
        return [_looking(scene, choice, w)]
    if stuck(scene, choice.view):
        return [passing(scene, choice.view, w), row(*_views(scene, choice, w)[1:])]
    ready = offers(scene, choice.view, w)
    return [*_picks(scene, choice, w), ready, _listed(scene, choice, ready, w), _buttons(scene, choice, w)]


def _picks(scene: Scene, choice: Pick, w: Words) -> list[Row | None]:
    """Selects of 25 cards at most."""
    parts = _shares(choice)
    several = len(parts) > 1
    return [
        _pick(Press(scene.where.table, Verb.PICK, scene.tally.hand, number), part, mine, w, several=several,
              most=1 if choice.naming else len(part))
        for number, (part, mine) in enumerate(parts)
    ]  # fmt: skip


def _shares(choice: Pick) -> list[tuple[Cards, Cards]]:
    """Return the cards of each select, and those of them that are picked."""
    offered = choice.offered()
    room = _even(len(offered)) if choice.naming else OPTIONS
    rest, shares = choice.cards, list[tuple[Cards, Cards]]()
    for part in _parts(offered, room, by_suit=choice.by_suit):
        mine = _shared(part, rest)
        rest = without(rest, mine)
        shares.append((part, mine))
    return shares


def repicked(choice: Pick, part: int, chosen: Iterable[str]) -> Cards:
    """Return what is picked once these values are chosen in the select of this number, the last ones last."""
    others = (mine for number, (_, mine) in enumerate(_shares(choice)) if number != part)
    return (*(card for mine in others for card in mine), *valued(chosen))


def _even(count: int) -> int:
    """Return how many options each select gets where so many fill them evenly, with room for the rest of a rank."""
    selects = -(-count // OPTIONS)
    return min(OPTIONS, -(-count // selects) + len(SUITS) - 1) if selects > 1 else OPTIONS


def _parts(held: Cards, room: int, *, by_suit: bool) -> list[Cards]:
    """Return the cards in parts for a select each, cards of one rank together where they are sorted by rank."""
    parts: list[Cards] = [()]
    for _, alike in groupby(held, attrgetter("suit" if by_suit else "rank")):
        group = tuple(alike)
        if len(parts[-1]) + len(group) > room:
            parts.append(())
        parts[-1] += group
    return [part[at : at + OPTIONS] for part in parts for at in range(0, len(part), OPTIONS)]


def _shared(held: Cards, wanted: Cards) -> Cards:
    """Return the cards of ``held`` that are wanted, each wanted copy once."""
    left, found = Counter(wanted), []
    for card in held:
        if left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)


def _pick(target: Press, part: Cards, mine: Cards, w: Words, *, several: bool, most: int) -> Row | None:
    """One select. several: whether there are others, so that it has to say which cards are in this one."""
    marked, first, last = values(mine), Said(symbol(part[0])), Said(symbol(part[-1]))
    if several or most < len(part):
        wish = w("Pick cards ({first} to {last})" if most > 1 else "Pick a card ({first} to {last})",
                 first=first, last=last)  # fmt: skip
    else:
        wish = w("Pick cards" if most > 1 else "Pick a card")
    options = [
        SelectOption(label=symbol(card), value=value, emoji=w.faces.pictures.get(card), default=value in marked)
        for card, value in zip(part, values(part), strict=True)
    ]
    return select(target, wish, options, least=0, most=most)


def _listed(scene: Scene, choice: Pick, ready: Row | None, w: Words) -> Row | None:
    """The legal plays, weakest first, where there are few, and more of them than stand ready."""
    plays = choice.view.plays.first(FEW + 1) if choice.view.ask else []
    if not (len(ready.children) if ready else 0) < len(plays) <= FEW:
        return None
    options = [
        option(symbols(play.cards), join(play.cards), w.name(play), emoji=w.faces.pictures.get(play.head))
        for play in plays
    ]
    target = Press(scene.where.table, Verb.PLAYS, scene.tally.hand)
    return select(target, w.n("Or choose this play", "Or choose one of these {n} plays", len(plays)), options)


def _buttons(scene: Scene, choice: Pick, w: Words) -> Row | None:
    ask = choice.view.ask
    may_pass = isinstance(ask, PlayAsk | NameAsk) and ask.may_pass
    passing = _button(scene, Verb.PASS, w("Pass"), disabled=not may_pass)
    return row(
        _button(scene, *_main(choice, w), ButtonStyle.success, disabled=not choice.legal),
        passing if may_pass or not choice.naming else None,
        *_views(scene, choice, w),
    )


def _main(choice: Pick, w: Words) -> tuple[Verb, str]:
    """What the chosen cards are for: to be given, named, or played."""
    if isinstance(choice.view.ask, GiveAsk):
        return Verb.GIVE, w("Give")
    if choice.naming:
        return Verb.NAME, w.bare()(choice.naming.sentence, card=choice.cards[0] if choice.legal else Said("…"))
    if choice.combo and choice.legal:
        return Verb.PLAY, w("Play {what}", what=w.name(choice.combo))
    return Verb.PLAY, w("Play")


def _looking(scene: Scene, choice: Pick, w: Words) -> Row | None:
    """Under the answers to a question, which count as soon as they are pressed, or where others are asked."""
    return row(*_views(scene, choice, w))


def _views(scene: Scene, choice: Pick, w: Words) -> list[ui.Button[Any] | None]:
    """What only changes what is seen."""
    sort = (Verb.BY_RANK, w("Sort by rank")) if choice.by_suit else (Verb.BY_SUIT, w("Sort by suit"))
    ask = choice.view.ask
    answered = isinstance(ask, ChooseAsk) and bool(ask.given)
    return [
        _button(scene, Verb.HINT, w("Hint"), disabled=not ask or answered),
        _button(scene, *sort) if suited(choice.view.rules) else None,
        _button(scene, Verb.REFRESH, w("Refresh")),
    ]


def _button(
    scene: Scene,
    verb: Verb,
    label: str,
    style: ButtonStyle = ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> ui.Button[Any]:
    deciding = scene.moment if verb in DECIDING else None
    return button(label, Press(scene.where.table, verb, deciding), style, disabled=disabled)


def _after(scene: Scene, w: Words) -> Row | None:
    """Under a hand that has ended: Ready for whoever is still awaited."""
    if scene.stage != "between":
        return None
    wanted = scene.seat in scene.wait.awaited or scene.wait.ending  # Ready also means to go on
    press = Press(scene.where.table, Verb.READY, scene.tally.hand)
    refresh = Press(scene.where.table, Verb.REFRESH)
    return row(button(w("Ready"), press, ButtonStyle.success, disabled=not wanted), button(w("Refresh"), refresh))


def extras(scene: Scene, habits: Habits, w: Words) -> Row | None:
    """Return what can be chosen about a seat: taking it back from a house player, and hands by direct message."""
    if scene.stage not in ("playing", "between"):
        return None
    buttons = []
    if any(chair.seat == scene.seat and chair.house for chair in scene.chairs):
        back = Press(scene.where.table, Verb.BACK)
        buttons.append(button(w("Take my seat back"), back, ButtonStyle.primary))
    if scene.terms.server.mirror:
        wish = w("No more direct messages") if habits.mirror else w("Send me my hand by direct message")
        buttons.append(button(wish, Press(scene.where.table, Verb.MIRROR)))
    return row(*buttons)
