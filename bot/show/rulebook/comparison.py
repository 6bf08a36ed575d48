"""The comparison of two plays under a table's rules, as a sentence with the articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import prod
from typing import Final

from bot.rules.core.cards import Cards, Rank
from bot.rules.core.game import Rules
from bot.rules.core.sentences import Illegal
from bot.show.kit.phrases import cited, refusal
from bot.show.kit.words import MessageText, Words, join

MAX_CHOICES: Final = 300  # of suits for ranks typed without suits


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a comparison.

    said: ready for a message. articles: the article numbers, without duplicates.
    """

    said: MessageText
    articles: tuple[str, ...]


def compare(rules: Rules, one: Cards, other: Cards, w: Words) -> Verdict:
    """Return which of two plays beats the other, or that both do, or why neither does.

    Cards that are no play are refused with the reason.
    """
    w = w.for_players((), rules)
    first, second = rules.classify(one), rules.classify(other)
    no, back = rules.compare(one, other), rules.compare(other, one)
    if first is None or second is None:
        return _refused([no, back], w)
    if no and back:
        return _neither(no, back, w)
    beating = [pair for pair, refused in (((first, second), no), ((second, first), back)) if not refused]
    articles = [rules.article(*pair) for pair in beating]
    texts = (
        cited(w("{combo} beats {top}.", combo=higher, top=lower), article, w)
        for (higher, lower), article in zip(beating, articles, strict=True)
    )
    return Verdict(join(texts, "\n"), tuple(articles))


def of_ranks(ranks: Sequence[Rank], pack: Cards) -> list[Cards]:
    """Return every choice of cards with these ranks.

    Returns no choice if there are too many, or if the pack lacks such cards.
    """
    there = {rank: [card for card in pack if card.rank is rank] for rank in ranks}
    ways = [list(dict.fromkeys(combinations(there[rank], count))) for rank, count in Counter(ranks).items()]
    return [tuple(chain(*parts)) for parts in product(*ways)] if 0 < prod(map(len, ways)) <= MAX_CHOICES else []


def suits_matter(rules: Rules, one: Sequence[Cards], other: Sequence[Cards]) -> bool:
    """Tell whether the verdict depends on the suits chosen for either play."""
    pairs = (*((choice, other[0]) for choice in one), *((one[0], choice) for choice in other))
    return len({_verdicts(rules, *pair) for pair in pairs}) > 1


def _verdicts(rules: Rules, one: Cards, other: Cards) -> tuple[str | None, ...]:
    """Return the articles that forbid either play on the other, and the kinds of both.

    An allowed play has no article, and cards that are no play have no kind: None.
    """
    refused = rules.compare(one, other), rules.compare(other, one)
    kinds = (combo.kind if (combo := rules.classify(cards)) else None for cards in (one, other))
    return (*(illegal.article if illegal else None for illegal in refused), *kinds)


def _neither(no: Illegal, back: Illegal, w: Words) -> Verdict:
    why = _refused([no, back], w)
    return Verdict(join((w("Neither beats the other."), why.said), "\n"), why.articles)


def _refused(reasons: list[Illegal | None], w: Words) -> Verdict:
    """Return the reasons, without duplicates."""
    there = [reason for reason in reasons if reason]
    said = dict.fromkeys(cited(refusal(reason, w), reason.article, w) for reason in there)
    return Verdict(join(said, "\n"), tuple(dict.fromkeys(reason.article for reason in there)))
