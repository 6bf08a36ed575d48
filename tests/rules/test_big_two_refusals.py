"""Nothing is left out: every article of the page has its test, every refusal is reached and cites a real article."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.rules.big_two import BigTwo, Options
from bot.rules.game import Illegal, Pass, Ready
from bot.rules.match import Match
from tests.rules.positions import action, after, lying, table

ROOT = Path(__file__).parents[2]
ARTICLE = re.compile(r"\d+\.\d+")
PAGE = re.findall(r"^\*\*(\d+\.\d+) ", (ROOT / "data/rules/big_two.md").read_text(encoding="utf-8"), re.MULTILINE)
SOURCES = sorted([*(ROOT / "bot/rules/big_two").glob("*.py"), ROOT / "bot/rules/match.py"])
Cited = tuple[str, str]


def nodes() -> Iterator[ast.AST]:
    """Yield every piece of the source of the game and of the match."""
    for path in SOURCES:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def texts(pieces: list[ast.expr]) -> tuple[str, ...]:
    """Return those of the expressions that are plain text."""
    return tuple(each.value for each in pieces if isinstance(each, ast.Constant) and isinstance(each.value, str))


def cited() -> set[str]:
    """Return every article number that stands in the source as a value."""
    found = {node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in found if ARTICLE.fullmatch(text)}


def refusals() -> set[Cited]:
    """Return (article, sentence) of each refusal in the source, written out in a call or in a table.

    A sentence in a variable of its own has the article "".
    """
    found = set()
    for node in nodes():
        match node:
            case ast.Call(func=ast.Name(id="Illegal"), args=[ast.Constant(), ast.Constant()] as args):
                found.add(texts(args))
            case ast.Call(
                func=ast.Name(id="Illegal"), args=[ast.Attribute(attr="end_article"), ast.Constant() as said]
            ):
                found.add((BigTwo.end_article, *texts([said])))
            case ast.Tuple(elts=[ast.Constant(value=str(article)), ast.Constant(value=str(sentence))]):
                found |= {(article, sentence)} if ARTICLE.fullmatch(article) else set()
            case ast.Assign(targets=[ast.Name(id="sentence")], value=ast.Constant() as value):
                found.add(("", *texts([value])))
    return {(article, sentence) for article, sentence in found}


def test_every_article_has_its_test() -> None:
    tests = {name for path in Path(__file__).parent.glob("test_big_two_articles*.py") for name in functions(path)}
    tested = {match[1].replace("_", ".") for name in tests if (match := re.match(r"test_(\d+_\d+)_", name))}
    assert tested == set(PAGE)
    assert len(PAGE) == len(set(PAGE)) >= 60


def functions(path: Path) -> Iterator[str]:
    yield from (
        each.name for each in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(each, ast.FunctionDef)
    )


def test_every_cited_article_is_in_the_page() -> None:
    assert cited() <= set(PAGE)
    assert len(cited()) > 20


FOUR = ("3c 8s", "3h 9s", "4h Ts", "4s Js")
OVER = after(table("4d", *FOUR[1:]), "4d")
RUN = "Qh Jc Ts 9s 8h"

REFUSED = [
    (table(*FOUR, must="3c"), "8s", "6.1"),
    (table(*FOUR), "-", "6.7"),
    (table(*FOUR), "As", "6.3"),
    (table(*FOUR), "3c 3c", "2.1"),
    (table(*FOUR), "", "6.3"),
    (OVER, "-", "6.10"),
    (table("3c 8s"), "3c 8s", "4.3"),
    (table("3c 3h 8s"), "3c 3h 8s", "4.4"),
    (table("7d 7c 7h 7s"), "7d 7c 7h 7s", "4.12"),
    (table("7d 7c 7h 8s"), "7d 7c 7h 8s", "4.1"),
    (table("7d 7c 7h 8s 9s"), "7d 7c 7h 8s 9s", "4.17"),
    (table("7d 7c 8h 8s 9s"), "7d 7c 8h 8s 9s", "4.17"),
    (table("Qd Kc Ah 2s 3d"), "Qd Kc Ah 2s 3d", "4.9"),
    (table("3d 5c 7h 9s Jd"), "3d 5c 7h 9s Jd", "4.5"),
    (lying("4c", "5d 5c"), "5d 5c", "4.15"),
    (lying("4d 5d 6d 7d 9d", RUN), RUN, "4.16"),
    (lying("5c", "4c"), "4c", "4.2"),
    (lying("5c 5s", "4c 4d"), "4c 4d", "4.3"),
    (lying("5c 5s 5h", "4c 4d 4h"), "4c 4d 4h", "4.4"),
    (lying("Qs Jd Tc 9h 8d", RUN), RUN, "4.8"),
    (lying("4h 5h 6h 7h 9h", "4d 5d 6d 7d 9d"), "4d 5d 6d 7d 9d", "4.10"),
    (lying("9d 9c 9h 4d 4c", "7d 7c 7h Kd Ks"), "7d 7c 7h Kd Ks", "4.11"),
    (lying("9d 9c 9h 9s 4c", "7d 7c 7h 7s Ks"), "7d 7c 7h 7s Ks", "4.12"),
    (lying("9d Td Jd Qd Kd", "4d 5d 6d 7d 8d"), "4d 5d 6d 7d 8d", "4.13"),
]  # fmt: skip


def why(attempt: object, *args: object, **named: object) -> Illegal:
    """Return why this is refused."""
    with pytest.raises(Illegal) as caught:
        attempt(*args, **named)  # type: ignore[operator]
    return caught.value


def between_hands() -> list[Illegal]:
    """Return every refusal outside the play of a hand: after it, after the match, at the wrong moment, at set-up."""
    rules = BigTwo(Options(deals=2))
    ended = Match(rules, "seed", OVER, 0, (OVER.result,) if OVER.result else ())
    last = Match(BigTwo(Options(deals=1)), "seed", OVER, 0, ended.results)
    return [
        why(ended.act, 0, Pass()),
        why(ended.act(0, Ready()).act, 0, Ready()),
        why(last.act, 0, Ready()),
        why(table(*FOUR).act, 0, Ready()),
        why(table(*FOUR).act, 1, Pass()),
        *(why(Options, **{name: -1}) for name in ("stake", "deals", "target")),
    ]


@pytest.mark.parametrize(("game", "tried", "article"), REFUSED)
def test_refusals_cite_their_article(game: object, tried: str, article: str) -> None:
    refused = why(game.act, game.turn, action(tried))  # type: ignore[attr-defined]
    assert refused.article == article
    assert "{" not in str(refused)


def test_every_refusal_is_reached() -> None:
    reached = [why(game.act, game.turn, action(tried)) for game, tried, _ in REFUSED] + between_hands()
    said = {(each.article, each.sentence) for each in reached}
    alone = {sentence for article, sentence in refusals() if not article}
    assert {pair for pair in refusals() if pair[0]} <= said
    assert said - refusals() == {pair for pair in said if pair[1] in alone}
    assert alone <= {sentence for _, sentence in said}
