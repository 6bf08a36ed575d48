"""The buttons of a lobby: joining, agreeing, house players, starting, closing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discord.ext import commands

from bot.client import Bigger
from bot.domain.chairs import Level
from bot.domain.ids import TableId
from bot.domain.refusals import Unseen
from bot.interactions.answers import DONE, QUIETLY, REACH_FIRST, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members.preferences import PreferenceCache
from bot.show.kit.custom_ids import Press, Verb
from bot.show.lobby.menu import closed, closing, remove, seated
from bot.show.table.rule_card import terms, whole
from bot.store.store import Store
from bot.table.core.chairs import people, seat_of
from bot.table.core.commands import AddHousePlayer, Agree, ChangeLevel, CloseLobby, RemovePlayer
from bot.table.core.lobby import check_closing, check_host, check_joinable, check_lobby, check_start
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.lobby.lobby_seats import LobbySeats, TableStart, show_terms
from cogs.lobby.opening import TableOpening
from cogs.lobby.rematch_chain import RematchChain, former_key
from cogs.lobby.rematches import RematchesCog
from cogs.lobby.seat_queue import SeatQueueCog
from cogs.play.actions import REPLY_WAIT
from cogs.server.moderation import TableMenus


@dataclass(kw_only=True, eq=False, repr=False)
class LobbyCog(commands.Cog):
    """Answers clicks between the opening of a table and the first card."""

    menus: TableMenus
    seats: LobbySeats
    starting: TableStart
    hands: HandReplies
    store: Store
    dispatcher: Dispatcher
    preferences: PreferenceCache

    def __post_init__(self) -> None:
        for verb, work in (
            (Verb.ADD, self.add),
            (Verb.AGREE, self.agree),
            (Verb.START, self.start),
            (Verb.CLOSE_NOW, self.close),
        ):
            self.dispatcher.register(Press, verb, Handler(work, QUIETLY))
        for verb, work in ((Verb.JOIN, self.join), (Verb.PLAY_NOW, self.play_now)):
            self.dispatcher.register(Press, verb, Handler(work, REACH_FIRST))  # an unreachable user gets no seat
        self.dispatcher.register(Press, Verb.CANCEL, Handler(self.ask_or_close))
        self.dispatcher.register(Press, Verb.TERMS, Handler(self.show_terms))
        self.dispatcher.register(Press, Verb.REMOVE, Handler(self.ask_whom))
        self.dispatcher.register(Press, Verb.SEATS, Handler(self.remove, QUIETLY))
        self.dispatcher.register(Press, Verb.LEVEL, Handler(self.choose_level, QUIETLY))

    async def join(self, click: Visit) -> Reply:
        """Give the user a seat.

        The handler acknowledges the click first, so an unreachable user gets no seat.
        """
        table = click.table
        if table.stage == "lobby" and (seat := seat_of(table.row.chairs, click.user)) is not None:
            return await self._own_seat(click, table, seat)
        if click.button.at is None:  # an invitation does not show the terms
            await table.check(check_joinable, click.user)
            return show_terms(click, table, at=click.own)
        if _omits_terms(click, table):
            return show_terms(click, table)
        return await self.seats.join(click, table, click.button.at)

    async def _own_seat(self, click: Visit, table: Table, seat: int) -> Reply:
        """Show a seated player the terms that need agreement, else the menu of the lobby."""
        scene = table.scene(click.user)
        if seat in scene.wait.awaited:
            return Reply(view=terms(scene, click.w), at=click.own)
        return await self.menus.show(click, table)

    async def show_terms(self, click: Visit) -> Reply:
        """Show the terms of a lobby."""
        await click.table.check(check_lobby)
        return show_terms(click, click.table)

    async def agree(self, click: Visit) -> Reply:
        """Record the player's agreement to the terms on the clicked screen."""
        table = click.table
        if _omits_terms(click, table) and seat_of(table.row.chairs, click.user) is not None:
            return show_terms(click, table)
        try:
            await table.do(Agree(click.user, click.button.at or 0))
        except Unseen as unseen:
            return show_terms(click, table, unseen, at=click.own)
        return show_terms(click, table, at=click.own) if click.own else DONE

    async def add(self, click: Visit) -> Reply:
        """Seat a house player."""
        await click.table.do(AddHousePlayer(click.user, click.preferences.level))
        return await self.menus.show(click, click.table) if click.own else DONE

    async def choose_level(self, click: Visit) -> Reply:
        """Set the level of the house players at this table and at the host's next ones."""
        await click.table.check(check_host, click.user)
        level = Level(click.chosen_from(click.table.scene(click.user).terms.levels))
        await click.table.do(ChangeLevel(click.user, level))
        await self.preferences.change(click.user, level=level)
        click.preferences = replace(click.preferences, level=level)
        return await self.menus.show(click, click.table)

    async def ask_or_close(self, click: Visit) -> Reply:
        """Close the lobby; ask for confirmation if other players have seats."""
        return replace(await ask_or_close(click, click.table), at=click.own)

    async def close(self, click: Visit) -> Reply:
        """Close the lobby after confirmation."""
        return replace(await _close(click, click.table), at=click.own)

    async def ask_whom(self, click: Visit) -> Reply:
        """Ask the host which players to remove."""
        await click.table.check(check_closing, click.user)
        return Reply(view=remove(click.table.scene(click.user), click.w), at=click.own)

    async def remove(self, click: Visit) -> Reply:
        """Remove the chosen players."""
        table = click.table
        for seat, name in click.all(lambda values: [seated(value) for value in values]):
            await table.do(RemovePlayer(click.user, seat, name))
        return Reply(view=remove(table.scene(click.user), click.w), at=click.own)

    async def start(self, click: Visit) -> Reply:
        """Start the match, in its own thread if the bot may open one, and show the host's hand."""
        return await self._start(click)

    async def play_now(self, click: Visit) -> Reply:
        """Fill the free seats with house players, start, and show the host's hand."""
        return await self._start(click, filling=True)

    async def _start(self, click: Visit, *, filling: bool = False) -> Reply:
        """Start the match and show the host's hand, or show the terms that need agreement."""
        table = click.table
        try:
            await self._deal(click, table, filling=filling)
        except Unseen as unseen:
            return show_terms(click, table, unseen)
        await table.wait_until_idle(REPLY_WAIT)
        return await self.hands.hand(click, table)

    async def _deal(self, click: Visit, table: Table, *, filling: bool) -> None:
        """Start the match, unless the last Join has started a rematch.

        Simultaneous clicks start a table once.
        """
        edition, waiting = click.button.at or 0, table.row.phase == "lobby"
        await self._let_join(click, table)
        if waiting and table.row.phase == "playing":
            return  # a rematch, which has begun with the last Join
        await table.check(check_start, click.user, edition, filling=filling)
        await self.starting.start(click, table, click.user, edition, filling=filling)

    async def _let_join(self, click: Visit, table: Table) -> None:
        """Wait until every player is seated whose Join click this process received earlier."""
        known = await self.store.notes.recall(former_key(table.id))
        joins = {(Verb.JOIN, table.id)} | ({(Verb.REMATCH, TableId(int(known)))} if known else set())

        def is_join(other: Visit) -> bool:
            return isinstance(other.address, Press) and (other.address.verb, other.address.table) in joins

        await self.dispatcher.wait_for_earlier_visits(click, is_join)


async def ask_or_close(visit: Visit, table: Table) -> Reply:
    """Close a lobby for its host; ask for confirmation if other players have seats."""
    await table.check(check_closing, visit.user)
    if set(people(table.row.chairs)) > {visit.user}:
        return Reply(view=closing(table.scene(visit.user), visit.w))
    return await _close(visit, table)


async def _close(visit: Visit, table: Table) -> Reply:
    await table.do(CloseLobby(visit.user))
    return Reply(view=closed(visit.w))


def _omits_terms(click: Visit, table: Table) -> bool:
    """Tell whether the clicked board omits some of the changed rules."""
    return click.own is None and table.stage == "lobby" and not whole(table.scene(None))


def _seats(parts: Parts, *, starting: TableStart, opening: TableOpening, chain: RematchChain) -> LobbySeats:
    """Return the seats of lobbies, which the lines for seats ask as well."""
    seats = LobbySeats(
        seat_replies=opening.seat_replies,
        starting=starting,
        hands=HandReplies.of(parts),
        store=parts.store,
        chain=chain,
        delivery=parts.delivery,
        presence=parts.presence,
        now=parts.now,
    )
    parts.delivery.seat_queue.expected = seats.expected
    parts.delivery.seat_queue.on_ended = seats.start_after_line
    return seats


async def setup(bot: Bigger) -> None:
    """Add the cogs, which share the seats and the start of tables."""
    parts, opening, chain = bot.parts, TableOpening.of(bot.parts), RematchChain.of(bot.parts)
    starting = TableStart(client=bot, admission=parts.admission, preferences=parts.preferences, delivery=parts.delivery)
    seats = _seats(parts, starting=starting, opening=opening, chain=chain)
    await bot.add_cog(
        LobbyCog(
            menus=TableMenus.of(parts),
            seats=seats,
            starting=starting,
            hands=HandReplies.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            preferences=parts.preferences,
        )
    )
    await bot.add_cog(SeatQueueCog.of(parts, seats, chain))
    await bot.add_cog(RematchesCog.of(parts, opening, seats, chain))
