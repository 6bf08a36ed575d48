"""6.1, C4, C38 and C39. The beginning of play after the deal and the exchange."""

from __future__ import annotations

from typing import TypeVar

from bot.rules.big_two.dealt import KnownCard
from bot.rules.big_two.state import BigTwoState
from bot.rules.core.cards import Card
from bot.rules.core.sentences import Note

S = TypeVar("S", bound=BigTwoState)


def begun(game: S) -> S:
    """Return the game with the extra card taken and the starter found (6.1, C4, C38.2, C39)."""
    holder, lowest = lowest_dealt(game)
    if game.dealt.extra:
        game = _with_extra(game, holder, lowest, game.dealt.extra)
        _, lowest = lowest_dealt(game)
    lead = game.dealt.lead
    if lead is not None:
        return game._replace(turn=lead, progress=game.progress._replace(starter=lead))
    return game._replace(
        turn=holder,
        must=lowest if game.rules.options.low_card_in_first_play else None,
        shown=tuple(dict.fromkeys((*game.shown, KnownCard(holder, lowest)))),
        progress=game.progress._replace(starter=holder, low=lowest),
    )


def lowest_dealt(game: BigTwoState) -> tuple[int, Card]:
    """Return the holder of the lowest card in any hand, and the card."""
    holder = min(range(len(game.hands)), key=lambda seat: game.rules.groups.power[game.hands[seat][0]])
    return holder, game.hands[holder][0]


def _with_extra(game: S, holder: int, lowest: Card, extra: Card) -> S:
    """C39: the holder of the lowest card takes the card in the middle."""
    hands = list(game.hands)
    hands[holder] = game.rules.sort((*hands[holder], extra))
    open_cards = (lowest, extra) if game.rules.options.extra_card == "face_up" else (lowest,)
    private_notes = {holder: Note("C39.1", "You took the extra card, {card}.", (("card", extra),))}
    shown = (*game.shown, *(KnownCard(holder, card) for card in open_cards))
    return game._replace(hands=tuple(hands), shown=shown).telling(private_notes, taker=holder)
