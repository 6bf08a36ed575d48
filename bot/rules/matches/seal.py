"""How the luck of a match is settled before anybody sees a card, and opened hand by hand so that anybody can check it.

A match has a key of 256 random bits. From it a chain is made, each link being the SHA-256 of the next, as text:

    key = link 1000 -> link 999 -> ... -> link 2 -> link 1 -> link 0

Link 0 is the commitment, told before the first card. It binds every hand: to deal another one, somebody would have to
find a second text with the same SHA-256. Hand n is dealt from link n, which is opened once the hand is over. Its
SHA-256, taken n times, is the commitment; link n + 1 follows from it for nobody who cannot turn SHA-256 round. Who
deals first is drawn from link 1 too. Chosen before others because it is checked at once, after each hand, with one
number to keep and any program that knows SHA-256: a key that is opened at the end shows nothing before the end, and a
list of commitments needs a proof for each hand. The price is an end: a match is over after its thousandth hand.

Players may put words on top, once the commitment is told and before the first card: they **cut** the cards. Then hand
n is dealt from the SHA-256 of "link n:cut", the cut being the SHA-256 of the words by seat. A player who gives a word
knows no key, so no player can choose the cards. It proves nothing against the operator, who knows the key, sees each
word in the clear as it is given, and can refuse words, or have somebody give the last one, until the cards suit. The
seed keeps the cut alone, so that a word can be deleted with its person while the deals stay what they are.

Where the same deals are played at several tables, each hand stands **on its own**: it is dealt and begun as the first
hand of a match is, by a dealer drawn from its own link, so that it is the same whatever came before it at a table.

Matches set up before there were chains have a plain text for a seed, and a commitment for each hand. They are dealt,
opened and checked as ever. Refuses to know where seeds come from, and who is told what.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

HANDS = 1000  # of one chain
CHAIN = "chain:"  # begins the seed of a match that has one
PART = "opened:"  # and what there is of it once some hands are open: how many, and the link of the last one
EACH = "each"  # ends the seed of a match whose hands stand on their own, in the place of a cut
DIGITS = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(rf"(?:chain|opened:\d{{1,4}}):{DIGITS.pattern}(?::(?:{DIGITS.pattern}|{EACH}))?")


@dataclass(frozen=True, slots=True)
class Seal:
    """What everybody may know of the seeds of a match, all of it as 64 hexadecimal digits.

    committed: the commitment to the whole match; to deal ``of`` alone where that is not 0. opened: the seed of the
    latest deal that is over, played to its end or thrown in, or None; hands: which that is, 0 before the first. cut:
    what the words of the players come to, "" where nobody gave one. each: whether each hand stands on its own.
    """

    committed: str
    of: int = 0
    opened: str | None = None
    hands: int = 0
    cut: str = ""
    each: bool = False

    @property
    def holds(self) -> bool:
        """Whether the opened seed is what was committed to; also before anything is opened."""
        return self.opened is None or climbed(self.opened, 1 if self.of else self.hands) == self.committed


def commitment(opened: str) -> str:
    """Return the SHA-256 of a text, as 64 hexadecimal digits."""
    return hashlib.sha256(opened.encode()).hexdigest()


def tidied(digits: str) -> str:
    """Return hexadecimal digits as they are compared: in small letters, on one line, however they were copied."""
    return "".join(digits.split()).lower()


def climbed(link: str, times: int) -> str:
    """Return the link so many before this one."""
    for _ in range(times):
        link = commitment(link)
    return link


def sealed(key: str) -> str:
    """Return the seed of a match with a chain. key: 64 hexadecimal digits that nobody can guess."""
    return f"{CHAIN}{key}"


def cut_by(words: Sequence[str | None]) -> str:
    """Return what words come to, as 64 hexadecimal digits. words: by seat, None where nobody gave one."""
    return commitment(written(words))


def written(words: Sequence[str | None]) -> str:
    """Return words as their cut is made of them: JSON in ASCII without spaces, which can be read in one way only."""
    return json.dumps(list(words), separators=(",", ":"))


def with_cut(seed: str, cut: str) -> str:
    """Return the seed of a match with a chain, whose cards are cut like this."""
    return f"{seed}:{cut}"


def on_its_own(seed: str) -> str:
    """Return the seed of a match whose cards nobody has cut, each hand of which stands on its own."""
    return f"{seed}:{EACH}"


def each_of(seed: str) -> bool:
    """Tell whether each hand of a match stands on its own."""
    return seed.endswith(f":{EACH}")


def most_hands(seed: str) -> int | None:
    """Return how many hands can be dealt from the seed of a match; None where there is no end to them."""
    return HANDS if seed.startswith((CHAIN, PART)) else None


def deal_seed(seed: str, number: int) -> str:
    """Return the seed of one hand (number counts from 1), as 64 hex digits; it tells nothing of the hands to come."""
    return dealt_from(opening(seed, number), cut_of(seed))


def dealt_from(opened: str, cut: str) -> str:
    """Return what a hand is dealt from: what is opened of it, and the cut where the cards were cut."""
    return commitment(f"{opened}:{cut}") if cut else opened


def opening(seed: str, number: int) -> str:
    """Return what is opened of a hand once it is over, as 64 hex digits."""
    if seed.startswith(CHAIN):
        return _link(_parts(seed)[0], number)
    if seed.startswith(PART):
        return _part(seed, number)
    return hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()


def cut_of(seed: str) -> str:
    """Return the cut of a match; "" where nobody cut the cards, as before there were words."""
    tail = _parts(seed)[1] if seed.startswith((CHAIN, PART)) else ""
    return "" if tail == EACH else tail


def _parts(seed: str) -> tuple[str, str]:
    """Return the key of a chain, or how far it is open and the last link of that, and what ends it."""
    words = seed.split(":")[1:]
    length = 1 if seed.startswith(CHAIN) else 2
    return ":".join(words[:length]), ":".join(words[length:])


def dealer_seed(seed: str, number: int = 1) -> str:
    """Return what the dealer of the first hand is drawn from, or of one that stands on its own.

    Under a chain it follows from the seed of that hand.
    """
    return dealer_drawn_from(deal_seed(seed, number) if seed.startswith((CHAIN, PART)) or each_of(seed) else seed)


def dealer_drawn_from(opened: str) -> str:
    """Return what the dealer of a hand is drawn from. opened: the seed of that hand."""
    return f"{opened}:dealer"


def seal(seed: str, number: int, finished: int) -> Seal:
    """Return what everybody may know. number: of the deal in progress or just over; finished: deals that are over."""
    opened = opening(seed, finished) if finished else None
    if seed.startswith((CHAIN, PART)):
        return Seal(opening(seed, 0), 0, opened, finished, cut_of(seed), each_of(seed))
    return Seal(commitment(opening(seed, number)), number, *((opened, finished) if finished == number else ()))


def opened_up_to(seed: str, number: int) -> str:
    """Return of the seed of a match with a chain what deals its hands up to this one, and tells nothing of others."""
    tail = _parts(seed)[1]
    return f"{PART}{number}:{opening(seed, number)}" + (f":{tail}" if tail else "")


def _part(seed: str, number: int) -> str:
    """Return link ``number`` as far as the chain is open. Raises ValueError for one that is not."""
    last, _, link = _parts(seed)[0].partition(":")
    if not 0 <= number <= int(last) <= HANDS:
        raise ValueError(f"hand {number} is not open")
    return climbed(link, int(last) - number)


@lru_cache(maxsize=4096)
def _link(key: str, number: int) -> str:
    """Return link ``number`` of the chain that ends in this key. Raises ValueError for one there is not."""
    if not 0 <= number <= HANDS:
        raise ValueError(f"a chain has no link {number}")
    return climbed(key, HANDS - number)
