"""What a viewer may not know of a table at this moment: cards, seeds, sides, and what others are asked and answer.

Worked out from the whole state of the table, not from the views the screens are drawn from.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import Any

from bot.domain.ids import UserId
from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.groups import BINDING
from bot.rules.a_bao.play import ABaoGame
from bot.rules.big_a.declarations import CODES, ace
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.resolution import sides_of
from bot.rules.big_a.score import Sides
from bot.rules.big_a.windows import BigADraw
from bot.rules.big_little_a.groups import A_CARDS
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import ChooseAsk, Give, read_action
from bot.rules.core.cards import SUITS, Card, Suit
from bot.rules.core.game import Game
from bot.rules.matches.seal import deal_seed
from bot.rules.tien_len.play import TienLenGame
from bot.show.kit.words import MessageText, words
from bot.show.table import questions
from bot.show.table.sides import ALONE, YOU
from bot.table.core.chairs import seat_of
from bot.table.table import Table

FUTURE = 5  # hands to come whose seeds are looked for
LOCALES = ("en-US", "zh-CN")
# What a click answers: at which place among the answers it stands, and premoves.
ANSWERING = re.compile(r"\bbg:\d+:(?:choose:\d+\.|order)")
ORDERING = re.compile(r"bg:\d+:order:\d+")


def running_hand(table: Table) -> Game | None:
    """Return the hand in progress, None where there is none."""
    match = table.match
    return None if match is None or match.game.result is not None or table.row.phase != "playing" else match.game


# Cards


def secret_cards(table: Table, user: UserId | None) -> set[Card]:
    """Return the cards of the hand in progress that this person, or with None the public, may not place.

    Other hands and undealt cards, except revealed cards. For a card in two copies, one revelation suffices: then its
    name identifies no hidden copy. A seat that names a card is offered neutral cards, checked by two_worlds.py.
    """
    game, mine = running_hand(table), seat_of(table.row.chairs, user)
    if game is None or (mine is not None and _naming(game, mine)):
        return set()
    hands = [game.view(seat).hand for seat in range(len(table.row.chairs))]
    hidden = {*game.hidden_cards, *(held for seat, hand in enumerate(hands) if seat != mine for held in hand)}
    own = () if mine is None else (*hands[mine], *_given(table, mine))
    return hidden - _shown(game, mine) - set(own)


def _given(table: Table, seat: int) -> Iterator[Card]:
    """Yield what a seat has given away in this hand: the giver remembers each card, wherever it moved."""
    for step in takewhile(lambda each: each.action != "ready", reversed(table.row.steps)):
        if step.seat == seat and isinstance(done := read_action(step.action), Give):
            yield from done.cards


def _naming(game: Game, mine: int) -> bool:
    """Tell whether this seat has to call for a card, or to say what its jokers stand for."""
    match game:
        case ABaoBidding():
            return game.second and not game.giving and game.turn == mine
        case BigLittleAGame():
            return bool(game.naming) and game.turn == mine
    return False


def _shown(game: Game, mine: int | None) -> set[Any]:
    """Return what was shown to every player, or to this seat."""
    match game:
        case BigTwoGame():
            return _shown_in_big_two(game, mine)
        case BigADraw():
            return {
                *_shown_in_draw(game),
                *(ace(suit) for suit in SUITS if mine is not None and _named(game, mine, suit)),
            }
        case BigAGame():
            lying = {held for trick in (*game.tricks, game.trick) for held in trick.cards}
            dead = {held for name, cards in game.facts if name == "redealt" for held in cards}
            return {*lying, *dead, *(held for _, held in game.known), *game.rules.big_aces}
        case ABaoBidding() | ABaoGame():
            return _shown_in_a_bao(game, mine)
        case BigLittleAGame():
            taken_up = (held for trick in game.tricks for move in trick.moves for held in move.taken)
            return {*_lying(game), *taken_up, *A_CARDS}
        case TienLenGame():
            return {*_lying(game), game.low}
    raise TypeError(f"nobody knows what is shown in {game}")


def _shown_in_big_two(game: BigTwoGame, mine: int | None) -> set[Any]:
    """The cut, a card that has to be played, an extra card face up, what was seen to go, what is told of the deal."""
    seen: set[Any] = {each.card for each in game.shown if each.to in (None, mine)}
    seen |= {game.dealt.cut, *game.dealt.draws, game.must, game.progress.low}
    return seen | {game.dealt.extra if game.rules.options.extra_card == "face_up" else None}


def _shown_in_a_bao(game: ABaoBidding | ABaoGame, mine: int | None) -> set[Card]:
    """What was called for or played, a four of hearts that named the starter, and what this seat gave face down."""
    called = {call.card for call in game.bid.calls} | ({BINDING} if game.bid.bound else set())
    lying = _lying(game) if isinstance(game, ABaoGame) else set()
    return called | lying | {each.card for each in game.known.seen if each.by is not None and each.by == mine}


def _lying(game: ABaoGame | BigLittleAGame | TienLenGame) -> set[Card]:
    return {held for trick in (*game.tricks, game.trick) for held in trick.cards}


def _shown_in_draw(game: BigADraw) -> set[Card]:
    acts = {ace(each.suit) for each in game.declaration.acts}
    return acts | {held for dead in game.redealt for held in dead}


def _named(game: BigADraw, mine: int, suit: Suit) -> bool:
    """Whether a player has decided about this ace for the case of receiving it: that is told to them again."""
    return any(code.endswith(f":{suit}") for code in game.standing[mine])


# Seeds


def hidden_deals(table: Table) -> Iterator[str]:
    """Yield the deal seeds that are still sealed: of the hand in progress and of those to come; and what else is."""
    match = table.match
    first = 1 if match is None else match.number + (match.game.result is not None)
    yield from (deal_seed(table.row.seed, number) for number in range(first, first + FUTURE))
    if match is not None and isinstance(match.game, BigADraw | ABaoBidding):
        yield str(match.game.luck)


# Sides


def revealing_sentences(table: Table, user: UserId | None) -> Iterator[re.Pattern[str]]:
    """Yield the sentences that would tell this person, or the public, who plays with whom, and may not yet."""
    game = running_hand(table)
    if isinstance(game, BigADraw) or (isinstance(game, BigAGame) and not game.sides.known):
        mine = seat_of(table.row.chairs, user)
        own = _own(game, mine)
        w = words(LOCALES[0])
        names = tuple(w.person(chair.name, house=chair.house) for chair in table.row.chairs)
        yield from (
            pattern for sentence in ROLES if sentence not in own for pattern in sentence_pattern(sentence, names)
        )
        yield from map(
            re.compile, _banners(game, mine, "|".join(re.escape(w.person(chair.name)) for chair in table.row.chairs))
        )


def _banners(game: BigADraw | BigAGame, mine: int | None, people: str) -> Iterator[str]:
    """Yield patterns for lines about partners or a lone player."""
    yield rf"(?:{people}) \+ (?:{people})"
    if isinstance(game, BigADraw) or game.sides.teams(mine).against <= {mine}:
        yield rf"(?:{'|'.join(words(each)(YOU) for each in LOCALES)}) \+ (?:{people})"
        yield "|".join(re.escape(words(each)(ALONE, side=MessageText()).strip()) for each in LOCALES)


def _own(game: BigADraw | BigAGame, mine: int | None) -> frozenset[str]:
    """Return what a seat may know of its own side: first the view so far, at last the truth."""
    if mine is None:
        return frozenset()
    if isinstance(game, BigAGame):
        return frozenset({game.sides.role(mine).sentence})
    last = game.declaration.last
    if last is None:
        return frozenset()
    if game.kind == "reveal":
        return frozenset({sides_of(game).role(mine).sentence})
    holds = mine != last.seat and ace(last.suit) in game.stack.visible(mine, game.drawn)
    return frozenset({AS_THINGS_STAND} if holds else ())


AS_THINGS_STAND = "You have the other {card}: for now, you're {seat}'s secret partner."


def _roles() -> tuple[str, ...]:
    """Return the sentences shown only to players who know the sides."""
    some = Sides(0, Suit.HEARTS, 1)
    known, lone = some._replace(known=True), some._replace(partner=None)
    roles = (some.role(1), *map(known.role, (0, 1, 2)), lone.role(0), lone._replace(both=True).role(0))
    return (AS_THINGS_STAND, *(role.sentence for role in roles))


ROLES = _roles()


@cache
def sentence_pattern(sentence: str, names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Return how a sentence about cards and people of these names is found in any language."""
    people, texts = "|".join(map(re.escape, names)), {words(each).catalogue.gettext(sentence) for each in LOCALES}
    fields = {"card": r"[^\n]{1,60}?"}
    return tuple(
        re.compile(
            "".join(
                re.escape(text) + (fields.get(name, f"(?:{people})") if name else "")
                for text, name, _, _ in string.Formatter().parse(template)
            )
        )
        for template in sorted(texts)
    )


# Answers


def answers_of_others(table: Table, user: UserId | None) -> set[str]:
    """Return how buttons are called on which this person, or the public, has nothing to answer."""
    game, mine = running_hand(table), seat_of(table.row.chairs, user)
    if game is None or not game.secrecy.together:
        return set()
    labels = {seat: set(_labels(game, seat)) for seat in game.to_act}
    return set[str]().union(*labels.values()) - labels.get(-1 if mine is None else mine, _declining(game))


def _declining(game: Game) -> set[str]:
    """Return what stands on the board for a player who wants nothing."""
    declining = game.view(None).declining
    return {questions.label(declining, words(locale)) for locale in LOCALES} if declining else set()


def _labels(game: Game, seat: int) -> Iterator[str]:
    ask = game.view(seat).ask
    for answer in ask.answers if isinstance(ask, ChooseAsk) else ():
        yield answer.code
        for locale in LOCALES:
            yield questions.label(answer, words(locale))


def without_orders(payload: Any) -> Any:
    """Return a payload without offered premoves, which are equal for every hand.

    The callable cards are everything outside the own hand, checked by two_worlds.py.
    """
    match payload:
        case {"custom_id": str(address)} if ORDERING.fullmatch(address):
            return {}
        case {"value": str(value)} if value.startswith("call "):
            return {}
        case dict():
            return {name: without_orders(value) for name, value in payload.items()}
        case list() | tuple():
            return [without_orders(value) for value in payload]
    return payload


def orders_offered(payload: Any) -> Iterator[str]:
    """Yield the premoves offered in a payload, without the chosen one."""
    match payload:
        case {"custom_id": str(address), "options": options} if ORDERING.fullmatch(address):
            yield str([{**each, "default": None} for each in options])
        case dict():
            for value in payload.values():
                yield from orders_offered(value)
        case list() | tuple():
            for value in payload:
                yield from orders_offered(value)


def is_about_answers(leaf: str) -> bool:
    """Tell whether a text in a public component is about the answer of a player in particular."""
    return leaf in CODES or ANSWERING.search(leaf) is not None
