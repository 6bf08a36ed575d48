"""The conditions on a play of Big Two at one moment, besides beating the top."""

from __future__ import annotations

from bot.rules.big_two.tables import HONOURS
from bot.rules.core.cards import Card, Cards
from bot.rules.core.legality import Condition, must_contain
from bot.rules.core.sentences import Illegal, Note
from bot.rules.core.trick import Combo

HIGHEST = Note("C22.2", "The next player has one card: play your highest card, or more than one card.")
OUT_OF_TURN = Note("C16.1", "It is not your turn, but an honour hand may come in now.")


def conditions(hand: Cards, must: Card | None, limit: Note | None, alone: str | None) -> tuple[Condition, ...]:
    """Return the conditions on a play of this hand, in the order of the articles.

    must: a card that the play has to contain. limit: HIGHEST if the next player has one card (C22.2), OUT_OF_TURN if
    the hand is not on turn (C16). alone: the article that forbids going out with the last card as a single (C23).
    """
    own: list[Condition] = []
    if must is not None:
        own.append(must_contain(must, "6.1"))
    if limit == OUT_OF_TURN:
        own.append(_honour)
    if limit == HIGHEST:
        own.append(_highest_of(hand))
    if alone is not None:
        own.append(_not_alone(alone))
    return tuple(own)


def _honour(combo: Combo) -> Illegal | None:
    return None if combo.kind in HONOURS else Illegal("C16.1", "Out of turn only an honour hand may be played.")


def _highest_of(hand: Cards) -> Condition:
    def refused(combo: Combo) -> Illegal | None:
        lower = len(combo.cards) == 1 and combo.head != hand[-1]
        return Illegal(HIGHEST.article, HIGHEST.sentence) if lower else None

    return refused


def _not_alone(article: str) -> Condition:
    def refused(combo: Combo) -> Illegal | None:
        alone = len(combo.cards) == 1
        return Illegal(article, "You may not go out with {card} alone.", card=combo.head) if alone else None

    return refused
