"""Option sets without end: one for every value of every option in turn, the other options at random as far as they fit.

Covers the sheet of a game and the protocols of the rules. Invariants of play are asserted in ``check``.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from typing import Any, NamedTuple, TypeAlias

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import Action, Ready
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.option_sheet import Option
from bot.rules.variants.registration import RegisteredGame
from tests.laws.matches import chosen, compatible, is_playable, played
from tests.laws.public_parts import known_parts

HANDS = 2  # the second follows from the first: rounds, the loser's lead, the exchange
MOST_OTHERS = 20
TRIES = 300
IMAGINED = 1 / 5
TIMES_PLAYED = 11  # a card comes back at most ten times, with a stock that is shuffled again

Policy: TypeAlias = Callable[[Match, random.Random], tuple[int, Action]]


class Aim(NamedTuple):
    """A value of an option that a match is to be played with. code: how a rule code writes the value."""

    game: str
    option: str
    code: str


def aims() -> list[Aim]:
    """Return every value of every option of every game."""
    return [
        Aim(name, option.name, choice.code)
        for name, game in GAMES.items()
        for option in game.sheet.options.values()
        for choice in option.choices
    ]


def records(rng: random.Random) -> Iterator[tuple[Aim, Record]]:
    """Yield matches before their first action without end, with every value in turn and in effect."""
    for aim in cycle(aims()):
        yield aim, fitting(aim, rng)


def fitting(aim: Aim, rng: random.Random) -> Record:
    """Return a match with a value in effect and otherwise random options."""
    game = GAMES[aim.game]
    option = game.sheet.options[aim.option]
    for _ in range(TRIES):
        preset, changes = drawn(game, option, option.read(aim.code), rng)
        if in_effect(aim, game.set_up(preset, **changes)) and is_playable(game, preset, changes):
            return Record(GAMES[aim.game], preset, seed=f"{rng.getrandbits(64):x}", options=changes)
    raise AssertionError(f"no match found in which {aim.option}={aim.code} has an effect")


def drawn(game: RegisteredGame, option: Option, value: Any, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a preset and changes: the wanted change with its prerequisites, and random others."""
    every = list(game.sheet.options.values())
    others = rng.sample(every, rng.randrange(min(MOST_OTHERS, len(every))))
    first = {option.name: value} | needed(game, option, rng)
    wished = first | {each.name: rng.choice(each.choices).value for each in others if each.name not in first}
    preset = rng.choice(list(game.presets))
    return preset, compatible(game, preset, wished, {})


def needed(game: RegisteredGame, option: Option, rng: random.Random) -> dict[str, Any]:
    """Return option values under which this option has an effect."""
    rows = option.applies.rows
    tests = [test for test in rng.choice(rows) if not test.negated] if rows else []
    return {test.name: game.sheet.options[test.name].read(rng.choice(test.values)) for test in tests}


def in_effect(aim: Aim, options: Any) -> bool:
    """Tell whether these options have the value, and it makes a difference beside the others."""
    option = GAMES[aim.game].sheet.options[aim.option]
    return option.write(getattr(options, aim.option)) == aim.code and option.applies.holds(options)


def by_chance(match: Match, rng: random.Random) -> tuple[int, Action]:
    """Do anything that is offered to any player."""
    return chosen(match, rng)


def by_the_house(match: Match, rng: random.Random) -> tuple[int, Action]:
    """Act as a house player for a willing seat; an awaited seat must have an action."""
    seats = sorted(match.to_act)
    rng.shuffle(seats)
    wishes = {seat: plain_action(match.view(seat)) for seat in seats}
    assert all(wishes[seat] is not None for seat in match.awaited)
    return next((seat, action) for seat, action in wishes.items() if action)


def met(wanted: Iterable[Aim], game: str, options: Any) -> list[Aim]:
    """Return those of the aims that a match of this game with these options meets."""
    return [aim for aim in wanted if aim.game == game and in_effect(aim, options)]


def play(record: Record, policy: Policy, rng: random.Random) -> tuple[Record, Match]:
    """Return a match after some or all hands, as a record and as a state.

    An error that comes up names the match in a note.
    """
    match = record.begin()
    most = HANDS * TIMES_PLAYED * len(match.rules.pack) * match.rules.players
    try:
        while not match.over and len(match.results) < HANDS:
            check(match, rng)
            seat, action = (min(match.to_act), Ready()) if match.game.result else policy(match, rng)
            record, match = record.then(seat, action), match.act(seat, action)
            assert len(record.steps) <= most, "this match does not end"
        check(match, rng)
    except Exception as failed:
        failed.add_note(record.to_json())
        raise
    return record, match


def check(match: Match, rng: random.Random) -> None:
    """Fail if a hand awaits no seat, a card is lost, or a view cannot be imagined.

    To imagine takes longest and is asked in every fifth position; under the presets a law asks it in all.
    """
    assert match.awaited or match.over
    assert match.awaited <= match.to_act
    public = match.view(None)
    assert sum(public.counts) + len(match.game.hidden_cards) + len(played(public)) == len(match.rules.pack)
    if rng.random() > IMAGINED:
        return
    seat = rng.choice((None, *range(match.rules.players)))
    view = match.view(seat)
    imagined = match.rules.imagine(view, rng)
    assert imagined.view(seat) == view
    assert match.game.result or known_parts(imagined) == known_parts(match.game)
