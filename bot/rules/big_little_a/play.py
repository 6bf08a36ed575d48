"""3-7. The play: one hand of The Big and the Little A in progress.

Turns, rounds and the A cards. Penalty points are in score.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.domain.message_ids import N_
from bot.rules.big_little_a import groups, score
from bot.rules.big_little_a.groups import A_CARDS, BARRED, HIGHEST, JOKER, LITTLE_A, NUMBERS, Groups, free_to_lead
from bot.rules.big_little_a.rules import BigLittleARules
from bot.rules.big_little_a.score import Pile
from bot.rules.big_little_a.state import ACardState
from bot.rules.core.asks import Action, Ask, Name, NameAsk, PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import NO_SECRECY, Result, Secrecy, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Turns, check_turn, lead_refusal, play_or_pass, trick_view

A_ROUND = Note("6.6", "A-round: everyone plays one card. Highest takes all; if two tie, the first one played.")
CALLED = N_("What do {cards} stand for? {joker} is a fourteen, the highest of all.")
AS = N_("As {card}")
STANDING_FOR = N_("What do {cards} stand for?")
NAMING = Secrecy(sealed=1)
_NOBODY: frozenset[int] = frozenset()


class BigLittleAGame(NamedTuple):
    """A hand in progress. hands: each seat's cards, weakest first. unused: undealt cards.

    starter: the leader of the first round. round: its number, from 1. naming: several jokers alone, played by the seat
    on turn and awaiting a rank; secret from the other seats.
    """

    rules: BigLittleARules
    hands: tuple[Cards, ...]
    unused: Cards
    starter: int
    turn: int
    round: int = 1
    middle: ACardState = ACardState()
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    naming: Cards = ()
    result: Result | None = None

    def __repr__(self) -> str:
        """Return the progress of the hand, without the cards held, to keep them out of logs."""
        return f"<BigLittleAGame round={self.round} turn={self.turn} counts={tuple(map(len, self.hands))}>"

    # Seats to act, and their views

    @property
    def dealer(self) -> int:
        """The dealer: the seat before the leader of the first round (2)."""
        return (self.starter - 1) % self.rules.players

    @property
    def hidden_cards(self) -> Cards:
        """The undealt cards, and the A cards in the middle."""
        return (*self.unused, *self.middle.lying)

    @property
    def secrecy(self) -> Secrecy:
        """Jokers awaiting a rank are known to their player only."""
        return NAMING if self.naming else NO_SECRECY

    @property
    def awaited(self) -> frozenset[int]:
        """The seat on turn; empty when the hand is over."""
        return frozenset({self.turn}) if self.result is None else _NOBODY

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn; no seat acts out of turn."""
        return self.awaited

    @property
    def in_a_round(self) -> bool:
        """Whether an A card was led."""
        return bool(self.trick.moves) and leads_a_round(self.trick)

    @property
    def rules_now(self) -> BigLittleARules:
        """The rules of this round (4.3)."""
        return self.rules.in_a_round() if self.in_a_round else self.rules

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        known = tuple(pair for pair in self.middle.seen() if pair[0] != seat)
        return trick_view(
            self,
            seat,
            self._facts(),
            rules=self.rules_now,
            known=known,
            is_out_of_trick=seat in self.turns.left(self.trick),
        )

    def _facts(self) -> list[tuple[str, Any]]:
        facts: list[tuple[str, Any]] = [("round", self.round)]
        if self.in_a_round and self.result is None:
            facts.append(("a_round", None))
        facts += self.middle.facts(self.round)
        if self.tricks and not self.trick.moves and self.turn != self.tricks[-1].owner and self.result is None:
            facts.append(("lead", Seat(self.turn)))
        return [*facts, ("starter", Seat(self.starter))]

    def ask(self, seat: int) -> Ask:
        """Return the question to the seat on turn."""
        hand, top = self.hands[seat], self.trick.top
        if self.naming:
            question = Note("O6.2", CALLED, (("cards", self.naming), ("joker", JOKER)))
            return NameAsk(question, self._ranks(), AS, about=self.naming, short=STANDING_FOR)
        if self.in_a_round:
            return PlayAsk(may_pass=has_only_a_cards(hand), limit=A_ROUND)
        barred = self._barred(seat) if top is None else None
        if barred:
            return PlayAsk(may_pass=False, limit=Note("5.8", BARRED, (("card", barred),)), barred=(barred,))
        return PlayAsk(may_pass=top is not None)

    def _barred(self, seat: int) -> Card | None:
        """Return the A card in this hand that cannot be led yet (5.8)."""
        barred = self.middle.barred(self.round)
        return barred if barred in self.hands[seat] else None

    def _ranks(self) -> Cards:
        """O6.2: the possible ranks of several jokers alone: every rank above the top."""
        least = self.trick.top.strength if self.trick.top else 0
        return (*(number for number, rank in NUMBERS.items() if rank > least), JOKER)

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return the legal plays of the seat on turn."""
        barred = None if self.trick.moves else self._barred(seat)
        asked = free_to_lead((barred,) if barred else ())
        return LegalPlays(self.rules_now.groups, self.hands[seat], self.trick.top, asked)

    # Actions

    def act(self, seat: int, action: Action) -> BigLittleAGame:
        """Return the game after an action. Raises Illegal for a forbidden action."""
        if not self.naming:
            return play_or_pass(self, seat, action)
        check_turn(self, seat)
        if not isinstance(action, Name):
            raise Illegal("O6.2", "First, choose what your jokers stand for.")
        return self._named(seat, action.card)

    def _named(self, seat: int, rank: Card) -> BigLittleAGame:
        NameAsk(Note("O6.2", CALLED), self._ranks(), AS).verify((rank,))
        return self._replace(naming=()).laid(seat, groups.named(self.naming, rank)).advance()

    def played(self, seat: int, combo: Combo) -> BigLittleAGame:
        """Return the game after a play, or with the player asked for jokers' ranks (O6.2)."""
        if combo.kind == "jokers" and self.rules.options.joker_only_sets == "declared" and len(self._ranks()) > 1:
            return self._replace(naming=combo.cards)
        return self.laid(seat, combo).advance()

    @property
    def turns(self) -> Turns:
        """How turns pass in this round (3.2-3.5, 6.2, O7)."""
        return self.rules_now.turns

    def why_no_pass(self, seat: int) -> Illegal | None:
        """Return the reason why the seat on turn may not pass, or None."""
        if self.in_a_round and not has_only_a_cards(self.hands[seat]):
            return Illegal("6.2", "You can't pass in an A-round: play any one card.")
        return lead_refusal(self)

    def passed(self, seat: int) -> BigLittleAGame:
        """Return the game after a pass (3.4)."""
        return self._replace(trick=self.trick.passed(seat)).advance()

    def laid(self, seat: int, combo: Combo) -> BigLittleAGame:
        """Return the game with these cards in the trick, on top or possibly below in an A round."""
        hands = (*self.hands[:seat], without(self.hands[seat], combo.cards), *self.hands[seat + 1 :])
        top, middle = self.trick.top, self.middle.after(seat, combo.cards)
        if combo.head in A_CARDS:
            combo, middle = groups.laid(combo.head), middle.led(combo.head)
        higher = top is None or combo.strength > top.strength
        trick = self.trick.played(seat, combo) if higher else self.trick.laid(seat, combo)
        return self._replace(hands=hands, trick=trick, middle=middle)

    # The course and end of a round

    def advance(self) -> BigLittleAGame:
        """Return the game with the next seat with a choice on turn, or with the round ended."""
        now, way = self, self.turns
        everybody = (True,) * self.rules.players  # a seat without cards counts too, and passes
        while (seat := way.following(now.trick, now.trick.moves[-1].seat, everybody)) is not None:
            if not now.forced(seat):
                return now._replace(turn=seat)
            now = now.forced_on(seat)
        return now.closed()

    def forced(self, seat: int) -> bool:
        """O7.2, O11.1: tell whether a seat is skipped, having no cards or evidently no choice."""
        hand, top = self.hands[seat], self.trick.top
        assert top
        if self.rules.options.auto_pass == "off":
            return not hand
        plain = sum(held not in A_CARDS for held in hand)
        if self.in_a_round:
            return plain <= 1
        return top.strength == HIGHEST or plain < len(top.cards)

    def forced_on(self, seat: int) -> BigLittleAGame:
        """Return the game after a seat's automatic pass or its only card played in an A round."""
        cards = [held for held in self.hands[seat] if held not in A_CARDS] if self.in_a_round else []
        if not cards:
            return self._replace(trick=self.trick.passed(seat))
        return self.laid(seat, groups.laid(cards[0]))

    def closed(self) -> BigLittleAGame:
        """Return the game after a round, with the next leader on turn or the hand ended."""
        now = self._handed_out()
        if not all(now.hands):
            result = score.result(now.hands, now.middle.pile, now.unused, now.rules.options)
            return now._replace(middle=now.middle._replace(known=()), result=result)
        now = now._replace(round=now.round + 1)
        while all(held is now.middle.barred(now.round) for held in now.hands[now.turn]):  # 5.11
            now = now._replace(turn=(now.turn + 1) % now.rules.players)
        return now

    def _handed_out(self) -> BigLittleAGame:
        """3.6, 5.1, 5.2, 6.9-6.12: clear the trick, hand out A cards, and put the winner on turn."""
        winner, trick, middle = self.trick.owner, self.trick, self.middle
        gained: Cards = ()
        assert winner is not None
        if self.in_a_round and LITTLE_A in trick.cards:
            middle = middle._replace(pile=Pile(winner, groups.in_order(trick.cards)))
        elif self.in_a_round:
            gained, middle = trick.cards, middle.taken_up(winner, trick.cards, self.round)
            trick = trick.taken_up()
        elif middle.lying:
            gained, middle = middle.lying[:1], middle.handed_out(winner, self.round)
        hand = groups.in_order((*self.hands[winner], *gained))
        hands = (*self.hands[:winner], hand, *self.hands[winner + 1 :])
        return self._replace(hands=hands, middle=middle, trick=EMPTY, tricks=(*self.tricks, trick), turn=winner)


def leads_a_round(trick: Trick) -> bool:
    """Tell whether a trick was led with an A card."""
    led = trick.moves[0].combo
    return led is not None and led.head in A_CARDS


def has_only_a_cards(hand: Cards) -> bool:
    """Tell whether a hand consists of A cards only (5.10, 6.5)."""
    return all(held in A_CARDS for held in hand)
