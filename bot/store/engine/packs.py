"""The record of a match in a few bytes: who did what when, packed so that it can be checked, and given back whole.

Pure. Knows steps; refuses to know where packs are kept.

A pack is canonical JSON, deflated: the seats, the actions, who decided each, and the moments, each as microseconds
since the one before it, the first since 1970. The checksum is the SHA-256 of that JSON.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate, count, pairwise
from typing import NamedTuple

from bot.store.rows import By, Step
from bot.store.schema.columns import EPOCH, MICROSECOND

VERSION = 1  # how packs are written now


class Torn(Exception):
    """A pack is not what it was when it was made."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The steps of a match. length: how many. checksum: of what is in the body."""

    length: int
    version: int
    checksum: str
    body: bytes = field(repr=False)


def pack(steps: Sequence[Step]) -> Pack:
    """Pack all steps of a match, from the first. Raises Torn where they could not be given back just as they are."""
    moments = [0, *((step.at - EPOCH) // MICROSECOND for step in steps)]
    written = [
        [step.seat for step in steps],
        [step.action for step in steps],
        [step.by for step in steps],
        [later - earlier for earlier, later in pairwise(moments)],
    ]
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    packed = Pack(len(steps), VERSION, *deflated(text))
    if unpack(packed) != tuple(steps):
        raise Torn("A step is missing, or more is kept of one than a pack has room for.")
    return packed


def unpack(packed: Pack) -> tuple[Step, ...]:
    """Give the steps back. Raises Torn."""
    return opened(packed).steps()


class Opened(NamedTuple):
    """A pack that can be read at any place. waited: the microseconds from 1970 to each step."""

    seats: list[int]
    actions: list[str]
    deciders: list[By]
    waited: list[int]

    def steps(self, first: int = 0, end: int | None = None) -> tuple[Step, ...]:
        """Give the steps from one ply up to another, which is not among them; without one all there are."""
        part = slice(first, end)
        moments = (EPOCH + passed * MICROSECOND for passed in self.waited[part])
        return tuple(map(Step, count(first), self.seats[part], self.actions[part], self.deciders[part], moments))


def opened(packed: Pack) -> Opened:
    """Open a pack. Raises Torn."""
    if packed.version != VERSION:
        raise Torn(f"It is of version {packed.version}, which is not known here.")
    seats, actions, deciders, waits = json.loads(inflated(packed.checksum, packed.body))
    if len(seats) != packed.length:
        raise Torn(f"It has {len(seats)} steps, and should have {packed.length}.")
    return Opened(seats, actions, deciders, list(accumulate(waits)))


def deflated(text: str) -> tuple[str, bytes]:
    """Return the checksum of a text, and the text in a few bytes."""
    plain = text.encode()
    return sha256(plain).hexdigest(), zlib.compress(plain, 9)


def inflated(checksum: str, body: bytes) -> str:
    """Give the text back. Raises Torn."""
    try:
        plain = zlib.decompress(body)
    except zlib.error as error:
        raise Torn("It cannot be unpacked.") from error
    if sha256(plain).hexdigest() != checksum:
        raise Torn("Its checksum is another one.")
    return plain.decode()
