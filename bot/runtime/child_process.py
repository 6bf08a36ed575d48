"""A child process: runs its parent's calls one after the other and returns the results.

Calls and answers go through pipes, each as its length and a pickle. A child ends with its parent, because its input
ends then. Started by `bot/runtime/process_pool.py`. The functions are arbitrary.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from importlib import import_module
from struct import Struct
from traceback import format_exc
from typing import IO

HEAD = Struct(">I")


def framed(value: object) -> bytes:
    """Return a value in the form sent through a pipe."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(body)) + body


def answer(call: bytes) -> bytes:
    """Return the framed answer to a call.

    The answer is the result and "", or None and the traceback of an error.
    """
    try:
        function, args = pickle.loads(call)  # noqa: S301  # sent by the parent
        return framed((function(*args), ""))
    except Exception:  # noqa: BLE001  # the parent re-raises the error
        return framed((None, format_exc()))


def serve(calls: IO[bytes], answers: IO[bytes]) -> None:
    """Answer calls until the input ends."""
    while len(head := calls.read(HEAD.size)) == HEAD.size:
        answers.write(answer(calls.read(*HEAD.unpack(head))))
        answers.flush()
        gc.collect()


def main(nice: str, *modules: str) -> None:
    """Import these modules, report that the child is ready, and serve.

    The values of the games form no reference cycles, so the collector runs between calls only.
    """
    if hasattr(os, "nice"):
        os.nice(int(nice))
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    for module in modules:
        import_module(module)
    gc.freeze()
    gc.disable()
    try:
        answers.write(framed((None, "")))  # ready
        answers.flush()
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:  # the parent was killed meanwhile: no reader is left
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


if __name__ == "__main__":
    main(*sys.argv[1:])
