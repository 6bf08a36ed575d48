"""A finished match as a file that anybody can read, play out again and check, with this program and nothing else.

Knows the format (docs/record.schema.json) and what of a match may leave: what was played to the end of a hand, and the
seeds of those hands. Refuses to know files, and who may have one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.rules.actions import write_action
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.registered import Registered
from bot.rules.score import Score, signed
from bot.rules.seal import CHAIN, cut_by, cut_of, each_of, opened_up_to, seal
from bot.rules.sentences import Illegal

FORMAT: Final = 1
CUT: Final = 2  # the format of a match whose cards were cut
EACH: Final = 3  # and of one whose hands stand on their own
FORMATS: Final = (FORMAT, CUT, EACH)
OF_RECORD: Final = ("game", "preset", "options", "seed", "version", "steps")


class Unreadable(ValueError):
    """Why a file cannot be read as a match, in a sentence."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A match as it leaves. players: what they are called, by seat. points, places: by seat, as they were announced.

    committed: what was told before the first card. words: by which the cards were cut, by seat; None where they were
    not, or where a word is deleted.
    """

    record: Record
    players: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    committed: str
    words: tuple[str | None, ...] | None = None

    def to_json(self) -> str:
        """Return it as JSON, a line a field."""
        plain = {
            "format": EACH if each_of(self.record.seed) else CUT if cut_of(self.record.seed) else FORMAT,
            "committed": self.committed,
            "players": self.players,
            "points": self.points,
            "places": self.places,
            **({"words": self.words} if self.words else {}),
        }
        lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in plain.items()]
        return "{\n" + ",\n".join(lines) + ",\n" + self.record.to_json().removeprefix("{\n")

    def to_line(self) -> str:
        """Return it as JSON on one line, as many of them stand in one file."""
        return json.dumps(json.loads(self.to_json()), ensure_ascii=False)

    @classmethod
    def from_lines(cls, text: str, games: Mapping[str, Registered]) -> Iterator[Exported]:
        """Yield the matches of a file: one by itself, or one on each line. Raises Unreadable."""
        first = text.lstrip().partition("\n")[0].rstrip()
        several = first.startswith("{") and first.endswith("}")
        for one in text.split("\n") if several else (text,):
            if one.strip() or not several:
                yield cls.from_json(one, games)

    @classmethod
    def from_json(cls, text: str, games: Mapping[str, Registered]) -> Exported:
        """Return what :meth:`to_json` has written. Raises Unreadable for anything else."""
        try:
            plain = json.loads(text)
            _check_format(plain["format"])
            record = Record.from_json(json.dumps({name: plain[name] for name in OF_RECORD if name in plain}), games)
            return cls(
                record, tuple(map(str, plain["players"])), _numbers(plain["points"]), _numbers(plain["places"]),
                str(plain["committed"]), _words(plain.get("words")),
            )  # fmt: skip
        except Unreadable:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Unreadable("This is no match that Bigger has exported.") from error


def _check_format(found: object) -> None:
    if found not in FORMATS:
        known = f"{', '.join(map(str, FORMATS[:-1]))} and {FORMATS[-1]}"
        raise Unreadable(f"This file is of another version of the format, {found!r}, than {known}, which I know.")


def _words(values: Any) -> tuple[str | None, ...] | None:
    return None if values is None else tuple(None if value is None else str(value) for value in values)


def _numbers(values: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def export(
    record: Record,
    players: tuple[str, ...],
    places: tuple[int, ...],
    words: tuple[str | None, ...] | None = None,
) -> Exported | None:
    """Return a match that is over, as far as its hands were played to their end; None where none was.

    places: as they were announced; whoever left comes last there, which no record knows. words: as far as they
    are kept.
    """
    steps, last = 0, record.begin()
    for number, match in enumerate(record.positions()):
        if match.game.result is not None:
            steps, last = number, match
    if last.game.result is None:
        return None
    committed = seal(record.seed, last.deal, last.deal).committed
    seed = opened_up_to(record.seed, last.deal) if record.seed.startswith(CHAIN) else record.seed
    told = words if words and cut_by(words) == cut_of(record.seed) else None
    left = replace(record, seed=seed, steps=record.steps[:steps])
    return Exported(left, players, last.totals, places, committed, told)


def faults(found: Exported) -> Iterator[str]:
    """Yield what is wrong with a match, a sentence each; nothing where it is as it says."""
    try:
        begun = found.record.begin()
    except (Illegal, KeyError, TypeError, ValueError) as error:
        yield f"There are no such rules: {error}."
        return
    if len(found.players) != begun.rules.players:
        yield f"There are {len(found.players)} players, but these rules are for {begun.rules.players}."
    match = begun
    for number, (seat, action) in enumerate(found.record.steps):
        try:
            match = match.act(seat, action)
        except Illegal as illegal:
            done = f"{write_action(action)!r} of seat {seat + 1}"
            yield f"Step {number}, {done}, breaks article {illegal.article}: {illegal}"
            return
        except (ValueError, IndexError, KeyError) as error:
            yield f"Step {number} cannot be: {error}."
            return
    yield from _untrue(found, match)


def _untrue(found: Exported, match: Match) -> Iterator[str]:
    if match.game.result is None:
        yield "The last hand is not over."
    if found.points != match.totals:
        yield f"The points are {list(match.totals)}, not {list(found.points)}."
    if seal(found.record.seed, match.deal, match.deal).committed != found.committed:
        yield "The seed is not the one that was committed to before the first card, so the cards may be others."
    if found.words is not None and cut_by(found.words) != cut_of(found.record.seed):
        yield "The words of the players are not those by which the cards were cut."


def story(found: Exported) -> Iterator[str]:
    """Yield the match in words: who sat there, the cards of each hand, each action, and how it ended."""
    record = found.record
    yield f"{record.known.title}, {record.preset}; {record.options or 'no other options'}; rules {record.version}"
    names = [f"{seat + 1} {name}" for seat, name in enumerate(found.players)]
    yield from (f"{name} cut the cards: {word}" for name, word in zip(names, found.words or (), strict=False) if word)
    deal, match = 0, record.begin()
    for number, after in enumerate(record.positions()):
        if number:
            seat, action = record.steps[number - 1]
            yield f"  {names[seat]}: {write_action(action)}"
        if after.deal != deal:
            deal = after.deal
            yield f"Hand {after.number}"
            yield from (
                f"  {name} holds {' '.join(map(str, after.view(seat).hand))}" for seat, name in enumerate(names)
            )
        if after.game.result is not None and (number == 0 or match.game.result is None):
            yield f"  points: {', '.join(map(signed, _brought(after)))}"
        match = after
    for seat, name in enumerate(names):
        yield f"{name}: {signed(match.score.stands[seat])} points, place {found.places[seat]}"


def _brought(match: Match) -> Iterator[int]:
    """Yield what the last hand brought each seat, told so that more is better."""
    before = Score(match.rules, match.results[:-1]).stands
    return (now - then for then, now in zip(before, match.score.stands, strict=True))
