"""The welcome post of a server.

It has a button for each game, which opens a table, and a button to be notified of tables.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from discord import PartialEmoji, ui

from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.cards import card
from bot.rules.variants.registration import RegisteredGame
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, PublicScreen, button, lines, private, row, screen, small
from bot.show.kit.words import MessageText, Words
from bot.show.table.outside import ANY, notify_button

# The verbs: open a table of this game; cancel the notification of the next table.
OPEN, DO_NOT_TELL = "open_game", "tell_me_not"
OTHER = "🃏"
FIRST = N_("Tap a game to open a table here. Friends press Join; Play now fills the table with bots and starts.")


def welcome(w: Words) -> PublicScreen:
    """Return the post in a server that the bot has just joined."""
    return PublicScreen(
        screen(
            Accent.LOBBY,
            lines("### " + w("Card games for your friends"), w(FIRST)),
            *(row(_game(game, w)) for game in GAMES.values()),
            row(notify_button(w)),
            small(w("/deal opens a table any time. More in /bigger help.")),
        )
    )


def _game(game: RegisteredGame, w: Words) -> ui.Button[Any]:
    """Return the button of a game: its card, name, number of players, and minutes of a hand.

    A label too long for one line breaks after the name.
    """
    few, many = game.seats[0], game.seats[-1]
    players = f"{few}" if few == many else f"{few}–\u2060{many}"
    label = w(
        "{game} · 👥\u00a0{players}\u00a0·\u00a0{n}\u00a0min",
        game=w(game.title),
        players=MessageText(players),
        n=game.minutes,
    )
    return button(label, Browse.to(OPEN, game.name), emoji=_art(game, w))


def _art(game: RegisteredGame, w: Words) -> PartialEmoji | str:
    """Return the emoji of the game's card, or a generic one while the card emoji are missing."""
    return w.faces.pictures.get(card(game.art), OTHER)


def waiting(game: str, until: datetime, w: Words) -> PrivateScreen:
    """Return the confirmation of a notification, with the button to cancel it."""
    if game == ANY:
        text = w("I'll ping you here once when a table opens. If none does, I'll forget it {when}.", when=until)
    else:
        text = w(
            "I'll ping you here once when a table of {game} opens. If none does, I'll forget it {when}.",
            game=w(GAMES[game].title),
            when=until,
        )
    return private(Accent.LOBBY, lines(text), row(button(w("Don't ping me"), Browse.to(DO_NOT_TELL))))


def not_waiting(w: Words) -> PrivateScreen:
    """Return the confirmation of a cancelled notification."""
    return private(Accent.LOBBY, lines(w("OK, no ping.")))
