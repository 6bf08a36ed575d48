"""Replies that show a player's private hand, or another screen in the hand's place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Self

from bot.delivery.boards.picks import has_button
from bot.delivery.table_delivery import TableDelivery
from bot.domain.message_ids import N_
from bot.domain.refusals import Outside, Refused
from bot.interactions.answers import DONE, Reply
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.visit import Visit
from bot.localization import Localization
from bot.members.preferences import PreferenceCache
from bot.rules.core.cards import Cards
from bot.scene import Scene
from bot.show.hand.hand import given_away
from bot.show.hand.hand import hand as hand_screen
from bot.show.hand.hints import HintDegree
from bot.show.hand.panel import PanelTab
from bot.show.kit.custom_ids import Verb
from bot.show.kit.layout import PrivateScreen
from bot.table.table import Table
from bot.wiring import Parts

NOT_YET = N_("The cards haven't been dealt yet: the host still has to press Start.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReplies:
    """Builds replies with private hands."""

    delivery: TableDelivery
    localization: Localization
    preferences: PreferenceCache

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the replies of a running bot."""
        return cls(delivery=parts.delivery, localization=parts.localization, preferences=parts.preferences)

    def show_screen(self, visit: Visit, table: Table, view: PrivateScreen) -> Reply:
        """Return a screen that replaces the player's open hand for a while.

        A viewer without a hand gets the screen as a message of its own.
        """
        return self.show_tab(visit, table, view, tab=PanelTab.OTHER_SCREEN)

    def show_tab(self, visit: Visit, table: Table, view: PrivateScreen, *, tab: PanelTab) -> Reply:
        """Return a screen that replaces the player's open hand.

        tab: the kind of screen, by which the open hand is redrawn later.
        """
        scene = table.scene(visit.user)
        if not scene.dealt:
            return Reply(view=view)
        return Reply(view=view, at=visit.own, landed=partial(self.delivery.opened, table, scene, tab=tab))

    async def hand(
        self,
        visit: Visit,
        table: Table,
        *,
        notice: str | None = None,
        at: PrivateMessage | None = None,
        chosen: Cards | None = None,
        sure: bool = False,
        then: HintDegree = HintDegree.KIND,
    ) -> Reply:
        """Return the private hand of the user.

        Raises Refused for a user without a hand, unless an open hand is redrawn: the screen then says so.
        at: the message to edit. chosen: the picked cards, by default the player's current picks. sure: whether the
        screen asks for confirmation. then: the next degree of a hint.
        """
        await self._note_colours_read(visit)
        scene = table.scene(visit.user)
        if at is None:
            _require_hand(scene)
        view = hand_screen(
            scene,
            visit.w,
            where=self.localization.server_name(scene.where.guild),
            preferences=visit.preferences,
            chosen=self.delivery.picks.of(scene, visit.interaction.message) if chosen is None else chosen,
            tapped=self.delivery.picks.tapped(scene),
            notice=notice,
            sure=sure,
            then=then,
            desk=at is not None and self.delivery.desks.clicked(visit.interaction.message),
        )
        if scene.seat is None:
            return Reply(view=view, at=at)
        self.delivery.sees(scene)
        return Reply(view=view, at=at, landed=partial(self.delivery.opened, table, scene))

    async def _note_colours_read(self, visit: Visit) -> None:
        """Note that the user has read of the four colours of suits.

        They clicked a screen that says so.
        """
        message = visit.interaction.message
        if visit.preferences.suit_colours == "untold" and message and has_button(message, Verb.FOUR_COLOURS):
            await self.preferences.change(visit.user, suit_colours="")
            visit.preferences = await self.preferences.of(visit.user)


def confirm_unless_visible(visit: Visit, table: Table, text: str) -> Reply:
    """Return the reply to an action that every viewer of the table's channel sees.

    The reply is empty if the user is in that channel, else it is a text.
    """
    return DONE if visit.channel == table.row.home else Reply(text=text)


def _require_hand(scene: Scene) -> None:
    """Raise Refused if the viewer has no hand to show."""
    if scene.seat is None and not given_away(scene):
        raise Outside("You're not at this table. Press ⋯ under it to watch.")
    if scene.view is None:
        raise Refused(NOT_YET if scene.stage == "lobby" else "This table is closed.")
