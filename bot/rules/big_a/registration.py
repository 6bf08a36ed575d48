"""The registered entry of Big A: words, figures and rules."""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.rules.big_a.hands import BigA, former
from bot.rules.big_a.options import WISHES, Options
from bot.rules.big_a.tables import COMBINATIONS
from bot.rules.variants import option_sheet
from bot.rules.variants.registration import DefaultChange, GameData, RegisteredGame


def registered(data: GameData) -> RegisteredGame:
    """Return the game with its presets and option sheet."""
    return RegisteredGame(
        name="big_a",
        title=N_("Big A"),
        line=N_("hidden partners, two packs and bombs; 5 players, about half an hour a hand"),
        blurb=N_(
            "Hidden partners, two packs, and bombs: show an ace, and your partner is the player with "
            "its twin. Five players; about half an hour a hand."
        ),
        art="As",
        seats=(5,),
        minutes=30,
        slow_days=11.9,
        combinations=COMBINATIONS,
        defaults=Options,
        make=BigA,
        wishes=WISHES,
        presets=data.presets,
        sheet=option_sheet.parse_sheet("big_a", Options, data.options),
        former=former,
        default_changes=(DefaultChange(3, "big_ace_pair_scope", "any_holder"),),
        puzzle_margin=0.5,
        puzzles_explained=False,
    )
