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
from itertools import accumulate, pairwise

from bot.store.rows import Step
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
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode()
    packed = Pack(len(steps), VERSION, sha256(text).hexdigest(), zlib.compress(text, 9))
    if unpack(packed) != tuple(steps):
        raise Torn("A step is missing, or more is kept of one than a pack has room for.")
    return packed


def unpack(packed: Pack) -> tuple[Step, ...]:
    """Give the steps back. Raises Torn."""
    if packed.version != VERSION:
        raise Torn(f"It is of version {packed.version}, which is not known here.")
    try:
        text = zlib.decompress(packed.body)
    except zlib.error as error:
        raise Torn("It cannot be unpacked.") from error
    if sha256(text).hexdigest() != packed.checksum:
        raise Torn("Its checksum is another one.")
    seats, actions, deciders, waits = json.loads(text)
    if len(seats) != packed.length:
        raise Torn(f"It has {len(seats)} steps, and should have {packed.length}.")
    moments = (EPOCH + passed * MICROSECOND for passed in accumulate(waits))
    return tuple(map(Step, range(len(seats)), seats, actions, deciders, moments))
