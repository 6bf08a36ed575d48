"""What a seat can be asked: to play, to give, to name a card, or a question with answers.

Knows what may be answered; refuses to know what comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.rules.core.cards import Card, Cards, lacking
from bot.rules.core.sentences import Illegal, Note, Seat


@dataclass(frozen=True, slots=True)
class PlayAsk:
    """The seat is asked to play cards, or, where it is not awaited, may play them.

    may_pass: or to pass. limit: why not all that it could play elsewhere is allowed now. draws: how many cards a pass
    brings. barred: cards of its hand that cannot be played now.
    """

    may_pass: bool
    limit: Note | None = None
    draws: int = 0
    barred: Cards = ()


@dataclass(frozen=True, slots=True)
class GiveAsk:
    """The seat is asked to give ``count`` cards of its choice to another.

    article: what asks for it. barred: cards it holds but may not give, and why.
    """

    to: Seat
    count: int
    article: str
    barred: tuple[tuple[Card, Note], ...] = ()

    def verify(self, hand: Cards, given: Cards) -> None:
        """Raise Illegal unless these are as many cards as asked for, all of them in the hand."""
        if missing := lacking(hand, given):
            raise Illegal(self.article, "You do not hold {cards}.", cards=missing)
        if len(given) != self.count:
            sentence = "Choose the cards that you give to {seat}: {needed}, not {count}."
            raise Illegal(self.article, sentence, seat=self.to, needed=self.count, count=len(given))
        for held, why in self.barred:
            if held in given:
                raise Illegal(why.article, why.sentence, **dict(why.values))

    def givable(self, hand: Cards) -> Cards:
        """Return the cards of a hand that may be given, in its order."""
        barred = {held for held, _ in self.barred}
        return tuple(held for held in hand if held not in barred)


@dataclass(frozen=True, slots=True)
class NameAsk:
    """The seat is asked to name a card, which need not be one of its own.

    cards: those that may be named, weakest first. sentence: a message id with a field ``card``, as on the button that
    names it. may_pass: or to pass. about: the cards for which it is named, where it is for some. out: why others
    may not be named, in a few words, where some are lacking.
    """

    question: Note
    cards: Cards
    sentence: str
    may_pass: bool = False
    about: Cards = ()
    out: Note | None = None

    def verify(self, named: Cards) -> None:
        """Raise Illegal unless this is one of the cards that may be named."""
        if len(named) != 1:
            raise Illegal(self.question.article, "Choose one card, not {count}.", count=len(named))
        if named[0] not in self.cards:
            raise Illegal(self.question.article, "{card} is not among the cards that can be named now.", card=named[0])


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that can be answered.

    code: as Choose names it. sentence: a message id, as on a button; values: its. place: a number that tells it from
    every other answer there can be to questions of its kind; 0 is wanting nothing. meaning: a message id that says what
    comes of it, where the sentence is too short for that. orders: what it says beforehand, where it answers more than
    this one question.
    """

    code: str
    sentence: str
    values: tuple[tuple[str, Any], ...] = ()
    place: int = 0
    meaning: str = ""
    orders: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """What a Choose says that answers so."""
        return (ORDER, *self.orders) if self.orders else (self.code,)


ORDER = "order"  # the first code of a Choose that says something beforehand; without any other it takes that back


@dataclass(frozen=True, slots=True)
class ChooseAsk:
    """The seat is asked a question, most often at the same time as the others and in secret.

    answers: what can be answered, first of all that one wants nothing. plans: where it is asked how the seat wants it
    from now on, what it can say to that, first of all that it wants nothing now. orders: what can be said beforehand,
    any number of them together, each in place of later answers; standing: those that stand now. given: what the seat
    has answered so far, which it may change until everybody has; empty where it has not. untold: whether nobody is ever
    told the answers, but only what comes of them.
    """

    question: Note
    answers: tuple[Answer, ...]
    orders: tuple[Answer, ...] = ()
    standing: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    untold: bool = False
    plans: tuple[Answer, ...] = ()

    @property
    def offered(self) -> tuple[Answer, ...]:
        """All that can be answered, first of all that one wants nothing."""
        return (*self.plans, *self.answers[1:]) if self.plans else self.answers

    @property
    def idle(self) -> bool:
        """Whether there is nothing to decide, so that whoever is asked has no need to answer."""
        return len(self.offered) == 1


Ask: TypeAlias = PlayAsk | GiveAsk | NameAsk | ChooseAsk
