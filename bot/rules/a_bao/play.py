"""7. The play: one hand of Tàihé A Bāo in progress, after the bidding."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from bot.rules.a_bao import score
from bot.rules.a_bao.groups import Groups
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.state import Bid, Known
from bot.rules.core.asks import Action, PlayAsk
from bot.rules.core.cards import Cards, without
from bot.rules.core.game import NO_SECRECY, Result, Secrecy, Teams, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Articles, Turns, lead_refusal, play_ask, play_or_pass, trick_view

TURNS = {players: Turns(players, Articles(turn="7.2", lead="7.8", choice="7.2")) for players in (3, 4, 5)}
_NOBODY: frozenset[int] = frozenset()


class ABaoGame(NamedTuple):
    """A hand in progress.

    hands: each seat's cards, weakest first. plays: the number of plays of each seat. private_notes: from the
    bidding, until the seat acts.
    """

    rules: ABaoRules
    bid: Bid
    hands: tuple[Cards, ...]
    turn: int
    plays: tuple[int, ...]
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    known: Known = Known()
    private_notes: tuple[tuple[Note, ...], ...] = ()
    result: Result | None = None

    def __repr__(self) -> str:
        """Return the progress of the hand, without the cards held, to keep them out of logs."""
        return f"<ABaoGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    # Seats to act, and their views

    @property
    def dealer(self) -> int:
        """The seat that started the bidding."""
        return self.bid.starter

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
        return frozenset({self.turn}) if self.result is None else _NOBODY

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn; no seat acts out of turn."""
        return self.awaited

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        private_notes = () if seat is None else self.private_notes[seat]
        teams = _teams(self.bid.declarer or 0, self.rules.players)
        return trick_view(
            self,
            seat,
            self._facts(),
            known=self.known.to(seat),
            private_notes=private_notes,
            teams=teams,
            own_teams=teams,
        )

    def ask(self, seat: int) -> PlayAsk:  # only one seat is asked
        """Return the question to the seat on turn."""
        return play_ask(self)

    def _facts(self) -> list[tuple[str, Any]]:
        starter, *others = self.bid.facts(self.known)
        stakes = 1 if self.bid.single(self.rules.options) else self.bid.stakes(self.rules.options)
        return [("declarer", Seat(self.bid.declarer or 0)), ("stakes", stakes), *others, starter]

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return the legal plays of the seat on turn."""
        return LegalPlays(self.rules.groups, self.hands[seat], self.trick.top)

    # Actions

    def act(self, seat: int, action: Action) -> ABaoGame:
        """Return the game after an action. Raises Illegal for a forbidden action."""
        return play_or_pass(self, seat, action)

    @property
    def turns(self) -> Turns:
        """How turns pass (7.2-7.5)."""
        return TURNS[self.rules.players]

    def why_no_pass(self, _seat: int) -> Illegal | None:
        """Return the reason why the seat on turn may not pass, or None."""
        return lead_refusal(self)

    def passed(self, seat: int) -> ABaoGame:
        """Return the game after a pass (7.3)."""
        return self._replace(trick=self.trick.passed(seat), private_notes=self._heard(seat)).after(seat)

    def _heard(self, seat: int) -> tuple[tuple[Note, ...], ...]:
        """Return the private notes after a seat acted on its own."""
        return (*self.private_notes[:seat], (), *self.private_notes[seat + 1 :])

    def played(self, seat: int, combo: Combo) -> ABaoGame:
        """Return the game after a play (7.2, 7.6)."""
        hand = without(self.hands[seat], combo.cards)
        plays = (*self.plays[:seat], self.plays[seat] + 1, *self.plays[seat + 1 :])
        now = self._replace(
            hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]),
            plays=plays,
            trick=self.trick.played(seat, combo),
            known=self.known.without(combo.cards),
            private_notes=self._heard(seat),
        )
        if hand:
            return now.after(seat)
        result = score.result(self.bid, seat, now.hands, plays, options=self.rules.options)
        return now._replace(known=Known(), result=result)

    def after(self, seat: int) -> ABaoGame:
        """Return the game with the next able seat on turn, or with the trick ended (7.2-7.5)."""
        trick, turn = self.turns.advance(self.trick, seat, self.hands, self._stuck)
        if turn is not None:
            return self._replace(trick=trick, turn=turn)
        assert trick.owner is not None
        return self._replace(trick=EMPTY, tricks=(*self.tricks, trick), turn=trick.owner)

    def _stuck(self, seat: int, trick: Trick) -> bool:
        """O16.1: tell whether public information proves that this seat cannot beat the top."""
        if self.rules.options.auto_pass == "off" or trick.top is None:
            return False
        fewest = self.rules.groups.fewest_over(trick.top)
        return fewest is None or len(self.hands[seat]) < fewest


@lru_cache(maxsize=16)
def _teams(declarer: int, players: int) -> Teams:
    """1.1: the opponents of the declarer are one side, publicly."""
    alone = frozenset({declarer})
    return Teams(alone, frozenset(range(players)) - alone)
