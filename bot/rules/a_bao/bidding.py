"""4 and 5. The bidding: declarations, calls and cards given back."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bot.domain.message_ids import N_
from bot.rules.a_bao.calling import barred, nameable, why_not
from bot.rules.a_bao.groups import BINDING
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.score import unplayed
from bot.rules.a_bao.state import Bid, Called, Known
from bot.rules.core.asks import Action, Answer, Ask, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass
from bot.rules.core.cards import Card, Cards, SeededRandom, shuffled, without
from bot.rules.core.game import NO_SECRECY, Secrecy, View
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import EMPTY

Codes: TypeAlias = tuple[str, ...]

PASS, DECLARE = Answer("pass", "Pass"), Answer("declare", "Declare: play solo", place=1)
FIRST = N_("Round 1: playing solo now is worth {stake}.")
OPEN = N_("Round 2: a call plays for {stake}.")
CALLED = N_("Round 2: the stake is {stake}.")
RISING = N_("Round 2: stake {stake} ({more} if you call).")
BACK = N_("{seat} gives {to} a card back, face down. Stake {stake}.")
ASKED, SOLO = Note("4.1", "Play solo with the hand you have?"), N_("Play solo?")
OUT_BOUND = Note("5.5", "Grayed out: yours, called before, or {card}, which decided who starts.", (("card", BINDING),))
OUT_CALLED = Note("5.5", "Grayed out: yours, or called before.")
OUT_HELD = Note("5.5", "Grayed out: you have it.")
CALLING = Note("5.1", "Call for a card you want? Its owner gives it to you, and you give one back.")
HAS_TO_CALL = Note("O6.2", "You start, so you must call for a card. Its owner gives it to you, and you give one back.")
CALL = N_("Call {card}")
CALL_OR_NOT, WHICH = N_("Call for a card?"), N_("Which card do you call for?")


class ABaoBidding(NamedTuple):
    """A hand during the bidding.

    hands: each seat's cards, weakest first. luck: the seed of further deals. second: whether the first round is over.
    passed: the seats that passed in this round, in turn order. given: the secret answers in the first round, by seat.
    giving: whether the last caller has yet to give a card back. private_notes: by seat. sealed: the number of
    secret answers.
    """

    rules: ABaoRules
    bid: Bid
    hands: tuple[Cards, ...]
    luck: int
    second: bool = False
    passed: tuple[int, ...] = ()
    given: tuple[Codes, ...] = ()
    giving: bool = False
    known: Known = Known()
    private_notes: tuple[tuple[Note, ...], ...] = ()
    sealed: int = 0

    def __repr__(self) -> str:
        """Return the progress of the bidding, without cards, to keep them out of logs."""
        return f"<ABaoBidding second={self.second} passed={self.passed} calls={len(self.bid.calls)}>"

    # Seats to act, and their views

    @property
    def result(self) -> None:
        """None: a hand never ends during the bidding."""
        return

    @property
    def dealer(self) -> int:
        """The seat that starts the bidding and draws first (2.2)."""
        return self.bid.starter

    @property
    def hidden_cards(self) -> Cards:
        """Empty: every card is in a hand."""
        return ()

    @property
    def together(self) -> bool:
        """Whether every seat is asked at the same time: in a sealed first round (O14.1)."""
        return not self.second and self.rules.options.first_round_mode == "sealed"

    @property
    def secrecy(self) -> Secrecy:
        """Answers in a sealed first round are secret."""
        return Secrecy(self.sealed, together=True) if self.together else NO_SECRECY

    @property
    def turn(self) -> int:
        """The seat on turn, if the seats are asked one after the other."""
        return (self.bid.starter + len(self.passed) + len(self.bid.calls) - self.giving) % self.rules.players

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn.

        In a sealed round every seat, because answers remain changeable until its end.
        """
        return frozenset(range(self.rules.players)) if self.together else frozenset({self.turn})

    @property
    def awaited(self) -> frozenset[int]:
        """The seats to act that have not answered."""
        return frozenset(seat for seat in self.to_act if not self.given[seat])

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        return View(
            rules=self.rules,
            seat=seat,
            hand=() if seat is None else self.hands[seat],
            counts=tuple(map(len, self.hands)),
            to_act=self.to_act,
            awaited=self.to_act,
            ask=self.ask(seat),
            must=None,
            facts=tuple(self.bid.facts(self.known, self.passed)),
            known=self.known.to(seat),
            private_notes=() if seat is None else self.private_notes[seat],
            trick=EMPTY,
            tricks=(),
            result=None,
            phase_note=self._doing(),
            declining=PASS if self.together else None,
            next_ask=self._coming(seat),
        )

    def _doing(self) -> Note:
        """Return the current round and stake (8)."""
        calls, options = self.bid.calls, self.rules.options
        stake = ("stake", self.bid.stakes(options))
        if self.giving:
            return Note("5.4", BACK, (("seat", Seat(calls[-1].caller)), ("to", Seat(calls[-1].holder)), stake))
        if not self.second:
            return Note("4.1", FIRST, (stake,))
        if not calls:
            return Note("5.1", OPEN, (("stake", 1),))
        more = ("more", len(calls) + 1)
        rising = options.scoring == "callers"
        return Note("5.1", RISING, (stake, more)) if rising else Note("5.1", CALLED, (stake,))

    def ask(self, seat: int | None) -> Ask | None:
        """Return the question to this seat, None without one."""
        return self._ask(seat) if seat is not None and seat in self.to_act else None

    def _coming(self, seat: int | None) -> Ask | None:
        """Return the question awaiting a seat that has not spoken in this round."""
        spoken = {*self.passed, *(call.caller for call in self.bid.calls)}
        if seat is None or seat in self.to_act or seat in spoken:
            return None
        bidding = self._replace(giving=False)
        return bidding._ask(seat)  # noqa: SLF001  # its own, as it will be

    def _ask(self, seat: int) -> Ask:
        if not self.second:
            given = self.given[seat]
            return ChooseAsk(ASKED, (PASS, DECLARE), given=given, stays_secret=self.together, short=SOLO)
        hand = self.hands[seat]
        if self.giving:
            return GiveAsk(Seat(self.bid.calls[-1].holder), 1, "5.4", barred(self.rules, self.bid, hand))
        must = self._has_to_call(seat)
        question, cards = HAS_TO_CALL if must else CALLING, nameable(self.rules, self.bid, hand)
        out, short = _left_out(self.rules, self.bid, cards), WHICH if must else CALL_OR_NOT
        return NameAsk(question, cards, CALL, may_pass=not must, out=out, short=short)

    def _has_to_call(self, seat: int) -> bool:
        return self.rules.options.starter_must_call and seat == self.bid.starter

    # Actions

    def act(self, seat: int, action: Action) -> ABaoBidding | ABaoGame:
        """Return the hand after an action. Raises Illegal for a forbidden action."""
        if seat not in self.to_act:
            raise Illegal("5.1" if self.second else "4.1", "It's {seat}'s turn to bid.", seat=Seat(self.turn))
        if not self.second:
            return self._answer(seat, action)
        match action:
            case Give() if self.giving:
                return self._give(seat, action.cards)
            case Name() if not self.giving:
                return self._call(seat, action.card)
            case Pass() if not self.giving:
                return self._pass(seat)
        if self.giving:
            raise Illegal("5.4", "First, give {seat} a card back.", seat=Seat(self.bid.calls[-1].holder))
        raise Illegal("5.1", "In the second round, you call for a card or pass.")

    # 4. The first round

    def _answer(self, seat: int, action: Action) -> ABaoBidding | ABaoGame:
        if not isinstance(action, Choose) or action.codes not in ((PASS.code,), (DECLARE.code,)):
            raise Illegal("4.1", "In the first round, you declare or pass.")
        given = (*self.given[:seat], action.codes, *self.given[seat + 1 :])
        return self._replace(given=given, sealed=self.sealed + self.together).heard()

    def heard(self) -> ABaoBidding | ABaoGame:
        """Return the hand with the valid answers applied (4.2, O14.1).

        An answer becomes valid once every seat before it has passed.
        """
        passed: tuple[int, ...] = ()
        while len(passed) < self.rules.players:
            seat = (self.bid.starter + len(passed)) % self.rules.players
            if not self.given[seat]:
                return self if self.together else self._replace(passed=passed)
            if self.given[seat] == (DECLARE.code,):
                return self.played(seat)
            passed = (*passed, seat)
        return self._replace(second=True, passed=(), given=((),) * self.rules.players, sealed=0)

    # 5. The second round

    def _pass(self, seat: int) -> ABaoBidding | ABaoGame:
        if self._has_to_call(seat):
            raise Illegal("O6.2", "You start, so you must call for a card.")
        return self._replace(passed=(*self.passed, seat)).decided()

    def _call(self, seat: int, wanted: Card) -> ABaoBidding:
        if refused := why_not(self.rules, self.bid, self.hands[seat], wanted):
            raise refused
        holder = next(other for other, held in enumerate(self.hands) if wanted in held)
        bid = self.bid._replace(calls=(*self.bid.calls, Called(seat, wanted, holder)))
        hands = moved(self.rules, self.hands, wanted, holder, to=seat)
        return self._replace(bid=bid, hands=hands, giving=True, known=self.known.shown(wanted, seat))

    def _give(self, seat: int, given: Cards) -> ABaoBidding | ABaoGame:
        call, stays = self.bid.calls[-1], barred(self.rules, self.bid, self.hands[seat])
        GiveAsk(Seat(call.holder), 1, "5.4", stays).verify(self.hands[seat], given)
        kept = [held for held, _ in stays]
        note = Note(
            "5.4", "{seat} gave you {cards} for {card}.", (("seat", Seat(seat)), ("cards", given), ("card", call.card))
        )
        reminder = Note(
            "5.4",
            "You gave {seat} {cards} for {card}.",
            (("seat", Seat(call.holder)), ("cards", given), ("card", call.card)),
        )
        notes = {call.holder: note, seat: reminder}
        private_notes = tuple(
            (*old, notes[hearer]) if hearer in notes else old for hearer, old in enumerate(self.private_notes)
        )
        return self._replace(
            hands=moved(self.rules, self.hands, given[0], seat, to=call.holder),
            giving=False,
            private_notes=private_notes,
            known=self.known.given(given[0], seat, call.holder, kept),
        ).decided()

    def decided(self) -> ABaoBidding | ABaoGame:
        """Return the hand after every seat has spoken.

        The last caller declares, or a new deal follows (5.12).
        """
        calls = self.bid.calls
        if len(self.passed) + len(calls) < self.rules.players:
            return self
        if not calls:
            again = SeededRandom(f"{self.luck}:{self.bid.thrown + 1}")
            order = tuple(shuffled(self.rules.pack, again))
            return dealt(self.rules, order, self.luck, self.bid.starter, thrown=self.bid.thrown + 1)
        return self.played(calls[-1].caller)

    def played(self, declarer: int) -> ABaoGame:
        """Return the hand at its first lead, or ended without play (O7.2)."""
        bid = self.bid._replace(declarer=declarer)
        result = unplayed(bid, self.hands, self.rules.options) if bid.single(self.rules.options) else None
        known = self.known if result is None else Known()
        return ABaoGame(
            self.rules,
            bid,
            self.hands,
            declarer,
            known=known,
            private_notes=self.private_notes,
            plays=(0,) * self.rules.players,
            result=result,
        )


def moved(rules: ABaoRules, hands: tuple[Cards, ...], card: Card, giver: int, *, to: int) -> tuple[Cards, ...]:
    """Return the hands after a card moved from one seat to another."""
    changed = list(hands)
    changed[giver] = without(changed[giver], (card,))
    changed[to] = rules.sort((*changed[to], card))
    return tuple(changed)


def dealt(rules: ABaoRules, order: Cards, luck: int, starter: int | None, *, thrown: int = 0) -> ABaoBidding:
    """Return a hand dealt from cards in this order.

    starter: None if the four of hearts decides (3).
    """
    players = rules.players
    bound = starter is None or rules.options.starter_rule == "four_of_hearts"
    first = 0 if starter is None or bound else starter  # the first seat to draw (2.2), arbitrary without a starter
    hands = tuple(rules.sort(order[(seat - first) % players :: players]) for seat in range(players))
    holder = next(seat for seat, held in enumerate(hands) if BINDING in held)
    bid = Bid(holder if starter is None or bound else starter, bound, thrown)
    known = Known().shown(BINDING, holder) if bound else Known()
    return ABaoBidding(rules, bid, hands, luck, given=((),) * players, known=known, private_notes=((),) * players)


def _left_out(rules: ABaoRules, bid: Bid, cards: Cards) -> Note:
    """Return a short reason for the cards that cannot be called.

    Aces are never callable (5.5, 5.7, O4). cards: the callable ones. A rank without one isn't on the screen, so the
    bound four of hearts is named only beside another four.
    """
    if bid.bound and any(card.rank is BINDING.rank for card in cards):
        return OUT_BOUND
    return OUT_CALLED if rules.options.recall != "allowed" and bid.calls else OUT_HELD
