"""The questions to a seat, the actions that answer them, and their notation in records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from bot.domain.message_ids import N_
from bot.rules.core.cards import Card, Cards, card, cards, missing_cards, write
from bot.rules.core.sentences import Illegal, Note, Seat


@dataclass(frozen=True, slots=True)
class PlayAsk:
    """The seat must play cards or, if not awaited, may play cards out of turn.

    may_pass: whether a pass is legal. limit: the reason why fewer plays than usual are legal now. draws: the number of
    cards drawn after a pass. barred: cards of the hand that cannot be played now.
    """

    may_pass: bool
    limit: Note | None = None
    draws: int = 0
    barred: Cards = ()


@dataclass(frozen=True, slots=True)
class GiveAsk:
    """The seat must give ``count`` cards of its choice to another seat.

    article: the rule that demands the cards. barred: held cards that may not be given, with the reason.
    """

    to: Seat
    count: int
    article: str
    barred: tuple[tuple[Card, Note], ...] = ()

    def verify(self, hand: Cards, given: Cards) -> None:
        """Raise Illegal unless the cards are held, in the demanded number, and none is barred."""
        if missing := missing_cards(hand, given):
            raise Illegal(self.article, "You don't have {cards}.", cards=missing)
        if len(given) != self.count:
            sentence = N_("Choose {needed} cards to give to {seat}, not {count}.")
            if self.count == 1:
                sentence = N_("Choose one card to give to {seat}, not {count}.")
            raise Illegal(self.article, sentence, seat=self.to, needed=self.count, count=len(given))
        for held, why in self.barred:
            if held in given:
                raise Illegal(why.article, why.sentence, **dict(why.values))

    def givable(self, hand: Cards) -> Cards:
        """Return the cards of a hand that may be given, in the order of the hand."""
        barred = {held for held, _ in self.barred}
        return tuple(held for held in hand if held not in barred)


@dataclass(frozen=True, slots=True)
class NameAsk:
    """The seat must name a card, held or not.

    cards: the cards that may be named, weakest first. sentence: a message id with a field ``card``, as on the naming
    button. may_pass: whether a pass is legal. about: the cards that will count as the named card, such as jokers. out:
    a short reason why other cards may not be named, if some are missing. short: the message id of the bare question,
    with the same values, where ``question`` says more.
    """

    question: Note
    cards: Cards
    sentence: str
    _: KW_ONLY
    may_pass: bool = False
    about: Cards = ()
    out: Note | None = None
    short: str = ""

    def verify(self, named: Cards) -> None:
        """Raise Illegal unless exactly one card is given and allowed."""
        if len(named) != 1:
            raise Illegal(self.question.article, "Choose one card, not {count}.", count=len(named))
        if named[0] not in self.cards:
            raise Illegal(self.question.article, "You can't name {card} now.", card=named[0])


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer.

    code: as in Choose. sentence: a message id, as on a button; values: of its fields. place: a unique number among the
    answers to questions of the same kind; 0 declines. meaning: a message id of the consequences, for a short sentence.
    orders: standing orders set by the answer, beyond this question.
    """

    code: str
    sentence: str
    _: KW_ONLY
    values: tuple[tuple[str, Any], ...] = ()
    place: int = 0
    meaning: str = ""
    orders: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of a Choose with this answer."""
        return (ORDER, *self.orders) if self.orders else (self.code,)


ORDER = "order"  # the first code of a Choose with standing orders; alone, it withdraws all orders


@dataclass(frozen=True, slots=True)
class ChooseAsk:
    """The seat is asked a question, usually together with the other seats and in secret.

    answers: the possible answers, declining first. plans: the answers for the rest of the phase, declining for now
    first, if the question covers the phase. orders: the possible standing orders, freely combined, each in place of
    later answers; standing: the present orders. given: the seat's answer so far (empty without one), open to change
    until every seat answered. stays_secret: whether the answers stay secret forever and only their consequences become
    public. short: as in NameAsk.
    """

    question: Note
    answers: tuple[Answer, ...]
    _: KW_ONLY
    orders: tuple[Answer, ...] = ()
    standing: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    stays_secret: bool = False
    plans: tuple[Answer, ...] = ()
    short: str = ""

    @property
    def offered(self) -> tuple[Answer, ...]:
        """All possible answers, declining first."""
        return (*self.plans, *self.answers[1:]) if self.plans else self.answers

    @property
    def idle(self) -> bool:
        """Whether declining is the only answer, so the seat need not answer."""
        return len(self.offered) == 1


Ask: TypeAlias = PlayAsk | GiveAsk | NameAsk | ChooseAsk


@dataclass(frozen=True, slots=True)
class Play:
    """Play these cards. Their order does not matter."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """Play nothing."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Between two hands: agree to deal the next one."""


@dataclass(frozen=True, slots=True)
class Give:
    """Give these cards to the seat that the game determines."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Name:
    """Name this card, in any hand: to call the card, or to say what other cards represent."""

    card: Card


@dataclass(frozen=True, slots=True)
class Stop:
    """Between two hands of an open-ended match: end the match here."""


@dataclass(frozen=True, slots=True)
class Again:
    """Cancel this hand by agreement of all players and deal it again."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer with one of the offered codes, or with several compatible codes.

    The ask defines the codes.
    """

    codes: tuple[str, ...]


Action: TypeAlias = Play | Pass | Ready | Give | Name | Stop | Again | Choose
_PLAIN: Mapping[str, Action] = {"pass": Pass(), "ready": Ready(), "stop": Stop(), "again": Again()}
_GIVE, _NAME, _CHOOSE = "give", "name", "choose"


def write_action(action: Action, face: Callable[[Iterable[Card]], str] = write) -> str:
    """Return the record notation of an action.

    face: writes the cards, by default in exact notation. Examples: ``"3d 3c"``, ``"give 4d"``, ``"name 7c"``, ``"choose
    expose:h"``, ``"pass"``, ``"ready"``, ``"again"``, ``"stop"``.
    """
    match action:
        case Play():
            return face(action.cards)
        case Give():
            return f"{_GIVE} {face(action.cards)}"
        case Name():
            return f"{_NAME} {face((action.card,))}"
        case Choose():
            return " ".join((_CHOOSE, *action.codes))
    return type(action).__name__.lower()


@lru_cache(maxsize=4096)  # a few thousand texts recur constantly
def read_action(text: str) -> Action:
    """Return the action of a record; the inverse of :func:`write_action`.

    Raises KeyError for invalid text.
    """
    verb, _, given = text.partition(" ")
    if verb == _GIVE:
        return Give(cards(given))
    if verb == _NAME:
        return Name(card(given))
    if verb == _CHOOSE:
        return Choose(tuple(given.split()))
    return _PLAIN.get(text) or Play(cards(text))
