"""5-7. The play: one hand of Big A in progress, after the draw."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.rules.big_a import score
from bot.rules.big_a.groups import Groups
from bot.rules.big_a.options import PLAYERS
from bot.rules.big_a.rules import BigARules
from bot.rules.big_a.score import Sides
from bot.rules.big_a.tables import SINGLES
from bot.rules.core.asks import Action, PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import NO_SECRECY, Result, Secrecy, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat, by_seat
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Articles, Turns, lead_refusal, play_ask, play_or_pass, trick_view

_ALONE = tuple(frozenset({seat}) for seat in range(PLAYERS))
TURNS = Turns(PLAYERS, Articles(turn="6.2", lead="6.1", choice="6.2"))
_NOBODY: frozenset[int] = frozenset()


class BigAGame(NamedTuple):
    """A hand in progress.

    rules: of this hand, with its Big suit. facts: of the draw, public. hands: each seat's cards, weakest first. known:
    cards with publicly known holders, one entry for each copy. net: the number of Big Aces that a seat has played minus
    those it has captured (7.8). out: the seats that went out, in order. private_notes: from the draw, until the seat
    acts.
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
    private_notes: tuple[tuple[Note, ...], ...] = ((),) * PLAYERS
    result: Result | None = None

    def __repr__(self) -> str:
        """Return the progress of the hand, without the cards held, to keep them out of logs."""
        return f"<BigAGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    # Seats to act, and their views

    @property
    def dealer(self) -> int:
        """The seat that drew first."""
        return int(dict(self.facts)["starter"])

    @property
    def hidden_cards(self) -> Cards:
        """Empty: every card is in a hand or on the table."""
        return ()

    @property
    def secrecy(self) -> Secrecy:
        """Every action is public."""
        return NO_SECRECY

    @property
    def awaited(self) -> frozenset[int]:
        """The seat on turn; empty when the hand is over."""
        return _ALONE[self.turn] if self.result is None else _NOBODY

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn; no seat acts out of turn."""
        return self.awaited

    @property
    def active(self) -> frozenset[int]:
        """The seats that still hold cards."""
        return frozenset(seat for seat, held in enumerate(self.hands) if held)

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        known = tuple(pair for pair in self._held() if pair[0] != seat)
        private_notes = () if seat is None else (*self.private_notes[seat], self.sides.role(seat))
        return trick_view(
            self,
            seat,
            self._public(),
            rules=self.rules_of(seat),
            known=known,
            private_notes=private_notes,
            teams=self.sides.teams(None),
            own_teams=self.sides.teams(seat),
        )

    def ask(self, seat: int) -> PlayAsk:  # only one seat is asked
        """Return the question to the seat on turn."""
        return play_ask(self)

    def rules_of(self, seat: int | None) -> BigARules:
        """O9: return the rules for a seat, in which two Big Aces may be an ordinary pair.

        With "lone_deal_only" two Big Aces are a bomb only in a hand with a lone declarer. A seat with both knows
        whether the declarer is alone, so its rules reveal nothing new.
        """
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
        """Return the cards with publicly known holders, seat by seat and weakest first."""
        return sorted(self.known, key=lambda pair: (pair[0], self.rules.groups.power[pair[1]]))

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return the legal plays of the seat on turn."""
        return LegalPlays(self.rules_of(seat).groups, self.hands[seat], self.trick.top)

    # Actions

    def act(self, seat: int, action: Action) -> BigAGame:
        """Return the game after an action. Raises Illegal for a forbidden action."""
        return play_or_pass(self, seat, action)

    @property
    def turns(self) -> Turns:
        """How turns pass (6.2-6.6)."""
        return TURNS

    def why_no_pass(self, _seat: int) -> Illegal | None:
        """Return the reason why the seat on turn may not pass, or None."""
        return lead_refusal(self)

    def passed(self, seat: int) -> BigAGame:
        """Return the game after a pass (6.3)."""
        return self._replace(trick=self.trick.passed(seat), private_notes=self._heard(seat)).after(seat)

    def _heard(self, seat: int) -> tuple[tuple[Note, ...], ...]:
        """Return the private notes after a seat acted on its own."""
        return (
            (*self.private_notes[:seat], (), *self.private_notes[seat + 1 :])
            if self.private_notes[seat]
            else self.private_notes
        )

    def played(self, seat: int, combo: Combo) -> BigAGame:
        """Return the game after a play, with captured cards taken (5.1, 6.2)."""
        top = self.trick.top
        taken = top.cards if top and self.rules.groups.captures(combo, top) else ()
        hand = without(self.hands[seat], combo.cards)
        hands = (*self.hands[:seat], self.rules.sort((*hand, *taken)) if taken else hand, *self.hands[seat + 1 :])
        now = self._replace(hands=hands, trick=self.trick.played(seat, combo, taken), private_notes=self._heard(seat))
        if self.known or taken:
            now = now._replace(known=_known(self.known, seat, combo.cards, taken))
        now = now.counting(seat, combo.cards, taken)
        if hands[seat]:
            return now.after(seat)
        now = now._replace(out=(*self.out, seat))
        return now.finished() if now.sides.together(now.active) else now.after(seat)

    def counting(self, seat: int, played: Cards, taken: Cards) -> BigAGame:
        """Return the game with the partner, or the lack of one, made public (7.7, 7.8).

        Played Big Aces make it public. played, taken: the cards of a play, and those that it captures.
        """
        change = changes_of(self.rules, played, taken)
        if not change:
            return self
        net = (*self.net[:seat], self.net[seat] + change, *self.net[seat + 1 :])
        declarer = self.sides.declarer
        seen = net[declarer] > 1 or any(count > 0 for holder, count in enumerate(net) if holder != declarer)
        return self._replace(net=net, sides=self.sides._replace(known=self.sides.known or seen))

    def finished(self) -> BigAGame:
        """Return the game with its result: every seat with cards is on one side (7.9, 7.10)."""
        order = (*self.out, *sorted(self.active))
        result = score.result(self.sides, order, self.hands, self.rules.options)
        return self._replace(sides=self.sides._replace(known=True), known=(), result=result)

    # The next turn

    def after(self, seat: int) -> BigAGame:
        """Return the game with the next able seat on turn, or with the trick ended (6.5-6.6)."""
        trick, asked = self.turns.advance(self.trick, seat, self.hands, self._stuck)
        if asked is not None:
            return self._replace(trick=trick, turn=asked)
        owner = trick.owner
        assert owner is not None
        turn = owner if self.hands[owner] else self.sides.lead_after(owner, self.active)
        return self._replace(trick=EMPTY, tricks=(*self.tricks, trick), turn=turn)

    def _stuck(self, seat: int, trick: Trick) -> bool:
        """O16.1: tell whether public information proves that this seat cannot play."""
        top = trick.top
        if self.rules.options.auto_pass == "off" or top is None:
            return False
        few = len(self.hands[seat]) == 1 and (top.kind == "big_ace" or top.kind not in SINGLES)
        return few or top.kind == "big_ace_pair"


def changes_of(rules: BigARules, played: Cards, taken: Cards) -> int:
    """Return the number of Big Aces played minus those taken (7.8)."""
    return sum(map(rules.groups.is_big, played)) - sum(map(rules.groups.is_big, taken))


def _known(known: tuple[tuple[int, Card], ...], seat: int, played: Cards, taken: Cards) -> tuple[tuple[int, Card], ...]:
    """Return the cards with publicly known holders after a seat played and took cards."""
    left = list(known)
    for card in played:
        if (seat, card) in left:
            left.remove((seat, card))
    return (*left, *((seat, card) for card in taken))
