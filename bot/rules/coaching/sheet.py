"""The lesson of a game.

A prepared deal and the coach's sentences, loaded from data/lessons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.rules.coaching.moments import MOMENTS
from bot.rules.core.asks import Action
from bot.rules.core.game import View
from bot.rules.core.sentences import Note


@dataclass(frozen=True, slots=True)
class CoachSentence:
    """A sentence of the coach (a message id), and the moments that all have to hold for it."""

    moments: tuple[str, ...]
    text: str

    def fits(self, view: View, action: Action) -> bool:
        """Tell whether the sentence fits a view and the recommended action."""
        return all(MOMENTS[name](view, action) for name in self.moments)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachSheet:
    """The lesson of a game.

    seed: of the prepared deal. seat: of the learner. beat_or_pass: asks for an answer to a play, and says whether a
    pass is final. once: sentences about a concept, said once each, the most important one first. reasons: reasons for
    an action, in place of the reasons of a hint. learned: what a learner knows afterwards (message ids). lose: moments
    that together make the coach leave the trick to others, whatever a house player would do.
    """

    seed: str = field(repr=False)
    seat: int
    beat_or_pass: str
    once: tuple[CoachSentence, ...]
    reasons: tuple[CoachSentence, ...]
    learned: tuple[str, ...]
    lose: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class CoachTurn:
    """The coach's part in one decision of the learner.

    action: the recommended action, always a legal one. why: its reason. concept: a sentence about a new concept, if one
    fits this moment.
    """

    action: Action = field(repr=False)
    why: Note | None = field(repr=False)
    concept: str | None = None


def parse_lesson(raw: Mapping[str, Any]) -> CoachSheet:
    """Return a lesson from its raw data.

    Raises KeyError for a missing entry, ValueError for an unknown moment.
    """
    return CoachSheet(
        seed=raw["seed"],
        seat=raw.get("seat", 0),
        beat_or_pass=raw["beat_or_pass"],
        once=_sentences(raw["once"]),
        reasons=_sentences(raw["reasons"]),
        learned=tuple(raw["learned"]),
        lose=tuple(map(_known, raw.get("lose", ()))),
    )


def _sentences(raw: Iterable[Mapping[str, str]]) -> tuple[CoachSentence, ...]:
    return tuple(CoachSentence(_known(entry["when"]), entry["say"]) for entry in raw)


def _known(when: str) -> tuple[str, ...]:
    """Return the moments in a text such as "lead, solo"."""
    names = tuple(name.strip() for name in when.split(","))
    if unknown := set(names) - MOMENTS.keys():
        raise ValueError(f"a coach knows no moment {min(unknown)}")
    return names
