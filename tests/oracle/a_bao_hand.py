"""A hand of Taihe A Bao read straight off the rules: bidding, exchanges, play and points, one act after the other.

Covers turns, the effects of acts, the end of a hand, its value and the next starter. Does not cover how cards are
dealt, matches, secrets, time and the bot. In the first round players speak in turn; sealed answers come to the same
(AB-X01), see sealed().
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.oracle.a_bao import (
    STANDARD,
    Options,
    callable_cards,
    forbidden_gifts,
    is_play,
    passes_by_itself,
    pattern,
    value,
)

ILLEGAL = "illegal"


def start(
    hands: Sequence[Sequence[object]], starter: int, four_used: bool = False, options: Options = STANDARD
) -> "Hand":
    """Begin with the first round of the bidding."""
    return Hand(hands, starter, four_used, options)


def start_play(
    hands: Sequence[Sequence[object]], declarer: int, callers: int = 0, options: Options = STANDARD
) -> "Hand":
    """Begin with the first lead after a number of calls, the last by the declarer; 0 after a declaration."""
    hand = Hand(hands, declarer, four_used=False, options=options)
    hand.callers = [(declarer - before) % hand.players for before in reversed(range(callers))]
    hand.begin_play(declarer)
    return hand


class Hand:
    """One hand, from the first word up to the points.

    phase: "first", "second", "give" (the caller owes a card), "play", "over" (played), "redeal" (thrown in) or
    "auto_win" (a single caller has won). What is refused answers "illegal" and changes nothing.
    """

    def __init__(
        self, hands: Sequence[Sequence[object]], starter: int, four_used: bool, options: Options = STANDARD
    ) -> None:
        self.hands = [[str(card) for card in hand] for hand in hands]
        self.players = len(hands)
        self.starter, self.four_used, self.options = starter, four_used, options
        self.phase = "first"
        self.turn: int | None = starter
        self.called: list[str] = []
        self.callers: list[int] = []
        self.received = ""  # in "give": the card called, and who had it
        self.holder = -1
        self.declarer: int | None = None
        self.top: list[str] | None = None
        self.owner = -1  # of the top
        self.passes = 0  # in a row
        self.plays = [0] * self.players  # how often each has played cards
        self.points: list[int] | None = None
        self.log: list[tuple[int, str, Any]] = []  # every act: who, what, with which cards; also what came by itself

    def act(self, seat: int, verb: str, argument: Any = None) -> str:
        """Do what a seat wants: pass, declare, call a card, give a card, play cards. Tell what that was."""
        does: dict[tuple[str, str], Callable[[Any], str]] = {
            ("first", "pass"): self._pass_first,
            ("first", "declare"): self._declare,
            ("second", "pass"): self._pass_second,
            ("second", "call"): self._call,
            ("give", "give"): self._give,
            ("play", "play"): self._play,
            ("play", "pass"): self._pass,
        }
        if seat != self.turn or (self.phase, verb) not in does:
            return ILLEGAL
        result = does[self.phase, verb](argument)
        if result != ILLEGAL:
            self.log.append((seat, result, argument))
            self._pass_by_itself()
        return result

    # bidding

    def _next_to_speak(self) -> bool:
        """Go on to the next in turn; tell whether every player has spoken, then with the starter again."""
        assert self.turn is not None
        self.turn = (self.turn + 1) % self.players
        return self.turn == self.starter

    def _pass_first(self, _: object) -> str:
        if self._next_to_speak():
            self.phase = "second"  # AB-B03, B04
        return "pass"

    def _declare(self, _: object) -> str:
        assert self.turn is not None
        self.begin_play(self.turn)  # AB-B02
        return "declare"

    def _pass_second(self, _: object) -> str:
        if value(self.options, "starter_must_call") and self.turn == self.starter:
            return ILLEGAL  # AB-O06
        self._spoken()
        return "pass"

    def may_call(self) -> set[str]:
        """List the calls of the bidder on turn."""
        assert self.turn is not None
        held = self.hands[self.turn]
        return callable_cards(held, self.called, four_used=self.four_used, options=self.options)

    def _call(self, card: object) -> str:
        assert self.turn is not None
        name = str(card)
        holders = [seat for seat, hand in enumerate(self.hands) if name in hand]
        if name not in self.may_call() or not holders:
            return ILLEGAL
        [self.holder], self.received = holders, name
        self.hands[self.holder].remove(name)  # AB-B06
        self.hands[self.turn].append(name)
        self.called.append(name)
        self.callers.append(self.turn)
        self.phase = "give"
        return "call"

    def may_give(self) -> set[str]:
        """List what the caller may give back."""
        assert self.turn is not None
        held = self.hands[self.turn]
        return set(held) - forbidden_gifts(held, self.received, four_used=self.four_used, options=self.options)

    def _give(self, card: object) -> str:
        assert self.turn is not None
        name = str(card)
        if name not in self.may_give():
            return ILLEGAL
        self.hands[self.turn].remove(name)  # AB-B07
        self.hands[self.holder].append(name)
        self.phase = "second"
        self._spoken()  # AB-B11
        return "give"

    def _spoken(self) -> None:
        """Go on after a chance in the second round is used."""
        if not self._next_to_speak():
            return
        if not self.callers:
            self._end("redeal", [0] * self.players)  # AB-B13
        elif len(self.callers) == 1 and value(self.options, "single_caller_wins"):
            [self.declarer] = self.callers
            self._end("auto_win", shares(self.declarer, 1, self.players))  # AB-O07
        else:
            self.begin_play(self.callers[-1])  # AB-B12

    # play

    def begin_play(self, declarer: int) -> None:
        """Give the first lead to the declarer: AB-P01."""
        self.phase, self.turn, self.declarer = "play", declarer, declarer

    def _play(self, cards: Sequence[object]) -> str:
        assert self.turn is not None
        names, held = [str(card) for card in cards], self.hands[self.turn]
        if not names or len(set(names)) != len(names) or not set(names) <= set(held):
            return ILLEGAL
        under = None if self.top is None else pattern(self.top, self.options)
        if not is_play(pattern(names, self.options), under, self.options):
            return ILLEGAL
        self.hands[self.turn] = [card for card in held if card not in names]
        self.plays[self.turn] += 1
        self.top, self.owner, self.passes = names, self.turn, 0
        if self.hands[self.turn]:
            self.turn = (self.turn + 1) % self.players
        else:
            self._settle(self.turn)  # AB-P06
        return "lead" if under is None else "beat"

    def _pass(self, _: object) -> str:
        assert self.turn is not None
        if self.top is None:
            return ILLEGAL  # AB-P08
        self.passes += 1
        self.turn = (self.turn + 1) % self.players
        if self.passes < self.players - 1:
            return "pass"  # AB-P03
        self.top, self.passes, self.turn = None, 0, self.owner  # AB-P04, P05
        return "trick_end"

    def _pass_by_itself(self) -> None:
        if value(self.options, "auto_pass") != "public_only":
            return
        while self.phase == "play" and self.top is not None and self.turn is not None:
            if not passes_by_itself(self.top, len(self.hands[self.turn]), self.options):
                return
            self.log.append((self.turn, self._pass(None), None))

    # the end

    def won(self) -> bool | None:
        """Tell whether the declarer has won; None where he has not yet won or lost, or there is none."""
        if self.points is None or self.declarer is None:
            return None
        return self.points[self.declarer] > 0

    def stake(self) -> int | None:
        """Return the value of the hand before doubling; None without a declarer."""
        if self.declarer is None:
            return None
        return stake(len(self.callers), self.players, self.options)

    def _settle(self, finisher: int) -> None:
        assert self.declarer is not None
        won = finisher == self.declarer  # AB-P07
        others = sum(self.plays) - self.plays[self.declarer]
        scores = score(
            self.declarer,
            won=won,
            callers=len(self.callers),
            players=self.players,
            opponents_played=others > 0,
            declarer_plays=self.plays[self.declarer],
            options=self.options,
        )
        self._end("over", scores)

    def _end(self, phase: str, points: list[int]) -> None:
        self.phase, self.turn, self.points = phase, None, points


def sealed(answers: Mapping[int, str], starter: int, players: int) -> int | str | None:
    """Resolve sealed answers: the declarer, "second" if all pass, None while open: AB-X01, X02."""
    for steps in range(players):
        seat = (starter + steps) % players
        if answers.get(seat) != "pass":
            return seat if answers.get(seat) == "declare" else None
    return "second"


def stake(callers: int, players: int, options: Options = STANDARD) -> int:
    """Tell what a hand is worth against each opponent; no callers: it was declared in the first round."""
    if value(options, "scoring") == "simplified":
        return 1 if callers else 2  # AB-O08
    return callers or players + 1  # AB-V01, V02


def shares(declarer: int, worth: int, players: int) -> list[int]:
    """Give the points by seat where the declarer gets so much from each: AB-V03."""
    return [worth * (players - 1) if seat == declarer else -worth for seat in range(players)]


def score(
    declarer: int,
    *,
    won: bool,
    callers: int,
    players: int,
    opponents_played: bool,
    declarer_plays: int,
    options: Options = STANDARD,
) -> list[int]:
    """Give the points by seat of a hand that was played."""
    worth = stake(callers, players, options)
    if won and not opponents_played and value(options, "double_shutout"):
        worth *= 2  # AB-O09
    if not won and declarer_plays == 1 and value(options, "double_lead_only"):
        worth *= 2  # AB-O10
    return shares(declarer, worth if won else -worth, players)


def next_starter(declarer: int, *, won: bool, players: int, options: Options = STANDARD) -> int | str:
    """Tell who starts the next bidding; "4h": a player who then holds the four of hearts. AB-S02, S03, O05."""
    if value(options, "starter_rule") == "four_of_hearts":
        return "4h"
    return declarer if won else (declarer + 1) % players


def deal_starter(
    hands: Sequence[Sequence[object]], prev: Mapping[str, Any] | None, options: Options = STANDARD
) -> tuple[int, bool]:
    """Tell who starts the bidding of these hands, and whether the four of hearts has told so: AB-S01 to S05.

    prev: what came before, {"redeal_starter": seat} or {"declarer": seat, "won": bool}; None: nothing.
    """
    [holder] = [seat for seat, hand in enumerate(hands) if "4h" in map(str, hand)]
    if prev is None or value(options, "starter_rule") == "four_of_hearts":
        return holder, True
    if "redeal_starter" in prev:
        return prev["redeal_starter"], False  # AB-S04, Q02
    starter = next_starter(prev["declarer"], won=prev["won"], players=len(hands), options=options)
    return int(starter), False
