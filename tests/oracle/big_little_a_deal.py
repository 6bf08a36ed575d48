"""A deal of The Big and the Little A read straight off the rules: rounds, A cards, bars and piles, act after act.

Covers turns, the effects of acts, automatic acts, and the end of the deal. Independent of the bot, without dealing,
matches, secrets and time.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.oracle.big_little_a import (
    A_CARDS,
    STANDARD,
    Options,
    Reading,
    fitting,
    penalty,
    plays,
    taker,
    value,
)

ILLEGAL = "illegal"
Offer = tuple[str, Any]


def start(hands: Sequence[Sequence[object]], starter: int, options: Options = STANDARD) -> "Deal":
    """Begin with round 1, both A cards in the middle."""
    return Deal(hands, starter, options)


class Deal:
    """One deal, from the first lead up to the penalties.

    It may begin in any round; taken: the rounds in which held A cards were taken. What is refused answers "illegal" and
    changes nothing. "name" is the answer to jokers alone that have yet to get a rank.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[object]],
        starter: int,
        options: Options = STANDARD,
        number: int = 1,
        taken: Mapping[str, int] | None = None,
    ) -> None:
        self.hands = [[str(card) for card in hand] for hand in hands]
        self.players = len(hands)
        self.options = options
        self.number = number  # of the round
        self.taken = dict(taken or {})
        self.piles: list[list[str]] = [[] for _ in hands]
        self.discards: list[str] = []
        self.winners: list[int] = []  # of the rounds, and takers
        self.over = False
        self.log: list[tuple[int, str, Any]] = []  # every act: who, what, with which cards; also what came by itself
        self.turn: int | None = starter
        self._clear_table()
        self._give_the_lead(starter)

    def _clear_table(self) -> None:
        self.played: list[tuple[int, list[str]]] = []  # in this round, without passes
        self.top: Reading | None = None  # in a normal round
        self.acted = 0  # how many have had a turn, the leader included
        self.passes = 0  # in a row
        self.pending: list[str] = []  # jokers that have yet to be named; so long they are in the hand

    # acts

    def act(self, seat: int, verb: str, argument: Any = None) -> str:
        """Do what a seat wants: play cards, pass, name a rank. Tell what that was."""
        acts: dict[str, Callable[[Any], str]] = {"play": self._play, "pass": self._pass}
        does = {"name": self._name} if self.pending else acts
        if self.over or seat != self.turn or verb not in does:
            return ILLEGAL
        result = does[verb](argument)
        if result != ILLEGAL:
            self.log.append((seat, result, argument))
            self._act_by_itself()
        return result

    def is_a_round(self) -> bool:
        """Tell whether an A card was led."""
        return bool(self.played) and self.played[0][1][0] in A_CARDS

    def is_barred(self, card: str) -> bool:
        """Tell whether an A card cannot be led in this round: KA-L02 to L04."""
        return card in self.taken and self.number < self.taken[card] + 2

    def _play(self, cards: Sequence[object]) -> str:
        assert self.turn is not None
        names = [str(card) for card in cards]
        if not names or not Counter(names) <= Counter(self.hands[self.turn]):
            return ILLEGAL
        if self.is_a_round():
            return self._lay("a_card", names) if len(names) == 1 and names[0] not in A_CARDS else ILLEGAL  # KA-A03-A05
        if names[0] in A_CARDS and len(names) == 1:
            may = not self.played and not self.is_barred(names[0])
            return self._lay("a_lead", names) if may else ILLEGAL  # KA-L01
        found = fitting(names, self.top, self.options)
        if len(names) > 1 and set(names) == {"J"} and found and value(self.options, "joker_only_sets") == "declared":
            self.pending = names
            return "name"
        return self._lay_as(names, *found) if found else ILLEGAL  # KA-R03

    def _name(self, rank: int) -> str:
        reading = (len(self.pending), rank)
        if reading not in fitting(self.pending, self.top, self.options):
            return ILLEGAL
        names, self.pending = self.pending, []
        return self._lay_as(names, reading)

    def _pass(self, _: object = None) -> str:
        assert self.turn is not None
        if self.is_a_round():
            if set(self.hands[self.turn]) - {*A_CARDS}:
                return ILLEGAL  # KA-A03
            self._done()
            return "a_pass"  # KA-A06
        if not self.played:
            return ILLEGAL  # KA-R01
        self.passes += 1
        self._done()
        return "pass"  # KA-R04

    def _lay_as(self, cards: list[str], reading: Reading) -> str:
        result = "raise" if self.played else "lead"
        self.top, self.passes = reading, 0
        return self._lay(result, cards)

    def _lay(self, result: str, cards: list[str]) -> str:
        assert self.turn is not None
        for card in cards:
            self.hands[self.turn].remove(card)
        self.played.append((self.turn, cards))
        self._done()
        return result

    # rounds

    def _done(self) -> None:
        """Go on after a turn."""
        assert self.turn is not None
        self.acted += 1
        self.turn = (self.turn + 1) % self.players
        if self.is_a_round() or value(self.options, "round_mode") == "one_turn_each":
            finished = self.acted == self.players  # KA-R02, R05
        else:
            finished = self.passes == self.players - 1  # KA-O05
        if finished:
            self._end_round()

    def _end_round(self) -> None:
        cards = [card for _, played in self.played for card in played]
        if self.is_a_round():
            winner = taker([(seat, card) for seat, [card] in self.played])
            self._hand_out(winner, cards)
        else:
            winner = self.played[-1][0]  # KA-R06
            self.discards += cards  # KA-R07
            if self.number <= 2:
                self._take_a_card(winner, A_CARDS[self.number - 1])  # KA-T01, T02
        self.winners.append(winner)
        self._clear_table()
        if not all(self.hands):
            self.over, self.turn = True, None  # KA-E01
            return
        self.number += 1
        self._give_the_lead(winner)

    def _hand_out(self, winner: int, cards: list[str]) -> None:
        """Give the cards of an A round to whom they belong."""
        if cards[0] == "a":
            self.piles[winner] += cards  # KA-A10
        else:
            self.hands[winner] += cards[1:]
            self._take_a_card(winner, "A")  # KA-A12, A13

    def _take_a_card(self, seat: int, card: str) -> None:
        self.hands[seat].append(card)
        self.taken[card] = self.number

    def _give_the_lead(self, seat: int) -> None:
        """Give the lead to a seat, or to the next if it holds only barred A cards: KA-L06."""
        while all(card in A_CARDS and self.is_barred(card) for card in self.hands[seat]):
            seat = (seat + 1) % self.players
        self.turn = seat

    # what comes by itself

    def _act_by_itself(self) -> None:
        asked = value(self.options, "auto_pass") != "public_only"
        while not self.over and self.played and not self.pending:
            assert self.turn is not None
            if asked and self.hands[self.turn]:  # a player who has no card at all is never asked
                return
            others = [card for card in self.hands[self.turn] if card not in A_CARDS]
            seat = self.turn
            if self.is_a_round() and len(others) == 1:
                self.log.append((seat, self._play(others), others))
            elif self._passes_by_itself(len(others)):
                self.log.append((seat, self._pass(), None))
            else:
                return

    def _passes_by_itself(self, others: int) -> bool:
        """Tell whether a seat with a number of non-A cards is publicly forced to pass: KA-X05."""
        if self.top is None:
            return others == 0
        return self.top[1] == 14 or others < self.top[0]

    # what can be asked

    def offers(self) -> list[Offer]:
        """List all acts of the seat on turn."""
        if self.turn is None:
            return []
        held = self.hands[self.turn]
        if self.pending:
            return [("name", rank) for _, rank in sorted(fitting(self.pending, self.top, self.options))]
        if self.is_a_round():
            singles = [("play", (card,)) for card in sorted({*held} - {*A_CARDS})]
            return [*singles] or [("pass", None)]
        sets: list[Offer] = [("play", cards) for cards in sorted(plays(held, self.top, self.options))]
        if self.played:
            return [*sets, ("pass", None)]
        return sets + [("play", (card,)) for card in A_CARDS if card in held and not self.is_barred(card)]

    def holder(self, card: str) -> int | None:
        """Tell which seat has an A card in hand."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def penalties(self) -> list[int]:
        """Return each seat's present penalty."""
        return [penalty(hand, pile, self.options) for hand, pile in zip(self.hands, self.piles, strict=True)]
