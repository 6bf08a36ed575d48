"""No new table has numbers so large that a match could not be written down, or nobody could mean them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from bot.games import GAMES
from bot.house.plain import choose
from bot.rules.big_two.options import Options, Table
from bot.rules.big_two.rules import BigTwo
from bot.rules.big_two.score import SETTLEMENTS, Ended, score
from bot.rules.code import BadCode, read_code
from bot.rules.game import Result
from bot.rules.record import Record
from bot.rules.ruleset import Ruleset, possible
from bot.rules.sentences import Illegal
from bot.rules.sheet import LONGEST, Option

COLUMN = 2**63 - 1  # the largest number of points, and of units owed, that is kept
HANDS = 1000  # ten times as many as a match can be set to, for those that end when somebody has enough
SCORINGS = ("cards", "card_values", "indonesia", "taiwan_loser", "pusoy_dos", "places")
PRESETS = [(game.name, preset) for game in GAMES.values() for preset in game.presets]
OPTIONS = [(game.name, option) for game in GAMES.values() for option in game.sheet.options.values()]
NUMBERS = [(game, option) for game, option in OPTIONS if option.kind in ("number", "list", "table")]

every_number = pytest.mark.parametrize(("game", "option"), NUMBERS, ids=[f"{g}.{o.name}" for g, o in NUMBERS])


# What a new table may have


def far(option: Option, number: int) -> Any:
    """A value of an option in which this number stands."""
    return {"number": number, "list": (number,), "table": ((1, number),)}[option.kind]


@every_number
def test_numbers_have_bounds(game: str, option: Option) -> None:
    assert option.least is not None
    assert option.most is not None
    assert all(option.allows(far(option, number)) for number in (option.least, option.most))
    assert not any(option.allows(far(option, number)) for number in (option.least - 1, option.most + 1))
    assert all(option.allows(choice.value) for choice in option.choices)


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_every_preset_is_within_them(game: str, preset: str) -> None:
    options = GAMES[game].set_up(preset)
    assert all(option.allows(getattr(options, name)) for name, option in GAMES[game].sheet.options.items())


def test_what_the_issue_names() -> None:
    big_two = GAMES["big_two"].sheet.options
    assert (big_two["stake"].most, big_two["deals"].most, big_two["target"].most) == (1000, 100, 10_000)


@pytest.mark.parametrize(
    ("changes", "article", "said"),
    [
        ({"stake": 997_154}, "7.5", "stake goes from 0 to 1000"),
        ({"match_end": "deals", "deals": 101}, "C45.5", "hands goes from 1 to 100"),
        ({"bands": ((1, 1), (10, 101))}, "C27.7", "bands has at most 9 parts, each from 0 to 100"),
        ({"bands": tuple((at, 1) for at in range(1, LONGEST + 2))}, "C27.7", "bands has at most 9 parts"),
        ({"places_points": (999_999_999, 3, 1, 0)}, "C36.1", "places has at most 9 parts, each from -100 to 100"),
    ],
)
def test_too_much_is_refused_with_the_article_and_can_be_replayed(
    changes: dict[str, Any], article: str, said: str
) -> None:
    rules = Ruleset.of(GAMES["big_two"], "pagat", changes)
    with pytest.raises(Illegal, match=said) as refused:
        rules.check_bounds()
    assert refused.value.article == article
    assert not possible(lambda: Ruleset.of(GAMES["big_two"], "pagat").but(**changes))
    assert Record(GAMES["big_two"], "pagat", "seed", changes).begin().rules == rules.rules


def test_a_code_is_refused_with_the_bounds() -> None:
    with pytest.raises(BadCode, match="stake cannot be 997154: it is a whole number from 0 to 1000"):
        read_code("B2:std+stake=997154", GAMES)


# What can be written down


def worst() -> Iterator[Result]:
    """Hands of Big Two that are worse than any: each loser holds the whole pack, and every number is at its most."""
    sheet = GAMES["big_two"].sheet.options
    for scoring, settlement in product(SCORINGS, SETTLEMENTS):
        options = at_most(sheet, scoring, settlement)
        if options is not None:
            yield from hands(options)


def at_most(sheet: Any, scoring: str, settlement: str) -> Options | None:
    most: Table = ((1, sheet["bands"].most),)
    wanted = {
        "players": 5, "deck": "tiles60", "hand_size": 12, "scoring": scoring, "settlement": settlement,
        "stake": sheet["stake"].most, "bands": most, "diff_bands": most, "two_in_hand_doubles": True,
        "final_twos_double": True, "value_scale": "ladder", "places_points": (sheet["places_points"].most,) * 5,
        "end": "play_on" if scoring == "places" else "first_out",
    }  # fmt: skip
    try:
        return Options(**wanted)
    except Illegal:
        return None


def hands(options: Options) -> Iterator[Result]:
    game = BigTwo(options)
    pack = tuple(game.pack)
    twos = tuple(card for card in pack if card.rank == game.groups.deck.ranks[-1])
    final = game.classify(twos[:1])
    left = ((), *(pack for _ in range(4)))
    for charged in (None, 1):
        yield score(Ended(options, game.groups, left, tuple(range(5)), final=final, charged=charged))


def test_the_worst_hands_of_big_two_can_be_written_down() -> None:
    results = list(worst())
    assert len(results) > 20
    points = max(abs(each) for result in results for each in result.points)
    paid = max(sum(amount for _, _, amount in result.payments) for result in results)
    assert points > 100_000  # these are bad hands indeed
    assert points * HANDS < COLUMN
    assert paid * HANDS < COLUMN


@pytest.mark.parametrize("game", GAMES)
def test_hands_with_every_number_at_its_most_can_be_written_down(game: str) -> None:
    sheet, first = GAMES[game].sheet, next(iter(GAMES[game].presets))
    changes: dict[str, Any] = {}
    for name, option in sheet.options.items():
        value = far(option, option.most) if option.kind in ("number", "table") and option.most else None
        if value is not None and possible(lambda: Ruleset.of(GAMES[game], first, {**changes, name: value})):  # noqa: B023
            changes[name] = value
    match = Record(GAMES[game], first, "at its most", changes).begin()
    while not match.results:
        seat = min(match.awaited)
        action = choose(match.view(seat))
        assert action is not None
        match = match.act(seat, action)
    assert max(map(abs, match.results[0].points)) * 10**6 * HANDS < COLUMN
