"""The registered entry of Tiến Lên: words, figures and rules."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.tien_len.groups import COMBINATIONS
from bot.rules.tien_len.hands import TienLen
from bot.rules.tien_len.options import WISHES, Options
from bot.rules.variants import option_sheet
from bot.rules.variants.registration import GameData, RegisteredGame


def registered(data: GameData) -> RegisteredGame:
    """Return the game with its presets and option sheet."""
    return RegisteredGame(
        name="tien_len",
        title=N_("Tiến Lên"),
        line=N_("be first out, 2s are high but can be chopped; 2 to 4 players, about 5 minutes a hand"),
        blurb=N_(
            "The game of Vietnam, also called Thirteen: be the first to get rid of your cards, and "
            "watch your 2s. Two to four players, best with four; about five minutes a hand."
        ),
        art="2h",
        seats=(2, 3, 4),
        minutes=5,
        slow_days=5.0,
        combinations=COMBINATIONS,
        defaults=Options,
        make=TienLen,
        wishes=WISHES,
        presets=data.presets,
        sheet=option_sheet.parse_sheet("tien_len", Options, data.options),
        daily_deal=True,
        puzzle_margin=0.3,
    )
