"""The colours of people in pictures: the same person has the same colour, and no two people share one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.show.kit.words import words
from bot.show.pictures.canvas import HUES
from bot.show.pictures.colours import distinct_hues, hues_by_seat, preferred_hue
from bot.show.pictures.lobby import LobbyDrawing
from bot.show.pictures.podium import EndingDrawing
from bot.show.pictures.table import TableDrawing
from bot.show.table.table_picture import picture
from tests.support import scenes


def test_a_preferred_colour_follows_the_person_and_not_the_name() -> None:
    people = [UserId(1_100_000_000_000_000_000 + person) for person in range(900)]
    assert {preferred_hue(user, "Ann") for user in people} == set(range(len(HUES)))
    assert preferred_hue(people[0], "Ann") == preferred_hue(people[0], "Ben")
    assert preferred_hue(None, "Mei") == preferred_hue(None, "Mei")


def test_equal_preferences_take_the_next_free_colour() -> None:
    assert list(distinct_hues([3, 3, 4])) == [3, 5, 4], "nobody loses a colour to an equal wish of others"
    assert list(distinct_hues([8, 8])) == [8, 0]
    shared = Counter(distinct_hues([2] * (len(HUES) + 2)))
    assert sorted(shared.values()) == [1] * (len(HUES) - 2) + [2, 2], "more people than colours"


def test_people_choose_colours_before_house_players() -> None:
    bot = next(name for name in map(str, range(99)) if preferred_hue(None, name) == preferred_hue(UserId(5), ""))
    chairs = (Chair(0, None, bot, house=True), Chair(1, UserId(5), "Ann"))
    assert hues_by_seat(chairs)[1] == preferred_hue(UserId(5), "")
    assert hues_by_seat(chairs)[0] != hues_by_seat(chairs)[1]


def test_a_player_has_one_colour_in_lobby_game_and_end() -> None:
    matches = [match for match, _ in scenes.matches(deals=1)]
    expected, seen = hues_by_seat(scenes.CHAIRS), set[type]()
    for scene in (scenes.lobby(matches[0].rules, scenes.CHAIRS), *map(scenes.scene, (matches[0], matches[-1]))):
        shown = picture(scene, words("en-US"))
        assert shown is not None
        match shown.drawing:
            case LobbyDrawing(places=places):
                assert {place.seat: place.hue for place in places} == expected
            case TableDrawing(plates=plates):
                assert {seat: plate.hue for seat, plate in enumerate(plates)} == expected
            case EndingDrawing(lines=lines):
                assert {line.seat: line.hue for line in lines} == expected
        seen.add(type(shown.drawing))
    assert seen == {LobbyDrawing, TableDrawing, EndingDrawing}


def test_a_substitute_has_their_own_colour() -> None:
    for_ben = replace(scenes.CHAIRS[1], user=UserId(77), owner=scenes.CHAIRS[1].user, owner_name="Ben")
    assert hues_by_seat((for_ben,)) == {1: preferred_hue(UserId(77), "")}
