"""The registered entry of Tàihé A Bāo: words, figures and rules."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.a_bao.groups import COMBINATIONS
from bot.rules.a_bao.hands import ABao
from bot.rules.a_bao.options import WISHES, Options
from bot.rules.variants import option_sheet
from bot.rules.variants.registration import DefaultChange, GameData, RegisteredGame


def registered(data: GameData) -> RegisteredGame:
    """Return the game with its presets and option sheet."""
    return RegisteredGame(
        name="a_bao",
        title=N_("Tàihé A Bāo"),
        line=N_("one against the rest, with calls for cards; 3 to 5 players, about 5 minutes a hand"),
        blurb=N_(
            "One against the rest: declare, or call for the card you need, then be the first one out. "
            "Three to five players, best with four; about five minutes a hand."
        ),
        art="Ah",
        seats=(3, 4, 5),
        minutes=5,
        slow_days=3.3,
        combinations=COMBINATIONS,
        defaults=Options,
        make=ABao,
        wishes=WISHES,
        presets=data.presets,
        sheet=option_sheet.parse_sheet("a_bao", Options, data.options),
        default_changes=(DefaultChange(3, "may_return_called_card", before=False),),
        puzzles_explained=False,
    )
