"""A finished match as a file to read, replay and check with this program alone.

Implements the format (docs/record.schema.json) and the restriction of exports to hands played to the end, with the
seeds of those hands. Independent of the file system and who may export a match.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache, partial
from itertools import chain, combinations
from typing import Any, Final

from bot.rules.core.asks import Action, read_action, write_action
from bot.rules.core.cards import Card, write
from bot.rules.core.game import Rules
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.score import Score, is_low_score_best, shown_score
from bot.rules.matches.seal import (
    CHAIN_PREFIX,
    DIGITS,
    PART_PREFIX,
    SEED,
    cut_from_words,
    cut_of,
    has_independent_hands,
    normalize_digits,
    partly_opened,
    seal,
)
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.registration import FIRST, VERSION, RegisteredGame

PLAIN_FORMAT: Final = 1
CUT_FORMAT: Final = 2  # the format of a match with a cut
INDEPENDENT_FORMAT: Final = 3  # the format of a match whose hands stand on their own
FORMATS: Final = (PLAIN_FORMAT, CUT_FORMAT, INDEPENDENT_FORMAT)
BOM: Final = "\ufeff"
PARSER: Final = json.JSONDecoder(strict=False)  # a long text may have been wrapped in transit


class UnreadableMatch(ValueError):
    """The reason why a file cannot be read as a match, as a sentence."""

    @classmethod
    def no_match(cls, why: str) -> UnreadableMatch:
        """Return the error for a file without a match."""
        return cls(f"This is no match that Bigger has exported: {why}.")


@dataclass(frozen=True, slots=True)
class Fault:
    """A discrepancy in a match. values: of the fields of the sentence, an action among them.

    refused: the refusal of the action by these rules. step: the number of steps before the action.
    """

    sentence: str
    values: Mapping[str, Any]
    _: KW_ONLY
    refused: Illegal | None = None
    rules: Rules | None = None
    step: int | None = None

    def __str__(self) -> str:
        return self.said(write)

    def said(self, face: Callable[[Iterable[Card]], str]) -> str:
        """Return the sentence, without the reason of the rules. face: writes cards."""
        written = {name: write_action(value, face) for name, value in self.values.items() if isinstance(value, Action)}
        return self.sentence.format(**{**self.values, **written})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedMatch:
    """A match for export. players: names by seat. points, places: by seat, as announced.

    committed: the commitment published before the first card. words: the players' words for the cut, by seat; None
    without a cut or after the deletion of a word.
    """

    record: Record
    players: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    committed: str
    words: tuple[str | None, ...] | None = None

    def to_json(self) -> str:
        """Return the export as JSON, one field a line."""
        plain = {
            "format": INDEPENDENT_FORMAT
            if has_independent_hands(self.record.seed)
            else CUT_FORMAT
            if cut_of(self.record.seed)
            else PLAIN_FORMAT,
            "committed": self.committed,
            "players": self.players,
            "points": self.points,
            "places": self.places,
            **({"words": self.words} if self.words else {}),
        }
        lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in plain.items()]
        return "{\n" + ",\n".join(lines) + ",\n" + self.record.to_json().removeprefix("{\n")

    def to_line(self) -> str:
        """Return the export as JSON on one line, for files with many matches."""
        return json.dumps(json.loads(self.to_json()), ensure_ascii=False)

    @classmethod
    def from_lines(cls, text: str, games: Mapping[str, RegisteredGame]) -> Iterator[ExportedMatch]:
        """Yield the matches of a file, regardless of line breaks. Raises UnreadableMatch."""
        at, number = _start(text, 0), 0
        while at < len(text) or not number:
            number += 1
            plain, end = _parsed(text, at)
            at = _start(text, end)
            try:
                yield cls.from_plain(plain, games)
            except UnreadableMatch as error:
                raise (
                    error if number == 1 and at == len(text) else UnreadableMatch(f"Match {number}: {error}")
                ) from None

    @classmethod
    def from_json(cls, text: str, games: Mapping[str, RegisteredGame]) -> ExportedMatch:
        """Parse the text of :meth:`to_json`. Raises UnreadableMatch for invalid text."""
        found, *more = cls.from_lines(text, games)
        if more:
            raise UnreadableMatch("There is more than one match here.")
        return found

    @classmethod
    def from_plain(cls, plain: Any, games: Mapping[str, RegisteredGame]) -> ExportedMatch:
        """Return the match of a parsed file. Raises UnreadableMatch."""
        _check_form(plain)
        known = games.get(plain["game"])
        if known is None:
            raise UnreadableMatch(f"There is no game {plain['game']!r} here: it may be of a newer version.")
        if plain["preset"] not in known.presets:
            raise UnreadableMatch(
                f"{known.title} has no preset {plain['preset']!r} here: it may be of a newer version."
            )
        options = {name: with_tuples(value) for name, value in plain["options"].items()}
        version, steps = plain.get("version", FIRST), tuple(_steps(plain["steps"]))
        record = Record(
            known, plain["preset"], seed=_seed(plain["seed"]), options=options, steps=steps, version=version
        )
        words = None if plain.get("words") is None else tuple(plain["words"])
        return cls(
            record=record,
            players=tuple(plain["players"]),
            points=tuple(plain["points"]),
            places=tuple(plain["places"]),
            committed=normalize_digits(plain["committed"]),
            words=words,
        )


def _start(text: str, at: int) -> int:
    """Return the index of the next match in a file."""
    while at < len(text) and (text[at].isspace() or text[at] == BOM):
        at += 1
    return at


def _parsed(text: str, at: int) -> tuple[Any, int]:
    """Return the JSON value at an index, and the index after it. Raises UnreadableMatch."""
    try:
        return PARSER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise UnreadableMatch.no_match(f"line {error.lineno} cannot be read as JSON") from error
    except (ValueError, RecursionError) as error:  # endless numbers, endless brackets
        raise UnreadableMatch.no_match("it cannot be read as JSON") from error


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_list(value: object, of: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(of, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


@cache
def _forms() -> Mapping[str, tuple[Callable[[Any], bool], str]]:
    """Return the check of each field and the description of its valid form."""
    return {
        "format": (_is_whole, "a number"),
        "committed": (
            lambda value: _is_text(value) and bool(DIGITS.fullmatch(normalize_digits(value))),
            "64 hexadecimal digits",
        ),
        "players": (lambda value: _is_list(value, _is_text), "a list of names"),
        "points": (lambda value: _is_list(value, _is_whole), "a list of whole numbers"),
        "places": (lambda value: _is_list(value, _is_whole), "a list of whole numbers"),
        "words": (
            lambda value: value is None or _is_list(value, lambda one: one is None or _is_text(one)),
            "a list of words",
        ),
        "game": (_is_text, "a name"),
        "preset": (_is_text, "a name"),
        "options": (lambda value: isinstance(value, dict), "options by name"),
        "seed": (_is_text, "a text"),
        "version": (_is_whole, "a number"),
        "steps": (lambda value: isinstance(value, list), "a list"),
    }


OPTIONAL: Final = frozenset({"words", "version"})


def _check_form(plain: Any) -> None:
    """Raise UnreadableMatch unless the value is an object with valid fields."""
    if not isinstance(plain, dict):
        raise UnreadableMatch.no_match("it is no object")
    if "format" in plain and plain["format"] not in FORMATS:
        known = f"{', '.join(map(str, FORMATS[:-1]))} and {FORMATS[-1]}"
        raise UnreadableMatch(
            f"This file is of another version of the format, {plain['format']!r}, than {known}, which I know."
        )
    for name, (holds, what) in _forms().items():
        if name not in plain and name not in OPTIONAL:
            raise UnreadableMatch.no_match(f"it has no {name!r}")
        if name in plain and not holds(plain[name]):
            raise UnreadableMatch.no_match(f"{name!r} is not {what}")
    if unknown := plain.keys() - _forms().keys():
        raise UnreadableMatch.no_match(f"it has {', '.join(map(repr, sorted(unknown)))} as well")


def _seed(text: str) -> str:
    """Return a seed, normalized if of a chain.

    Raises UnreadableMatch for an incomplete chain seed.
    """
    tidy = normalize_digits(text)
    if SEED.fullmatch(tidy):
        return tidy
    if tidy.startswith((CHAIN_PREFIX, PART_PREFIX)):
        raise UnreadableMatch.no_match("'seed' is not complete")
    return text


def _steps(values: list[Any]) -> Iterator[tuple[int, Action]]:
    for number, value in enumerate(values, 1):
        match value:
            case [int(seat), str(action)] if type(seat) is int:
                try:
                    yield seat, read_action(action)
                except KeyError:
                    raise UnreadableMatch.no_match(f"step {number} is no action, {action!r}") from None
            case _:
                raise UnreadableMatch.no_match(f"step {number} is not a seat and an action")


def export(
    record: Record,
    players: tuple[str, ...],
    places: tuple[int, ...],
    words: tuple[str | None, ...] | None = None,
) -> ExportedMatch | None:
    """Return a finished match up to its last completed hand; None without a completed hand.

    places: as announced; a player who left comes last there, a fact missing from records. words: as far as stored.
    """
    steps, last = 0, record.begin()
    for number, match in enumerate(record.positions()):
        if match.game.result is not None:
            steps, last = number, match
    if last.game.result is None:
        return None
    committed = seal(record.seed, last.deal, last.deal).committed
    seed = partly_opened(record.seed, last.deal) if record.seed.startswith(CHAIN_PREFIX) else record.seed
    told = words if words and cut_from_words(words) == cut_of(record.seed) else None
    left = replace(record, seed=seed, steps=record.steps[:steps])
    return ExportedMatch(
        record=left, players=players, points=last.totals, places=places, committed=committed, words=told
    )


def faults(found: ExportedMatch) -> Iterator[Fault]:
    """Yield the discrepancies of a match; none for a correct match."""
    yield from list(faults_of_form(found)) or _faults_of_play(found)


def faults_of_form(found: ExportedMatch) -> Iterator[Fault]:
    """Yield the discrepancies before the first step.

    A match with such a fault cannot be replayed.
    """
    record, seats = found.record, len(found.players)
    if not FIRST <= record.version <= VERSION:
        yield Fault(
            "These are rules of version {version}, and I know {first} to {last}.",
            {"version": record.version, "first": FIRST, "last": VERSION},
        )
        return
    lists = {"points": found.points, "places": found.places, "words": found.words}
    for name, values in lists.items():
        if values is not None and len(values) != seats:
            yield Fault(
                "There are {count} {name} for {seats} players.", {"name": name, "count": len(values), "seats": seats}
            )
    try:
        rules = record.known.rules_of(record.version, record.preset, record.options)
        if rules.players != seats:
            yield Fault(
                "There are {seats} players, but these rules are for {players}.",
                {"seats": seats, "players": rules.players},
            )
            return
        _compute_all(record.begin(), range(seats))
    except Illegal as refused:
        yield Fault("There are no such rules.", {}, refused=refused)
    except Exception as error:  # noqa: BLE001  # a forged file can raise any error
        yield Fault("There are no such rules: {why}.", {"why": _why(error)})


def _compute_all(match: Match, seats: Iterable[int]) -> None:
    """Compute everything that ``story`` and the checks need.

    May raise any error for odd options.
    """
    hash(match.rules.options)
    for seat in seats:
        match.view(seat)


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__


def _faults_of_play(found: ExportedMatch) -> Iterator[Fault]:
    match, length = found.record.begin(), len(found.record.steps)
    for number, (seat, action) in enumerate(found.record.steps):
        about = {"number": number + 1, "length": length, "seat": seat + 1, "action": action}
        try:
            match = match.act(seat, action)
        except Illegal as refused:
            yield Fault(
                "Step {number} of {length}, {action!r} of seat {seat}, breaks article {article}.",
                {**about, "article": refused.article},
                refused=refused,
                rules=match.rules,
                step=number,
            )
            return
        except Exception as error:  # noqa: BLE001  # a forged file can raise any error
            yield Fault(
                "Step {number} of {length}, {action!r} of seat {seat}, cannot be: {why}.",
                {**about, "why": _why(error)},
                step=number,
            )
            return
    try:
        _compute_all(match, range(match.rules.players))
        yield from list(_untrue(found, match))
    except Exception as error:  # noqa: BLE001  # a forged file can raise any error
        yield Fault("What the hands came to cannot be told: {why}.", {"why": _why(error)}, step=0)


def _untrue(found: ExportedMatch, match: Match) -> Iterator[Fault]:
    if match.game.result is None:
        yield Fault("The last hand is not over.", {})
        return
    if found.points != match.totals:
        yield Fault("The points are {those}, not {these}.", {"those": _row(match.totals), "these": _row(found.points)})
    yield from _untrue_places(found, match)
    yield from _untrue_seed(found, match.deal)
    if found.words is not None and cut_from_words(found.words) != cut_of(found.record.seed):
        yield Fault("The words of the players are not those by which the cards were cut.", {})


def _untrue_places(found: ExportedMatch, match: Match) -> Iterator[Fault]:
    seats = len(found.players)
    beyond = [seat for seat, place in enumerate(found.places) if not 1 <= place <= seats]
    for seat in beyond:
        yield Fault(
            "Seat {seat} has place {place}, but places go from 1 to {seats}.",
            {"seat": seat + 1, "place": found.places[seat], "seats": seats},
        )
    if not beyond and leavers(found.places, match.places) is None:
        yield Fault(
            "The places are {these}, but by the points they are {those}, whoever may have left.",
            {"those": _row(match.places), "these": _row(found.places)},
        )


def leavers(announced: tuple[int, ...], by_points: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the smallest set of seats whose leaving explains these places.

    None if no set does.
    """
    seats = range(len(by_points))
    for left in chain.from_iterable(combinations(seats, count) for count in range(len(by_points) + 1)):
        order = [(seat in left, by_points[seat]) for seat in seats]
        if announced == tuple(1 + sum(other < mine for other in order) for mine in order):
            return left
    return None


def _untrue_seed(found: ExportedMatch, deals: int) -> Iterator[Fault]:
    seed = found.record.seed
    if seed.startswith(PART_PREFIX) and int(seed.split(":")[1]) != deals:
        yield Fault(
            "The seed is of {opened} hands, but {deals} were dealt.", {"opened": seed.split(":")[1], "deals": deals}
        )
    if seal(seed, deals, deals).committed != found.committed:
        yield Fault(
            "The seed is not the one that was committed to before the first card, so the cards may be others.", {}
        )


def _row(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def unproven_facts(found: ExportedMatch) -> Iterator[str]:
    """Yield the facts about a match that a faultless file does not prove, a phrase each."""
    last, seed = found.record.replay(), found.record.seed
    if left := leavers(found.places, last.places):
        yield f"that {_row(seat + 1 for seat in left)} left, by the number of their seat, and come last for it"
    if not last.over:
        yield "why the match ended here, before its rules end it"
    if cut_of(seed) and found.words is None:
        yield "by which words the cards were cut: they are not in the file"
    if not seed.startswith((CHAIN_PREFIX, PART_PREFIX)) and last.deal > 1:
        yield "the cards of any hand but the last, for each had a commitment of its own in matches as old as this one"
    yield "who sat there, and whether it had stakes"


def describe_match(found: ExportedMatch, face: Callable[[Iterable[Card]], str] = write) -> Iterator[str]:
    """Yield the match in words: players, the cards of each hand, each action, the result.

    face: writes cards. Requires a match without `faults_of_form` and with legal steps only.
    """
    record = found.record
    options = ", ".join(f"{name}={value}" for name, value in record.options.items())
    yield f"{record.known.title}, {record.preset}; {options or 'no other options'}; rules {record.version}"
    names = [f"{seat + 1} {name}" for seat, name in enumerate(found.players)]
    yield from (f"{name} cut the cards: {word}" for name, word in zip(names, found.words or (), strict=False) if word)
    deal, match = 0, record.begin()
    shown = partial(shown_score, low=is_low_score_best(match.rules))
    for number, after in enumerate(record.positions()):
        if number:
            seat, action = record.steps[number - 1]
            yield f"  {names[seat]}: {write_action(action, face)}"
        if after.deal != deal:
            deal = after.deal
            yield f"Hand {after.number}"
            yield from (f"  {name} holds {face(after.view(seat).hand)}" for seat, name in enumerate(names))
        if after.game.result is not None and (number == 0 or match.game.result is None):
            yield f"  points: {', '.join(map(shown, _brought(after)))}"
        match = after
    for seat, name in enumerate(names):
        yield f"{name}: {shown(match.score.stands[seat])} points, place {found.places[seat]}"


def _brought(match: Match) -> Iterator[int]:
    """Yield the change of each seat's standing in the last hand; a higher number is better."""
    before = Score(match.rules, match.results[:-1]).stands
    return (now - then for then, now in zip(before, match.score.stands, strict=True))
