"""Refusals of the simulated Discord for emoji and size.

Each rule with its source.

* **An application emoji on a component has to be there**, on a button as in an option of a select, however deep it
  lies: else the whole message is refused, 400 / 50035, ``BUTTON_COMPONENT_INVALID_EMOJI`` (discord-api-docs #8071). In
  text ``<:name:id>`` is never refused. SimCord takes every emoji on a component.
* **Now and then Discord refuses good ones** in the same words: 2 to 4 of 100 requests for a while (discord-api-docs
  #7128). ``refuse_emoji`` lets it.
* **What is too large is answered 413**, with code 40005 (Discord's list of JSON error codes). ``refuse_files`` lets it.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from simcord.backend.errors import BackendError
from simcord.types import HttpLogEntry

from tests.standin import errors
from tests.standin.components import emojis

REFUSALS = "refusals"  # the list of them on a backend
Path = tuple[str, ...]


@dataclass
class Refusal:
    """A rule for requests to refuse.

    of: "emoji" on a component, or "files". path: a pattern. times: number of requests, None for all.
    done: whether refused requests take effect nevertheless.
    """

    of: str
    path: str
    times: int | None
    done: bool = False
    hits: int = 0

    def meets(self, path: str, places: list[Path], files: Any) -> bool:
        """Tell whether the rule applies to a request with emoji at these places, and these files.

        A match counts as a hit.
        """
        left = self.times is None or self.hits < self.times
        met = left and fnmatch(path, self.path) and bool(places if self.of == "emoji" else files)
        self.hits += met
        return met

    def error(self, places: list[Path]) -> BackendError:
        """Return Discord's error."""
        if self.of == "emoji":
            return invalid_emoji(places[:1])
        return BackendError(413, 40005, "Request entity too large")

    def end(self) -> None:
        """Stop refusing."""
        self.times = 0


def refuse_emoji(backend: Any, path: str = "*", *, times: int | None = 1, done: bool = False) -> Refusal:
    """Make Discord refuse valid emoji on components.

    done: whether the request takes effect nevertheless.
    """
    return _add(backend, Refusal("emoji", path, times, done))


def refuse_files(backend: Any, path: str = "*", *, times: int | None = 1) -> Refusal:
    """Make Discord refuse files as too large."""
    return _add(backend, Refusal("files", path, times))


def _add(backend: Any, refusal: Refusal) -> Refusal:
    _refusals(backend).append(refusal)
    return refusal


def _refusals(backend: Any) -> list[Refusal]:
    found: list[Refusal] = backend.__dict__.setdefault(REFUSALS, [])
    return found


def check(backend: Any, method: str, path: str, body: Any, files: Any) -> BackendError | None:
    """Return Discord's error for a request once it has taken effect, None for success.

    Raises the error for a refused request, recorded like any request.
    """
    places = [] if path.endswith("/commands") else list(emojis(body))
    unknown = [place for place, number in places if number not in _known(backend)]
    if unknown:
        _refuse(backend, method, path, body, invalid_emoji(unknown))
    found = [place for place, _ in places]
    refusal = next((each for each in _refusals(backend) if each.meets(path, found, files)), None)
    if refusal is not None and not refusal.done:
        _refuse(backend, method, path, body, refusal.error(found))
    return refusal.error(found) if refusal else None


def _refuse(backend: Any, method: str, path: str, body: Any, error: BackendError) -> None:
    backend.http_requests.append(HttpLogEntry(method, path, {}, deepcopy(body), None))
    backend.transcript.append(("HTTP", f"{method} {path}", body if isinstance(body, dict) else None))
    raise error


def invalid_emoji(places: list[Path]) -> BackendError:
    """Return Discord's error about emoji at these places."""
    error = errors.invalid_emoji(places)
    return BackendError(error.status, error.code, error.message, errors=error.errors)


def _known(backend: Any) -> set[int]:
    of_servers = (emoji for guild in backend.guilds.values() for emoji in guild.emojis)
    return {*backend.application_emojis, *of_servers}
