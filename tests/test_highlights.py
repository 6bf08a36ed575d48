"""The highlights of a match: found by the same rules in every game, and shown in a line of the end card."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from bot.domain.chairs import Chair
from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.core.game import Public
from bot.rules.core.trick import Combo
from bot.rules.matches.achievements import FEAT_RULES, Feat, rarest
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.kit.words import words
from bot.show.pictures.lettering import ELLIPSIS, wrapped
from bot.show.pictures.podium import LINES, TEXT, TOLD
from bot.show.table.hand_results import RARE, Story, story
from tests.golden.play import golden_path
from tests.support import scenes
from tests.support.languages import CODES

PLAYED = tuple((name, preset) for name, game in GAMES.items() for preset in game.presets)
SHORT = ("Ann", "Ben", "Mei", "Otto", "Rosa", "Finn", "Ida", "Max", "Lea")


@cache
def replayed_match(name: str, preset: str) -> Match:
    """Return the recorded match of a preset."""
    return Record.from_json(golden_path(name, preset).read_text(), GAMES).replay()


def highlights(match: Match, locale: str = "en-US", **changes: Any) -> Story:
    """Return the highlights on the end card of a match."""
    chairs = tuple(Chair(seat, scenes.person(seat), SHORT[seat]) for seat in range(match.rules.players))
    scene = scenes.with_changes(scenes.scene(match, chairs=chairs), **changes)
    assert isinstance(scene.view, Public)
    return story(scene, scene.view, words(locale).for_scene(scene).for_labels())


def test_a_bomb_is_the_first_highlight() -> None:
    match = replayed_match("tien_len", "south")
    bomb = rarest(match.feats)[0]
    assert (bomb.kind, bomb.hand, bomb.seat, bomb.number) == ("bomb", 2, 2, 6)
    assert highlights(match) == ("Ann led from the first hand on", "Hand 2: Mei dropped a bomb")


def test_a_shared_win_shows_one_rare_feat() -> None:
    assert highlights(replayed_match("big_a", "evening")) == ("", "Hand 1: Rosa bombed with four 3s")
    assert highlights(replayed_match("a_bao", "three"), "zh-TW") == ("", "第 2 局：Ann 炸出三張K")


def test_paying_for_everyone_is_the_decisive_feat() -> None:
    shown = highlights(replayed_match("big_two", "pagat"))
    assert shown.decided == "Mei let the last card through and pays for everyone!"


def test_a_winners_bomb_in_the_decisive_hand_is_the_decisive_feat() -> None:
    match = replayed_match("big_two", "da_lao_er")
    (bomb,) = rarest(match.feats)
    assert highlights(match) == ("", "Otto dropped a bomb")
    assert highlights(match, feats=(bomb._replace(seat=match.places.index(1)),)) == ("Mei dropped a bomb", "")


@pytest.mark.parametrize(("name", "preset"), PLAYED)
def test_highlights_of_a_match_fit(name: str, preset: str) -> None:
    match = replayed_match(name, preset)
    for locale in CODES:
        for said in highlights(match, locale):
            assert ELLIPSIS not in "".join(wrapped(said, TEXT, TOLD, LINES)), "nothing is cut"
    plays = [(feat.hand, feat.seat, feat.combo) for feat in rarest(match.feats) if feat.combo]
    assert all(one != other for one, other in combinations(plays, 2)), "no play is told twice"


def test_the_later_of_equal_feats_and_the_greatest_of_others_is_shown() -> None:
    five = Combo("five", cards("3d")[0], cards("3d 4d 5d 6d 7d"), 0, 1)
    found = [Feat("bomb", 1, 0, 5, five), Feat("long", 2, 1, 6), Feat("long", 3, 2, 6), Feat("long", 1, 3, 8)]
    assert rarest(found) == [found[0], found[3]]
    assert rarest(found[:3]) == [found[0], found[2]]


def test_every_feat_has_a_sentence() -> None:
    assert RARE.keys() == FEAT_RULES.keys()
