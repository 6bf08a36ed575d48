"""Choosing cards in a private hand: what the choice is, whether it can be played and why not, and the controls.

Asks the rules through the View; decides nothing itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from discord import ButtonStyle, ui

from bot.rules.cards import Cards, without
from bot.rules.game import ChooseAsk, Combo, GiveAsk, Illegal, PlayAsk, View
from bot.show import asking, phrases
from bot.show.faces import symbol, symbols
from bot.show.ids import Pick, Press, Verb, join, values
from bot.show.layout import OPTIONS, Block, Row, button, option, row, select
from bot.show.words import Said, Words
from bot.store.rows import Habits
from bot.table.scene import Scene

FEW = OPTIONS  # so many legal plays are listed


@dataclass(frozen=True)
class Choice:
    """Cards picked from a hand, and what the rules say to them. Cards no longer held are dropped."""

    view: View
    asked: Cards = field(repr=False)
    by_suit: bool

    @cached_property
    def cards(self) -> Cards:
        """The chosen cards that are in the hand, in its order."""
        return _shared(self.view.hand, self.asked)

    @cached_property
    def combo(self) -> Combo | None:
        """What the chosen cards make."""
        return self.view.rules.classify(self.cards) if self.cards else None

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

    def sorted(self) -> Cards:
        """Return the hand as its owner likes it."""
        return self.view.rules.sort(self.view.hand, by_suit=self.by_suit)


def judged(scene: Scene, choice: Choice, w: Words) -> Said | None:
    """Return what the chosen cards are and whether they can be played, or why not with the article."""
    giving = isinstance(choice.view.ask, GiveAsk)
    if not choice.cards:
        return w("Pick the cards you want to play.") if choice.view.ask and choice.view.plays else None
    if giving and choice.legal:
        return Said(f"✓ {w('You give {cards}.', cards=choice.cards)}")
    if choice.refused:
        return Said(f"✗ {_named(choice, w)}{phrases.refusal(choice.refused, w)}")
    if not choice.view.ask:
        return w("{combo} could be played on this. Wait for {seats}.", combo=choice.combo,
                 seats=phrases.seats(scene.awaited))  # fmt: skip
    return Said(f"✓ {_fits(choice.combo, choice.view.trick.top, w)}")


def _fits(combo: Combo | None, top: Combo | None, w: Words) -> Said:
    """What comes of a choice that can be played."""
    if combo is None or top is None:
        return w("{combo} can lead.", combo=combo)
    if (combo.level, combo.strength) > (top.level, top.strength):
        return w("{combo} beats {top}.", combo=combo, top=top)
    return w("{combo} takes {cards}.", combo=combo, cards=top.cards)  # what is not higher can only go on it for that


def _named(choice: Choice, w: Words) -> Said:
    """What the chosen cards are, where the refusal does not say it itself."""
    if choice.combo is None or choice.refused is None or choice.combo in choice.refused.values.values():
        return Said()
    return w("{combo}: ", combo=choice.combo)


def controls(scene: Scene, choice: Choice, w: Words) -> list[Block]:
    """Return the selects and buttons under a hand, by what can be done now."""
    if scene.stage != "playing":
        return [_after(scene, w)]
    if ask := asking.asked(scene):
        return [*asking.answers(scene, ask, w), _looking(scene, choice, w)]
    return [*_picks(scene, choice, w), _listed(scene, choice, w), _buttons(scene, choice, w)]


def _picks(scene: Scene, choice: Choice, w: Words) -> list[Row | None]:
    """Selects of 25 cards at most; each carries the cards chosen in the others."""
    parts = _parts(choice.sorted(), by_suit=choice.by_suit)
    rest, rows = choice.cards, []
    for number, part in enumerate(parts):
        mine = _shared(part, rest)
        rest = without(rest, mine)
        target = Pick(scene.table, scene.ply, Verb.PICK, without(choice.cards, mine), number)
        rows.append(_pick(target, part, mine, w, several=len(parts) > 1))
    return rows


def _parts(held: Cards, *, by_suit: bool) -> list[Cards]:
    """Return the cards in parts for a select each, cards of one rank together where they are sorted by rank."""
    parts: list[Cards] = [()]
    for _, each in groupby(held, lambda card: card.suit if by_suit else card.rank):
        group = tuple(each)
        if len(parts[-1]) + len(group) > OPTIONS:
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


def _pick(target: Pick, part: Cards, mine: Cards, w: Words, *, several: bool) -> Row | None:
    """One select. several: whether there are others, so that it has to say which cards are in this one."""
    marked, first, last = values(mine), Said(symbol(part[0])), Said(symbol(part[-1]))
    wish = w("Pick cards ({first} to {last})", first=first, last=last) if several else w("Pick cards")
    options = [
        option(symbol(card), value, emoji=w.faces.of(card), default=value in marked)
        for card, value in zip(part, values(part), strict=True)
    ]
    return select(target, wish, options, least=0, most=len(options))


def _listed(scene: Scene, choice: Choice, w: Words) -> Row | None:
    """The legal plays, weakest first, where there are few."""
    plays = choice.view.plays.first(FEW + 1) if choice.view.ask else []
    if len(plays) > FEW:
        return None
    options = [
        option(symbols(play.cards), join(play.cards), w.name(play), emoji=w.faces.of(play.head)) for play in plays
    ]
    target = Pick(scene.table, scene.ply, Verb.PLAY)
    return select(target, w.n("Or choose this play", "Or choose one of these {n} plays", len(plays)), options)


def _buttons(scene: Scene, choice: Choice, w: Words) -> Row | None:
    ask, combo = choice.view.ask, choice.combo
    play = w("Play {what}", what=w.name(combo)) if combo and choice.legal else w("Play")
    main = (Verb.GIVE, w("Give")) if isinstance(ask, GiveAsk) else (Verb.PLAY, play)
    may_pass = isinstance(ask, PlayAsk) and ask.may_pass
    return row(
        _button(scene, *main, choice, ButtonStyle.success, disabled=not choice.legal),
        _button(scene, Verb.PASS, w("Pass"), choice, disabled=not may_pass),
        *_views(scene, choice, w),
    )


def _looking(scene: Scene, choice: Choice, w: Words) -> Row | None:
    """Under the answers to a question, which count as soon as they are pressed."""
    return row(*_views(scene, choice, w))


def _views(scene: Scene, choice: Choice, w: Words) -> list[ui.Button[Any]]:
    """What only changes what is seen."""
    sort = (Verb.BY_RANK, w("Sort by rank")) if choice.by_suit else (Verb.BY_SUIT, w("Sort by suit"))
    ask = choice.view.ask
    answered = isinstance(ask, ChooseAsk) and bool(ask.given)
    return [
        _button(scene, Verb.HINT, w("Hint"), choice, disabled=not ask or answered),
        _button(scene, *sort, choice),
        _button(scene, Verb.REFRESH, w("Refresh"), choice),
    ]


def _button(
    scene: Scene,
    verb: Verb,
    label: str,
    choice: Choice,
    style: ButtonStyle = ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> ui.Button[Any]:
    return button(label, Press(scene.table, scene.ply, verb, choice.cards), style, disabled=disabled)


def _after(scene: Scene, w: Words) -> Row | None:
    """Under a hand that has ended: Ready for whoever is still awaited."""
    if scene.stage != "between":
        return None
    wanted = scene.seat in scene.awaited
    press = Press(scene.table, scene.ply, Verb.READY)
    refresh = Press(scene.table, scene.ply, Verb.REFRESH)
    return row(button(w("Ready"), press, ButtonStyle.success, disabled=not wanted), button(w("Refresh"), refresh))


def extras(scene: Scene, choice: Choice, habits: Habits, w: Words) -> Row | None:
    """Return what can be chosen about a seat: taking it back from a house player, and hands by direct message."""
    if scene.stage not in ("playing", "between"):
        return None
    kept = [chair for chair in scene.chairs if chair.seat == scene.seat and chair.house]
    back = button(w("Take my seat back"), Press(scene.table, scene.ply, Verb.BACK, choice.cards), ButtonStyle.primary)
    wish = w("No more direct messages") if habits.mirror else w("Send me my hand by direct message")
    return row(back if kept else None, button(wish, Press(scene.table, scene.ply, Verb.MIRROR, choice.cards)))
