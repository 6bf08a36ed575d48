"""What a process does that thinks for house players, so that nothing else has to wait for them.

What a seat may know comes in, what it does goes out, each as its length and a pickle. Ends with whoever started it, for
then nothing comes in any more. Knows how long it may think. Refuses to know tables, and everything that is secret.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable
from random import Random
from struct import Struct
from time import perf_counter
from traceback import format_exc
from typing import IO, NamedTuple

from bot.ground.level import Level
from bot.house.levels import choose, weigh
from bot.rules.actions import Action
from bot.rules.game import View

HEAD = Struct(">I")
NICE = 10  # tables come first


class Question(NamedTuple):
    """What is to be thought about.

    dice: what its dice follow from. seconds: after which it has to come to an end. done: what is held against it.
    """

    view: View
    level: Level
    dice: str
    seconds: float
    done: Action | None = None


class Answer(NamedTuple):
    """What is done, None where nothing need be. failed: why nobody knows, where that is so. gain: see ``Weighed``."""

    action: Action | None
    failed: str = ""
    gain: float | None = None


def answered(question: Question) -> Answer:
    """Return what came of thinking."""
    try:
        level, view, dice = question.level, question.view, Random(question.dice)  # noqa: S311  # comes again
        if question.done is None:
            return Answer(choose(level, view, dice, _late(question.seconds)))
        late, later = _late(question.seconds / 2), _late(question.seconds)
        weighed = weigh(level, view, question.done, dice, late, later)
        return Answer(weighed.action, gain=weighed.gain)
    except Exception:  # noqa: BLE001  # whoever asked has to hear of it
        return Answer(None, format_exc())


def _late(seconds: float) -> Callable[[], bool]:
    end = perf_counter() + seconds
    return lambda: perf_counter() >= end


def framed(said: object) -> bytes:
    """Return something as it goes through a pipe."""
    body = pickle.dumps(said)
    return HEAD.pack(len(body)) + body


def serve(heard: IO[bytes], said: IO[bytes]) -> None:
    """Answer whatever comes, until nothing comes any more."""
    while len(head := heard.read(HEAD.size)) == HEAD.size:
        said.write(framed(answered(pickle.loads(heard.read(*HEAD.unpack(head))))))  # noqa: S301  # of whoever started it
        said.flush()
        gc.collect()


def main() -> None:
    """Think, after all others; what is thought about makes no circles, so nobody looks for them meanwhile."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    said, sys.stdout = sys.stdout.buffer, sys.stderr
    gc.freeze()
    gc.disable()
    try:
        said.write(framed(None))  # ready
        said.flush()
        serve(sys.stdin.buffer, said)
    except BrokenPipeError:  # whoever asked has been killed meanwhile: there is nobody to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), said.fileno())
