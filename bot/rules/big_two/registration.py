"""The registered entry of Big Two: words, figures and rules."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.big_two.hands import former, new
from bot.rules.big_two.options import WISHES, Options
from bot.rules.big_two.tables import COMBINATIONS
from bot.rules.variants import option_sheet
from bot.rules.variants.registration import GameData, RegisteredGame


def registered(data: GameData) -> RegisteredGame:
    """Return the game with its presets and option sheet."""
    return RegisteredGame(
        name="big_two",
        title=N_("Big Two"),
        line=N_("get rid of your cards first, twos are high; 2 to 5 players, about 5 minutes a hand"),
        blurb=N_(
            "Be the first to get rid of your cards. Twos are highest. Two to five players, best with "
            "four; about five minutes a hand."
        ),
        art="2s",
        seats=(2, 3, 4, 5),
        minutes=5,
        slow_days=3.8,
        combinations=COMBINATIONS,
        defaults=Options,
        make=new,
        wishes=WISHES,
        presets=data.presets,
        sheet=option_sheet.parse_sheet("big_two", Options, data.options),
        former=former,
        daily_deal=True,
    )
