"""5-7. The play: one hand of Big A in progress, once all cards are drawn.

Knows whose turn it is and what has been played. Refuses to know how cards were drawn and what they count in the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.rules.big_a import score
from bot.rules.big_a.groups import Groups
from bot.rules.big_a.options import PLAYERS
from bot.rules.big_a.rules import BigARules
from bot.rules.big_a.sides import Sides
from bot.rules.big_a.tables import SINGLES
from bot.rules.core.actions import Action
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import IN_THE_OPEN, Result, Secrecy, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat, by_seat
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Articles, Turns, asked, has_to_lead, play_or_pass, seen

_ALONE = tuple(frozenset({seat}) for seat in range(PLAYERS))
TURNS = Turns(PLAYERS, Articles(turn="6.2", lead="6.1", choice="6.2"))
_NOBODY: frozenset[int] = frozenset()


class BigAGame(NamedTuple):
    """A hand in progress. rules: those of this hand, with its Big suit.

    facts: of the draw, public. hands: each seat's cards, weakest first. known: cards of which everybody knows who holds
    them, each as often as it does. net: Big Aces that a seat has played less those it has captured (7.8). out: who has
    gone out, first first. told: what each seat was told of the draw, until it acts.
    """

    rules: BigARules
    sides: Sides
    facts: tuple[tuple[str, Any], ...]
    hands: tuple[Cards, ...]
    turn: int
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    known: tuple[tuple[int, Card], ...] = ()
    net: tuple[int, ...] = (0,) * PLAYERS
    out: tuple[int, ...] = ()
    told: tuple[tuple[Note, ...], ...] = ((),) * PLAYERS
    result: Result | None = None

    def __repr__(self) -> str:
        """Say how far the hand has come; no card that is still held, for this may stand in a log."""
        return f"<BigAGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    # Who may act, and what they know

    @property
    def dealer(self) -> int:
        """The seat that drew first."""
        return int(dict(self.facts)["starter"])

    @property
    def aside(self) -> Cards:
        """Every card is in a hand or on the table."""
        return ()

    @property
    def secrecy(self) -> Secrecy:
        """Everything is done in the open."""
        return IN_THE_OPEN

    @property
    def awaited(self) -> frozenset[int]:
        """The seat whose turn it is; nobody when the hand is over."""
        return _ALONE[self.turn] if self.result is None else _NOBODY

    @property
    def to_act(self) -> frozenset[int]:
        """The same: nobody acts out of turn."""
        return self.awaited

    @property
    def active(self) -> frozenset[int]:
        """Who still holds cards."""
        return frozenset(seat for seat, held in enumerate(self.hands) if held)

    def view(self, seat: int | None) -> View:
        """Return what this seat, or with None any onlooker, may know."""
        known = tuple(pair for pair in self._held() if pair[0] != seat)
        told = () if seat is None else (*self.told[seat], self.sides.role(seat))
        return seen(
            self,
            seat,
            self._public(),
            rules=self.rules_of(seat),
            known=known,
            told=told,
            teams=self.sides.teams(None),
            own_teams=self.sides.teams(seat),
        )

    def ask(self, seat: int) -> PlayAsk:  # only one seat is asked
        """Return what the seat on turn is asked now."""
        return asked(self)

    def rules_of(self, seat: int | None) -> BigARules:
        """O9: two Big Aces in one hand are a bomb unless only a lone declarer's are; who has both knows which it is."""
        if self.rules.options.big_ace_pair_scope == "any_holder" or seat is None or self.sides.partner is None:
            return self.rules
        return self.rules.unpaired() if sum(map(self.rules.groups.is_big, self.hands[seat])) > 1 else self.rules

    def _public(self) -> tuple[tuple[str, Any], ...]:
        sides, (starter, *before) = self.sides, self.facts
        facts = [starter, *before, ("declarer", Seat(sides.declarer)), ("big", self.rules.big_aces)]
        if sides.known:
            partner = sides.partner
            facts.append(("alone", Seat(sides.declarer)) if partner is None else ("partner", Seat(partner)))
        if self.out:
            facts.append(("out", tuple(map(Seat, self.out))))
        if not self.trick.moves and self.tricks and self.tricks[-1].owner not in self.active and not self.result:
            facts.append(("lead", Seat(self.turn)))
        if self.known and not self.result:
            facts.append(("held", by_seat(self._held())))
        return tuple(facts)

    def _held(self) -> list[tuple[int, Card]]:
        """Return of which cards everybody knows who holds them, seat by seat and weakest first."""
        return sorted(self.known, key=lambda pair: (pair[0], self.rules.groups.power[pair[1]]))

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return what the seat on turn can play."""
        return LegalPlays(self.rules_of(seat).groups, self.hands[seat], self.trick.top)

    # What a seat does

    def act(self, seat: int, action: Action) -> BigAGame:
        """Return the game that follows. Raises Illegal, and then nothing has changed."""
        return play_or_pass(self, seat, action)

    @property
    def turns(self) -> Turns:
        """How turns go (6.2-6.6)."""
        return TURNS

    def why_no_pass(self, _seat: int) -> Illegal | None:
        """Return why the seat on turn may not pass, or None."""
        return has_to_lead(self)

    def passed(self, seat: int) -> BigAGame:
        """Return the game with one more pass (6.3)."""
        return self._replace(trick=self.trick.passed(seat), told=self._heard(seat)).after(seat)

    def _heard(self, seat: int) -> tuple[tuple[Note, ...], ...]:
        """Return what seats were told, once one has acted on it."""
        return (*self.told[:seat], (), *self.told[seat + 1 :]) if self.told[seat] else self.told

    def played(self, seat: int, combo: Combo) -> BigAGame:
        """Return the game with this put on top, and what it captures taken (5.1, 6.2)."""
        top = self.trick.top
        taken = top.cards if top and self.rules.groups.captures(combo, top) else ()
        hand = without(self.hands[seat], combo.cards)
        hands = (*self.hands[:seat], self.rules.sort((*hand, *taken)) if taken else hand, *self.hands[seat + 1 :])
        now = self._replace(hands=hands, trick=self.trick.played(seat, combo, taken), told=self._heard(seat))
        if self.known or taken:
            now = now._replace(known=_known(self.known, seat, combo.cards, taken))
        now = now.counting(seat, combo.cards, taken)
        if hands[seat]:
            return now.after(seat)
        now = now._replace(out=(*self.out, seat))
        return now.finished() if now.sides.together(now.active) else now.after(seat)

    def counting(self, seat: int, played: Cards, taken: Cards) -> BigAGame:
        """Return the game with it known who is the partner, or alone, by Big Aces of their own (7.7, 7.8)."""
        change = changes_of(self.rules, played, taken)
        if not change:
            return self
        net = (*self.net[:seat], self.net[seat] + change, *self.net[seat + 1 :])
        declarer = self.sides.declarer
        seen = net[declarer] > 1 or any(count > 0 for holder, count in enumerate(net) if holder != declarer)
        return self._replace(net=net, sides=self.sides._replace(known=self.sides.known or seen))

    def finished(self) -> BigAGame:
        """Return the hand with its result, as all who hold cards are on one side (7.9, 7.10)."""
        order = (*self.out, *sorted(self.active))
        result = score.result(self.sides, order, self.hands, self.rules.options)
        return self._replace(sides=self.sides._replace(known=True), known=(), result=result)

    # Whose turn it is

    def after(self, seat: int) -> BigAGame:
        """Return the game with the next seat on turn that can do anything, or the trick ended (6.5-6.6)."""
        trick, asked = self.turns.going_on(self.trick, seat, self.hands, self._stuck)
        if asked is not None:
            return self._replace(trick=trick, turn=asked)
        owner = trick.owner
        assert owner is not None
        turn = owner if self.hands[owner] else self.sides.lead_after(owner, self.active)
        return self._replace(trick=EMPTY, tricks=(*self.tricks, trick), turn=turn)

    def _stuck(self, seat: int, trick: Trick) -> bool:
        """O16.1: everybody can see that this seat has nothing to play."""
        top = trick.top
        if self.rules.options.auto_pass == "off" or top is None:
            return False
        few = len(self.hands[seat]) == 1 and (top.kind == "big_ace" or top.kind not in SINGLES)
        return few or top.kind == "big_ace_pair"


def changes_of(rules: BigARules, played: Cards, taken: Cards) -> int:
    """Return how many more Big Aces were played than taken (7.8)."""
    return sum(map(rules.groups.is_big, played)) - sum(map(rules.groups.is_big, taken))


def _known(known: tuple[tuple[int, Card], ...], seat: int, played: Cards, taken: Cards) -> tuple[tuple[int, Card], ...]:
    """Return of which cards everybody knows where they are once somebody has played and taken some."""
    left = list(known)
    for card in played:
        if (seat, card) in left:
            left.remove((seat, card))
    return (*left, *((seat, card) for card in taken))
