"""The payments after a match, as few as settle all debts.

Private, because debts concern the players alone.
"""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.matches.payments import fewest_payments
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.layout import Accent, PrivateScreen, private, small
from bot.show.kit.words import Words

NOTEBOOK = N_("In units. Nobody pays here, it is a notebook.")


def owing(scene: Scene) -> list[tuple[int, int, int]]:
    """Return the payments as (payer, payee, amount). House players pay each other nothing."""
    if not scene.tally.payments:
        return []
    house = [chair.user is None for chair in scene.chairs]
    return [
        (payer, payee, sum_)
        for payer, payee, sum_ in fewest_payments(scene.tally.nets)
        if not house[payer] * house[payee]
    ]


def settling(scene: Scene, w: Words) -> PrivateScreen:
    """Return the screen of the payments that settle the match so far."""
    w, payments = w.at(scene), owing(scene)
    return private(
        Accent.BETWEEN,
        "### " + (w("To settle") if scene.stage == "over" else w("To settle so far")),
        phrases.owed(payments, w) if payments else w("Nobody owes anybody anything."),
        small(w(NOTEBOOK)),
    )
