"""Open private hands: whose ephemeral hand is on whose screen, and for how long it can still be edited.

A person has one at a table: a new one takes the place of the one before. Kept in memory only: after a restart a hand is
simply opened again with the board's button.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from bot.domain.ids import TableId, UserId
from bot.interactions.private_replies import PrivateMessage, in_text
from bot.runtime.discord_failures import MAX_WAIT, UNREACHED
from bot.runtime.message_attempts import Delivery
from bot.scene import Scene
from bot.show.hand.panel import Tab, still
from bot.show.kit.layout import PrivateScreen

log = logging.getLogger(__name__)

EDITABLE, LIVES = timedelta(minutes=14), timedelta(minutes=15)  # for which a hand is kept up, and Discord's token good
APART = timedelta(seconds=2)  # of two edits of a hand while nothing is asked of whoever holds it


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A private hand on a screen.

    at: of the last click on it. shown: the table as it shows it. drawn: since when. tab: what it shows.
    """

    message: PrivateMessage
    at: datetime
    shown: Scene
    drawn: datetime
    tab: Tab = Tab.HAND


class OpenHands:
    """The open hand of each person at each table."""

    def __init__(self, now: Callable[[], datetime], delivery: Delivery) -> None:
        self._now = now
        self._delivery = delivery
        self._open: dict[TableId, dict[UserId | None, OpenHand]] = {}
        self._tables: dict[UserId | None, set[TableId]] = {}  # at which somebody has a hand open

    def opened(self, scene: Scene, message: PrivateMessage, tab: Tab = Tab.HAND) -> list[PrivateMessage]:
        """Remember that the hand of the scene's viewer stands there, and that they have just clicked for it.

        tab: what is shown of it, or in its place.
        Returned is where the hands stand that it takes the place of: the one they had at this table, and those in the
        same channel of matches that are over.
        """
        known = self._open.get(scene.where.table, {}).get(scene.viewer)
        if known and known.message.id == message.id and message.is_older_than(known.message):
            return []  # its owner has clicked there before we heard that it had got there
        former = [hand for hand in self._of(scene.viewer) if _replaced(hand, scene, message)]
        for hand in former:
            if hand.shown.where.table != scene.where.table:
                self.lost(hand.shown)
        now = self._now()
        self._put(OpenHand(message, now, scene, now, tab))
        return [hand.message for hand in former if hand.message.id != message.id]

    def left(self, user: UserId, message: int) -> None:
        """Note that something else stands in this message, which follows no table."""
        for hand in self._of(user):
            if hand.message.id == message:
                self.lost(hand.shown)

    def _of(self, user: UserId | None) -> list[OpenHand]:
        """Return the hands of a person that Discord lets us edit or delete."""
        since = self._now() - LIVES
        return [hand for table in self._tables.get(user, ()) if (hand := self._open[table][user]).at > since]

    def in_message(self, message: int) -> PrivateMessage | None:
        """Return the message with this number, if a hand stands there or what was opened in its place."""
        since = self._now() - LIVES
        there = (hand.message for hands in self._open.values() for hand in hands.values() if hand.at > since)
        return next((each for each in there if each.id == message), None)

    def touched(self, user: UserId, message: PrivateMessage) -> None:
        """Note that a person has just clicked on a message: if it is their hand, it can be changed for longer."""
        for hand in self._of(user):
            if hand.message.id == message.id:
                self._put(replace(hand, message=message, at=self._now()))

    def drawn(self, scene: Scene) -> None:
        """Note that the viewer is about to see this, so that their open hand need not follow by itself."""
        if (hand := self._open.get(scene.where.table, {}).get(scene.viewer)) is not None:
            self._put(replace(hand, shown=scene, drawn=self._now()))

    def editable(self, table: TableId) -> Mapping[UserId | None, OpenHand]:
        """Return the open hands at a table that Discord still lets us edit, by whose they are."""
        since = self._now() - EDITABLE
        there = self._open.get(table, {}).items()
        return {user: hand for user, hand in there if hand.at > since and hand.tab is not Tab.BEFORE}

    @property
    def next_nap(self) -> datetime | None:
        """When the next hand has not been touched for so long that it falls asleep."""
        return min((hand.at + EDITABLE for hand in self.awake()), default=None)

    def tired(self) -> list[OpenHand]:
        """Return the hands that fall asleep now; forget those that can be edited no more."""
        since = self._now() - LIVES
        self._keep(lambda _, hand: hand.at > since)
        return [hand for hand in self.awake() if hand.at + EDITABLE <= self._now()]

    def awake(self) -> list[OpenHand]:
        """Return the hands that follow a game."""
        known = (hand for hands in self._open.values() for hand in hands.values())
        return [hand for hand in known if hand.shown.open and hand.tab not in (Tab.ASLEEP, Tab.BEFORE)]

    async def rest(self, hand: OpenHand, screen: PrivateScreen) -> None:
        """Let a hand sleep from now on."""
        await self._change(replace(hand, tab=Tab.ASLEEP), screen)

    def outdated(self, scene: Scene) -> OpenHand | None:
        """Return the open hand of the scene's viewer if it does not show the scene.

        What stands in its place and no play changes stays to the end of the match, and a menu till its owner is
        concerned; but nothing stays with whoever has no seat any more.
        """
        hand = self._open.get(scene.where.table, {}).get(scene.viewer)
        if hand is None or hand.shown is scene or hand.at <= self._now() - EDITABLE:
            return None
        if hand.shown.seat != scene.seat:
            return hand
        if hand.tab is Tab.ASIDE and scene.open:
            return None
        if hand.shown.moment == scene.moment:
            return hand if _concerned(hand.shown, scene) else None
        return hand if hand.tab is Tab.HAND or _at_once(hand.shown, scene) else None

    def patience(self, hand: OpenHand, scene: Scene) -> float:
        """Return how many seconds an outdated hand has still to wait before it shows the scene.

        None at all where that concerns its owner.
        """
        if _at_once(hand.shown, scene):
            return 0.0
        return max((hand.drawn + APART - self._now()).total_seconds(), 0.0)

    async def refresh(self, hand: OpenHand, scene: Scene, screen: PrivateScreen) -> None:
        """Bring an open hand up to date."""
        await self._change(replace(hand, shown=scene, drawn=self._now(), tab=still(hand.tab, scene)), screen)

    async def _change(self, hand: OpenHand, screen: PrivateScreen) -> None:
        """Let this stand on an open hand; a closed or expired one is forgotten."""
        scene = hand.shown
        self._put(hand)
        try:
            async with asyncio.timeout(MAX_WAIT):  # of webhooks discord.py sleeps through limits of any length
                await self._delivery.deliver(scene.viewer, screen, hand.message.edit, partial(in_text, screen))
        except UNREACHED as error:
            log.info("A private hand at table %s is gone: %s", scene.where.table, error)
            now = self._open.get(scene.where.table, {}).get(scene.viewer)
            if now is not None and now.message is hand.message:
                self.lost(scene)

    def lost(self, scene: Scene) -> None:
        """Forget the viewer's hand: it has gone, or what it shows is not known."""
        if self._open.get(scene.where.table, {}).pop(scene.viewer, None):
            self._tables[scene.viewer].discard(scene.where.table)

    def forget(self, user: UserId) -> None:
        """Forget the hands of a person."""
        self._keep(lambda whose, _: whose != user)

    def _put(self, hand: OpenHand) -> None:
        table, viewer = hand.shown.where.table, hand.shown.viewer
        self._open.setdefault(table, {})[viewer] = hand
        self._tables.setdefault(viewer, set()).add(table)

    def _keep(self, wanted: Callable[[UserId | None, OpenHand], bool]) -> None:
        """Keep the hands that are wanted; of a table and of a person without any nothing is left."""
        known = [(user, hand) for hands in self._open.values() for user, hand in hands.items()]
        self._open, self._tables = {}, {}
        for user, hand in known:
            if wanted(user, hand):
                self._put(hand)


def _replaced(hand: OpenHand, scene: Scene, message: PrivateMessage) -> bool:
    """Tell whether another hand of the same person is of no use beside the one that shows this scene there."""
    ended = not hand.shown.open and hand.shown.where.home == scene.where.home
    return hand.shown.where.table == scene.where.table or hand.message.id == message.id or ended


def _concerned(shown: Scene, scene: Scene) -> bool:
    """Tell whether something else than a play has happened that a hand has to show.

    Seats have changed hands, what the viewer holds, is asked or was told is another, the table was paused, goes on
    again or has ended, or there is another time for the same move.
    """
    return any(of(shown) != of(scene) for of in (_own, _sitting, _halted)) or _timed_anew(shown, scene)


def _at_once(shown: Scene, scene: Scene) -> bool:
    """Tell whether a hand has to show this without delay: it is more than a play of somebody else."""
    another = scene.stage != "playing" or scene.tally.deal != shown.tally.deal
    return another or _asked(scene) or _concerned(shown, scene)


def _asked(scene: Scene) -> bool:
    """Tell whether the viewer has to act, or could out of turn."""
    return (
        scene.wait.ticking
        or scene.seat in scene.wait.awaited
        or bool(scene.view and scene.view.ask and scene.view.plays)
    )


def _own(scene: Scene) -> tuple[object, ...]:
    """Return what concerns the viewer alone."""
    view = scene.view
    return (view.hand, view.ask, view.told, scene.orders) if view else ()


def _halted(scene: Scene) -> tuple[object, ...]:
    """Return what keeps everybody from playing, without a play."""
    return scene.wait.paused, scene.wait.asleep, not scene.open


def _timed_anew(shown: Scene, scene: Scene) -> bool:
    """Tell whether the same move has another time: somebody was given more, or the table has another pace."""
    return shown.moment == scene.moment and shown.wait.deadline != scene.wait.deadline


def _sitting(scene: Scene) -> tuple[object, ...]:
    """Return who sits where and acts for whom; who has been late is no matter, and to have answered may be a secret."""
    return tuple((chair.user, chair.house, chair.vote) for chair in scene.chairs)
