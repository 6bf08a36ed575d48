"""The provably fair seeds of a match, committed before play and opened hand by hand.

A match has a key of 256 random bits. A chain is derived from the key: each link is the SHA-256 of the next, as text:

    key = link 1000 -> link 999 -> ... -> link 2 -> link 1 -> link 0

Link 0 is the commitment, published before the first card. The commitment binds every hand: another deal would require a
second text with the same SHA-256. Hand n is dealt from link n, which is opened after the hand. The SHA-256 of link n,
applied n times, is the commitment; link n + 1 cannot be computed from link n without inverting SHA-256. The first
dealer is drawn from link 1 too. A chain was chosen because it can be checked immediately after each hand, with one
number to remember and any program that computes SHA-256: a key opened at the end proves nothing earlier, and a list of
commitments needs a proof for each hand. The price is a limit: a match is over after its thousandth hand.

Players may add words after the commitment and before the first card: they **cut** the cards. Hand n is then dealt from
the SHA-256 of "link n:cut"; the cut is the SHA-256 of the words by seat. No player can choose the cards, because no
player knows the key. The cut proves nothing against the operator, who knows the key, sees each word in the clear, and
can refuse words, or have an accomplice give the last word, until the cards suit. The seed contains only the cut, so a
player's word can be deleted without changing the deals.

If several tables play the same deals, each hand stands **on its own**: it is dealt like the first hand of a match, by a
dealer drawn from its own link, independent of earlier hands at the table.

Matches older than chains have a plain text as seed and a commitment for each hand; they remain supported. Refuses to
know the source of seeds and who is told of them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache

CHAIN_LENGTH = 1000  # in a chain
CHAIN_PREFIX = "chain:"  # prefix of the seed of a match with a chain
PART_PREFIX = "opened:"  # prefix of a partly opened seed: the number of open hands and the last open link
INDEPENDENT_SUFFIX = "each"  # suffix of a seed whose hands stand on their own, in place of a cut
DIGITS = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(rf"(?:chain|opened:\d{{1,4}}):{DIGITS.pattern}(?::(?:{DIGITS.pattern}|{INDEPENDENT_SUFFIX}))?")


@dataclass(frozen=True, slots=True)
class Seal:
    """The public information about the seeds of a match, every value as 64 hexadecimal digits.

    committed: the commitment to the whole match, or to deal ``of`` alone unless ``of`` is 0. opened: the seed of the
    latest finished or cancelled deal, or None; hands: the number of that deal, 0 before the first. cut: from the words
    of the players, "" without words. each: whether each hand stands on its own.
    """

    committed: str
    _: KW_ONLY
    of: int = 0
    opened: str | None = None
    hands: int = 0
    cut: str = ""
    each: bool = False

    @property
    def holds(self) -> bool:
        """Whether the opened seed matches the commitment; also True before the first opening."""
        return self.opened is None or earlier_link(self.opened, 1 if self.of else self.hands) == self.committed


def commitment(opened: str) -> str:
    """Return the SHA-256 of a text, as 64 hexadecimal digits."""
    return hashlib.sha256(opened.encode()).hexdigest()


def normalize_digits(digits: str) -> str:
    """Normalize pasted hexadecimal digits for comparison: lower case, without whitespace."""
    return "".join(digits.split()).lower()


def earlier_link(link: str, times: int) -> str:
    """Return the link ``times`` places before this one."""
    for _ in range(times):
        link = commitment(link)
    return link


def chain_seed(key: str) -> str:
    """Return the seed of a match with a chain. key: 64 unguessable hexadecimal digits."""
    return f"{CHAIN_PREFIX}{key}"


def cut_from_words(words: Sequence[str | None]) -> str:
    """Return the cut from words, as 64 hexadecimal digits.

    words: by seat, None for a player without a word.
    """
    return commitment(write_words(words))


def write_words(words: Sequence[str | None]) -> str:
    """Return the words in the canonical form for their cut.

    The form is ASCII JSON without spaces, which is unambiguous.
    """
    return json.dumps(list(words), separators=(",", ":"))


def with_cut(seed: str, cut: str) -> str:
    """Return the seed of a match with a chain and this cut."""
    return f"{seed}:{cut}"


def with_independent_hands(seed: str) -> str:
    """Return the seed of a match without a cut, each hand of which stands on its own."""
    return f"{seed}:{INDEPENDENT_SUFFIX}"


def has_independent_hands(seed: str) -> bool:
    """Tell whether each hand of a match stands on its own."""
    return seed.endswith(f":{INDEPENDENT_SUFFIX}")


def max_hands(seed: str) -> int | None:
    """Return the maximum number of hands from the seed of a match, None without a limit."""
    return CHAIN_LENGTH if seed.startswith((CHAIN_PREFIX, PART_PREFIX)) else None


def deal_seed(seed: str, number: int) -> str:
    """Return the seed of one hand, as 64 hex digits; it reveals nothing about later hands.

    number: of the hand, from 1.
    """
    return dealt_from(link_of_hand(seed, number), cut_of(seed))


def dealt_from(opened: str, cut: str) -> str:
    """Return the seed of a hand from its opened link and the cut, if any."""
    return commitment(f"{opened}:{cut}") if cut else opened


def link_of_hand(seed: str, number: int) -> str:
    """Return the link opened after a hand, as 64 hex digits."""
    if seed.startswith(CHAIN_PREFIX):
        return _link(_parts(seed)[0], number)
    if seed.startswith(PART_PREFIX):
        return _part(seed, number)
    return hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()


def cut_of(seed: str) -> str:
    """Return the cut of a match; "" without words and in seeds older than cuts."""
    tail = _parts(seed)[1] if seed.startswith((CHAIN_PREFIX, PART_PREFIX)) else ""
    return "" if tail == INDEPENDENT_SUFFIX else tail


def _parts(seed: str) -> tuple[str, str]:
    """Return the head and the suffix of a seed.

    The head is the key of a chain, or the number of open hands with the last open link.
    """
    words = seed.split(":")[1:]
    length = 1 if seed.startswith(CHAIN_PREFIX) else 2
    return ":".join(words[:length]), ":".join(words[length:])


def dealer_seed(seed: str, number: int = 1) -> str:
    """Return the seed for drawing the dealer of the first hand, or of a hand on its own.

    With a chain, the seed is derived from the seed of that hand.
    """
    return dealer_drawn_from(
        deal_seed(seed, number) if seed.startswith((CHAIN_PREFIX, PART_PREFIX)) or has_independent_hands(seed) else seed
    )


def dealer_drawn_from(opened: str) -> str:
    """Return the seed for drawing the dealer of a hand. opened: the seed of that hand."""
    return f"{opened}:dealer"


def seal(seed: str, number: int, finished: int) -> Seal:
    """Return what the public may know of a match's seed.

    number: of the current or last deal; finished: the number of finished deals.
    """
    opened = link_of_hand(seed, finished) if finished else None
    if seed.startswith((CHAIN_PREFIX, PART_PREFIX)):
        return Seal(
            link_of_hand(seed, 0),
            of=0,
            opened=opened,
            hands=finished,
            cut=cut_of(seed),
            each=has_independent_hands(seed),
        )
    sealed = Seal(commitment(link_of_hand(seed, number)), of=number)
    return replace(sealed, opened=opened, hands=finished) if finished == number else sealed


def partly_opened(seed: str, number: int) -> str:
    """Return the part of a chain's seed that deals hands up to ``number`` and no later hands."""
    tail = _parts(seed)[1]
    return f"{PART_PREFIX}{number}:{link_of_hand(seed, number)}" + (f":{tail}" if tail else "")


def _part(seed: str, number: int) -> str:
    """Return link ``number`` of a partly opened chain.

    Raises ValueError for a link not open yet.
    """
    last, _, link = _parts(seed)[0].partition(":")
    if not 0 <= number <= int(last) <= CHAIN_LENGTH:
        raise ValueError(f"hand {number} is not open")
    return earlier_link(link, int(last) - number)


@lru_cache(maxsize=4096)
def _link(key: str, number: int) -> str:
    """Return link ``number`` of the chain with this key.

    Raises ValueError for an invalid number.
    """
    if not 0 <= number <= CHAIN_LENGTH:
        raise ValueError(f"a chain has no link {number}")
    return earlier_link(key, CHAIN_LENGTH - number)
