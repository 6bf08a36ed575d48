"""7. The play: one hand of Tàihé A Bāo in progress, once there is a declarer.

Knows whose turn it is and what has been played. Refuses to know how it was bid and what it counts in the end.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from bot.rules.a_bao import score
from bot.rules.a_bao.bid import Bid
from bot.rules.a_bao.groups import Groups
from bot.rules.a_bao.known import Known
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.core.actions import Action
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Cards, without
from bot.rules.core.game import IN_THE_OPEN, Result, Secrecy, Teams, View
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Articles, Turns, asked, has_to_lead, play_or_pass, seen

TURNS = {players: Turns(players, Articles(turn="7.2", lead="7.8", choice="7.2")) for players in (3, 4, 5)}
_NOBODY: frozenset[int] = frozenset()


class ABaoGame(NamedTuple):
    """A hand in progress. hands: each seat's cards, weakest first. plays: how often each seat has played.

    told: what each seat was told in the bidding, until it acts.
    """

    rules: ABaoRules
    bid: Bid
    hands: tuple[Cards, ...]
    turn: int
    plays: tuple[int, ...]
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    known: Known = Known()
    told: tuple[tuple[Note, ...], ...] = ()
    result: Result | None = None

    def __repr__(self) -> str:
        """Say how far the hand has come; no card that is still held, for this may stand in a log."""
        return f"<ABaoGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    # Who may act, and what they know

    @property
    def dealer(self) -> int:
        """The seat that started the bidding."""
        return self.bid.starter

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
        return frozenset({self.turn}) if self.result is None else _NOBODY

    @property
    def to_act(self) -> frozenset[int]:
        """The same: nobody acts out of turn."""
        return self.awaited

    def view(self, seat: int | None) -> View:
        """Return what this seat, or with None any onlooker, may know."""
        told = () if seat is None else self.told[seat]
        teams = _teams(self.bid.declarer or 0, self.rules.players)
        return seen(self, seat, self._facts(), known=self.known.to(seat), told=told, teams=teams, own_teams=teams)

    def ask(self, seat: int) -> PlayAsk:  # only one seat is asked
        """Return what the seat on turn is asked now."""
        return asked(self)

    def _facts(self) -> list[tuple[str, Any]]:
        starter, *others = self.bid.facts(self.known)
        stakes = 1 if self.bid.single(self.rules.options) else self.bid.stakes(self.rules.options)
        return [("declarer", Seat(self.bid.declarer or 0)), ("stakes", stakes), *others, starter]

    def plays_of(self, seat: int) -> LegalPlays[Groups]:
        """Return what the seat on turn can play."""
        return LegalPlays(self.rules.groups, self.hands[seat], self.trick.top)

    # What a seat does

    def act(self, seat: int, action: Action) -> ABaoGame:
        """Return the game that follows. Raises Illegal, and then nothing has changed."""
        return play_or_pass(self, seat, action)

    @property
    def turns(self) -> Turns:
        """How turns go (7.2-7.5)."""
        return TURNS[self.rules.players]

    def why_no_pass(self, _seat: int) -> Illegal | None:
        """Return why the seat on turn may not pass, or None."""
        return has_to_lead(self)

    def passed(self, seat: int) -> ABaoGame:
        """Return the game with one more pass (7.3)."""
        return self._replace(trick=self.trick.passed(seat), told=self._heard(seat)).after(seat)

    def _heard(self, seat: int) -> tuple[tuple[Note, ...], ...]:
        """Return what seats were told, once one has acted on it."""
        return (*self.told[:seat], (), *self.told[seat + 1 :])

    def played(self, seat: int, combo: Combo) -> ABaoGame:
        """Return the game with this put on top (7.2, 7.6)."""
        hand = without(self.hands[seat], combo.cards)
        plays = (*self.plays[:seat], self.plays[seat] + 1, *self.plays[seat + 1 :])
        now = self._replace(
            hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]),
            plays=plays,
            trick=self.trick.played(seat, combo),
            known=self.known.without(combo.cards),
            told=self._heard(seat),
        )
        if hand:
            return now.after(seat)
        result = score.result(self.bid, seat, now.hands, plays, self.rules.options)
        return now._replace(known=Known(), result=result)

    def after(self, seat: int) -> ABaoGame:
        """Return the game with the next seat on turn that can do anything, or the trick ended (7.2, 7.4, 7.5)."""
        trick, turn = self.turns.going_on(self.trick, seat, self.hands, self._stuck)
        if turn is not None:
            return self._replace(trick=trick, turn=turn)
        assert trick.owner is not None
        return self._replace(trick=EMPTY, tricks=(*self.tricks, trick), turn=trick.owner)

    def _stuck(self, seat: int, trick: Trick) -> bool:
        """O16.1: everybody can see that this seat cannot beat what lies there."""
        if self.rules.options.auto_pass == "off" or trick.top is None:
            return False
        fewest = self.rules.groups.fewest_over(trick.top)
        return fewest is None or len(self.hands[seat]) < fewest


@lru_cache(maxsize=16)
def _teams(declarer: int, players: int) -> Teams:
    """1.1: all opponents of the declarer are on one side, and everybody knows it."""
    alone = frozenset({declarer})
    return Teams(alone, frozenset(range(players)) - alone)
