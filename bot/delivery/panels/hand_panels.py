"""Open private hands, redrawn after changes of their table, and the desks among them."""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.delivery.boards.picks import Picks, parts
from bot.delivery.context import Audience, DeliveryContext
from bot.delivery.panels.open_hands import OpenHand, OpenHands
from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.members.preferences import PreferenceCache
from bot.scene import Scene
from bot.show.hand.desk import ONWARD
from bot.show.hand.hand import expired_panel
from bot.show.hand.panel import panel
from bot.show.kit.layout import PrivateScreen
from bot.table.environment import ShownTable

ANSWER_CHECK_DELAY = 0.25  # seconds until the next check for an answered click


class HandPanels:
    """Draws open hands. is_answering: whether a click on a private message is being answered."""

    def __init__(
        self,
        *,
        hands: OpenHands,
        picks: Picks,
        desks: Desks,
        context: DeliveryContext,
        preferences: PreferenceCache,
        audience: Audience,
        is_answering: Callable[[int], bool],
    ) -> None:
        self._hands = hands
        self._picks = picks
        self._desks = desks
        self._context = context
        self._preferences = preferences
        self._audience = audience
        self._is_answering = is_answering

    async def refresh(self, table: ShownTable, user: UserId) -> float:
        """Redraw a person's open hand, if outdated.

        Returns the seconds by which the redraw is postponed, 0 if nothing remains to redraw.
        """
        if self._hands.outdated(table.scene(user)) is None:
            return 0.0
        preferences = await self._preferences.of(user)
        scene = table.scene(user)  # the scene may have changed during the query
        if self._audience.has_lost(scene, user):
            self._hands.lost(scene)
        hand = self._hands.outdated(scene)
        if hand is None:
            return 0.0
        if self._is_answering(hand.message.id):  # the answer shows another screen there, such as one with menus
            return ANSWER_CHECK_DELAY
        if wait := self._hands.patience(hand, scene):
            return wait
        await self._hands.refresh(hand, scene, self._draw(hand, scene, preferences))
        if scene.seat is None:  # another player has the seat now
            self._hands.lost(scene)
            self._picks.forget(table.id, user)
        return 0.0

    def _draw(self, hand: OpenHand, scene: Scene, preferences: Preferences) -> PrivateScreen:
        """Return the screen of an open hand for a scene."""
        return panel(
            hand.tab,
            scene,
            self._context.words_in(hand.message.locale).with_preferences(preferences),
            where=self._context.server_name(scene.where.guild),
            preferences=preferences,
            chosen=self._picks.of(scene),
            tapped=self._picks.tapped(scene),
            desk=self._desks.known.get(hand.message.id, False),
            menus=hand.message.menus,
        )

    def draw_expired(self, hand: OpenHand) -> PrivateScreen:
        """Return the screen of an expired hand."""
        where, w = self._context.server_name(hand.shown.where.guild), self._context.words_in(hand.message.locale)
        return expired_panel(hand.shown, w, where=where, menus=hand.message.menus)


MAX_MESSAGES = 10_000  # messages in memory


class Desks:
    """The known private messages. known: whether each message is a desk."""

    def __init__(self) -> None:
        self.known: dict[int, bool] = {}

    def add(self, message: int) -> None:
        """Record that a message is a desk."""
        self._note(message, desk=True)

    def clicked(self, message: discord.Message | None) -> bool:
        """Tell whether the clicked message is a desk."""
        if message is None:
            return False
        if message.id not in self.known:
            self._note(message.id, desk=any(part.custom_id == ONWARD for part in parts(message)))
        return self.known[message.id]

    def _note(self, message: int, *, desk: bool) -> None:
        self.known[message] = desk
        if len(self.known) > MAX_MESSAGES:
            del self.known[next(iter(self.known))]
