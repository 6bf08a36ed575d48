"""Bounds of numeric options: no value breaks serialization or is meaningless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.big_two import BigTwo
from bot.rules.big_two.options import Options, Table
from bot.rules.big_two.score import SETTLEMENTS, BigTwoEnding, score
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.matches.record import Record
from bot.rules.variants.option_sheet import MAX_ENTRIES, Option
from bot.rules.variants.registration import FIRST, RegisteredGame
from bot.rules.variants.ruleset import BadCode, Ruleset, is_possible, read_code
from bot.show.kit.phrases import refusal
from bot.show.kit.words import words

COLUMN = 2**63 - 1  # the largest number of points, and of units owed, that is kept
HANDS = 1000  # ten times as many as a match can be set to, for those that end when a player has enough
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


def test_the_bounds_of_the_largest_options_of_big_two() -> None:
    big_two = GAMES["big_two"].sheet.options
    assert (big_two["stake"].most, big_two["deals"].most, big_two["target"].most) == (1000, 100, 10_000)


@pytest.mark.parametrize(
    ("changes", "article", "said"),
    [
        ({"stake": 997_154}, "7.5", "stake can be 0 to 1000"),
        ({"match_end": "deals", "deals": 101}, "C45.5", "hands can be 1 to 100"),
        ({"bands": ((1, 1), (10, 101))}, "C27.7", "bands has at most 9 parts, each from 0 to 100"),
        ({"bands": tuple((at, 1) for at in range(1, MAX_ENTRIES + 2))}, "C27.7", "bands has at most 9 parts"),
        ({"places_points": (999_999_999, 3, 1, 0)}, "C36.1", "places has at most 9 parts, each from -100 to 100"),
    ],
)
def test_an_excessive_value_is_refused_with_its_article_but_replays(
    changes: dict[str, Any], article: str, said: str
) -> None:
    begun = Ruleset.of(GAMES["big_two"], "pagat", changes, FIRST)
    for make in (*makers(GAMES["big_two"], changes), begun.renewed):
        with pytest.raises(Illegal, match=said) as refused:
            make()
        assert refused.value.article == article
    first = Record(GAMES["big_two"], "pagat", seed="seed", options=changes, version=FIRST)
    assert [getattr(first.begin().rules.options, name) for name in changes] == list(changes.values())
    assert begun.rules == first.begin().rules


def makers(game: RegisteredGame, changes: dict[str, Any]) -> list[Callable[[], Any]]:
    """All the ways to make rules out of a preset of a game and what is changed of it."""
    preset = next(iter(game.presets))
    return [
        lambda: game.set_up(preset, **changes),
        lambda: game.rules(preset, **changes),
        lambda: Ruleset.of(game, preset, changes),
        lambda: Ruleset.of(game, preset).but(**changes),
        lambda: Record(game, preset, seed="seed", options=changes).begin(),
    ]


# What an option can be at all


@pytest.mark.parametrize(
    ("game", "changes", "article", "said"),
    [
        ("big_two", {"target": -5}, "C45.8", "target can be 1 to 10000"),
        ("big_two", {"target": 0}, "C45.8", "target can be 1 to 10000"),
        ("a_bao", {"target": -1}, "O13.3", "target can be 1 to 10000"),
        ("big_a", {"deals": -1}, "O11.2", "hands can be 1 to 100"),
        ("big_little_a", {"hands_per_match": 0}, "O2.1", "hands can be 1 to 100"),
        ("big_two", {"target": "100"}, "C45.8", "target can't be 100. It's a whole number from 1 to 10000"),
        ("big_two", {"target": True}, "C45.8", "target can't be True. It's a whole number from 1 to 10000"),
        ("big_two", {"target": 99.5}, "C45.8", "target can't be 99.5. It's a whole number from 1 to 10000"),
        ("big_two", {"players": 6}, "C38.3", "players can't be 6. The choices are "),
        ("big_two", {"end": "never"}, "C24.1", "can't be never. The choices are "),
        ("big_two", {"end": "yes"}, "C24.1", "can't be yes. The choices are "),
        ("big_two", {"triples": 1}, "C12.1", "triples can't be 1. The choices are true and false"),
        ("big_two", {"triples": "true"}, "C12.1", "triples can't be true. The choices are true and false"),
        ("big_two", {"announce_at": (2.5,)}, "C21.1", "announce can't be .* Examples: none"),
        ("big_two", {"bands": ((1, 1), (10,))}, "C27.7", "bands can't be .* Examples: std"),
        ("big_two", {"bands": "mild"}, "C27.7", "bands can't be mild. Examples: std"),
        ("big_a", {"draw_checkpoints": (7, 21)}, "O13.1", "has at most 9 parts, each from 0 to 20"),
        ("big_a", {"draw_checkpoints": (-1,)}, "O13.1", "has at most 9 parts, each from 0 to 20"),
        ("a_bao", {"aces": "no"}, "O2.1", "aces can't be no. The choices are true and false"),
    ],
)
def test_option_types_match_the_sheet(game: str, changes: dict[str, Any], article: str, said: str) -> None:
    for make in makers(GAMES[game], changes):
        with pytest.raises(Illegal) as refused:
            make()
        assert re.search(said, plain(refused.value))
        assert refused.value.article == article


def plain(illegal: Illegal) -> str:
    """What an English reader is told."""
    return str(refusal(illegal, words("en")))


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_option_is_refused_with_the_known_names(game: str) -> None:
    for make in makers(GAMES[game], {"targets": 5}):
        with pytest.raises(
            TypeError, match=r"has no option 'targets': it has .*auto_pass|has no option 'targets': it has .*target"
        ):
            make()


@pytest.mark.parametrize(
    ("changes", "article", "said"),
    [
        ({"end": "play_on", "players": 2, "hand_size": 17}, "C24.1", "can only end when the first player is out"),
        ({"end": "play_on", "scoring": "pusoy_dos"}, "C35.2", "end the hand there, or count points for places"),
    ],
)
def test_playing_on_without_effect_is_refused(changes: dict[str, Any], article: str, said: str) -> None:
    for make in makers(GAMES["big_two"], changes):
        with pytest.raises(Illegal, match=said) as refused:
            make()
        assert refused.value.article == article
    assert (
        Record(GAMES["big_two"], "pagat", seed="seed", options=changes, version=FIRST).begin().rules.options.end
        == "play_on"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"end": "play_on"},
        {"end": "play_on", "scoring": "places"},
        {"end": "play_on", "scoring": "places", "players": 2, "hand_size": 17},
        {"end": "play_on", "scoring": "pusoy_dos", "dealer": "loser"},
    ],
)
def test_playing_on_is_accepted_if_the_loser_matters(changes: dict[str, Any]) -> None:
    assert Ruleset.of(GAMES["big_two"], "pagat", changes).rules.options.end == "play_on"


def test_choosing_two_seats_disables_playing_on() -> None:
    assert Ruleset.of(GAMES["big_two"], "pagat", {"end": "play_on"}).but(players=2).value("end") == "first_out"
    places = Ruleset.of(GAMES["big_two"], "pagat", {"end": "play_on", "scoring": "places"})
    assert places.but(players=2).value("end") == "play_on"


def test_a_code_out_of_bounds_is_refused_with_the_bounds() -> None:
    with pytest.raises(BadCode, match=r"stake can't be 997154\. It's a whole number from 0 to 1000"):
        read_code("B2:std+stake=997154", GAMES)


# What can be written down


def worst() -> Iterator[Result]:
    """Hands of Big Two worse than any real one: each loser holds the whole pack, and every number is at its most."""
    sheet = GAMES["big_two"].sheet.options
    for scoring, settlement in product(SCORINGS, SETTLEMENTS):
        options = at_most(sheet, scoring, settlement)
        if options is not None:
            yield from hands(options)


def at_most(sheet: Any, scoring: str, settlement: str) -> Options | None:
    most: Table = ((1, sheet["bands"].most),)
    wanted = {
        "players": 5,
        "deck": "tiles60",
        "hand_size": 12,
        "scoring": scoring,
        "settlement": settlement,
        "stake": sheet["stake"].most,
        "bands": most,
        "diff_bands": most,
        "two_in_hand_doubles": True,
        "final_twos_double": True,
        "value_scale": "ladder",
        "places_points": (sheet["places_points"].most,) * 5,
        "end": "play_on" if scoring == "places" else "first_out",
    }
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
        yield score(BigTwoEnding(options, game.groups, left, tuple(range(5)), final=final, charged=charged))


def test_the_longest_hands_of_big_two_can_be_serialized() -> None:
    results = list(worst())
    assert len(results) > 20
    points = max(abs(each) for result in results for each in result.points)
    paid = max(sum(amount for _, _, amount in result.payments) for result in results)
    assert points > 100_000  # these are bad hands indeed
    assert points * HANDS < COLUMN
    assert paid * HANDS < COLUMN


@pytest.mark.parametrize("game", GAMES)
def test_hands_with_maximal_options_can_be_serialized(game: str) -> None:
    sheet, first = GAMES[game].sheet, next(iter(GAMES[game].presets))
    changes: dict[str, Any] = {}
    for name, option in sheet.options.items():
        value = far(option, option.most) if option.kind in ("number", "table") and option.most else None
        if value is not None and is_possible(lambda: Ruleset.of(GAMES[game], first, {**changes, name: value})):  # noqa: B023
            changes[name] = value
    match = Record(GAMES[game], first, seed="at its most", options=changes).begin()
    while not match.results:
        seat = min(match.awaited)
        action = plain_action(match.view(seat))
        assert action is not None
        match = match.act(seat, action)
    assert max(map(abs, match.results[0].points)) * 10**6 * HANDS < COLUMN
