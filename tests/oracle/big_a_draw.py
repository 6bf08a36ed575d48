"""The draw of Big A read straight off the rules: legal declarations of aces, and their results.

Covers the state machine of the draw (BA-D01 to D27), the order in which a sealed window is resolved (BA-X06), and the
options on them. Does not cover all cards but the aces, where windows stand, the play, and the bot.

Cards are drawn in the order of the stack, index 0 first. A moment is the number of cards drawn so far; 108 is the last
call. Then the draw closes, and what is left is "reveal", after every player has picked up the card that lay face down.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Aces = Mapping[str, Sequence[int]]  # where in the stack both copies of each ace lie: {"Ad": [3, 41], ...}
Moment = int | str
Final = dict[str, Any]

CARDS, FACE_DOWN = 108, range(103, 108)  # BA-D04


def seat_of(starter: int, index: int) -> int:
    """Tell who draws the card: BA-D02."""
    return (starter + index) % 5


def hand_sizes(starter: int) -> list[int]:
    """Count the cards of each seat: BA-D03."""
    drawn = [seat_of(starter, index) for index in range(CARDS)]
    return [drawn.count(seat) for seat in range(5)]


def face_down(starter: int) -> list[int]:
    """Tell whose the five face-down cards are, in the order of the draw: BA-D04."""
    return [seat_of(starter, index) for index in FACE_DOWN]


class Draw:
    """One draw, from the first card up to the first lead.

    status: "none", "single" (one ace is shown, by the declarer), "pair" (both), "forced" (one, for the question for
    hearts) or "redeal".
    """

    def __init__(self, starter: int, aces: Aces, options: Mapping[str, Any]) -> None:
        if sorted(aces) != ["Ac", "Ad", "Ah", "As"] or len({index for both in aces.values() for index in both}) != 8:
            raise ValueError(f"not the eight aces: {aces}")
        self.starter, self.aces, self.options = starter, aces, options
        self.drawn, self.closed = 0, False
        self.status = "none"
        self.declarer: int | None = None
        self.big: str | None = None
        self.since = 0  # the moment of the declaration
        self.revealed = False

    def seen(self, seat: int, suit: str) -> list[int]:
        """List where the aces of a suit came from that a seat has drawn and looked at: BA-D04, D05."""
        mine = [index for index in self.aces[f"A{suit}"] if seat_of(self.starter, index) == seat]
        return sorted(index for index in mine if index < self.drawn and index not in FACE_DOWN)

    def go_to(self, moment: Moment) -> None:
        """Draw cards up to this moment."""
        if moment == "reveal":
            self.close()
        elif not isinstance(moment, int) or not self.drawn <= moment <= CARDS or self.closed:
            raise ValueError(f"there is no way from {self.drawn} cards to {moment}")
        else:
            self.drawn = moment

    def act(self, act: str, seat: int, suit: str | None = None) -> bool:
        """Apply an act of a seat; return whether it was allowed. If not, nothing changes."""
        if act == "reveal":
            return self._reveal(seat)
        if self.closed or not self._may_show(act, seat, suit):  # BA-D21
            return False
        self.status = "single" if act == "expose" else "pair"
        self.declarer, self.since = seat, self.drawn
        self.big = suit or self.big  # none is named to protect
        return True

    def _may_show(self, act: str, seat: int, suit: str | None) -> bool:
        if act == "protect":  # BA-D10
            mine = self.status == "single" and self.declarer == seat and suit in (None, self.big)
            return mine and len(self.seen(seat, str(self.big))) == 2
        held = len(self.seen(seat, str(suit)))
        if act == "expose":  # BA-D06, D07
            return self.status == "none" and held >= 1
        if act != "expose_pair" or held < 2 or self.status == "pair":  # BA-D11
            return False
        if self.status == "single" and self.declarer == seat:  # BA-D14, O07
            return suit != self.big and bool(self.options.get("self_overcall", True))
        return True  # BA-D09, D12

    def _reveal(self, seat: int) -> bool:
        """Show the twin: the partner with the twin, or a lone declarer."""
        if not self.closed or self.revealed or seat != self._holder_of_twin():  # BA-D20
            return False
        own = seat == self.declarer
        lone_after_all = own and self.status == "forced" and bool(self.options.get("forced_lone_may_reveal", False))
        if self.status != "single" and not lone_after_all:  # BA-D19, D22, D23, O08
            return False
        self.revealed = True
        return True

    def _holder_of_twin(self) -> int | None:
        """Return the owner of the declarer's second ace, anywhere in the stack."""
        if self.declarer is None or self.big is None:
            return None
        holders = [seat_of(self.starter, index) for index in self.aces[f"A{self.big}"]]
        holders.remove(self.declarer)
        return holders[0]

    def close(self) -> None:
        """End the exposing after the last card; ask for hearts if nothing is shown. Then all pick up."""
        if self.closed:
            return
        self.drawn, self.closed = CARDS, True
        if self.status == "none":
            self._ask_for_hearts()

    def _ask_for_hearts(self) -> None:
        asked = [seat_of(self.starter, steps) for steps in range(5)]
        holders = [seat for seat in asked if self.seen(seat, "h")]  # BA-D16
        if not holders and self.options.get("hidden_hearts") == "ask_after_pickup":  # BA-O06
            has_one = {seat_of(self.starter, index) for index in self.aces["Ah"]}
            holders = [seat for seat in asked if seat in has_one]
        if holders:
            self.status, self.declarer, self.big = "forced", holders[0], "h"  # BA-D17
        else:
            self.status = "redeal"  # BA-D24

    def final(self) -> Final:
        """Close the draw and tell what play begins with: BA-D26, D27."""
        self.close()
        twin = self._holder_of_twin()
        partner = None if twin == self.declarer else twin
        leader = partner if self.revealed and partner is not None else self.declarer
        told = {"status": self.status, "starter": self.starter, "declarer": self.declarer, "big": self.big}
        return {**told, "partner": partner, "leader": leader, "table": self._table(partner)}

    def _table(self, partner: int | None) -> str | None:
        if self.status == "redeal":
            return None
        if partner is not None:
            return "revealed" if self.revealed else "basic"
        return "lone_both" if self.revealed or self.status == "pair" else "lone_one"


def draw_outcome(
    starter: int, aces: Aces, events: Sequence[Sequence[Any]], options: Mapping[str, Any]
) -> tuple[list[bool], Final]:
    """Tell which events [moment, act, seat, suit] were allowed, in order, and how the draw ends.

    The suit is missing if there is no choice.
    """
    draw = Draw(starter, aces, options)
    results = []
    for moment, act, *who in events:
        draw.go_to(moment)
        results.append(draw.act(act, *who))
    return results, draw.final()


def window(
    starter: int, aces: Aces, windows: Sequence[tuple[int, Sequence[Sequence[Any]]]], options: Mapping[str, Any]
) -> tuple[list[list[list[Any]]], Final]:
    """Resolve sealed windows [moment, answers [seat, act, suit]]: what took effect in each, in order, and the end."""
    draw = Draw(starter, aces, options)
    applied = []
    for moment, answers in windows:
        draw.go_to(moment)
        standing = draw.since - 1 if draw.status != "none" else 0  # the last card drawn when it was made
        dated = [(became_possible(draw, seat, act, suit, standing), [seat, act, suit]) for seat, act, suit in answers]
        possible = [(index, answer) for index, answer in dated if index is not None]
        possible.sort(key=lambda each: (each[0], each[1][1] != "protect", (each[1][0] - starter) % 5))
        applied.append([answer for _, answer in possible if draw.act(answer[1], answer[0], answer[2])])
    return applied, draw.final()


def became_possible(draw: Draw, seat: int, act: str, suit: str, standing: int) -> int | None:
    """Tell with which card an act became possible, None if it has not; not before the declaration that stands: BA-X06.

    The carried-out declaration counts: at the moment of its window, not at the card it was made with.
    """
    seen = draw.seen(seat, suit)
    needed = 1 if act == "expose" else 2
    return max(seen[needed - 1], standing) if len(seen) >= needed else None
