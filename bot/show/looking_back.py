"""A look back at a finished match, for one reader: a few moments, each with a button that opens the replay there.

Knows the words. Refuses to know how moments are found, and to teach anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.ground.ids import TableId
from bot.rules.review import Finding, Review
from bot.rules.sentences import Seat
from bot.show.ids import Browse
from bot.show.layout import Accent, Block, PrivateScreen, beside, button, line, lines, private, row, small
from bot.show.moment import MOMENT
from bot.show.words import N_, Said, Words

BACK, BACK_PAGE = "look_back", "look_back_page"  # the verbs: open it, show another page of it
A_PAGE: Final = 5  # moments
PAGES: Final = 4
SAID: Final = {
    "ahead": N_("From here on {seat} was ahead, with the fewest cards."),
    "out": N_("{seat} could have gone out here: {combo}."),
    "play": N_("{seat} passed. A house player would have played {combo}."),
    "other": N_("{seat} played {did}. A house player would have played {combo}."),
    "pass": N_("{seat} played {did}. A house player would have passed."),
}
NOTHING = N_("Nothing stands out in this match.")
HOW = N_("A house player sees no more than whoever sat there, and is no better for it.")


@dataclass(frozen=True, slots=True)
class LookedBack:
    """What somebody looks at. page: from 0, with the first findings of each kind."""

    table: TableId
    called: Said
    review: Review
    page: int = 0

    @property
    def pages(self) -> list[Sequence[Finding]]:
        """The findings of each page."""
        more = self.review.more[: A_PAGE * (PAGES - 1)]
        return [self.review.first, *(more[at : at + A_PAGE] for at in range(0, len(more), A_PAGE))]


def looking_back(back: LookedBack, w: Words) -> PrivateScreen:
    """Return a page. w: with the names and the rules of the match."""
    page = min(back.page, len(back.pages) - 1)
    found = back.pages[page]
    return private(
        Accent.OVER,
        lines("### " + w("Looking back"), small(back.called)),
        *(_moment(back.table, one, w) for one in found),
        None if found else w(NOTHING),
        line(),
        small(w(HOW)) if any(one.kind not in {"ahead", "out"} for one in found) else None,
        *_turning(back, page, w),
    )


def _moment(table: TableId, found: Finding, w: Words) -> ui.Section[Any]:
    said = w(SAID[found.kind], seat=Seat(found.seat), did=found.did, combo=found.combo)
    hand = w("Hand {hand}", hand=found.hand)
    return beside(str(lines(said, small(hand))), button(w("Show"), Browse.to(MOMENT, table, found.step, found.kind)))


def _turning(back: LookedBack, page: int, w: Words) -> Iterator[Block]:
    """Offer the next page, if there is one, and the way back from there."""
    pages = len(back.pages)
    before = Browse.to(BACK_PAGE, back.table, page - 1)
    after = Browse.to(BACK_PAGE, back.table, page + 1)
    if pages > 1:
        yield row(
            button("◀", before, disabled=page == 0) if page else None,
            button(w("More"), after) if page + 1 < pages else None,
        )


def look_back(table: TableId, w: Words) -> ui.Button[Any]:
    """Return the button that opens it."""
    return button(w("Look back"), Browse.to(BACK, table), ButtonStyle.secondary)
