"""Which rules a match is played by, so that it can always be played again as it was.

A match keeps the version under which it began. Version 1: options might have any value that could be put together; in
Big A a sealed plan stayed when the cards were drawn anew, and what an answer orders beside the first ace came last.
Version 2: options are what their sheet says; a sealed plan is for the cards it was made for; all that was ordered in a
window is carried out in the order in which it became possible.
Version 3: in Big Two nobody is bound by a last card of their own, a pass is bound by who acts after the pass, and a
match to a target by points that are good ends when a total has reached the target, not when one is as far below zero.
"""

from __future__ import annotations

FIRST, SECOND, VERSION = 1, 2, 3
