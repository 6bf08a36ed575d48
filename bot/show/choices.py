"""What a person chooses for themselves, on every server: how cards are sorted, whether the bot may write to them.

Knows what each choice does; refuses to change anything.
"""

from __future__ import annotations

from bot.ground.habits import Habits
from bot.show.ids import Browse
from bot.show.layout import Accent, PrivateScreen, button, line, lines, private, row, small
from bot.show.words import Words

CHOOSE = "my_choice"  # the verb: choose this from now on
SUIT, RANK, DIRECT, SILENT = "suit", "rank", "direct", "silent"


def choices(now: Habits, w: Words) -> PrivateScreen:
    """Return the screen with all choices as they stand."""
    order = w("Your cards are sorted by suit.") if now.by_suit else w("Your cards are sorted by rank.")
    direct = (
        w("Your hand comes by direct message when it is your turn.")
        if now.mirror
        else w("I send you no direct messages.")
    )
    sort, wish = w("Sort by rank") if now.by_suit else w("Sort by suit"), w("Send me my hand by direct message")
    return private(
        Accent.YOURS,
        lines("## " + w("How I treat you"), small(w("On every server. Only you see this."))),
        order,
        row(button(sort, Browse.to(CHOOSE, RANK if now.by_suit else SUIT))),
        line(),
        lines(direct, small(w("On servers that have it, and as long as your messages are open to them."))),
        row(
            button(
                w("No more direct messages") if now.mirror else wish,
                Browse.to(CHOOSE, SILENT if now.mirror else DIRECT),
            )
        ),
    )
