"""Checks a deal independently: whether an opened seed matches its commitment, and which cards it deals.

Uses the numbers that *Check this deal* shows. No running bot, database or Discord is involved, so none has to be
trusted.
"""

from __future__ import annotations

from bot.games import GAMES
from bot.rules.core.cards import Cards, SeededRandom, write
from bot.rules.core.game import Rules
from bot.rules.core.seating import order_of_turns
from bot.rules.core.sentences import Illegal
from bot.rules.matches.seal import CHAIN_LENGTH, Seal, dealer_drawn_from, dealt_from, normalize_digits
from bot.rules.variants.rule_codes import read_code
from bot.rules.variants.ruleset import Ruleset

RIGHT_SEED = "The seed is right. To see the cards, add --dealer and who dealt, by the order on the board, from 1."


class CheckFailed(Exception):
    """A check has failed or is impossible; the message says why."""


def verify(
    code: str,
    hand: int,
    seed: str,
    commitment: str,
    *,
    dealer: int | None = None,
    alone: bool = False,
    cut: str = "",
    each: bool = False,
) -> str:
    """Return the cards of a hand as dealt, a line per seat. Raises CheckFailed for another seed than the committed one.

    code: the rule code of the table. hand: its number, from 1. dealer: the position on the board, from 1, of the player
    who dealt or drew first; not needed for the first hand, whose dealer follows from the seed. alone: for a match of an
    earlier version, where each hand had a separate commitment and only the board shows the first dealer. cut: the
    combined words of the players, if they cut the cards. each: for independent hands, where the seed of each determines
    the dealer.
    """
    seed, commitment, cut = normalize_digits(seed), normalize_digits(commitment), normalize_digits(cut)
    if not 1 <= hand <= CHAIN_LENGTH:
        raise CheckFailed(f"A match has hands from 1 to {CHAIN_LENGTH}.")
    if not Seal(commitment, of=hand if alone else 0, opened=seed, hands=hand).holds:
        raise CheckFailed(f"This is not the seed of hand {hand} that was committed to.")
    seed, rules = dealt_from(seed, cut), _rules(code)
    if dealer is None and not each and (alone or hand > 1):
        return RIGHT_SEED
    order = order_of_turns(rules, hand)
    if dealer is not None and dealer not in range(1, rules.players + 1):
        raise CheckFailed(f"There are {rules.players} players, so --dealer goes from 1 to {rules.players}.")
    drawn = SeededRandom(dealer_drawn_from(seed))
    dealt = rules.deal(SeededRandom(seed), rules.first_dealer(drawn) if dealer is None else order[dealer - 1])
    held = [f"{number}: {write(dealt.view(seat).hand)}" for number, seat in enumerate(order, 1)]
    return "\n".join(["The seed is right. The cards, by the order on the board:", *held, *_aside(dealt.hidden_cards)])


def _rules(code: str) -> Rules:
    try:
        return Ruleset.of(*read_code(code, GAMES)).rules
    except (ValueError, Illegal) as bad:
        raise CheckFailed(str(bad)) from bad


def _aside(cards: Cards) -> list[str]:
    return [f"in no hand: {write(cards)}"] if cards else []
