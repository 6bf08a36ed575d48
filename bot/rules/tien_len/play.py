"""2, 4-6 and 8.6-8.8. The play: one hand in progress, and the duty before a last card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from bot.domain.message_ids import N_
from bot.rules.core.asks import Action, PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import NO_SECRECY, Result, Secrecy, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Turns, lead_refusal, play_ask, play_or_pass, trick_view
from bot.rules.tien_len.groups import Groups
from bot.rules.tien_len.rules import TienLenRules
from bot.rules.tien_len.score import TienLenEnding, is_doubled, result

BEHIND = N_("{seat} had only 2s to lead, which isn't allowed, so they come last.")
CHOP = PlayAsk(may_pass=False, limit=Note("4.7", "Not your turn, but you can chop with four or more pairs in a row."))


class TienLenGame(NamedTuple):
    """A hand in progress.

    hands: each seat's cards, weakest first. hidden_cards: undealt. dealer: the first leader; low: the lowest dealt
    card, if it decided the first lead. out: the seats that went out, in order; last: the seats in the last places that
    are no longer asked, best place first.
    """

    rules: TienLenRules
    hands: tuple[Cards, ...]
    hidden_cards: Cards
    dealer: int
    turn: int
    low: Card | None = None
    out: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    result: Result | None = None

    def __repr__(self) -> str:
        """Return the progress of the hand, without the cards held, to keep them out of logs."""
        return f"<TienLenGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    # Seats to act, and their views

    @property
    def secrecy(self) -> Secrecy:
        """Every action is public."""
        return NO_SECRECY

    @property
    def awaited(self) -> frozenset[int]:
        """The seat on turn; empty when the hand is over."""
        return frozenset({self.turn}) if self.result is None else frozenset()

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn, and seats with enough cards for a chop out of turn (4.7).

        Only the number of cards counts, whatever the cards are.
        """
        least = self.rules.groups.least_out_of_turn(self.trick.top)
        ready = {seat for seat, held in enumerate(self.able) if len(held) >= least}
        return self.awaited and self.awaited | self.turns.interrupters(self.trick, ready)

    @property
    def able(self) -> tuple[Cards, ...]:
        """The hands of the seats that can be asked; empty for a seat in the last places."""
        return tuple(() if seat in self.last else held for seat, held in enumerate(self.hands))

    @property
    def must(self) -> Card | None:
        """The card that the first play has to contain (O2.1)."""
        begun = self.trick.moves or self.tricks or self.result
        return None if begun or self.rules.options.first_play == "any" else self.low

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        return trick_view(self, seat, self._facts(), must=self.must, known=self._known(seat))

    def ask(self, seat: int) -> PlayAsk:
        """Return the question to a seat that may act."""
        return play_ask(self) if seat == self.turn else CHOP

    def _facts(self) -> tuple[tuple[str, Any], ...]:
        out, last = (tuple(map(Seat, seats)) for seats in (self.out, self.last))
        facts = (("out", out), ("last", last), ("low", self.low))
        return (*(fact for fact in facts if fact[1]), ("starter", Seat(self.dealer)))

    def _known(self, seat: int | None) -> tuple[tuple[int, Card], ...]:
        """2.1: the holder of the lowest card has shown it."""
        shown = self.low in self.hands[self.dealer] and seat != self.dealer
        return ((self.dealer, self.low),) if self.low and shown else ()

    # Actions

    def act(self, seat: int, action: Action) -> TienLenGame:
        """Return the game after an action. Raises Illegal for a forbidden action."""
        return play_or_pass(self, seat, action)

    @property
    def turns(self) -> Turns:
        """How turns pass (O4, 5, 6.1)."""
        return self.rules.turns

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return the legal plays of a seat that may act."""
        return self.rules.plays_of(self.hands[seat], self.trick.top, self.must, in_turn=seat == self.turn)

    def why_no_pass(self, _seat: int) -> Illegal | None:
        """Return the reason why the seat on turn may not pass, or None (5.1)."""
        return lead_refusal(self)

    def passed(self, seat: int) -> TienLenGame:
        """Return the game after a pass (5.1)."""
        return self._replace(trick=self.trick.passed(seat)).advance(seat)

    def played(self, seat: int, combo: Combo) -> TienLenGame:
        """Return the game after a play, in or out of turn (4, 6.1)."""
        hand = without(self.hands[seat], combo.cards)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        now = self._replace(hands=hands, trick=self.trick.played(seat, combo))
        return now.advance(seat) if hand else now.gone_out(seat)

    # The end of a trick and of a hand

    def gone_out(self, seat: int) -> TienLenGame:
        """Return the game after a seat played its last card.

        When the first player goes out, seats without a play are frozen (8.4).
        """
        now = self._replace(out=(*self.out, seat))
        if not self.out and self.rules.options.frozen:
            now = now._replace(last=(*(other for other in self.turns.round(seat) if not now.laid(other)), *now.last))
        if now.turns.ended(now.able):
            return now.ended()
        again = self.rules.options.inherit == "all_asked_again"
        return (now._replace(trick=now.trick.asked_again()) if again else now).advance(seat)

    def laid(self, seat: int) -> Cards:
        """Return the cards that a seat has played, in order."""
        moves = (move for trick in (*self.tricks, self.trick) for move in trick.moves if move.seat == seat)
        return tuple(held for move in moves if move.combo for held in move.combo.cards)

    def advance(self, seat: int) -> TienLenGame:
        """Return the game with the next seat of the trick on turn, or with the trick ended (5.2)."""
        following = self.turns.following(self.trick, seat, self.able)
        if following is not None:
            return self._replace(turn=following)
        assert self.trick.owner is not None
        return self._replace(trick=EMPTY, tricks=(*self.tricks, self.trick)).led_by(self.trick.owner)

    def led_by(self, seat: int) -> TienLenGame:
        """Return the game with this seat or the next on lead.

        A seat unable to lead stays behind (5.3, 6.2).
        """
        turn = self.turns.heir(seat, self.able)
        if not self.rules.stuck(self.hands[turn]):
            return self._replace(turn=turn)
        behind = self._replace(last=(turn, *self.last))
        return behind.ended() if sum(map(bool, behind.able)) == 1 else behind.led_by(turn)

    def ended(self) -> TienLenGame:
        """Return the finished game.

        The places follow the order of going out, then the remaining cards, then the seats in the last places.
        """
        seats = (seat for seat in self.turns.round((*self.out, 0)[0]) if self.able[seat])
        order = (*self.out, *sorted(seats, key=lambda seat: len(self.hands[seat])), *self.last)
        idle = tuple(seat for seat in self.last if not self.laid(seat))
        behind = [Note("6.3", BEHIND, (("seat", Seat(seat)),)) for seat in self.last if seat not in idle]
        tricks = (*self.tricks, self.trick)
        ended = TienLenEnding(
            self.hands,
            order,
            idle,
            charges(self.rules, self.hands, tricks),
            is_doubled(self.rules.options, self.last_play(*self.out[:1])),
        )
        return self._replace(result=result(self.rules.groups, ended, tricks, behind))

    def last_play(self, *seats: int) -> Combo | None:
        """Return the latest play of these seats, None without one."""
        moves = (move for trick in (self.trick, *self.tricks[::-1]) for move in trick.moves[::-1])
        return next((move.combo for move in moves if move.combo and move.seat in seats), None)


class DutyStep(NamedTuple):
    """A play or a pass.

    hand: of the seat, before the step. top: the play to beat. combo: None for a pass.
    """

    seat: int
    hand: Cards
    top: Combo | None
    combo: Combo | None


def charges(rules: TienLenRules, left: Sequence[Cards], tricks: Iterable[Trick]) -> dict[int, int]:
    """Return the paying seat by the seat that went out (8.8).

    left: the remaining cards of each seat.
    """
    if not rules.pays_for_all:
        return {}
    both = pairwise(steps(rules, left, [*tricks]))
    return {last.seat: before.seat for before, last in both if is_offence(rules, before, last)}


def steps(rules: TienLenRules, left: Sequence[Cards], tricks: Sequence[Trick]) -> Iterator[DutyStep]:
    """Yield every step of a hand, with the cards of its seat at that moment."""
    hands = [[*held] for held in left]
    for seat, combo, _ in (move for trick in tricks for move in trick.moves):
        hands[seat] += combo.cards if combo else ()
    for trick in tricks:
        top: Combo | None = None
        for seat, combo, _ in trick.moves:
            yield DutyStep(seat, rules.sort(tuple(hands[seat])), top, combo)
            if combo:
                hands[seat] = [held for held in hands[seat] if held not in combo.cards]
                top = combo


def is_offence(rules: TienLenRules, before: DutyStep, last: DutyStep) -> bool:
    """Tell whether a step let the next seat go out on a card that a dutiful play had stopped."""
    if last.combo is None or len(last.hand) > 1 or before.seat == last.seat:
        return False
    return _lets_through(rules, before, last.combo)


def _lets_through(rules: TienLenRules, step: DutyStep, last: Combo) -> bool:
    if any(combo and len(combo.cards) > 1 for combo in (step.top, step.combo)):
        return False
    plays = _careful(rules, step.hand, step.top)
    if step.combo in plays or not plays:
        return False
    return not rules.groups.can_follow(last, plays[-1])


def _careful(rules: TienLenRules, hand: Cards, top: Combo | None) -> list[Combo]:
    """Return the plays that fulfil the duty on a single or a lead, weakest first (8.6, 8.7).

    In a lead, the plays of several cards if any, otherwise the highest single. On a single, a chop also fulfils the
    duty, but is never required.
    """
    plays = [*rules.plays_of(hand, top, None, in_turn=True)]
    several, singles = ([combo for combo in plays if (len(combo.cards) > 1) == more] for more in (True, False))
    return several if several and top is None else singles[-1:]
