"""Packed records of matches: compact, with a checksum, and unpacked without loss. Pure.

Refuses to know the place of a pack. A pack is canonical JSON, deflated: the seats, the actions, the deciders, and the
times, each as microseconds since the previous one, the first since 1970. The checksum is the SHA-256 of that JSON.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate, count, pairwise
from typing import NamedTuple

from bot.store.rows import Decider, MatchStep
from bot.store.schema.columns import EPOCH, MICROSECOND

VERSION = 1  # the current format of new packs


class PackError(Exception):
    """A pack is corrupt, or steps cannot be packed without loss."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The packed steps of a match. length: the number of steps. checksum: of the uncompressed body."""

    length: int
    version: int
    checksum: str
    body: bytes = field(repr=False)


def pack(steps: Sequence[MatchStep]) -> Pack:
    """Pack the steps of a match, from the first. Raises PackError if unpacking would not restore them exactly."""
    moments = [0, *((step.at - EPOCH) // MICROSECOND for step in steps)]
    written = [
        [step.seat for step in steps],
        [step.action for step in steps],
        [step.by for step in steps],
        [later - earlier for earlier, later in pairwise(moments)],
    ]
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    packed = Pack(len(steps), VERSION, *compress_text(text))
    if unpack(packed) != tuple(steps):
        raise PackError("A step is missing, or more is kept of one than a pack has room for.")
    return packed


def unpack(packed: Pack) -> tuple[MatchStep, ...]:
    """Return the steps of a pack. Raises PackError."""
    return open_pack(packed).steps()


class OpenPack(NamedTuple):
    """A pack with random access to its steps. waited: the microseconds from 1970 to each step."""

    seats: list[int]
    actions: list[str]
    deciders: list[Decider]
    waited: list[int]

    def steps(self, first: int = 0, end: int | None = None) -> tuple[MatchStep, ...]:
        """Return the steps from a ply up to, not including, ``end``; without ``end`` up to the last."""
        part = slice(first, end)
        moments = (EPOCH + passed * MICROSECOND for passed in self.waited[part])
        return tuple(map(MatchStep, count(first), self.seats[part], self.actions[part], self.deciders[part], moments))


def open_pack(packed: Pack) -> OpenPack:
    """Open a pack for random access. Raises PackError."""
    if packed.version != VERSION:
        raise PackError(f"It is of version {packed.version}, which is not known here.")
    seats, actions, deciders, waits = json.loads(decompress_text(packed.checksum, packed.body))
    if len(seats) != packed.length:
        raise PackError(f"It has {len(seats)} steps, and should have {packed.length}.")
    return OpenPack(seats, actions, deciders, list(accumulate(waits)))


def compress_text(text: str) -> tuple[str, bytes]:
    """Return the checksum of a text, and the compressed text."""
    plain = text.encode()
    return sha256(plain).hexdigest(), zlib.compress(plain, 9)


def decompress_text(checksum: str, body: bytes) -> str:
    """Return the text of a compressed body. Raises PackError."""
    try:
        plain = zlib.decompress(body)
    except zlib.error as error:
        raise PackError("It cannot be unpacked.") from error
    if sha256(plain).hexdigest() != checksum:
        raise PackError("Its checksum is another one.")
    return plain.decode()
