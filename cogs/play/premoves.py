"""Premoves: setting and withdrawing them by the buttons and menus of a private hand.

The click is acknowledged before the premove is saved: if Discord reports a failed click, no premove exists.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.refusals import Refused, TooLate
from bot.interactions.answers import QUIETLY_FIRST, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler
from bot.rules.core.premoves import TRICK_KINDS, PremoveContext, PremoveKind
from bot.show.hand.premoves import (
    KINDS,
    LIMIT_OPTION,
    OR_ELSE_OPTION,
    WAYS,
    PremoveOption,
    can_queue,
    limited,
    plays_of,
    queued_call,
    queued_plays,
    read,
    state,
)
from bot.show.kit.custom_ids import Press, Verb
from bot.table.core.commands import SavePremove, WithdrawPremoves
from bot.table.core.play import NOT_NOW
from cogs.play.actions import PlayerActions, PlayerClick

IN_PLACE: Mapping[str, PremoveKind] = {OR_ELSE_OPTION: "list", LIMIT_OPTION: "if"}  # changes to an existing premove


@dataclass(kw_only=True, eq=False, repr=False)
class PremovesCog(commands.Cog):
    """The buttons and menus of premoves."""

    actions: PlayerActions
    dispatcher: Dispatcher
    delivery: TableDelivery

    def __post_init__(self) -> None:
        for verb, work in (
            (Verb.PASS_ON, self.toggle_auto_pass),
            (Verb.QUEUE_PREMOVE, self.set_premove),
            (Verb.PREMOVE_MENU, self.choose),
            (Verb.WITHDRAW_PREMOVE, self.withdraw),
        ):
            self.dispatcher.register(
                Press,
                verb,
                Handler(self.actions.on_click(_with_late_reply(work)), QUIETLY_FIRST, (self.actions.hand_guard(),)),
            )

    async def toggle_auto_pass(self, click: PlayerClick) -> Reply:
        """Set or withdraw the premove to pass until the player can play."""
        table, user = click.visit.table, click.visit.user
        made_for = _made_for(click)
        if click.visit.button.part:
            await table.do(WithdrawPremoves(user, ("on",), made_for))
        else:
            await table.do(SavePremove(user, kind="on", made_for=made_for))
        return await click.redraw()

    async def set_premove(self, click: PlayerClick) -> Reply:
        """Set the premove of a button for the picked cards."""
        place, made_for = click.visit.button.part, _made_for(click)
        if made_for.trick is None:
            raise TooLate
        return await self._order_play(click, KINDS[place] if place < len(KINDS) else "", made_for)

    async def choose(self, click: PlayerClick) -> Reply:
        """Set the premove chosen in a menu."""
        chosen, view = click.visit.one(read), click.scene.view
        if chosen.number is None or view is None or not can_queue(click.scene):
            raise TooLate
        made_for = state(chosen.kind, click.scene.tally.deal, chosen.number)
        if chosen.kind not in ("call", "upto", "say"):
            return await self._order_play(click, chosen.kind, made_for)
        await self._order_bid(click, chosen, made_for)
        return await click.redraw()

    async def withdraw(self, click: PlayerClick) -> Reply:
        """Withdraw the premove of a chip."""
        place, made_for = click.visit.button.part, _made_for(click)
        kinds = KINDS[place : place + 1]
        if made_for.trick is None and TRICK_KINDS.intersection(kinds):
            raise TooLate
        await click.visit.table.do(WithdrawPremoves(click.visit.user, kinds, made_for=made_for))
        return await click.redraw()

    async def _order_bid(self, click: PlayerClick, chosen: PremoveOption, made_for: PremoveContext) -> None:
        """Save a premove for the bidding. Raises Refused."""
        table, user = click.visit.table, click.visit.user
        if chosen.kind == "say":
            await table.do(SavePremove(user, kind="say", code=chosen.code, made_for=made_for))
            return
        plays = queued_call(click.scene) if chosen.kind == "upto" else (chosen.card,) if chosen.card else ()
        if chosen.kind == "upto" and not plays:
            raise TooLate  # the called card has changed
        await table.do(
            SavePremove(user, kind="call", plays=plays, upto=chosen.upto or made_for.stake or 1, made_for=made_for)
        )

    async def _order_play(self, click: PlayerClick, way: str, made_for: PremoveContext) -> Reply:
        """Save a premove for the trick, and clear the picks that it uses. Raises Refused."""
        scene, picked_cards = click.scene, click.picked_cards()
        view = scene.view
        if view is None or not made_for.holds(PremoveContext.of(scene.tally.deal, scene.moment, view)):
            raise TooLate  # a late click takes precedence over errors in the picks
        kind = IN_PLACE.get(way) or next((kind for kind, _ in WAYS if kind == way), None)
        plays = plays_of(kind, view, picked_cards) if kind else None
        if way == OR_ELSE_OPTION and plays:
            plays = (*queued_plays(scene), *plays)
        elif way == LIMIT_OPTION:
            plays = limited(scene, picked_cards) or None
        if kind is None or plays is None:
            raise Refused(NOT_NOW)
        await click.visit.table.do(SavePremove(click.visit.user, kind=kind, plays=plays, made_for=made_for))
        if plays:
            self.delivery.picks.forget(click.visit.table.id, click.visit.user)
        return await click.redraw(chosen=() if plays else None)


def _made_for(click: PlayerClick) -> PremoveContext:
    """Return the state of the hand that a button was made for."""
    button = click.visit.button
    return PremoveContext(click.scene.tally.deal if button.at is None else button.at, button.within)


def _with_late_reply(work: Callable[[PlayerClick], Awaitable[Reply]]) -> Callable[[PlayerClick], Awaitable[Reply]]:
    """Return the same handler, with the current hand as the reply to a late click."""

    async def in_state(click: PlayerClick) -> Reply:
        try:
            return await work(click)
        except TooLate:
            return await click.too_late()

    return in_state


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        PremovesCog(actions=PlayerActions.of(parts), dispatcher=parts.dispatcher, delivery=parts.delivery)
    )
