"""Games with rounds instead of tricks say so on every screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.games import GAMES
from bot.rules.core.asks import Pass, Play, PlayAsk
from bot.rules.matches.match import Match
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.show.kit.rounds import COUNTED_ROUNDS, ROUNDS
from bot.show.rulebook.articles import book
from bot.show.table.board import board
from bot.show.table.notices import last_trick
from bot.show.translation.catalogue import read_catalogue
from bot.show.translation.extraction import messages
from tests.support.scenes import EN, persons_on_seats, scene, texts

GAME = GAMES["big_little_a"]
TRICK = re.compile(r"\btricks?\b", re.IGNORECASE)


def screens() -> Iterator[str]:
    """Yield the texts of the board, the hand and its menu at every position of a hand."""
    match = Match.start(GAME.rules("standard"), "rounds")
    while not match.game.result:
        seat = min(match.awaited)
        for viewer in range(match.rules.players):
            seen = scene(match, match.moment, viewer, chairs=persons_on_seats(match))
            yield from (texts(hand(seen, EN, where="")), texts(hand_menu(seen, EN)), texts(last_trick(seen, EN)))
        yield texts(board(scene(match, match.moment, chairs=persons_on_seats(match)), EN))
        view = match.view(seat)
        plays = view.plays.first(1) if isinstance(view.ask, PlayAsk) else []
        match = match.act(seat, Play(plays[0].cards) if plays else Pass())


def test_no_screen_of_such_a_game_says_trick() -> None:
    shown = list(screens())
    assert any("New round." in each for each in shown)
    assert any("Last round" in each for each in shown)
    assert [each for each in shown if TRICK.search(each)] == []


def test_rules_and_options_of_such_a_game_say_round() -> None:
    articles = [f"{article.title} {article.text}" for article in book(GAME.name)]
    assert [text[:7] for text in articles if TRICK.search(text)] == ["Leading"], "it explains the word"
    own = [found.message for found in messages() if "big_little_a" in found.file]
    assert [message for message in own if TRICK.search(message)] == []


def test_each_round_sentence_replaces_a_trick_sentence_in_every_language() -> None:
    known = {found.message for found in messages()}
    pairs = {**ROUNDS, **{tricks[0]: rounds[0] for tricks, rounds in COUNTED_ROUNDS.items()}}
    assert pairs.keys() <= known
    assert COUNTED_ROUNDS.keys() <= {(found.message, found.plural) for found in messages()}
    for locale in ("zh_CN", "zh_TW"):
        catalogue = read_catalogue(locale)
        said = {trick: (catalogue[trick].string, catalogue[of_round].string) for trick, of_round in pairs.items()}
        assert {trick: pair for trick, pair in said.items() if pair[0] != pair[1]} == {}, "Chinese has one word"
