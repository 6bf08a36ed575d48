"""C41. Drawing on a pass, and the stock."""

from __future__ import annotations

from typing import TypeVar

from bot.domain.message_ids import N_
from bot.rules.big_two.state import BigTwoState
from bot.rules.core.cards import SeededRandom, shuffled
from bot.rules.core.sentences import Note

S = TypeVar("S", bound=BigTwoState)
DREW = N_("You drew {cards}.")


def to_draw(game: BigTwoState, seat: int) -> int:
    """Return the number of cards drawn after a pass now."""
    wish, top = game.rules.options.draw_on_pass, game.trick.top
    if wish == "none" or seat == game.trick.owner:  # C20.4
        return 0
    return min(len(top.cards) if top and wish == "combo_size" else 1, in_stock(game))


def in_stock(game: BigTwoState) -> int:
    """Return the number of cards that could be drawn, including finished tricks that may return to the stock."""
    o = game.rules.options
    back = o.stock_exhausted == "reshuffle" and game.progress.reshuffles < o.reshuffles  # C41.3: so every hand ends
    return len(game.stock) + (sum(len(trick.cards) for trick in game.tricks) if back else 0)


def drawn(game: S, seat: int, count: int) -> S:
    """Return the game after a seat drew cards; a short stock is first refilled from the finished tricks."""
    if count > len(game.stock):
        back = [held for trick in game.tricks for held in trick.cards]
        anew = shuffled(back, SeededRandom(f"{game.dealt.luck}:{game.progress.reshuffles}"))
        progress = game.progress._replace(reshuffles=game.progress.reshuffles + 1)
        game = game._replace(stock=(*game.stock, *anew), tricks=(), progress=progress)
    taken = game.stock[:count]
    hands = (*game.hands[:seat], game.rules.sort(game.hands[seat] + taken), *game.hands[seat + 1 :])
    private_notes = {seat: Note("C41.1", DREW, (("cards", taken),))}
    return game._replace(hands=hands, stock=game.stock[count:]).telling(private_notes)
