"""What the rule page says under the options that are played: whether an article holds, and which one forbids a play.

Compares the published page with the refusals of the game, regardless of their meaning.
"""

from typing import Any

from bot.rules.big_two import BigTwo
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.rules import BigTwoRules
from bot.show.rulebook.articles import book
from tests.rules.positions import lying, refusal, rules, table


def holds(number: str, game: BigTwoRules) -> bool:
    """Tell whether an article is on the page of these rules."""
    return book("big_two").under(game.options).article(number) is not None


def under(number: str, preset: str = "pagat", **options: Any) -> BigTwo:
    """Return the rules of a preset with some options changed, on whose page this article has to stand."""
    game = rules(preset, **options)
    assert holds(number, game), f"{number} is not on the page"
    return game


def forbids(game: BigTwoGame, tried: str, seat: int | None = None) -> str:
    """Return the article that forbids this play or pass; it has to be on the page of these rules."""
    refused = refusal(game, tried, seat)
    assert "{" not in str(refused)
    assert holds(refused.article, game.rules), f"{refused.article} is not on the page, and yet it is cited"
    return refused.article


def forbids_on(tried: str, top: str, of: BigTwo) -> str:
    """Return the article that forbids to put the one on the other."""
    return forbids(lying(top, tried, of), tried)


def forbids_to_lead(tried: str, of: BigTwo) -> str:
    """Return the article that forbids to lead this."""
    odd = "9h" if of.options.deck == "tiles60" else "Qc"
    return forbids(table(f"{tried} {odd}", *["3c 4c"] * (of.players - 1), of=of), tried)
