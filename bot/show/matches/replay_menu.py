"""The menu behind the dots of a replay, the sharing question, and the annulment form."""

from __future__ import annotations

from collections.abc import Iterator

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Browse, Press
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import Accent, Block, PrivateScreen, button, line, lines, private, row, small
from bot.show.kit.words import MessageText, Words
from bot.show.matches.moment_codes import MomentCode
from bot.show.matches.replay import (
    MORE,
    REPLAY,
    ReplayScene,
    ReplayStep,
    hand_page,
    match_name,
    page_of_review,
    place,
)

VERIFY = "verify"  # show how to check the deal of this step's hand
SHARE, POST, KEEP = "share_moment", "post_moment", "keep_moment"  # ask where; post this step; give its picture
FILE = "match_file"  # send the match as a file
PLAY_ON = "play_on"  # start a practice hand at this step, on this seat
JUDGE = "judge"  # submit the reason to annul a match, or to count it again
REASON, MAX_REASON_LENGTH = "reason", 200  # the field of that form, and its limit in characters


def replay_menu(replayed: ReplayScene, frame: ReplayStep, w: Words) -> PrivateScreen:
    """Return the menu of a step, shown in place of the step."""
    return private(
        Accent.OVER,
        lines(f"### {match_name(replayed.game, replayed.number, w)}", small(place(replayed, frame, w))),
        small(code_of(replayed.table, frame.snapshot.step, w)),
        line(),
        *(_so_far(replayed, frame, w) if replayed.is_running else _ended(replayed, frame, w)),
        row(button(w("Back"), back(replayed.table, frame), ButtonStyle.primary)),
    )


def code_of(table: TableId, step: int, w: Words) -> MessageText:
    """Return the sentence with the code of a step."""
    return w("Code of this moment: {code}", code=MessageText(f"`{MomentCode(table, step)}`"))


def back(table: TableId, frame: ReplayStep) -> Browse:
    """Return the custom id of the step itself."""
    return Browse.to(REPLAY, table, frame.snapshot.step, "here", frame.mine, frame.review)


def _so_far(replayed: ReplayScene, frame: ReplayStep, w: Words) -> Iterator[Block]:
    """Yield the buttons of a step in a running match."""
    closely = page_of_review(replayed.table, hand_page(frame.snapshot.match.number))
    yield row(button(w("Review this hand"), closely), button(w("Check"), frame.to(VERIFY, replayed.table)))


def _ended(replayed: ReplayScene, frame: ReplayStep, w: Words) -> Iterator[Block]:
    """Yield the buttons of a step and its match, with the button to annul the match."""
    table, judged = replayed.table, replayed.judged
    play_on = Browse.to(PLAY_ON, table, frame.snapshot.step, frame.mine)
    yield row(
        button(w("Share…"), frame.to(SHARE, table)),
        button(w("Review match"), Browse.to(MORE, table, 0)),
        button(w("Play on from here"), play_on) if frame.snapshot.can_play_on else None,
    )
    label = w("Make it count again…") if judged and judged.annulled else w("Annul it…")
    yield row(
        button(w("Check"), frame.to(VERIFY, table)),
        button(w("As a file"), Browse.to(FILE, table)),
        button(label, Browse.to(JUDGE, table, int(not judged.annulled))) if judged and judged.may else None,
    )


def where_to_share(
    post: Browse | Press, keep: Browse | Press, *below: str, w: Words, back: Browse | None = None
) -> PrivateScreen:
    """Return the question where to share.

    post, keep: the custom ids of the answers. below: sentences in small print. back: the custom id of the screen
    before.
    """
    return private(
        Accent.OVER,
        w("Where do you want to share it?"),
        *map(small, below),
        row(
            button(w("Post in this channel"), post, ButtonStyle.primary),
            button(w("Only for me"), keep),
            button(w("Back"), back) if back else None,
        ),
    )


def judging(table: TableId, annulled: bool, w: Words) -> ui.Modal:
    """Return the form for the reason to annul a match, or to count it again."""
    title = w("Annul this match") if annulled else w("Make this match count again")
    field = Field(REASON, w("Why? Everyone can read it."), longest=MAX_REASON_LENGTH)
    return form(Browse.to(JUDGE, table, int(annulled)), title, field)
