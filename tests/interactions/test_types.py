"""What the type checker refuses: ``make check`` fails where one of these lines passes, for an ignore would be unused.

None of it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.delivery.panels.open_hands import OpenHand, OpenHands
from bot.interactions.answers import Reply
from bot.show.hand.hand import hand
from bot.show.kit.layout import PublicScreen
from bot.show.table.board import board

if TYPE_CHECKING:
    from datetime import datetime

    import discord
    from discord.ext.commands import Bot

    from bot.delivery.boards.boards import Boards
    from bot.interactions.private_replies import PrivateMessage
    from bot.scene import PublicScene, Scene
    from bot.show.kit.layout import PrivateScreen
    from bot.show.kit.words import Words
    from bot.table.table import Table

    async def no_public_sender_takes_a_private_screen(
        channel: discord.TextChannel,
        message: discord.PartialMessage,
        click: discord.Interaction[Bot],
        boards: Boards,
        table: Table,
        mine: PrivateScreen,
    ) -> None:
        await channel.send(view=mine)  # type: ignore[call-overload]
        await message.edit(view=mine)  # type: ignore[arg-type]
        await click.response.edit_message(view=mine)  # type: ignore[arg-type]
        await click.edit_original_response(view=mine)  # type: ignore[arg-type]
        await click.followup.send(view=mine)  # type: ignore[call-overload]
        await boards._edit(table, 1, mine)  # type: ignore[arg-type]
        await boards._post(table, mine, silent=True)  # type: ignore[arg-type]

    def a_public_screen_is_drawn_of_a_public_scene(seen: Scene, public: PublicScene, w: Words) -> None:
        PublicScreen.of(public, board, w)
        PublicScreen.of(seen, board, w)  # type: ignore[arg-type]
        board(seen, w)  # type: ignore[arg-type]
        PublicScreen.of(public, lambda scene, words: hand(scene, words, where=""), w)  # type: ignore[arg-type, return-value]
        PublicScreen(hand(seen, w, where=""))  # type: ignore[arg-type]

    def an_open_hand_stands_in_a_private_message(
        private: PrivateMessage, click: discord.Interaction[Bot], at: datetime, seen: Scene, hands: OpenHands
    ) -> None:
        OpenHand(private, at, seen, at)
        OpenHand(click, at, seen, at)  # type: ignore[arg-type]
        OpenHand(click.message, at, seen, at)  # type: ignore[arg-type]
        hands.opened(seen, click)  # type: ignore[arg-type]

    def an_answer_stands_in_a_private_message_or_is_a_new_one(
        mine: PrivateScreen, public: PublicScreen, click: discord.Interaction[Bot]
    ) -> None:
        Reply(view=mine)
        Reply(view=public)  # type: ignore[arg-type]
        Reply(view=mine, at=click)  # type: ignore[arg-type]
        Reply(view=mine, at=click.message)  # type: ignore[arg-type]
