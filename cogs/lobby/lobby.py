"""Opening a table, coming and going before the start, starting."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.saved_rules import starting_rules
from bot.domain.effects import Announcement, LobbyOpening, Pending, WaitingCall, pending
from bot.domain.ids import ChannelId, TableId, UserId
from bot.domain.level import Level
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import Refused, Unseen
from bot.interactions.answers import QUIETLY, REACH_FIRST
from bot.interactions.autocompletion import choice, matching, offering
from bot.interactions.command_contexts import on_server
from bot.interactions.flood_limits import OPENINGS
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.replies import DONE, Reply
from bot.interactions.visit import Handler, Visit
from bot.members import posting_permissions
from bot.members.admission import NO_TABLE_HERE
from bot.members.venues import asker
from bot.rules.core.sentences import Illegal
from bot.runtime.single_flight import SingleFlight
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.phrases import table as table_name
from bot.show.kit.words import mention
from bot.show.lobby.invitations import opened
from bot.show.lobby.menu import closed, closing, lobby_menu, remove, seated
from bot.show.table import paces
from bot.show.table.lobby import unrated
from bot.show.table.rule_card import whole
from bot.show.table.terms import terms
from bot.show.typed.games import fitting, meant, offered
from bot.store.errors import StoreError
from bot.table.core.chairs import Chairs, own_house_players, own_seat, people, seat_of, without_agreement
from bot.table.core.commands import AddHousePlayer, Agree, ChangeLevel, CloseLobby, FillSeats, Join, RemovePlayer, Start
from bot.table.core.duplicate import check_nobody_twice
from bot.table.core.lobby import check_closing, check_host, check_lobby, check_start
from bot.table.core.server_limits import NO_STAKES
from bot.table.registry import Host, TableRequest, with_wishes
from bot.table.table import Table
from cogs.common.table_lookup import Interaction, beside, hand_reply
from cogs.lobby.newcomers import or_lesson
from cogs.people.working_hours import ask_once
from cogs.play.actions import PATIENCE
from cogs.rulebook.house_rules import rules_of

NO_PACE = N_(
    "I do not know the time {pace}. Choose one that is offered, or write it like these: relaxed 8h, daily 4d+12h."
)
NO_GAME = N_("There is no game called {game}. Those there are are offered while you type.")
ONLY_ONE_LENGTH = N_("Choose either a number of hands or a target score, not both.")
ONLY_ONE_RULES = N_("Choose either a preset or a rule code, not both.")
OPENED = N_("{table} is open in {channel}.")
SEATED = N_("You sit at {table}. When the cards are dealt, the button My hand shows them to you alone.")
BLIND = N_("{names} cannot see this channel any more and got up. Fill the free seats, then press Start again.")
NOT_APART = N_("Discord did not let me open a private thread just now, so nothing has begun. Press Start once more.")
REMATCH = N_("{name} wants a rematch: join in {channel}.")
ELSEWHERE = N_("The rematch has begun: {table} is played in {channel}.")
AGAIN, FORMER = "rematch of table {}", "table before {}"  # what the store remembers of a rematch


async def _games(bot: Bigger, visit: Visit) -> list[Choice[str]]:
    """Find the games that are played here, the last one first, each with a line that helps to choose."""
    server, where = bot.servers.known(visit.guild), asker(visit.interaction).channel
    last = None if where is None else await bot.store.house_rules.last_played(where)
    games = [game for game in fitting(visit.typed) if server.offers(game.name)]
    games.sort(key=lambda game: last is None or game.name != last.game)
    return [choice(offered(game, visit.w), game.name) for game in games]


async def _presets(bot: Bigger, visit: Visit) -> list[Choice[str]]:
    """Find house rules and presets of the games that are played here."""
    return await rules_of(bot, visit, bot.servers.known(visit.guild).offers)


async def _paces(bot: Bigger, visit: Visit) -> list[Choice[str]]:
    """Find how fast a table can be here; with times that are typed there, that first."""
    allowed, typed = bot.servers.known(visit.guild).paces(), paces.meant(visit.typed)
    known = [pace for pace in paces.PRESETS if pace.kind in allowed]
    own = [typed] if typed and typed.kind in allowed and typed not in known else []
    offered = [choice(paces.name(pace, visit.w.bare()), str(pace)) for pace in known]
    return [choice(paces.name(pace, visit.w.bare()), str(pace)) for pace in own] + matching(visit.typed, offered)


def _pace(typed: str) -> Pace:
    """Return the pace that was chosen, or typed so that it is clear. Raises Refused."""
    if (pace := paces.meant(typed)) is None:
        raise Refused(NO_PACE, pace=typed)
    return pace


def _chosen(typed: str | None) -> str | None:
    """Return the key of the game that was chosen, or typed so that it is clear. Raises Refused."""
    if typed is None or not typed.strip():
        return None
    games = meant(typed)
    if len(games) != 1:
        raise Refused(NO_GAME, game=typed)
    return games[0].name


class Lobby(commands.Cog):
    """From the wish to play until the first card."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        self._rematches = SingleFlight[Table]("rematch after table")
        self._starts = SingleFlight[ChannelId | None]("start of table")
        for verb, work in (
            (Verb.ADD, self.add),
            (Verb.AGREE, self.agree),
            (Verb.START, self.start),
            (Verb.CLOSE_NOW, self.close),
        ):
            bot.handle(Press, verb, Handler(work, QUIETLY))
        for verb, work in ((Verb.JOIN, self.join), (Verb.REMATCH, self.rematch), (Verb.PLAY_NOW, self.play_now)):
            bot.handle(Press, verb, Handler(work, REACH_FIRST))  # whoever cannot be reached gets no seat
        bot.handle(Press, Verb.CANCEL, Handler(self.ask_or_close))
        bot.handle(Press, Verb.TERMS, Handler(self.show_terms))
        bot.handle(Press, Verb.REMOVE, Handler(self.ask_whom))
        bot.handle(Press, Verb.SEATS, Handler(self.remove, QUIETLY))
        bot.handle(Press, Verb.LEVEL, Handler(self.choose_level, QUIETLY))
        bot.performers.on(LobbyOpening, self._look_for_waiting)
        bot.performers.on(WaitingCall, self._call_waiting)

    @app_commands.command(name="deal", description=locale_str("Open a table for a card game in this channel"))
    @on_server
    @app_commands.describe(
        game=locale_str("Which game"),
        preset=locale_str("Which version of its rules, or whose house rules"),
        rules=locale_str("Or: a rule code that somebody has passed on, such as B2:hk+stake=5"),
        seats=locale_str("How many players"),
        hands=locale_str("How many hands the match has"),
        target=locale_str("Or: the score that ends the match"),
        pace=locale_str("How much time there is for a move"),
        stake=locale_str("Units for a point; nobody pays here, it is a notebook. 0 for none"),
    )
    @app_commands.autocomplete(game=offering(_games), preset=offering(_presets), pace=offering(_paces))
    async def deal(
        self,
        interaction: Interaction,
        game: str | None = None,
        preset: str | None = None,
        rules: str | None = None,
        seats: app_commands.Range[int, 2, 9] | None = None,
        hands: app_commands.Range[int, 1, 100] | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
        pace: str | None = None,
        stake: app_commands.Range[int, 0, 1000] | None = None,
    ) -> None:
        """Open a lobby here, by the rules that are asked for, or else by those of the channel."""

        async def work(visit: Visit) -> Reply:
            if hands and target:
                raise Refused(ONLY_ONE_LENGTH)
            if preset and rules:
                raise Refused(ONLY_ONE_RULES)
            begun = await starting_rules(self.bot.store.house_rules, asker(interaction), preset or rules, _chosen(game))
            wishes = {"seats": seats, "hands": hands, "target": target, "stake": stake}
            server = self.bot.servers.known(visit.guild)
            if stake and not server.stakes:
                raise Refused(NO_STAKES)
            wished = _pace(pace) if pace else server.usual_pace()
            return await self.open(visit, TableRequest(with_wishes(begun.rules, wishes), wished))

        await self.bot.reply(interaction, work, REACH_FIRST)

    async def open(self, visit: Visit, wish: TableRequest) -> Reply:
        """Open a lobby where somebody asks for one. Raises Refused where there can be none."""
        interaction = visit.interaction
        self.bot.venue.check(interaction)
        await posting_permissions.check(interaction)
        table = await self._open(_host(visit), wish)
        return await self._opened(visit, table)

    async def open_alike(self, visit: Visit, number: int) -> Reply:
        """Open a further table with the same deals, where the others are. Raises Refused."""
        guild, wish = visit.interaction.guild, await self.bot.duplicates.request_table(number, visit.user, visit.guild)
        assert wish.duplicate is not None
        where = wish.duplicate.channel
        self.bot.venue.check(visit.interaction, where)
        await posting_permissions.check_elsewhere(guild, where)
        posting_permissions.check_private(guild.get_channel(where) if guild else None)
        return await self._opened(visit, await self._open(_host(visit, where), wish))

    async def _open(self, host: Host, wish: TableRequest, company: Chairs = ()) -> Table:
        """Open a lobby that counts among those of its host. Raises Refused where it is too many, or there is none."""
        async with self.bot.store.limits.using(OPENINGS, host.user):
            return await self.bot.tables.open(host, wish, company)

    async def _opened(self, visit: Visit, table: Table) -> Reply:
        """Show the new lobby, tell whoever does not see it where it is, and call whoever waits for one there."""
        self.bot.telling.changed(table)
        w, scene = visit.w, table.scene(None)
        said = w(OPENED, table=table_name(scene, w), channel=mention(scene.where.home))
        return await self._sat_down(visit, table, said)

    async def _look_for_waiting(self, effect: LobbyOpening, one: Pending) -> None:
        """Find those who wanted to hear of the next table where a lobby is."""
        assert one.table is not None
        row, bot = (await self.bot.tables.get(one.table)).row, self.bot
        if row.phase != "lobby" or len(row.chairs) == row.seats:
            return
        where, now = await bot.presence.place(row.guild, row.channel), bot.now()

        def call(users: tuple[UserId, ...]) -> Pending:
            return pending(WaitingCall(effect.host, users), row.guild, row.id, now)

        bot.telling.perform(await bot.store.social.call_waiting(where.channel, row.game, now, call))

    async def _call_waiting(self, effect: WaitingCall, one: Pending) -> None:
        """Call those of these people who are let in, and would play with the host."""
        assert one.table is not None
        table, host = await self.bot.tables.get(one.table), effect.host
        users = [user for user in effect.users if user != host and await self._comes(user, host, table)]
        if users:
            scene = table.scene(None)
            said = opened(scene, users, self.bot.speaking.public(scene))
            await self.bot.telling.pings.invite(table, said, users, one.key)

    async def _comes(self, user: UserId, host: UserId, table: Table) -> bool:
        if await self.bot.store.social.block_between(user, [host]) != "no":
            return False
        return await self.bot.presence.sees(table.row.guild, table.row.home, user)

    async def join(self, click: Visit) -> Reply:
        """Give a seat to somebody whom a private answer has reached."""
        table = click.table
        if table.stage == "lobby" and (seat := seat_of(table.row.chairs, click.user)) is not None:
            return self._own_seat(click, table, seat)
        if click.button.at is None:  # nothing of what is agreed to stands on an invitation
            await table.check(check_lobby)
            return self._terms(click, table)
        if self._cut(click, table):
            return self._terms(click, table)
        return await self._join(click, table, click.button.at)

    def _own_seat(self, click: Visit, table: Table, seat: int) -> Reply:
        """Show somebody the seat they have, with what they have yet to agree to, if anything."""
        scene = table.scene(click.user)
        if seat in scene.wait.awaited:
            return Reply(view=terms(scene, click.w), at=click.own)
        return self._menu(click, click.habits.level)

    async def _join(self, visit: Visit, table: Table, edition: int) -> Reply:
        """Seat somebody, at a rematch where they sat before; there it begins with the last of those who played."""
        former = await self._former(table)
        wanted = seat_of(former.row.chairs, visit.user) if former else None
        try:
            await table.do(Join(visit.user, visit.interaction.user.display_name, edition, wanted or 0))
        except Unseen as unseen:
            return self._terms(visit, table, unseen)
        if _complete(former, table):
            return await self._begun(visit, table)
        return await self._sat_down(visit, table, visit.w(SEATED, table=table_name(table.scene(None), visit.w)))

    async def _sat_down(self, visit: Visit, table: Table, said: str) -> Reply:
        """Return what somebody reads who has just sat down. said: where the table is, for whoever is elsewhere."""
        if asked := await ask_once(self.bot, visit, table):
            return asked
        if why := unrated(table.scene(visit.user), visit.w):
            return Reply(text=why)
        return await or_lesson(self.bot, visit, table, beside(visit, table, said))

    async def show_terms(self, click: Visit) -> Reply:
        """Show all that is agreed to at a lobby."""
        await click.table.check(check_lobby)
        return self._terms(click, click.table)

    async def agree(self, click: Visit) -> Reply:
        """Note that somebody is ready to play by what stands on the screen they have clicked on."""
        table = click.table
        if self._cut(click, table) and seat_of(table.row.chairs, click.user) is not None:
            return self._terms(click, table)
        try:
            await table.do(Agree(click.user, click.button.at or 0))
        except Unseen as unseen:
            return self._terms(click, table, unseen, at=click.own)
        return self._terms(click, table, at=click.own) if click.own else DONE

    def _cut(self, click: Visit, table: Table) -> bool:
        """Tell whether the board that was clicked on does not show all that is agreed to."""
        return click.own is None and table.stage == "lobby" and not whole(table.scene(None))

    def _terms(
        self, visit: Visit, table: Table, unseen: Unseen | None = None, at: PrivateMessage | None = None
    ) -> Reply:
        """Show all that is agreed to, and why a click was not taken for it."""
        notice = visit.w(unseen.sentence, **unseen.values) if unseen else None
        return Reply(view=terms(table.scene(visit.user), visit.w, notice), at=at)

    async def add(self, click: Visit) -> Reply:
        """Seat a house player."""
        await click.table.do(AddHousePlayer(click.user, click.habits.level))
        return self._menu(click, click.habits.level) if click.own else DONE

    async def choose_level(self, click: Visit) -> Reply:
        """Let the house players of this table, and those of the next ones, play at the chosen level."""
        await click.table.check(check_host, click.user)
        level = Level(click.among(click.table.scene(click.user).terms.levels))
        await click.table.do(ChangeLevel(click.user, level))
        await self.bot.habits.change(click.user, level=level)
        return self._menu(click, level)

    def _menu(self, click: Visit, level: Level) -> Reply:
        return Reply(view=lobby_menu(click.table.scene(click.user), click.w, level=level), at=click.own)

    async def ask_or_close(self, click: Visit) -> Reply:
        """Close the lobby; ask first where others sit there."""
        return replace(await ask_or_close(click, click.table), at=click.own)

    async def close(self, click: Visit) -> Reply:
        """Close the lobby after the question."""
        return replace(await _close(click, click.table), at=click.own)

    async def ask_whom(self, click: Visit) -> Reply:
        """Ask the host whose seat to take away."""
        scene = click.table.scene(click.user)
        if click.user != scene.terms.host:
            raise Refused("Only the host of this table can do that.")
        return Reply(view=remove(scene, click.w), at=click.own)

    async def remove(self, click: Visit) -> Reply:
        """Take the chosen seats away."""
        table = click.table
        for seat, name in click.all(lambda values: [seated(value) for value in values]):
            await table.do(RemovePlayer(click.user, seat, name))
        return Reply(view=remove(table.scene(click.user), click.w), at=click.own)

    async def start(self, click: Visit) -> Reply:
        """Deal; in a thread of its own where the bot may open one."""
        return await self._started(click, click.table) or DONE

    async def play_now(self, click: Visit) -> Reply:
        """Put house players on the free seats, deal, and show the host their hand."""
        table = click.table
        refused = await self._started(click, table, filling=True)
        if refused is None:
            await table.at_rest(PATIENCE)
        return refused or await hand_reply(self.bot, click, table)

    async def _started(self, click: Visit, table: Table, *, filling: bool = False) -> Reply | None:
        """Deal; return what is to be agreed to before. All who start a table at the same time start it once."""
        edition, waiting = click.button.at or 0, table.row.phase == "lobby"
        await self._let_join(click, table)
        if waiting and table.row.phase == "playing":
            return None  # a rematch, which has begun with the last Join
        try:
            await table.check(check_start, click.user, edition, filling=filling)
            await self._starts.do(table.id, partial(self._dealt, click, table, click.user, edition, filling=filling))
        except Unseen as unseen:
            return self._terms(click, table, unseen)
        return None

    async def _let_join(self, click: Visit, table: Table) -> None:
        """Let everybody sit down whose Join this process heard earlier than this click."""
        known = await self.bot.store.notes.recall(FORMER.format(table.id))
        joins = {(Verb.JOIN, table.id)} | ({(Verb.REMATCH, TableId(int(known)))} if known else set())

        def is_join(other: Visit) -> bool:
            return isinstance(other.address, Press) and (other.address.verb, other.address.table) in joins

        await self.bot.door.after(click, is_join)

    async def _dealt(
        self, click: Visit, table: Table, host: UserId, edition: int, *, filling: bool
    ) -> ChannelId | None:
        """Deal for the host, and return the thread in which that was done, if any; the lobby shows the way there.

        edition: what was agreed to. filling: with house players on free seats.
        """
        await table.check(check_start, host, edition, filling=filling)
        if blind := await self.bot.admission.free_unseen(table):
            raise Refused(BLIND, names=blind)
        if filling:
            await table.do(FillSeats(host, click.habits.level))
        if table.row.duplicate_id is not None:
            return await self._dealt_apart(table, host, edition)
        thread = await self._thread(click, table)
        await table.do(Start(host, thread, edition))
        return thread

    async def _dealt_apart(self, table: Table, host: UserId, edition: int) -> ChannelId:
        """Deal in a private thread, and return it. It stays only if that could be done: who sees deals plays them."""
        await table.check(check_nobody_twice)
        where = self.bot.get_channel(table.row.home)
        posting_permissions.check_private(where)
        assert isinstance(where, discord.TextChannel)
        opened = await self.bot.telling.threads.apart(table, where)
        if opened is None:
            raise Refused(NOT_APART)
        thread, removal = opened
        try:
            await table.do(Start(host, thread, edition, removal.key))
        except StoreError:
            raise  # it may have begun there all the same; else the next start takes the thread
        except Exception:
            await self.bot.telling.threads.abandon(table, removal)
            raise
        return thread

    async def _thread(self, click: Visit, table: Table) -> ChannelId | None:
        """Open a thread under the lobby, or return None where the bot may not or Discord will not.

        Also where something else than a board of this very table was clicked on: others may play there. It may be a
        board that has just been replaced.
        """
        channel, board = click.interaction.channel, table.row.message
        if board is None or not isinstance(channel, discord.TextChannel) or not _on_board(click, table):
            return None
        may = click.interaction.app_permissions
        if not (table.scene(None).terms.server.threads and posting_permissions.may_open_thread(channel, may)):
            return None
        thread = await self.bot.telling.threads.opened(table, channel, board)
        if thread is None and table.row.message not in (None, board):  # which has been replaced meanwhile
            thread = await self.bot.telling.threads.opened(table, channel, table.row.message)
        return thread

    async def rematch(self, click: Visit) -> Reply:
        """Play the same game again by the same rules: at once where nobody else is to be asked, else from a lobby."""
        table = click.table
        if table.stage != "over":
            raise Refused("This match is not over yet.")
        own_seat(table.row.chairs, click.user)
        if click.guild != table.row.guild:
            raise Refused(NO_TABLE_HERE)
        self.bot.venue.check(click.interaction, table.row.channel)
        again, opened = await self._open_rematch(click, table)
        if not opened:
            return await self._at_rematch(click, table, again)
        if set(people(table.row.chairs)) <= {click.user}:
            return await self._begun(click, again)
        return await self._opened(click, again)

    async def _open_rematch(self, click: Visit, table: Table) -> tuple[Table, bool]:
        """Return the open rematch of a table, and whether this click has opened it. Raises why it opens none."""
        led = opened = False

        async def open_one() -> Table:
            nonlocal led, opened
            led, latest = True, await self._latest(table.id)
            known = await self._still_open(latest)
            opened = known is None
            return known or await self._again(click, table, latest)

        while True:
            try:
                again = await self._rematches.do(await self._latest(table.id), open_one)
            except (Refused, Illegal):
                if led:  # otherwise another player was refused, who may have opened too many tables
                    raise
            else:
                return again, opened

    async def _begun(self, click: Visit, table: Table) -> Reply:
        """Deal a rematch to which all have agreed, and show whoever was the last their new hand in place of the old."""
        row, deal = table.row, partial(self._dealt, click, table, table.row.host, table.row.edition, filling=True)
        try:
            if row.phase == "lobby":
                await self._starts.do(table.id, deal)
        except (Refused, Illegal):
            self.bot.telling.changed(table)  # it stays a lobby, which everybody has to see
            raise
        return await self._new_hand(click, table)

    async def _new_hand(self, click: Visit, table: Table) -> Reply:
        """Show a player their hand at a rematch, in place of the old one."""
        await table.at_rest(PATIENCE)
        return await hand_reply(self.bot, click, table, at=click.own, chosen=())

    async def _latest(self, table: TableId) -> TableId:
        """Return the last of the rematches that have followed a table and one another; the table where none has."""
        while known := await self.bot.store.notes.recall(AGAIN.format(table)):
            table = TableId(int(known))
        return table

    async def _still_open(self, number: TableId) -> Table | None:
        """Return a table that is waited for or played; None where it is over, closed, or deleted."""
        table = await self._kept(number)
        return table if table and table.row.open else None

    async def _kept(self, number: TableId) -> Table | None:
        """Return a table; None where it has been deleted."""
        try:
            return await self.bot.tables.get(number)
        except Refused:
            return None

    async def _former(self, table: Table) -> Table | None:
        """Return the table of which this one is the rematch; None where it is none, or that one has been deleted."""
        known = await self.bot.store.notes.recall(FORMER.format(table.id))
        return await self._kept(TableId(int(known))) if known else None

    async def _at_rematch(self, visit: Visit, table: Table, again: Table) -> Reply:
        """Seat a player at the open rematch of a table; once it is played, show their hand or where that is.

        The rematch may have moved. Where other terms hold in its lobby, they are shown first.
        """
        await self.bot.admission.check(visit.interaction, again)
        sits = seat_of(again.row.chairs, visit.user) is not None
        if again.row.phase != "lobby":
            return await self._new_hand(visit, again) if sits else self._elsewhere(visit, again)
        if sits and _complete(await self._former(again), again):
            return await self._begun(visit, again)
        if (again.ruleset, again.row.pace) != (table.ruleset, table.row.pace):
            return self._terms(visit, again)
        return await self._join(visit, again, again.row.edition)

    def _elsewhere(self, visit: Visit, table: Table) -> Reply:
        """Say where a rematch is played to a viewer who does not sit there."""
        w, scene = visit.w, table.scene(None)
        return Reply(text=w(ELSEWHERE, table=table_name(scene, w), channel=mention(scene.where.home)))

    async def _again(self, visit: Visit, table: Table, latest: TableId) -> Table:
        """Open the rematch of a table. latest: the last table of its rematches so far, which this one follows."""
        row = table.row
        await posting_permissions.check_elsewhere(visit.interaction.guild, row.channel)
        wish = TableRequest(table.ruleset, row.pace)
        host = replace(_host(visit, channel=row.channel), seat=own_seat(row.chairs, visit.user))
        again = await self._open(host, wish, own_house_players(row.chairs))
        await self.bot.store.notes.remember(FORMER.format(again.id), str(table.id))
        calls = self._calls_to_rematch(visit.user, table, again)
        await self.bot.store.notes.remember(AGAIN.format(latest), str(again.id), calls)
        self.bot.telling.perform(calls)
        return again

    def _calls_to_rematch(self, user: UserId, table: Table, again: Table) -> list[Pending]:
        """Return what the other players of a former table are told of its rematch; nothing where there are none."""
        row = table.row
        if set(people(row.chairs)) <= {user}:
            return []
        name = row.chairs[own_seat(row.chairs, user)].name
        news = Announcement(REMATCH, {"name": name}, (user,), channel=again.row.home)
        return [pending(news, row.guild, row.id, self.bot.now())]


async def ask_or_close(visit: Visit, table: Table) -> Reply:
    """Close a lobby for its host; ask first where others sit there."""
    await table.check(check_closing, visit.user)
    if set(people(table.row.chairs)) > {visit.user}:
        return Reply(view=closing(table.scene(visit.user), visit.w))
    return await _close(visit, table)


async def _close(visit: Visit, table: Table) -> Reply:
    await table.do(CloseLobby(visit.user))
    return Reply(view=closed(visit.w))


def _complete(former: Table | None, table: Table) -> bool:
    """Tell whether all players of a former table sit at its rematch and agree to what is played there."""
    return former is not None and set(people(former.row.chairs)) <= set(people(table.row.chairs)) and _agreed(table)


def _agreed(table: Table) -> bool:
    """Tell whether everybody at a lobby agrees to what is played there."""
    return not without_agreement(table.row.chairs, table.row.edition)


def _on_board(click: Visit, table: Table) -> bool:
    """Tell whether a button of a board of this very table was clicked, be it one that has just been replaced."""
    message, address = click.interaction.message, click.address
    if message is None or message.flags.ephemeral or message.content or message.channel.id != table.row.home:
        return False
    return isinstance(address, Press) and address.table == table.id


def _host(visit: Visit, channel: ChannelId | None = None) -> Host:
    interaction = visit.interaction
    assert visit.guild is not None
    assert visit.channel is not None
    name = interaction.user.display_name
    return Host(visit.guild, channel or visit.channel, visit.user, name)


def lobby_of(bot: Bigger) -> Lobby:
    """Return the cog that opens tables, for the others that open one; once all cogs are loaded."""
    lobby = bot.get_cog("Lobby")
    assert isinstance(lobby, Lobby)
    return lobby


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Lobby(bot))
