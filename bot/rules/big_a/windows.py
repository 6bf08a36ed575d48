"""O12. The draw as a hand in progress: windows with secret answers, and their resolution."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.big_a import declarations, resolution
from bot.rules.big_a.declarations import FIRST_FACE_DOWN, MAX_SHOWN_ACES, STACK_SIZE, Declaration, Stack, ace, forced
from bot.rules.big_a.options import PLAYERS, ROUNDS
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.resolution import Codes, DrawState
from bot.rules.core.asks import ORDER, Action, Answer, Choose, ChooseAsk
from bot.rules.core.cards import SUITS, Card, Cards, SeededRandom, double_pack, shuffled
from bot.rules.core.game import Secrecy, View
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY
from bot.rules.variants.registration import FIRST

EVERYBODY = frozenset(range(PLAYERS))
ASKED_WHEN = Note(
    "2.6",
    "Show an ace, and you're the declarer; the player with its twin is your secret partner. When do you show one?",
)
WHEN = N_("When do you show an ace?")
ASKED = Note("2.6", "Show an ace?")
ASKED_OVER = Note("2.9", "Show a pair of aces and play solo?")
ASKED_OWNER = Note("2.10", "Show a second ace and play solo?")
ASKED_TWIN = Note("2.17", "Show the other Big Ace? That doubles the points.")
TWIN = N_("Show the other Big Ace?")
PLAN = Note(
    "O12.3", "You see all your cards but the last one. Plan the whole draw; it's then played back card by card."
)
NO_CARD = Note("2.2", "No cards drawn yet.")
LAST_CALL = Note("2.14", "All cards are drawn, the last ones face down. Last call to show an ace.")
PICKED_UP = Note("2.17", "The last cards are picked up. You can show the other Big Ace now.")


class BigADraw(DrawState):
    """A hand while its cards are drawn."""

    __slots__ = ()

    # Seats to act, and their views

    @property
    def result(self) -> None:
        """None: a hand never ends during the draw."""
        return

    @property
    def dealer(self) -> int:
        """The seat that draws first."""
        return self.stack.starter

    @property
    def tick(self) -> int | None:
        """O14.1: seconds of a round in a live draw.

        The time is doubled after an ace was shown and at the last call.
        """
        o = self.rules.options
        if o.draw_mode != "live" or self.kind == "reveal":
            return None
        return o.tick_seconds * (2 if self.fresh or self.kind == "last" else 1)

    @property
    def secrecy(self) -> Secrecy:
        """Every seat is asked at the same time, in secret (O12.4)."""
        return Secrecy(self.sealed, together=True, tick=self.tick, quiet=self.tick is None and not self._planning)

    @property
    def to_act(self) -> frozenset[int]:
        """Every seat, because answers may be changed until every seat has answered."""
        return EVERYBODY

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that have not answered."""
        return frozenset(seat for seat in EVERYBODY if not self.given[seat])

    def hand(self, seat: int) -> Cards:
        """Return the cards that a seat has looked at (2.4, 2.16)."""
        return self.stack.whole(seat) if self.kind == "reveal" else self.stack.visible(seat, self.drawn)

    @property
    def hidden_cards(self) -> Cards:
        """The cards not drawn yet, and the cards face down."""
        if self.kind == "reveal":
            return ()
        return self.stack.order[self.drawn :] + self.stack.order[FIRST_FACE_DOWN : self.drawn]

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        counts = tuple(len(self.stack.indices(drawer, min(self.drawn, FIRST_FACE_DOWN))) for drawer in range(PLAYERS))
        return View(
            rules=self.rules,
            seat=seat,
            hand=() if seat is None else self.rules.sort(self.hand(seat)),
            counts=tuple(len(self.hand(drawer)) for drawer in range(PLAYERS)) if self.kind == "reveal" else counts,
            to_act=EVERYBODY,
            awaited=EVERYBODY,
            ask=self.ask(seat),
            must=None,
            facts=tuple(resolution.facts_of_draw(self)),
            known=known(self.declaration, seat),
            private_notes=()
            if seat is None
            else (*self.private_notes[seat], *self._role(seat), *self._own_rounds(seat)),
            trick=EMPTY,
            tricks=(),
            result=None,
            phase_note=self._doing(),
            declining=declarations.NO,
            progress=None if self.kind == "reveal" else (-(-self.drawn // PLAYERS), ROUNDS),
        )

    def _doing(self) -> Note:
        if self.kind == "round" and not self.drawn:
            return NO_CARD
        if self.kind == "round":
            sentence = N_("Draw: round {round} of {rounds}.")
            return Note("2.2", sentence, (("round", self.drawn // PLAYERS), ("rounds", ROUNDS)))
        if self.kind == "reveal":
            return PICKED_UP
        return PLAN if self.rules.options.draw_mode == "sealed_once" else LAST_CALL

    def _role(self, seat: int) -> tuple[Note, ...]:
        """2.8, 2.13: the present side of a seat."""
        last = self.declaration.last
        if last is None or self.kind == "reveal":
            return (resolution.sides_of(self).role(seat),) if last else ()
        twin = (("card", ace(last.suit)), ("seat", Seat(last.seat)))
        if seat == last.seat:
            return (Note("2.6", "You're the declarer for now ({card}).", twin[:1]),)
        if ace(last.suit) in self.stack.visible(seat, self.drawn):
            return (Note("2.8", "You have the other {card}: for now, you're {seat}'s secret partner.", twin),)
        return ()

    def _own_rounds(self, seat: int) -> tuple[Note, ...]:
        """O12.3: the rounds of a seat's aces, for its plan of the whole draw."""
        if self.rules.options.draw_mode != "sealed_once" or self.kind != "last":
            return ()
        found = [(suit, index) for suit in SUITS for index in self.stack.aces(seat, suit, STACK_SIZE)]
        sentence = N_("You drew {card} in round {round}.")
        return tuple(
            Note("O12.3", sentence, (("card", ace(suit)), ("round", index // PLAYERS + 1)))
            for suit, index in sorted(found, key=lambda pair: pair[1])
        )

    def ask(self, seat: int | None) -> ChooseAsk | None:
        """Return the question to this seat, None without one."""
        return None if seat is None else self._ask(seat)

    def _ask(self, seat: int) -> ChooseAsk:
        if self.kind == "reveal":
            return ChooseAsk(ASKED_TWIN, self._twin_answers(seat), given=self.given[seat], short=TWIN)
        offered = declarations.answers(self.stack, self.declaration, seat, self.drawn, options=self.rules.options)
        plans = self._plans(seat)
        planning = bool(plans and not self.declaration.last)
        return ChooseAsk(
            ASKED_WHEN if planning else self._question(seat),
            offered,
            orders=declarations.ORDERS,
            standing=self.standing[seat],
            given=self.given[seat],
            plans=plans,
            short=WHEN if planning else "",
        )

    def _plans(self, seat: int) -> tuple[Answer, ...]:
        """Return the plans for the whole draw; a seat with a plan may still replace it."""
        if not self._planning and not self.standing[seat]:
            return ()
        return declarations.planning(self.declaration, ask_again=self.rules.options.draw_mode != "sealed_once")

    @property
    def _planning(self) -> bool:
        """Whether the question covers the whole draw: at the first window, and in quick windows."""
        o = self.rules.options
        windows = o.draw_checkpoints if o.draw_mode == "checkpoints" else ()
        return self.kind != "reveal" and (not windows or self.drawn == windows[0] * PLAYERS)

    def _question(self, seat: int) -> Note:
        """Return the question to a seat, by the aces shown so far."""
        last = self.declaration.last
        if last is None:
            return ASKED
        return ASKED_OWNER if seat == last.seat else ASKED_OVER

    def _twin_answers(self, seat: int) -> tuple[Answer, ...]:
        """2.17, O8: only the holder of the twin can show it, though every seat is asked (O12.6)."""
        assert self.declaration.last
        twin = (("card", ace(self.declaration.last.suit)),)
        show = Answer(declarations.REVEAL, "Show my {card}", values=twin, place=9)
        return (declarations.NO, show) if self._may_reveal(seat) else (declarations.NO,)

    def _may_reveal(self, seat: int) -> bool:
        assert self.declaration.last
        declarer, suit = self.declaration.last.seat, self.declaration.last.suit
        needed = MAX_SHOWN_ACES if seat == declarer else 1
        barred = self.declaration.forced and seat != declarer
        return not barred and self.stack.whole(seat).count(ace(suit)) >= needed

    # Answers

    def act(self, seat: int, action: Action) -> BigADraw | BigAGame:
        """Return the hand after an action. Raises Illegal for a forbidden action."""
        if seat not in EVERYBODY:
            raise Illegal("1.1", "Only players at this table can answer.")
        if not isinstance(action, Choose) or not action.codes:
            raise Illegal("2.2", "The cards are still being drawn: answer the question first.")
        if action.codes[0] == ORDER:
            return self._ordered(seat, action.codes[1:]).answered()
        if action.codes[1:] or action.codes[0] not in {offered.code for offered in self._ask(seat).answers}:
            raise self._unanswerable(seat, action.codes)
        kept = tuple(code for code in self.standing[seat] if code in declarations.OF_THE_TWIN)
        now = self if self.kind == "reveal" else self._replace(standing=resolution.replaced(self.standing, seat, kept))
        return now.answering(seat, action.codes).answered()

    def _unanswerable(self, seat: int, codes: Codes) -> Illegal:
        """Return the refusal of an answer, in private: it may mention the seat's cards."""
        if codes == (declarations.REVEAL,) and self.kind == "reveal":
            return Illegal("2.17", "You don't have the other Big Ace, or you can't show it.")
        act = declarations.act_of(codes[0], seat, self.declaration) if not codes[1:] and self.kind != "reveal" else None
        return (act and resolution.why_not(self, act)) or Illegal("O12.4", "You can't answer that now.")

    def _ordered(self, seat: int, codes: Codes) -> BigADraw:
        if self.kind == "reveal" or not declarations.CODES.issuperset(codes) or len(set(codes)) < len(codes):
            raise Illegal("O12.5", "You can't queue that now.")
        if {declarations.REVEAL, declarations.SILENT} <= set(codes):
            raise Illegal("O12.5", "You either show the other Big Ace or never do.")
        sorted_codes = tuple(order.code for order in declarations.ORDERS if order.code in codes)
        standing = resolution.replaced(self.standing, seat, sorted_codes)
        before = self.given[seat] if self.given[seat][:1] != (ORDER,) else ()
        given = (ORDER, *sorted_codes) if declarations.answering(sorted_codes) else before
        return self._replace(standing=standing).answering(seat, given)

    def answering(self, seat: int, codes: Codes) -> BigADraw:
        """Return the draw with a seat's answer; without codes, the answer is withdrawn."""
        return self._replace(given=resolution.replaced(self.given, seat, codes), sealed=self.sealed + 1)

    def answered(self) -> BigADraw | BigAGame:
        """Return the hand, resolved once every seat has answered."""
        return self if self.awaited else self._resolved()

    def _resolved(self) -> BigADraw | BigAGame:
        """O12.4: resolve the window after every answer."""
        if self.kind == "reveal":
            wanted = [seat for seat in EVERYBODY if self.given[seat] == (declarations.REVEAL,)]
            return resolution.begun(self, revealed=wanted[0] if wanted else None)
        if self.rules.options.draw_mode == "sealed_once":
            return resolution.replayed(self).closed()
        now = resolution.carry_out_answers(self)
        changed = now.declaration != self.declaration
        now = now._replace(fresh=changed)
        if now.declaration.closed or (now.kind == "last" and not changed):
            return now.closed()
        return now.opened() if now.kind == "last" else now.on()

    # From window to window

    def on(self) -> BigADraw | BigAGame:
        """Return the hand drawn up to the next window, or to its end without further windows."""
        o, done = self.rules.options, self.drawn // PLAYERS
        stops = {"checkpoints": o.draw_checkpoints, "live": range(1, ROUNDS - 1), "sealed_once": ()}[o.draw_mode]
        first = self.drawn == 0 and not any(self.given)
        stop = next((at for at in stops if at > done or (first and at == done)), None)
        now = resolution.drawn_to(self, STACK_SIZE if stop is None else stop * PLAYERS)
        if now.declaration.closed:
            return now._replace(drawn=STACK_SIZE).closed()
        return now._replace(kind="last" if stop is None else "round").opened()

    def opened(self) -> BigADraw | BigAGame:
        """Return the hand with a new window open; standing orders answer immediately (O12.5)."""
        if self.kind == "reveal":
            given = tuple(map(self._twin_given, range(PLAYERS)))
        else:
            given = tuple((ORDER, *codes) if declarations.answering(codes) else () for codes in self.standing)
        return self._replace(given=given, sealed=0).answered()

    def _twin_given(self, seat: int) -> Codes:
        codes = self.standing[seat]
        if declarations.REVEAL in codes:
            return (declarations.REVEAL,) if self._may_reveal(seat) else (declarations.NOTHING,)
        return (declarations.NOTHING,) if declarations.SILENT in codes else ()

    def closed(self) -> BigADraw | BigAGame:
        """Return the hand after the last window of the draw (2.15-2.18, O6, O8)."""
        o, last = self.rules.options, self.declaration.last
        if last is not None:
            return resolution.begun(self) if last.aces == MAX_SHOWN_ACES else self._replace(kind="reveal").opened()
        declaration = forced(self.stack)
        if declaration is not None:
            now = self._replace(declaration=declaration)
            return now._replace(kind="reveal").opened() if o.forced_lone_may_reveal else resolution.begun(now)
        if o.hidden_hearts == "ask_after_pickup":
            declaration = forced(self.stack, picked_up=True)
            assert declaration
            return resolution.begun(self._replace(declaration=declaration))
        return self._dealt_again()

    def _dealt_again(self) -> BigADraw | BigAGame:
        """O6.1, O6.2: return a new deal after both aces of hearts ended up face down.

        Orders survive the new deal, a plan does not (O12.3).
        """
        seen = self.stack.face_down if self.rules.options.hidden_hearts == "expose_and_redeal" else ()
        redealt = (*self.redealt, seen)
        order = tuple(shuffled(double_pack(), SeededRandom(f"{self.luck}:{len(redealt)}")))
        again = BigADraw(self.rules, Stack(order, self.stack.starter), self.luck, redealt=redealt)
        planned = self.rules.options.draw_mode == "sealed_once" and self.rules.version > FIRST
        return (again if planned else again._replace(standing=self.standing)).on()


def known(declaration: Declaration, viewer: int | None) -> tuple[tuple[int, Card], ...]:
    """Return the aces shown by other seats."""
    most: dict[tuple[int, Card], int] = {}
    for act in declaration.acts:
        most[act.seat, ace(act.suit)] = max(act.aces, most.get((act.seat, ace(act.suit)), 0))
    return tuple(pair for pair, count in most.items() for _ in range(count) if pair[0] != viewer)
