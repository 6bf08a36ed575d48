"""A child process: calls the functions that its parent sends, one after the other, and sends back what they return.

Calls and answers go through pipes, each as its length and a pickle. A child ends with its parent, for then its input
ends. Started by `bot/runtime/process_pool.py`. Refuses to know what the functions do.
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
    """Return a value as it goes through a pipe."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(body)) + body


def answer(call: bytes) -> bytes:
    """Return the framed answer to a call: the result and "", or None and the traceback of an error."""
    try:
        function, args = pickle.loads(call)  # noqa: S301  # of the parent
        return framed((function(*args), ""))
    except Exception:  # noqa: BLE001  # the parent raises it again
        return framed((None, format_exc()))


def serve(calls: IO[bytes], answers: IO[bytes]) -> None:
    """Answer calls until the input ends."""
    while len(head := calls.read(HEAD.size)) == HEAD.size:
        answers.write(answer(calls.read(*HEAD.unpack(head))))
        answers.flush()
        gc.collect()


def main(nice: str, *modules: str) -> None:
    """Import these modules, say that the child is ready, and serve.

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
    except BrokenPipeError:  # the parent has been killed meanwhile: nobody hears the answer
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


if __name__ == "__main__":
    main(*sys.argv[1:])
