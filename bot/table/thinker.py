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
from bot.house.evaluation import evaluate
from bot.house.levels import choose
from bot.rules.actions import Action
from bot.rules.game import View

HEAD = Struct(">I")
NICE = 10  # tables come first


class Question(NamedTuple):
    """What is to be thought about.

    dice: what its dice follow from. seconds: after which it has to come to an end.
    """

    view: View
    level: Level
    dice: str
    seconds: float


class Decision(NamedTuple):
    """A decision to evaluate, without a time limit. done: as ``evaluate`` has it."""

    view: View
    done: Action | None


class Answer(NamedTuple):
    """What is done, None where nothing need be. failed: the traceback of an error. loss: see ``Evaluation``."""

    action: Action | None
    failed: str = ""
    loss: float | None = None


def answered(question: Question | Decision) -> Answer:
    """Return what came of thinking."""
    try:
        if isinstance(question, Decision):
            best, loss = evaluate(question.view, question.done)
            return Answer(best, loss=loss)
        dice = Random(question.dice)  # noqa: S311  # comes again
        return Answer(choose(question.level, question.view, dice, late_after(question.seconds)))
    except Exception:  # noqa: BLE001  # whoever asked has to hear of it
        return Answer(None, format_exc())


def late_after(seconds: float) -> Callable[[], bool]:
    """Return a function that tells whether so many seconds have passed since this call."""
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
