"""Sentences about tricks in the words of a game that calls a trick a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.domain.message_ids import N_, NN_

ROUNDS: Final[Mapping[str, str]] = {
    # The board
    "New trick.": N_("New round."),
    "Last trick": N_("Last round"),
    "Last trick: {plays}": N_("Last round: {plays}"),
    "**The last trick**": N_("**The last round**"),
    "No finished trick in this hand yet.": N_("No finished round in this hand yet."),
    "This hand ended before any trick was played.": N_("This hand ended before any round was played."),
    "{seat} took the last {n} tricks": N_("{seat} took the last {n} rounds"),
    "Shows on your seat with the next move, until the trick ends.": N_(
        "Shows on your seat with the next move, until the round ends."
    ),
    # The hand
    "You won the trick. Lead anything.": N_("You won the round. Lead anything."),
    "Pass this trick": N_("Pass this round"),
    "You'll pass until this trick ends.": N_("You'll pass until this round ends."),
    "You're out of this trick.": N_("You're out of this round."),
    "You passed, but you're asked again if someone plays. Tap Queue pass to sit out this trick.": N_(
        "You passed, but you're asked again if someone plays. Tap Queue pass to sit out this round."
    ),
    "Tap Queue pass to sit out this trick, or pick cards to queue a play.": N_(
        "Tap Queue pass to sit out this round, or pick cards to queue a play."
    ),
    "If I win this trick, lead {cards}": N_("If I win this round, lead {cards}"),
    "If you win the trick, you'll lead {cards}.": N_("If you win the round, you'll lead {cards}."),
    "The trick has a different number of cards now.": N_("The round has a different number of cards now."),
    # The coach
    "{player} won the trick.": N_("{player} won the round."),
    "{player} won the trick and is out.": N_("{player} won the round and is out."),
    "{player} won the trick and leads:": N_("{player} won the round and leads:"),
    "{player} won the trick and leads {combo}:": N_("{player} won the round and leads {combo}:"),
    "{player} won the trick and led {lead}.": N_("{player} won the round and led {lead}."),
    "Nobody beat your {cards}: you won the trick!": N_("Nobody beat your {cards}: you won the round!"),
    # The profile
    "Wins most tricks with: {what} ({n} of {all})": N_("Wins most rounds with: {what} ({n} of {all})"),
    # The replay
    "Trick {arrow}": N_("Round {arrow}"),
    "trick {n}": N_("round {n}"),
    "The trick: {plays}": N_("The round: {plays}"),
    "Trick {n}: {seat} leads": N_("Round {n}: {seat} leads"),
}
# The same for sentences with a number: the singular and the plural.
COUNTED_ROUNDS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("and {n} earlier trick", "and {n} earlier tricks"): NN_("and {n} earlier round", "and {n} earlier rounds"),
    ("You won {n} trick.", "You won {n} tricks."): NN_("You won {n} round.", "You won {n} rounds."),
    ("Out in one trick {n} time", "Out in one trick {n} times"): NN_(
        "Out in one round {n} time", "Out in one round {n} times"
    ),
}
