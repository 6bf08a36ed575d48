"""A hand of Tiến Lên by the plain reading of its rules: a list of events, scanned each time.

Covers turns, seats out of the trick, frozen seats and payments. Does not cover the bot.
"""

from typing import Any

from tests.oracle import tien_len as oracle
from tests.oracle.tien_len import Options


class Hand:
    """A hand in progress. log: what was done, as (seat, cards; None for a pass), with "lead" and "again" between."""

    def __init__(self, hands: list[list[str]], options: Options, leader: int) -> None:
        self.hands, self.options, self.players = hands, options, len(hands)
        self.step = 1 if options["direction"] == "clockwise" else -1
        self.log: list[Any] = ["lead"]
        self.out: list[int] = []
        self.last: list[int] = []  # who is in the last places, the best first
        self.frozen: list[int] = []
        self.turn: int | None = leader
        self.blamed: tuple[int, str | None] | None = None  # who has just taken no care, and the card it kept back
        self.pays: dict[int, int] = {}  # who pays for all, by who went out
        self.final: list[str] = []  # the play with which the first went out

    # Who

    def after(self, seat: int) -> list[int]:
        """List the others in turn after a seat."""
        return [(seat + self.step * ahead) % self.players for ahead in range(1, self.players)]

    def is_in(self, seat: int) -> bool:
        """Tell whether a seat still plays."""
        return bool(self.hands[seat]) and seat not in self.last

    @property
    def still_in(self) -> list[int]:
        """List who still plays."""
        return [seat for seat in range(self.players) if self.is_in(seat)]

    @property
    def trick(self) -> list[Any]:
        """What has happened since the last lead."""
        return self.log[len(self.log) - self.log[::-1].index("lead") :]

    @property
    def plays(self) -> list[tuple[int, list[str]]]:
        """What was played in the trick, the last on top."""
        return [each for each in self.trick if isinstance(each, tuple) and each[1] is not None]

    def passed(self, seat: int) -> bool:
        """Tell whether a pass of this seat still holds: 5.1, 5.3."""
        since = self.trick
        if "again" in since:
            since = since[len(since) - since[::-1].index("again") :]
        if self.options["after_pass"] == "may_return":
            played = [at for at, each in enumerate(since) if isinstance(each, tuple) and each[1] is not None]
            since = since[played[-1] :] if played else since
        own = [cards for who, cards in (each for each in since if isinstance(each, tuple)) if who == seat]
        return bool(own) and own[-1] is None

    def may_chop(self, seat: int) -> bool:
        """Tell whether a seat may chop out of turn, by public information: 4.7."""
        if not self.options["out_of_turn_four_pairs"] or not self.plays or not self.is_in(seat):
            return False
        owner, top = self.plays[-1]
        lying = oracle.read(top, self.options)
        assert lying
        least = next(
            (
                ranks
                for ranks in (4, 5, 6)
                if oracle.chops(oracle.Read("double_sequence", ranks, 99), lying, self.options)
            ),
            99,
        )
        return seat not in (owner, self.turn) and len(self.hands[seat]) >= 2 * least

    # What

    def offers(self, seat: int) -> set[frozenset[str]]:
        """List the legal plays of a seat."""
        hand, top = self.hands[seat], self.plays[-1][1] if self.plays else None
        fine = oracle.plays(hand, top, self.options)
        if seat != self.turn:
            fine = {each for each in fine if len(each) >= 8 and oracle.read(each, self.options)[0] == "double_sequence"}  # type: ignore[index]
        banned = not self.options["last_card_two"] and all(oracle.rank(each) == oracle.TWO for each in hand)
        return fine - {frozenset(hand)} if banned else fine

    def act(self, seat: int, cards: list[str] | None) -> None:
        """Play, or pass."""
        careless = self.careless(seat, cards)
        if cards and self.blamed and self.hands[seat] == cards:
            self.blame(seat, cards, *self.blamed)
        self.log.append((seat, cards))
        for each in cards or ():
            self.hands[seat].remove(each)
        if cards and not self.hands[seat]:
            self.went_out(seat)
        if self.turn is not None:
            self.go_on(seat)
        near = self.turn is not None and self.turn != seat and len(self.hands[self.turn]) == 1
        self.blamed = careless if near else None

    def careless(self, seat: int, cards: list[str] | None) -> tuple[int, str | None] | None:
        """Tell whether what a seat does would be careless before a last card, and what it keeps back: 8.6, 8.7."""
        lies = self.plays[-1][1] if self.plays else None
        if max(len(lies or ()), len(cards or ())) > 1 or self.options["one_card_rule"] == "none":
            return None
        offers = self.offers(seat)
        if not lies and any(len(each) > 1 for each in offers):
            return seat, None
        high = max((each for offer in offers for each in offer if len(offer) == 1), key=oracle.PACK.index, default=None)
        return None if high is None or cards == [high] else (seat, high)

    def blame(self, seat: int, cards: list[str], careless: int, kept: str | None) -> None:
        """8.8: only if care would have helped."""
        if kept is None or not oracle.beats(cards, [kept], self.options):
            self.pays[seat] = careless

    def went_out(self, seat: int) -> None:
        """6.1, 8.4, 5.3."""
        self.final = self.final or self.plays[-1][1]
        self.out.append(seat)
        if len(self.out) == 1 and self.options["frozen"]:
            played = {each[0] for each in self.log if isinstance(each, tuple) and each[1] is not None}
            self.frozen = [other for other in self.after(seat) if other not in played]
            self.last = self.frozen + self.last
        if self.options["play_on"] == "first" or len(self.still_in) < 2:
            self.turn = None
        elif self.options["inherit"] == "all_asked_again":
            self.log.append("again")

    def go_on(self, seat: int) -> None:
        """5.2, 5.3, 6.2."""
        owner = self.plays[-1][0]
        asked = [other for other in self.after(seat) if self.is_in(other) and other != owner and not self.passed(other)]
        if asked:
            self.turn = asked[0]
            return
        self.log.append("lead")
        for leader in (owner, *self.after(owner)):
            stuck = not self.options["last_card_two"] and [each[0] for each in self.hands[leader]] == ["2"]
            if self.is_in(leader) and not stuck:
                self.turn = leader
                return
            if self.is_in(leader):
                self.last.insert(0, leader)
                if len(self.still_in) == 1:
                    self.turn = None
                    return

    # How it ends

    def order(self) -> list[int]:
        """List the seats by place: 6.1, 6.2, 8.4."""
        rest = self.still_in
        winner = (self.out or rest)[0]
        rest.sort(key=lambda seat: (len(self.hands[seat]), self.after(winner).index(seat) if seat != winner else -1))
        return self.out + rest + self.last

    def points(self) -> list[int]:
        """Settle: 8.1 to 8.4."""
        order, points = self.order(), [0] * self.players
        first, options = order[0], self.options

        def pays(payer: int, payee: int, units: int) -> None:
            points[payer] -= units
            points[payee] += units

        def owes(payer: int, payee: int, units: int, twice: bool = False) -> None:
            pays(self.pays.get(payee, payer) if self.players > 2 else payer, payee, units * (2 if twice else 1))

        three = bool(options["last_three_doubles"] and self.out and self.final == ["3s"])
        if options["scoring"] == "winner":
            for seat in order[1:]:
                owes(seat, first, options["winner_units"], three)
        elif options["scoring"] == "cards":
            for seat in order[1:]:
                count = len(self.hands[seat])
                owes(seat, first, count * (3 if count == 13 else 2 if count >= 10 else 1), three)
        else:
            owes(order[-1], first, 1 if self.players == 2 else 2, three)
            if self.players == 4:
                owes(order[2], order[1], 1)
        if options["rotten"]:
            whole = options["play_on"] == "first"
            for seat in order[1:] if whole else order[-1:]:
                owes(seat, first if whole else order[-2], oracle.rotten(self.hands[seat], options))
        for seat in self.frozen:
            owes(seat, first, 3)
        for payer, payee, units in self.chopped() if options["chop_pay"] else ():
            pays(payer, payee, units)
        return points

    def chopped(self) -> list[tuple[int, int, int]]:
        """List what is paid for the chains of chops: 8.2, 4.8."""
        found, chain, last = list[tuple[int, int, int]](), 0, (0, 0)
        before: tuple[int, list[str]] | None = None
        for each in [*self.log, "lead"]:
            if isinstance(each, tuple) and each[1] is not None:
                tops = [oracle.read(cards, self.options) for cards in (each[1], before[1] if before else each[1])]
                if before and tops[0] and tops[1] and oracle.chops(tops[0], tops[1], self.options):
                    chain += oracle.worth(before[1], self.options)
                    last = (before[0], each[0])
                    if self.options["chop_chain"] == "each":
                        found.append((*last, chain))
                        chain = 0
                before = each
            elif each == "lead":
                found += [(*last, chain)] if chain else []
                chain, before = 0, None
        return found
