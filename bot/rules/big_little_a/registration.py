"""The registered entry of The Big and the Little A: words, figures and rules."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.big_little_a.groups import COMBINATIONS
from bot.rules.big_little_a.hands import BigLittleA
from bot.rules.big_little_a.options import WISHES, Options
from bot.rules.variants import option_sheet
from bot.rules.variants.registration import GameData, RegisteredGame


def registered(data: GameData) -> RegisteredGame:
    """Return the game with its presets and option sheet."""
    return RegisteredGame(
        name="big_little_a",
        title=N_("The Big and the Little A"),
        line=N_("a party game with two mean cards; 3 to 9 players, about 10 minutes a hand"),
        blurb=N_(
            "A party game: get rid of your cards, and don't get stuck with the two mean ones. Three to "
            "nine players; about ten minutes a hand."
        ),
        art="BA",
        seats=(3, 4, 5, 6, 7, 8, 9),
        minutes=10,
        slow_days=7.2,
        combinations=COMBINATIONS,
        defaults=Options,
        make=BigLittleA,
        wishes=WISHES,
        presets=data.presets,
        sheet=option_sheet.parse_sheet("big_little_a", Options, data.options),
        puzzles_explained=False,
    )
