"""6. The play: one hand of Big Two in progress.

Dealing and scoring are in deal.py and score.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from bot.domain.message_ids import N_
from bot.rules.big_two import state
from bot.rules.big_two.groups import Groups
from bot.rules.big_two.rules import HIGHEST, OUT_OF_TURN
from bot.rules.big_two.score import BigTwoEnding, score
from bot.rules.big_two.state import BigTwoState, Breach, KnownCard, begun, breach, facts_of, offender
from bot.rules.core.asks import Action, Give, GiveAsk, PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import NO_SECRECY, Result, Secrecy, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY, Combo
from bot.rules.core.turns import MAY_PASS, MUST_LEAD, Turns, check_turn, lead_refusal, play_or_pass, trick_view
from bot.rules.variants.registration import SECOND

SPECIALS = ("quads", "straight_flush", "royal_flush", "sf_plus_two", "royal_plus_two")  # C37.1
INTERRUPT = PlayAsk(may_pass=False, limit=OUT_OF_TURN)
_NOBODY: frozenset[int] = frozenset()
_ALONE = tuple(frozenset({seat}) for seat in range(5))


class BigTwoGame(BigTwoState):
    """A hand in progress, with its legal actions."""

    __slots__ = ()

    # Seats to act, and their views

    secrecy: ClassVar[Secrecy] = NO_SECRECY

    @property
    def awaited(self) -> frozenset[int]:
        """The seat on turn; empty when the hand is over."""
        return _ALONE[self.turn] if self.result is None else _NOBODY

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn, and the seats that may play an honour hand out of turn (C16)."""
        if not self.rules.options.honours_out_of_turn or self.result or self.trick.top is None:
            return self.awaited
        return self.awaited | self._interrupters(self.trick.top)

    def _interrupters(self, top: Combo) -> frozenset[int]:
        """C16.2-3: the seats with enough cards that neither own the trick nor are locked out.

        Only the number of cards counts, whatever the cards are.
        """
        least = self.rules.groups.honours_over(top)
        if least is None:
            return _NOBODY
        return self.turns.interrupters(self.trick, {seat for seat, held in enumerate(self.hands) if len(held) >= least})

    def view(self, seat: int | None) -> View:
        """Return the view of this seat, None for a spectator (6.9: all card counts are public)."""
        private_notes = self.progress.private_notes
        return trick_view(
            self,
            seat,
            self.dealt.facts or facts_of(self),
            must=self.must,
            known=self._known(seat) if self.shown else (),
            private_notes=private_notes[seat] if private_notes and seat is not None else (),
        )

    def _known(self, seat: int | None) -> tuple[tuple[int, Card], ...]:
        known = (
            (showing.holder, showing.card)
            for showing in self.shown
            if showing.holder != seat and showing.to in (None, seat)
        )
        return tuple(dict.fromkeys(known))

    def ask(self, seat: int) -> PlayAsk | GiveAsk:
        """Return the question to a seat that may act."""
        if seat != self.turn:
            return INTERRUPT
        if self.progress.giving is not None:
            return GiveAsk(Seat(self.progress.giving), 1, "C40.1")
        if self.rules.free and len(self.hands[seat]) > 1:
            return MAY_PASS if self.trick.top else MUST_LEAD
        limit, may_pass = self._limit(seat), self.why_no_pass(seat) is None
        draws = state.to_draw(self, seat) if may_pass else 0
        if limit is None and not draws:
            return MAY_PASS if may_pass else MUST_LEAD
        return PlayAsk(may_pass, limit, draws)

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return the legal plays of a seat that may act."""
        return self.rules.legal(self.hands[seat], self.trick.top, self.must, self._limit(seat))

    def _limit(self, seat: int) -> Note | None:
        if seat != self.turn:
            return OUT_OF_TURN
        if self.rules.free or self.rules.options.one_card_rule != "forced" or self.must:  # C22.4
            return None
        follower = self._follower(seat)
        return HIGHEST if follower is not None and len(self.hands[follower]) == 1 else None

    def _follower(self, seat: int) -> int | None:
        """C22.2: the seat that would answer a play of this seat.

        Before version 3, the seat itself is possible.
        """
        if self.rules.version <= SECOND:
            return self.turns.following(self.trick._replace(owner=seat, passes=0), seat, self.hands)
        return self.turns.answering(self.trick, seat, self.hands)

    def _pass_frees(self, seat: int) -> bool:
        """C22.3: whether another seat with one card acts after a pass.

        Before version 3: whether such a seat acts after a play.
        """
        if self.rules.options.one_card_rule != "forced" or self.must:
            return False
        if self.rules.version <= SECOND:
            return self._limit(seat) is not None
        follower = self.turns.after_pass(self.trick, seat, self.hands)
        return follower != seat and len(self.hands[follower]) == 1

    # Actions

    def act(self, seat: int, action: Action) -> BigTwoGame:
        """Return the game after an action. Raises Illegal for a forbidden action."""
        to = self.progress.giving
        if to is None:
            return play_or_pass(self, seat, action)
        check_turn(self, seat)
        if not isinstance(action, Give):
            raise Illegal("C40.1", "First, give {seat} a card.", seat=Seat(to))
        return self._give(action.cards, to)

    @property
    def turns(self) -> Turns:
        """How turns pass in this hand (6.2-6.6, C2, C20)."""
        return self.rules.turns[self.dealt.step]

    def _give(self, given: Cards, to: int) -> BigTwoGame:
        """C40.1: any one card is given back."""
        GiveAsk(Seat(to), 1, "C40.1").verify(self.hands[self.turn], given)
        hands = list(self.hands)
        hands[self.turn] = without(hands[self.turn], given)
        hands[to] = self.rules.sort(hands[to] + given)
        private_notes = {
            to: Note("C40.1", "{seat} gave you {cards} for it.", (("seat", Seat(self.turn)), ("cards", given)))
        }
        shown = (*(showing for showing in self.shown if showing.card not in given), KnownCard(to, given[0], self.turn))
        now = self._replace(hands=tuple(hands), shown=shown)
        return begun(now.with_notes(private_notes, giving=None))

    def played(self, seat: int, combo: Combo) -> BigTwoGame:
        """Return the game after a play, in or out of turn (6.3, C16)."""
        hand = without(self.hands[seat], combo.cards)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        shown = self.shown and tuple(showing for showing in self.shown if showing.card not in combo.cards)
        trick = self.trick.played(seat, combo)
        following = self.turns.following(trick, seat, hands)
        now = BigTwoGame(
            self.rules,
            self.dealt,
            hands,
            seat if following is None else following,
            None,
            self.without_notes(seat),
            self.stock,
            shown,
            trick,
            self.tricks,
        )
        if not hand:
            now = now._gone_out(seat, combo, self.breach)
            if now.result:
                return now
        return (now.closed() if following is None else now).checked(self, seat, combo)

    def _gone_out(self, seat: int, combo: Combo, last: Breach | None) -> BigTwoGame:
        """6.10, C24: the winner's last play ends the hand, or play continues.

        If play continues, the hand ends once a single seat holds cards.
        """
        progress = self.progress._replace(out=(*self.progress.out, seat))
        if len(progress.out) == 1:
            progress = progress._replace(final=combo, charged=offender(self.rules, last, combo))
        now = self._replace(progress=progress)
        if not self.turns.ended(now.hands):
            return now
        left = [other for other, held in enumerate(now.hands) if held] if self.turns.plays_on else ()
        return finish(now, (*progress.out, *left))

    def passed(self, seat: int) -> BigTwoGame:
        """Return the game after a pass and the cards drawn for it (6.4, C41)."""
        now, trick = self, self.trick.passed(seat)
        draws = 0 if self.rules.free else state.to_draw(self, seat)
        if draws:
            now = state.drawn(self._replace(progress=self.without_notes(seat)), seat, draws)
        following = self.turns.following(trick, seat, now.hands)
        now = BigTwoGame(
            self.rules,
            self.dealt,
            now.hands,
            seat if following is None else following,
            None,
            now.progress if draws else self.without_notes(seat),
            now.stock,
            self.shown,
            trick,
            now.tricks,
        )
        return (now.closed() if following is None else now).checked(self, seat, None)

    def why_no_pass(self, seat: int) -> Illegal | None:
        """Return the reason why the seat on turn may not pass, or None."""
        top, hand = self.trick.top, self.hands[seat]
        if self.rules.free and top is not None:
            return None
        if top is None:
            return None if self.rules.stuck(hand) else lead_refusal(self)
        if len(top.cards) == 1 and self._pass_frees(seat) and self.rules.groups.power[hand[-1]] > top.strength:
            sentence = N_("The next player has one card, so you can't pass: {card} beats {top}.")
            return None if self.rules.stuck(hand) else Illegal("C22.3", sentence, card=hand[-1], top=top)
        return None

    # The next turn

    def checked(self, before: BigTwoGame, seat: int, combo: Combo | None) -> BigTwoGame:
        """Return the game after two checks of a step.

        The hand ends if no seat can still play. A breach by this step is noted.
        """
        rules = self.rules
        if rules.options.last_card_ban != "none" and self._all_stuck():
            return finish(self, (), (Note("C23.6", "Nobody can play any more, so this hand doesn't count."),))
        if rules.precaution and len(self.hands[self.turn]) == 1 and self.turn != seat:
            return self._replace(breach=breach(rules, seat, before.hands[seat], before.trick.top, played=combo))
        return self

    def closed(self) -> BigTwoGame:
        """6.6: return the game after a trick, with its owner on lead.

        If the owner is out, the next seat leads (C24.2).
        """
        owner, progress = self.trick.owner, self.progress
        assert owner is not None
        if self.rules.options.scoring == "indonesia":
            progress = progress._replace(specials=self.specials())
        turn = self.turns.heir(owner, self.hands)
        return BigTwoGame(
            self.rules,
            self.dealt,
            self.hands,
            turn,
            None,
            progress,
            self.stock,
            self.shown,
            EMPTY,
            (*self.tricks, self.trick),
        )

    def specials(self) -> tuple[tuple[int, Combo], ...]:
        """Return the special combinations not beaten, the present top included (C37.1)."""
        top, owner = self.trick.top, self.trick.owner
        fresh = ((owner, top),) if top and owner is not None and top.kind in SPECIALS else ()
        return self.progress.specials + fresh

    def _all_stuck(self) -> bool:
        """C23.6: no seat in the hand can play its last card, and no card can be drawn."""
        stuck = all(self.rules.stuck(held) for held in self.hands if held)
        return stuck and not (self.rules.options.draw_on_pass != "none" and state.in_stock(self))


def finish(game: BigTwoGame, order: tuple[int, ...], notes: tuple[Note, ...] = ()) -> BigTwoGame:
    """Return the game with its result; an empty order means a void hand (C23.6)."""
    progress = game.progress
    if not order:
        result = Result((), game.hands, (0,) * len(game.hands), payments=(), notes=notes)
    else:
        specials = game.specials() if game.rules.options.scoring == "indonesia" else ()
        result = score(
            BigTwoEnding(
                game.rules.options,
                game.rules.groups,
                game.hands,
                order,
                progress.starter,
                progress.final,
                specials,
                progress.charged,
                game.dealt.chips,
            )
        )
        result = replace(result, notes=notes + result.notes)
    return game._replace(must=None, result=result)
