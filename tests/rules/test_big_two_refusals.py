"""Every refusal is reached, and cites an article that is in the page as it reads under the options of that game."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given

from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.hands import laid_out
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.state import Dealt
from bot.rules.core.asks import Again, Give, Pass, Play, Ready, Stop
from bot.rules.core.cards import cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal, Note
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.seal import CHAIN_LENGTH, chain_seed
from bot.show.rulebook.articles import book
from tests.laws.matches import dice, positions, records
from tests.rules.positions import action, after, between, finished, lying, rules, table, won
from tests.support.law_settings import law_examples

ROOT = Path(__file__).parents[2]
ARTICLE = re.compile(r"C?\d+\.\d+")
PAGE = re.findall(r"^\*\*(C?\d+\.\d+) ", (ROOT / "data/rules/big_two.md").read_text(encoding="utf-8"), re.MULTILINE)
SOURCES = sorted(
    [*(ROOT / "bot/rules/big_two").glob("*.py"), ROOT / "bot/rules/matches/match.py", ROOT / "bot/rules/core/game.py"]
)
Cited = tuple[str, str]


# What the source can say


def nodes() -> Iterator[ast.AST]:
    """Yield every piece of the source of the game and of the match."""
    for path in SOURCES:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def text(piece: ast.expr | None) -> str:
    """Return a plain text, or "" for anything else: a name, say, for what is chosen elsewhere."""
    return piece.value if isinstance(piece, ast.Constant) and isinstance(piece.value, str) else ""


def cited() -> set[str]:
    """Return every article number that stands in the source as a value."""
    found = {text(node) for node in nodes() if isinstance(node, ast.Constant)}
    return {each for each in found if ARTICLE.fullmatch(each)}


def refusals() -> set[Cited]:
    """Return (article, sentence) of each refusal in the source, in a call or in a table, with "" for what is named."""
    found: set[Cited] = set()
    for node in nodes():
        match node:
            case ast.Call(func=ast.Name(id="Illegal"), args=[article, sentence]):
                found.add((text(article), text(sentence)))
            case ast.Tuple(elts=[article, ast.Lambda(), sentence]):  # what cannot be combined
                found.add((text(article), text(sentence)))
            case ast.Dict(keys=keys, values=values):
                pairs = {(text(key), text(value)) for key, value in zip(keys, values, strict=True)}
                found |= {(article, said) for article, said in pairs if ARTICLE.fullmatch(article) and "{" in said}
            case ast.FunctionDef() if {"Illegal", "sentence"} <= names(node):
                found |= {("", said) for said in named_sentences(node)}
    return found - {("", "")}


def names(piece: ast.AST) -> set[str]:
    """Return every name in a piece of source."""
    return {node.id for node in ast.walk(piece) if isinstance(node, ast.Name)}


def named_sentences(piece: ast.AST) -> Iterator[str]:
    """Yield the plain texts that are called ``sentence`` in a piece of source."""
    for node in ast.walk(piece):
        match node:
            case ast.Assign(targets=[ast.Name(id="sentence")], value=ast.Constant(value=str(said))):
                yield said


def test_every_cited_article_is_in_the_page() -> None:
    assert cited() <= set(PAGE)
    assert len(cited()) > 60


# What it says in a hand

FOUR = ("3c 8s", "3h 9s", "4h Ts", "4s Js")
RUN = "Qh Jc Ts 9s 8h"
SEVEN = "9s 8s 7s 6s 5s 3d 4c"
SEVENS: dict[str, Any] = {"sf_form": "plus_two"}
HONOURS: dict[str, Any] = {"honours_beat": "any", "honours_out_of_turn": True}


def over(top: str, hand: str, **options: Any) -> BigTwoGame:
    """Return the hand in which these cards must beat the top."""
    return lying(top, hand, BigTwo(Options(**options)))


def giving() -> BigTwoGame:
    """Return the hand in which seat 0 has to give a card to seat 1."""
    of = rules("three_player", exchange="loser_highest_for_any", extra_card="none")
    return laid_out(
        of, Dealt(0), tuple(map(cards, ("4d 5d", "6d Kd", "7d 8d"))), past=(finished(of, "", "3c 4c", "3h"),)
    )


REFUSED = [
    (table(*FOUR, must="3c"), "8s", "6.1"),
    (table(*FOUR), "-", "6.7"),
    (table(*FOUR), "As", "6.3"),
    (table(*FOUR), "3c 3c", "2.4"),
    (table(*FOUR), "", "6.3"),
    (after(table("4d", *FOUR[1:]), "4d"), "-", "6.10"),
    (table("3c 8s"), "3c 8s", "4.3"),
    (table("3c 3h 8s"), "3c 3h 8s", "4.4"),
    (table("7d 7c 7h", triples=False), "7d 7c 7h", "C12.1"),
    (table("3c 3h 8s", triples=False), "3c 3h 8s", "4.17"),
    (table("7d 7c 7h 7s"), "7d 7c 7h 7s", "4.12"),
    (table("7d 7c 7h 7s 8d", quads_form="bare"), "7d 7c 7h 7s 8d", "C14.3"),
    (table("7d 7c 7h 8s"), "7d 7c 7h 8s", "4.1"),
    (table("7d 7c 7h 8s", quads_form="both"), "7d 7c 7h 8s", "C14.1"),
    (table("3d 4d 5d 6d 7d 8d"), "3d 4d 5d 6d 7d 8d", "4.1"),
    (table("7d 7c 7h 8s 9s"), "7d 7c 7h 8s 9s", "4.17"),
    (table("7d 7c 8h 8s 9s"), "7d 7c 8h 8s 9s", "4.17"),
    (table("Qd Kc Ah 2s 3d"), "Qd Kc Ah 2s 3d", "4.9"),
    (table("3d 5c 7h 9s Jd"), "3d 5c 7h 9s Jd", "4.5"),
    (table("9s 7s 6s 5s 3s", flushes=False), "9s 7s 6s 5s 3s", "C13.1"),
    (table("3d 4c 5h 6s 8d 9c Th", **SEVENS), "3d 4c 5h 6s 8d 9c Th", "C17.1"),
    (table("9s 8s 7s 6s 5s", **SEVENS, bare_suited_run="illegal"), "9s 8s 7s 6s 5s", "C17.8"),
    (over("4c", "5d 5c"), "5d 5c", "4.15"),
    (over("4d 5d 6d 7d 9d", RUN), RUN, "4.16"),
    (over("5c", "4c"), "4c", "4.2"),
    (over("5c 5s", "4c 4d"), "4c 4d", "4.3"),
    (over("5c 5s 5h", "4c 4d 4h"), "4c 4d 4h", "4.4"),
    (over("Qs Jd Tc 9h 8d", RUN), RUN, "4.8"),
    (over("Jd Tc 9h 8d 7s", "Th 9c 8c 7h 6h"), "Th 9c 8c 7h 6h", "4.7"),
    (over("4h 5h 6h 7h 9h", "4d 5d 6d 7d 9d"), "4d 5d 6d 7d 9d", "4.10"),
    (over("4h 5h 6h 7h Th", "4d 5d 6d 7d 9d", flush_rank="top_card"), "4d 5d 6d 7d 9d", "C10.2"),
    (over("4h 5h 6h 7h Th", "4d 5d 6d 7d 9d", flush_rank="all_ranks"), "4d 5d 6d 7d 9d", "C10.3"),
    (over("9d 9c 9h 4d 4c", "7d 7c 7h Kd Ks"), "7d 7c 7h Kd Ks", "4.11"),
    (over("9d 9c 9h 9s 4c", "7d 7c 7h 7s Ks"), "7d 7c 7h 7s Ks", "4.12"),
    (over("9d Td Jd Qd Kd", "4d 5d 6d 7d 8d"), "4d 5d 6d 7d 8d", "4.13"),
    (over("Ad 2s 3h 4s 5d", "As 2h 3s 4d 5s", straight_scheme="hong_kong"), "As 2h 3s 4d 5s", "C9.11"),
    (over("Ad 2s 3d 4s 5d", "As 2h 3s 4d 5s", straight_scheme="indonesia_suit_of_two"), "As 2h 3s 4d 5s", "C9.9"),
    (over("Td Tc Th Ts", "7d 7c 7h 7s", quads_form="bare"), "7d 7c 7h 7s", "C14.2"),
    (over("3d 3c 3h 3s 4d", "2s", **HONOURS), "2s", "C15.2"),
    (over("2s", "5d 5c", **HONOURS), "5d 5c", "C15.3"),
    (over("Th 9h 8h 7h 6h 3c 5c", SEVEN, **SEVENS), SEVEN, "C17.2"),
    (over("3d 4c 5h 6s 7d", "As Ad Ah Kd Kc", full_house_beats_straight=False), "As Ad Ah Kd Kc", "C19.1"),
    (table("5c 9d", "7h", one_card_rule="forced"), "5c", "C22.2"),
    (after(table("8h 3d", "4d Kd", "Qs", one_card_rule="forced"), "8h"), "-", "C22.3"),
    (table("2s", "3d", last_card_ban="highest_two"), "2s", "C23.1"),
    (table("2d", "3d", last_card_ban="any_two"), "2d", "C23.2"),
    (giving(), "Kd", "C40.1"),
]


def why(attempt: Any, *args: Any, **named: Any) -> Illegal:
    """Return why this is refused."""
    with pytest.raises(Illegal) as caught:
        attempt(*args, **named)
    return caught.value


def in_force(article: str, options: Options) -> bool:
    """Tell whether the page contains this article under these options."""
    found = book("big_two").article(article)
    return found is not None and found.when.holds(options)


@pytest.mark.parametrize(("game", "tried", "article"), REFUSED)
def test_refusals_cite_their_article(game: BigTwoGame, tried: str, article: str) -> None:
    refused = why(game.act, game.turn, action(tried))
    assert refused.article == article
    assert in_force(article, game.rules.options)
    assert "{" not in str(refused)


# What it says to those who may not act, between hands, and at set-up


def elsewhere() -> list[tuple[str, Illegal]]:
    """Return refusals of gifts, out of turn and between hands, each with the article it should cite."""
    asked = giving()
    bombs = after(table("9d 8c", "3c 4c", "5d 5c 5h 5s 6d Kh", FOUR[3], **HONOURS), "9d")
    match, of_two = (between(of, won(of, "", *FOUR[1:])) for of in (BigTwo(), rules(match_end="deals", deals=2)))
    last = replace(
        Record(GAMES["big_two"], "pagat", seed=chain_seed("00" * 32)).begin(), cancelled_deals=CHAIN_LENGTH - 1
    )
    unreachable = {"match_end": "target", "scoring": "places", "end": "play_on", "places_points": (0, -1, -2, -3)}
    played_on = table("4d", "9c", "5c 6c", "7c 8c", end="play_on")
    return [
        ("C40.1", why(asked.act, 0, Give(cards("4d Kd")))),
        ("C40.1", why(asked.act, 0, Give(cards("As")))),
        ("6.2", why(asked.act, 1, Pass())),
        ("C16.1", why(bombs.act, 2, Play(cards("Kh")))),
        ("6.2", why(bombs.act, 2, Pass())),
        ("6.3", why(table(*FOUR).act, 0, Ready())),
        ("6.10", why(match.act, 0, Pass())),
        ("6.10", why(match.act(0, Ready()).act, 0, Ready())),
        ("6.10", why(match.act(0, Stop()).act, 1, Ready())),
        ("6.10", why(of_two.act, 1, Stop())),
        ("6.10", why(last.act, 0, Again())),
        ("C45.8", why(rules, **unreachable)),
        ("C24.1", why(after(played_on, "4d", "9c", "-", "-", "5c", "-", "6c").act, 3, Pass())),
    ]


CLASHES: list[tuple[dict[str, Any], str]] = [
    ({"stake": -1}, "C46.1"),
    ({"deals": 0}, "C45.5"),
    ({"target": 0}, "C45.4"),
    ({"round_deals": 0}, "C7.1"),
    ({"chips": 0}, "C44.5"),
    ({"announce_at": (2,)}, "C21.1"),
    ({"bands": ((2, 1),)}, "C27.1"),
    ({"diff_bands": ()}, "C32.1"),
    ({"scoring": "places", "end": "play_on", "places_points": (1, 0)}, "C36.1"),
    ({"players": 3, "hand_size": 21}, "C38.1"),
    ({"players": 3}, "C38.1"),
    ({"players": 2, "hand_size": 17, "extra_card": "face_up"}, "C39.1"),
    ({"exchange": "loser_highest_for_any"}, "C40.1"),
    ({"draw_on_pass": "one"}, "C41.1"),
    ({"players": 2, "hand_size": 17, "dragon": "wins_deal"}, "C18.1"),
    ({"scoring": "places"}, "C36.1"),
    ({"value_scale": (1,) * 15}, "C33.6"),
    ({"scoring": "taiwan_loser"}, "C34.1"),
    ({"scoring": "pusoy_dos", "settlement": "winner_only"}, "C31.1"),
]


@pytest.mark.parametrize(("options", "article"), CLASHES)
def test_impossible_combinations_are_refused(options: dict[str, Any], article: str) -> None:
    assert why(Options, **options).article == article


def test_refusals_elsewhere_cite_their_article() -> None:
    assert [refused.article for _, refused in elsewhere()] == [article for article, _ in elsewhere()]


def test_every_refusal_is_reached() -> None:
    reached = [why(game.act, game.turn, action(tried)) for game, tried, _ in REFUSED]
    reached += [refused for _, refused in elsewhere()] + [why(Options, **options) for options, _ in CLASHES]
    said = {(each.article, each.sentence) for each in reached}
    sentences, articles = ({pair[at] for pair in said} for at in (1, 0))
    whole = {pair for pair in refusals() if all(pair)}
    assert whole - said == set()
    assert {sentence for article, sentence in refusals() if not article} - sentences == set()
    assert {article for article, sentence in refusals() if not sentence} - articles == set()


# Whatever is said anywhere, under any options, can be looked up in the page of that very game


def tried(match: Match, rng: Random) -> Iterator[str]:
    """Yield the articles of what seats are told and asked in a position, and of why random cards are refused."""
    for seat in range(match.rules.players):
        view = match.view(seat)
        yield from (note.article for note in notes(view))
        for cards_tried in (1, 2, 3, 4, 5, 5, 7):
            some = tuple(rng.sample(view.hand, min(len(view.hand), cards_tried)))
            try:
                match.act(seat, Play(some))
            except Illegal as refused:
                yield refused.article


def notes(view: View) -> list[Note]:
    """Return every sentence with an article that a seat gets to see."""
    limit = getattr(view.ask, "limit", None)
    return [*view.private_notes, *(view.result.notes if view.result else ()), *([limit] if limit else [])]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("preset", GAMES["big_two"].presets)
def test_every_cited_article_is_in_force(preset: str) -> None:
    @law_examples(4)
    @given(record=records("big_two", preset), rng=dice)
    def law(record: Record, rng: Random) -> None:
        match = record.begin()
        shown = {each.number for each in book("big_two").under(match.rules.options)}
        for each in islice(positions(match, rng), 0, None, 5):
            assert set(tried(each, rng)) <= shown

    law()
