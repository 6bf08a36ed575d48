"""Short names of combinations: on one-tap buttons, on plates and in lists of moves."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards, Rank
from bot.rules.core.trick import Combo
from bot.show.kit.card_symbols import SUITLESS, SUITS, rank, symbol
from bot.show.kit.words import MessageText, Words

# The ranks that runs consist of, lowest first; after the last rank the first one follows again.
CIRCLES = (tuple(map(Rank, "A23456789TJQK")), tuple(Rank(str(number)) for number in range(1, 16)))
THIN_SPACE = "\u2009"  # between the ranks of a set
MAX_LISTED = 4  # equal ranks listed one by one: "9 9 9", but "9 ×6"
# Cards of one rank on a button without much room, by their number.
SETS = {2: N_("two {top}s"), 3: N_("three {top}s"), 4: N_("four {top}s")}


def button_name(combo: Combo, w: Words, *, suits: bool = False) -> MessageText:
    """Return a combination as on a button: "6–10 straight", "pair of 10s", "10♠", "7+J★".

    suits: append the suit of the head, where equal ranks are decided by suit.
    """
    sentence = w.kinds[combo.kind].button
    if _has_substitutes(combo):
        return MessageText(listed(combo.cards).replace(THIN_SPACE, "+"))
    name = _filled(sentence, combo, w) if sentence else listed(combo.cards)
    return _with_suit(name, combo) if suits else name


def short_button_name(combo: Combo, w: Words, *, suits: bool = False) -> MessageText:
    """Return a combination as on a narrow button: "two 5s", "6–10", "flush ♢", "10♠".

    suits: as in `button_name`.
    """
    ranks = {card.rank for card in combo.cards}
    sentence = SETS.get(len(combo.cards)) if len(ranks) == 1 and not ranks & SUITLESS.keys() else None
    if sentence and not w.kinds[combo.kind].plate:
        name = _filled(sentence, combo, w)
        return _with_suit(name, combo) if suits else name
    is_named = w.kinds[combo.kind].plate or run_ends(combo.cards) or len(combo.cards) == 1
    return (plate_name if is_named else button_name)(combo, w, suits=suits)


def plate_name(combo: Combo, w: Words, *, suits: bool = False) -> MessageText:
    """Return a combination in a word or two: "flush ♢", "full house 5s", "9 9 9", "6–10".

    suits: add the suit of the deciding card, as on buttons.
    """
    sentence = w.kinds[combo.kind].plate
    name = _filled(sentence, combo, w) if sentence else listed(combo.cards)
    return _with_suit(name, combo) if suits else name


def _with_suit(name: MessageText, combo: Combo) -> MessageText:
    sign = SUITS.get(combo.head.suit, "")
    return MessageText(f"{name} {sign}") if sign and sign not in name else name


def listed(held: Cards) -> MessageText:
    """Return the cards of a combination by their ranks: "9 9 9", "9 ×6", "6–10", "6–8 ×2".

    A single card is written in full.
    """
    if len(held) == 1:
        return MessageText(symbol(held[0]))
    if ends := run_ends(held):
        copies = min(Counter(card.rank for card in held).values())
        return MessageText(f"{'–'.join(ends)} ×{copies}" if copies > 1 else "–".join(ends))
    alike = ((sign, len(list(group))) for sign, group in groupby(held, lambda card: _rank(card.rank)))
    return MessageText(THIN_SPACE.join(_repeated(sign, count) for sign, count in alike))


def run_ends(held: Cards) -> tuple[str, str] | None:
    """Return the lowest and the highest rank of a run, whatever the order of its cards.

    Returns None for other cards.
    """
    counts = Counter(card.rank for card in held)
    circle = next((circle for circle in CIRCLES if counts.keys() <= set(circle)), ())
    first = [here for before, here in pairwise((*circle[-1:], *circle)) if counts[here] and not counts[before]]
    last = [here for here, after in pairwise((*circle, *circle[:1])) if counts[here] and not counts[after]]
    if len(counts) == len(circle):  # every rank: the ace is high, and low as well if it occurs once more
        first, last = [circle[counts[circle[0]] == counts[circle[1]]]], [circle[0]]
    return (rank(first[0]), rank(last[0])) if len(counts) > 1 and len(first) == 1 else None


def _filled(sentence: str, combo: Combo, w: Words) -> MessageText:
    low, high = run_ends(combo.cards) or ("", "")
    return w(
        sentence,
        rank=combo.head.rank,
        suit=MessageText(SUITS.get(combo.head.suit, "")),
        top=MessageText(rank(combo.head.rank)),
        low=MessageText(low),
        high=MessageText(high),
    )


def _has_substitutes(combo: Combo) -> bool:
    """Tell whether jokers stand for some of the cards."""
    return len({card.rank in SUITLESS for card in combo.cards}) > 1


def _rank(held: Rank) -> str:
    return SUITLESS.get(held) or rank(held)


def _repeated(sign: str, count: int) -> str:
    return THIN_SPACE.join([sign] * count) if count <= MAX_LISTED else f"{sign} ×{count}"
