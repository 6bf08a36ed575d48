"""Open private hands on players' screens, and the expiry of idle ones."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.domain.ids import TableId, UserId
from bot.interactions.private_replies import PrivateMessage, in_text
from bot.runtime.discord_requests import MAX_WAIT, UNREACHED, FallbackSender
from bot.scene import Scene
from bot.show.hand.panel import PanelTab, visible_tab
from bot.show.kit.layout import PrivateScreen

log = logging.getLogger(__name__)

EDITABLE, LIVES = timedelta(minutes=14), timedelta(minutes=15)  # how long hands get edits; the life of Discord's tokens
MIN_EDIT_INTERVAL = timedelta(seconds=2)  # between two edits of a hand while its player is not asked anything


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A private hand on a screen.

    at: the time of the last click. shown: the scene on the screen. drawn: the time of its drawing. tab: the part of the
    hand on the screen, or what replaces it.
    """

    message: PrivateMessage
    at: datetime
    shown: Scene
    drawn: datetime
    _: KW_ONLY
    tab: PanelTab = PanelTab.HAND


class OpenHands:
    """The open hand of each player at each table."""

    def __init__(self, now: Callable[[], datetime], sender: FallbackSender) -> None:
        self._now = now
        self._sender = sender
        self._open: dict[TableId, dict[UserId | None, OpenHand]] = {}
        self._tables: dict[UserId | None, set[TableId]] = {}  # the tables of each user's open hands

    def opened(self, scene: Scene, message: PrivateMessage, tab: PanelTab = PanelTab.HAND) -> list[PrivateMessage]:
        """Remember the viewer's hand in a message after a click; return the messages it replaces.

        tab: the part of the hand on the screen, or what replaces it. Replaced are the viewer's earlier hand at this
        table, and hands of ended matches in the same channel.
        """
        known = self._open.get(scene.where.table, {}).get(scene.viewer)
        if known and known.message.id == message.id and message.is_older_than(known.message):
            return []  # the click was handled before the response that confirmed the message
        former = [hand for hand in self._of(scene.viewer) if _replaced(hand, scene, message)]
        for hand in former:
            if hand.shown.where.table != scene.where.table:
                self.lost(hand.shown)
        now = self._now()
        self._put(OpenHand(message, now, scene, now, tab=tab))
        return [hand.message for hand in former if hand.message.id != message.id]

    def left(self, user: UserId, message: int) -> None:
        """Record that a message now shows something unrelated to a table."""
        for hand in self._of(user):
            if hand.message.id == message:
                self.lost(hand.shown)

    def _of(self, user: UserId | None) -> list[OpenHand]:
        """Return a user's hands that Discord still permits to edit or delete."""
        since = self._now() - LIVES
        return [hand for table in self._tables.get(user, ()) if (hand := self._open[table][user]).at > since]

    def in_message(self, message: int) -> PrivateMessage | None:
        """Return the message with this id, if the message shows a hand or what replaced it."""
        since = self._now() - LIVES
        there = (hand.message for hands in self._open.values() for hand in hands.values() if hand.at > since)
        return next((each for each in there if each.id == message), None)

    def touched(self, user: UserId, message: PrivateMessage) -> None:
        """Record a user's click on a message: a hand there stays editable for longer."""
        for hand in self._of(user):
            if hand.message.id == message.id:
                self._put(replace(hand, message=message, at=self._now()))

    def drawn(self, scene: Scene) -> None:
        """Record that the viewer is about to see a scene, so the open hand needs no edit."""
        if (hand := self._open.get(scene.where.table, {}).get(scene.viewer)) is not None:
            self._put(replace(hand, shown=scene, drawn=self._now()))

    def editable(self, table: TableId) -> Mapping[UserId | None, OpenHand]:
        """Return the open hands at a table that Discord still permits to edit, by user."""
        since = self._now() - EDITABLE
        there = self._open.get(table, {}).items()
        return {user: hand for user, hand in there if hand.at > since}

    @property
    def next_expiry(self) -> datetime | None:
        """The time of the next hand's expiry."""
        return min((hand.at + EDITABLE for hand in self.active()), default=None)

    def expiring(self) -> list[OpenHand]:
        """Return the hands that expire now; drop hands beyond editing."""
        since = self._now() - LIVES
        self._keep(lambda _, hand: hand.at > since)
        return [hand for hand in self.active() if hand.at + EDITABLE <= self._now()]

    def active(self) -> list[OpenHand]:
        """Return the hands that follow a running game."""
        known = (hand for hands in self._open.values() for hand in hands.values())
        return [hand for hand in known if hand.shown.open and hand.tab not in (PanelTab.EXPIRED, PanelTab.UNDEALT)]

    async def expire(self, hand: OpenHand, screen: PrivateScreen) -> None:
        """Show a hand as expired."""
        await self._change(replace(hand, tab=PanelTab.EXPIRED), screen)

    def outdated(self, scene: Scene) -> OpenHand | None:
        """Return the viewer's open hand if it needs an edit to show the scene.

        A screen that plays do not change stays until the match ends, and a menu until something concerns its player;
        but nothing stays for a player who has lost the seat. What a player of a lobby sees stays until the deal.
        """
        hand = self._open.get(scene.where.table, {}).get(scene.viewer)
        if hand is None or hand.shown is scene or hand.at <= self._now() - EDITABLE:
            return None
        if hand.tab is PanelTab.UNDEALT and scene.stage == "lobby" and scene.seat is not None:
            return None
        if hand.shown.seat != scene.seat:
            return hand
        if hand.tab is PanelTab.OTHER_SCREEN and scene.open:
            return None
        if hand.shown.moment == scene.moment:
            return hand if _concerned(hand.shown, scene) else None
        return hand if hand.tab is PanelTab.HAND or _at_once(hand.shown, scene) else None

    def patience(self, hand: OpenHand, scene: Scene) -> float:
        """Return the seconds before an outdated hand shows the scene.

        The result is 0 if the change concerns its player.
        """
        if _at_once(hand.shown, scene):
            return 0.0
        return max((hand.drawn + MIN_EDIT_INTERVAL - self._now()).total_seconds(), 0.0)

    async def refresh(self, hand: OpenHand, scene: Scene, screen: PrivateScreen) -> None:
        """Update an open hand to a scene."""
        await self._change(replace(hand, shown=scene, drawn=self._now(), tab=visible_tab(hand.tab, scene)), screen)

    async def _change(self, hand: OpenHand, screen: PrivateScreen) -> None:
        """Edit an open hand; a closed or expired hand is dropped."""
        scene = hand.shown
        self._put(hand)
        try:
            async with asyncio.timeout(MAX_WAIT):  # for webhooks discord.py sleeps through limits of any length
                await self._sender.deliver(scene.viewer, screen, hand.message.edit, partial(in_text, screen))
        except UNREACHED as error:
            log.info("A private hand at table %s is gone: %s", scene.where.table, error)
            now = self._open.get(scene.where.table, {}).get(scene.viewer)
            if now is not None and now.message is hand.message:
                self.lost(scene)

    def lost(self, scene: Scene) -> None:
        """Drop the viewer's hand: the message is gone, or its content is unknown."""
        if self._open.get(scene.where.table, {}).pop(scene.viewer, None):
            self._tables[scene.viewer].discard(scene.where.table)

    def forget(self, user: UserId) -> None:
        """Drop all hands of a user."""
        self._keep(lambda whose, _: whose != user)

    def _put(self, hand: OpenHand) -> None:
        table, viewer = hand.shown.where.table, hand.shown.viewer
        self._open.setdefault(table, {})[viewer] = hand
        self._tables.setdefault(viewer, set()).add(table)

    def _keep(self, wanted: Callable[[UserId | None, OpenHand], bool]) -> None:
        """Drop all hands except the wanted ones."""
        known = [(user, hand) for hands in self._open.values() for user, hand in hands.items()]
        self._open, self._tables = {}, {}
        for user, hand in known:
            if wanted(user, hand):
                self._put(hand)


def _replaced(hand: OpenHand, scene: Scene, message: PrivateMessage) -> bool:
    """Tell whether a user's hand is obsolete next to a new hand for this scene and message."""
    ended = not hand.shown.open and hand.shown.where.home == scene.where.home
    return hand.shown.where.table == scene.where.table or hand.message.id == message.id or ended


def _concerned(shown: Scene, scene: Scene) -> bool:
    """Tell whether a change other than a play has to appear on a hand.

    Seats have changed hands; the viewer's cards, question, messages or rating have changed; the table was paused,
    resumed or ended; or the same move has a new deadline.
    """
    return any(of(shown) != of(scene) for of in (_own, _sitting, _halted)) or _has_new_deadline(shown, scene)


def _at_once(shown: Scene, scene: Scene) -> bool:
    """Tell whether a hand has to show a change without delay: more than another player's play."""
    another = scene.stage != "playing" or scene.tally.deal != shown.tally.deal
    return another or _asked(scene) or _concerned(shown, scene)


def _asked(scene: Scene) -> bool:
    """Tell whether the viewer has to act, or may act out of turn."""
    return (
        scene.wait.ticking
        or scene.seat in scene.wait.awaited
        or bool(scene.view and scene.view.ask and scene.view.plays)
    )


def _own(scene: Scene) -> tuple[object, ...]:
    """Return the parts of a scene that concern the viewer alone."""
    view = scene.view
    change = scene.rating_changes.get(scene.seat) if scene.seat is not None else None
    return (view.hand, view.ask, view.private_notes, scene.premoves, change) if view else ()


def _halted(scene: Scene) -> tuple[object, ...]:
    """Return the parts of a scene that stop the game without a play."""
    return scene.wait.paused, scene.wait.suspended, not scene.open


def _has_new_deadline(shown: Scene, scene: Scene) -> bool:
    """Tell whether the same move has a new deadline.

    A player has got more time, or the table a new pace.
    """
    return shown.moment == scene.moment and shown.wait.deadline != scene.wait.deadline


def _sitting(scene: Scene) -> tuple[object, ...]:
    """Return the players, the substitutes and their votes at the seats.

    Timeouts are left out, and answers too, since they may be secret.
    """
    return tuple((chair.user, chair.house, chair.vote) for chair in scene.chairs)


class PanelExpiry:
    """Marks idle panels as expired.

    draw_expired: draws an expired panel. run_in_background: runs a coroutine in the background.
    """

    def __init__(
        self,
        hands: OpenHands,
        now: Callable[[], datetime],
        draw_expired: Callable[[OpenHand], PrivateScreen],
        run_in_background: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._hands = hands
        self._now = now
        self._draw_expired = draw_expired
        self._run_in_background = run_in_background
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Start the timer for the next expiry, unless it runs.

        A newly clicked panel expires after all others.
        """
        if self._timer is None and (at := self._hands.next_expiry) is not None:
            delay = max((at - self._now()).total_seconds(), 0.0)
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    async def expire_all_except(self, spared: Callable[[OpenHand], bool]) -> None:
        """Mark all panels except the spared ones as expired, at the end of a run.

        The next run will know none of the panels.
        """
        expiring = (hand for hand in self._hands.active() if not spared(hand))
        await asyncio.gather(*(self._hands.expire(hand, self._draw_expired(hand)) for hand in expiring))

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer:
            self._timer.cancel()

    def _ring(self) -> None:
        self._timer = None
        self._run_in_background(self._expire_due())

    async def _expire_due(self) -> None:
        for hand in self._hands.expiring():
            await self._hands.expire(hand, self._draw_expired(hand))
        self.watch()
