"""A Discord server to play on in tests.

The real bot, the real store, a simulated Discord, and people.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.actors import MemberActor
from simcord.backend.models.channel import Channel, Overwrite
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle, GuildHandle, RoleHandle
from simcord.enums import OverwriteType
from simcord.interactions import base_payload
from simcord.results import InteractionResult, to_discord_message
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ai.plain import plain_action
from bot.ai_pool.pool import MovePool
from bot.client import Bigger
from bot.delivery.emoji import CARD_STYLES
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.interactions.flood_limits import OPENINGS
from bot.launch import Launch
from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.cards import Card, Cards, card, cards
from bot.rules.core.game import View
from bot.runtime.metrics import MetricsRecorder
from bot.runtime.store_address import DatabaseServer as Database
from bot.sandbox.live import carry_locales
from bot.settings import Settings
from bot.show.kit import card_symbols
from bot.show.kit.card_codes import valued
from bot.show.kit.custom_ids import Press
from bot.show.kit.layout import DOTS
from bot.store.schema import uses
from bot.table.core.commands import Act, FillSeats, Join, Start
from bot.table.table import Table
from bot.wiring import Parts
from tests.support.blank_database import create_blank_database
from tests.support.inline_database import start_inline
from tests.support.message_text import ParsedMessage, card_buttons, custom_id, option_value, plain_label, private_reply
from tests.support.postgres import borrow_database, return_database
from tests.support.shared_caches import install_shared_caches
from tests.support.short_searches import short_searches
from tests.support.simulated_discord import Env, install_fast_simulation
from tests.support.strict_discord import install_strict_rules, leaked_replies, removed_selects

install_strict_rules()
install_fast_simulation()
install_shared_caches()
OPEN_NEW_TABLE = "Open a new table"  # the button where others wait for players
NOT_SEATED = "You're not at **"  # read first by who presses a button of the players
NOT_SEATED_HINT = "You're not at this table. Press ⋯ under it to watch."  # said to who asks for a hand
MAX_STEPPED_SECONDS = 600
SETTLE_TIMEOUT = 60.0  # real seconds in which the bot has to come to rest, also on a machine that does much else
NAMES = ("ann", "ben", "cleo", "dev")
ANN_LEADS = "6"  # a seed: seat 0, Ann's, gets 3d 3c 4d 7s 8c 8s 9d 9c 9h Jd Kh Ah As
SHORT_HANDS = "2732"  # a seed: seat 0 leads, and the house has played two hands of four after 17 and 13 steps
SHORT_DUEL = "295"  # a seed: of two people, seat 0 leads, and a hand ends after 11 steps if both choose
DRAGON = "1895"  # a seed of Hong Kong: seat 2 is dealt thirteen ranks, which ends the hand at once
INSTANT_RULES = "B2:hk+match=deals,deals=1"  # rules by which a match of that seed is over as it is dealt
MANY_PLAYS = "2032"  # a seed: seat 0 leads and may choose among 38 plays


class SimulatedClock:
    """A clock with the time of the simulated Discord.

    ahead: the error of the clock.
    """

    env: Env
    ahead = timedelta()

    def __call__(self) -> datetime:
        return self.env.now() + self.ahead


async def forget_openings(connection: AsyncConnection) -> None:
    """Reset the limit on opening tables for all users."""
    await connection.execute(delete(uses).filter_by(kind=OPENINGS.kind))


@dataclass
class InputTimer:
    """A monotonic clock of user inputs, in seconds.

    Each input comes a second after the previous one, unless hurried.
    """

    at: float = 0.0
    hurried: bool = False

    def __call__(self) -> float:
        self.at += not self.hurried
        return self.at


class WorldChannel(ChannelHandle):
    """A channel with a typed id."""

    @property
    def id(self) -> ChannelId:
        """The Discord id."""
        return ChannelId(super().id)


class WorldServer(GuildHandle):
    """A server with a typed id."""

    def create_text_channel(self, name: str, **how: Any) -> WorldChannel:
        """Create a text channel; how: options of simcord."""
        return WorldChannel(self._env, self, super().create_text_channel(name, **how)._channel)

    @property
    def id(self) -> GuildId:
        """The Discord id."""
        return GuildId(super().id)


class Person(MemberActor):
    """A member of the server with a typed user id."""

    @property
    def id(self) -> UserId:
        """The Discord id."""
        return UserId(super().id)


@dataclass
class World:
    """One server with a channel and four people.

    deal: the seed of every match. locales: what people read. threads: whether the bot may open threads.
    """

    env: Env
    clock: SimulatedClock
    settings: Settings
    guild: WorldServer
    channel: WorldChannel
    deal: str
    people: dict[str, Person] = field(default_factory=dict)
    locales: dict[str, str] = field(default_factory=dict)
    pulse: InputTimer = field(default_factory=InputTimer)
    threads: bool = False

    @property
    def database_file(self) -> Path:
        """The file in which the bot keeps its games.

        Skips the test where it keeps them on a server.
        """
        if not isinstance(self.settings.database, Path):
            pytest.skip("looks into the file of a database, and here it is on a server")
        return self.settings.database

    @property
    def bot(self) -> Bigger:
        """The bot that runs now."""
        bot = self.env.bot
        assert isinstance(bot, Bigger)
        return bot

    @property
    def parts(self) -> Parts:
        """The parts of the bot that runs now."""
        return self.bot.parts

    @property
    def ann(self) -> Person:
        """The person who opens tables."""
        return self.people["ann"]

    async def restart(self, **changes: Any) -> None:
        """Stop the bot and start a new one on the same store, as a new process would."""
        await self.settle()
        await self.stop()
        await self.start(**changes)

    async def stop(self) -> None:
        """Stop the bot, while Discord keeps running."""
        await self.settle()
        self.parts.delivery.stop()
        await self.bot.shut_down()

    async def draw_cards(self) -> None:
        """Enable card emoji: Discord has every emoji from an earlier start."""
        for name in {name for look in CARD_STYLES for name in look.names().values()}:
            self.env.backend.create_application_emoji(name)
        self.parts.emoji.fetch_soon(self.parts.delivery.queue)
        await self.parts.emoji.wait_until_ready(SETTLE_TIMEOUT)
        await self.settle()

    def cut_off(self) -> None:
        """Drop the effects of a change, as a kill right after the commit would."""
        self.parts.delivery.effects.stop()
        self.env.cut_off(self.bot)

    async def start(self, *, cut_off: bool = False, **changes: Any) -> None:
        """Start a bot on the store of the one that was stopped.

        cut_off: drop every message it would send, as if it were killed first.
        """
        launch = Launch(
            settings=replace(self.settings, **changes), now=self.clock, seed=lambda: self.deal, pulse=self.pulse
        )
        bot = Bigger(launch)
        if cut_off:
            self.env.cut_off(bot)
        await start_inline(self.env.restart_bot(bot), bot)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the bot has sent everything."""
        await self.env.settle()
        await self.parts.user_deletion.beside.ended()
        await self.parts.delivery.settled()
        await self.env.settle()

    async def advance(self, **span: float) -> None:
        """Advance the simulated time.

        Long spans pass in one step, with a single heartbeat at the end.
        """
        seconds = timedelta(**span).total_seconds()
        if seconds > MAX_STEPPED_SECONDS:
            self.env.backend.advance_clock(seconds - 1)
            await self.parts.store.clock.beat(self.env.now())
            seconds = 1
        await self.env.advance_time(seconds)
        await self.settle()

    async def pass_time_without_bot(self, **span: float) -> None:
        """Advance the simulated time while no bot is running."""
        self.env.backend.advance_clock(timedelta(**span).total_seconds())

    @property
    def owner(self) -> UserId:
        """The id of the server's owner."""
        return UserId(self.guild.owner.id)

    def arrive(self, name: str, *roles: RoleHandle, user: UserHandle | None = None) -> Person:
        """Add a user to the server. user: an existing Discord user, None for a new one."""
        new = self.guild.add_member(user or self.env.create_user(name), roles=roles)
        self.people[name] = Person(self.env, self.guild, new.user)
        return self.people[name]

    def name_of(self, user: int) -> str:
        """Return the name of this user, empty for an unknown one."""
        return next((name for name, person in self.people.items() if person.id == user), "")

    async def set_bot_permissions(self, channel: ChannelHandle, **rights: bool | None) -> None:
        """Set permissions of the bot in a channel: allow, deny, or (None) inherit.

        Discord tells it.
        """
        backend = self.env.backend
        allow, deny = discord.PermissionOverwrite(**rights).pair()
        mine = Overwrite(backend.bot_user.id, OverwriteType.MEMBER, allow=allow.value, deny=deny.value)
        others = [each for each in backend.channels[channel.id].overwrites if each.target_id != mine.target_id]
        backend.edit_channel(channel.id, {}, overwrites=[*others, mine])
        await self.settle()

    # What people do

    async def slash(
        self, name: str, command: str, channel: ChannelHandle | None = None, **options: Any
    ) -> ParsedMessage:
        """Send a command as a player.

        Return the private reply; an empty message if the effect is public.
        """
        result = await self.people[name].slash(channel or self.channel, command, **options)
        await self.settle()
        return private_reply(result) if result.response or result.followups else ParsedMessage("", {}, {})

    async def leave(self, name: str, table: Table | None = None) -> ParsedMessage:
        """Send /table leave as a user, confirming if asked; return the reply."""
        named = {} if table is None else {"table": table.id}
        result = await self.people[name].slash(self.channel, "table leave", **named)
        await self.settle()
        for label in [
            label for label, target in private_reply(result).buttons.items() if target[0].endswith("leave_now")
        ]:
            result = await self.press_on(name, result, label)
        return private_reply(result)

    async def open_table(self, by: str = "ann", channel: ChannelHandle | None = None, **options: Any) -> Table:
        """Open a table with /deal as a player."""
        await self.parts.store._gate.run(forget_openings)  # nobody is in a hurry
        before = set(await self.parts.store.tables.open_tables())
        answer = await self.people[by].slash(channel or self.channel, "deal", **options)
        await self.settle()
        if answer.response and OPEN_NEW_TABLE in (buttons := ParsedMessage.of(answer.response.message).buttons):
            await self._click(by, answer.response.message, buttons[OPEN_NEW_TABLE][0])
        (new,) = set(await self.parts.store.tables.open_tables()) - before
        return await self.parts.tables.get(new)

    async def start_table(self, *others: str, by: str = "ann", **options: Any) -> Table:
        """Open a table, seat these people and house players, and start."""
        table = await self.open_table(by, **options)
        for name in others:
            await self.sit_down(name, table)
        await self.fill_up(by, table)
        await self.begin(by, table)
        return table

    async def finish_instantly(self, *others: str, rules: str = INSTANT_RULES, **options: Any) -> Table:
        """Play a match that ends with its deal, for tests that need no play."""
        self.deal, usual = DRAGON, self.deal
        table = await self.start_table(*others, rules=rules, **options)
        self.deal = usual
        assert table.stage == "over"
        return table

    async def begin(self, host: str, table: Table) -> None:
        """Start the match like a click on Start, ignoring the cards in the reply."""
        if self.threads:
            await self.press(host, table, "Start")
            self.leave_screen(host)
            return
        user, row = self.people[host].id, table.row
        with self.env._bot_scope():
            self.parts.delivery.clicked(table.id, user)
            await table.do(Start(user, None, row.edition))
        await self.settle()

    def leave_screen(self, name: str) -> None:
        """Close the latest private screen of a user, so that no hand replaces it."""
        self.parts.delivery.hands.forget(self.people[name].id)

    async def sit_down(self, name: str, table: Table) -> None:
        """Seat a user like a click on Join, confirming any question."""
        if name in self.locales or table.row.pace.slow:
            await self.press(name, table, "Join")
            self.leave_screen(name)
            return
        person, row = self.people[name], table.row
        with self.env._bot_scope():  # what follows is the bot's, as after a click
            await table.do(Join(person.id, person.name, row.edition))
            await self.parts.store.social.offer_lesson(person.id, row.guild, row.game)
        self.parts.delivery.pings.note_attention(table.id, person.id)

    async def fill_up(self, host: str, table: Table) -> None:
        """Fill all free seats with house players as the host."""
        if len(table.row.chairs) < table.row.seats:
            user = self.people[host].id
            preferences = await self.parts.preferences.of(user)
            with self.env._bot_scope():
                await table.do(FillSeats(user, preferences.level))
        await self.settle()

    async def press(self, name: str, table: Table, label: str) -> InteractionResult:
        """Press a button of a table's board, or of its menu, as a player."""
        message = self.board(table)
        there = ParsedMessage.of(message).buttons
        if label not in there and DOTS in there:
            self.pulse.at += 1
            return await self.press_on(name, await self.press(name, table, DOTS), label)
        result = await self.people[name].click(message, label=label)
        await self.settle()
        return result

    async def click_stale(self, name: str, seen: discord.Message, label: str) -> InteractionResult:
        """Press a button on a user's outdated copy of a changed message."""
        stored = self.env.backend.get_message(seen.channel.id, seen.id)
        before: list[Any] = [each.to_dict() for each in seen.components]
        now, stored.components = stored.components, before
        result = await self.people[name].click(seen, label=label)
        if stored.components is before:
            stored.components = now
        await self.settle()
        return result

    async def forge(self, who: MemberActor, shown: InteractionResult, address: str) -> InteractionResult:
        """Send a click with an arbitrary custom id from a private message."""
        assert shown.response is not None
        stored = self.env.backend.get_message(shown.response.channel_id, shown.response.id)
        button = {"type": 2, "style": 1, "label": "?", "custom_id": address}
        forged: list[Any] = [{"type": 1, "components": [button]}]
        kept, stored.components = stored.components, forged
        result = await who.click(shown.response, custom_id=address)
        if stored.components is forged:
            stored.components = kept
        await self.settle()
        return result

    async def click_at_once(self, clicks: Sequence[tuple[str, str]], message: discord.Message) -> None:
        """Press buttons of one message simultaneously, as (name, label)."""
        await self.click_each([(name, message, label) for name, label in clicks])

    async def click_each(self, clicks: Sequence[tuple[str, discord.Message, str]]) -> None:
        """Press buttons simultaneously, as (name, message, label)."""
        self.send_clicks(clicks)
        await self.settle()

    def send_clicks(self, clicks: Sequence[tuple[str, discord.Message, str]]) -> None:
        """Send clicks, as (name, message, label), without waiting for an effect."""
        backend = self.env.backend
        for name, message, label in clicks:
            stored = backend.get_message(message.channel.id, message.id)
            record, payload = base_payload(
                backend,
                type=3,
                channel_id=stored.channel_id,
                guild_id=self.guild.id,
                user_id=self.people[name].id,
                data={"custom_id": custom_id(message, label), "component_type": 2},
            )
            record.source_message_id = stored.id
            backend.emit("INTERACTION_CREATE", payload | {"message": dict(message_payload(backend, stored))})

    async def press_on(self, name: str, shown: InteractionResult, label: str) -> InteractionResult:
        """Press a button of a private message as a player."""
        assert shown.response is not None
        message = shown.response.message
        result = await self.people[name].click(message, custom_id=custom_id(message, label))
        await self.settle()
        return result

    async def press_in_menu(self, name: str, shown: InteractionResult, *labels: str) -> InteractionResult:
        """Press buttons in turn in the menu of a private hand."""
        for label in (DOTS, *labels):
            shown = await self.press_on(name, shown, label)
        return shown

    async def open_hand(self, name: str, table: Table) -> InteractionResult:
        """Open the private hand of a player."""
        return await self.press(name, table, "My hand")

    async def play(self, name: str, table: Table, cards: Cards) -> InteractionResult:
        """Play typed cards by command."""
        typed = " ".join(map(str, cards))
        result = await self.people[name].slash(self.channel_of(table), "turn", move=typed, table=table.id)
        await self.settle()
        return result

    async def pass_(self, name: str, table: Table) -> InteractionResult:
        """Pass by command."""
        result = await self.people[name].slash(self.channel_of(table), "turn", move="pass", table=table.id)
        await self.settle()
        return result

    async def play_directly(self, name: str, table: Table, typed: str = "") -> None:
        """Play cards, or pass without any, without a click; the user counts as present."""
        await self.act(name, table, lambda _: Play(cards(typed)) if typed else Pass())

    async def act(self, name: str, table: Table, wish: Callable[[View], Action | None] = plain_action) -> None:
        """Act like a house player, or by a wish, without a click; the user counts as present."""
        user, table = self.people[name].id, await self.reload(table)
        await self._act(user, table, wish)
        self.parts.delivery.pings.note_attention(table.id, user)
        await self.settle()

    async def _act(self, user: UserId, table: Table, wish: Callable[[View], Action | None]) -> None:
        """Play the wished action, else pass."""
        view = table.scene(user).view
        assert view is not None
        action = wish(view)
        with self.env._bot_scope():  # what follows is the bot's, as after a click
            await table.do(Act(user, action if isinstance(action, Play) else Pass()))
        await (self.settle() if self.settings.house_delay_seconds else table.wait_until_idle(SETTLE_TIMEOUT))

    async def act_directly(self, user: UserId, table: Table, action: Action) -> None:
        """Act without a click, and wait for house players without delay.

        The simulated Discord waits for what a click or command begins, and not for what a test begins itself.
        """
        await table.do(Act(user, action))
        await table.wait_until_idle(SETTLE_TIMEOUT)
        await self.settle()

    @contextmanager
    def edits_held(self) -> Iterator[None]:
        """Hold edits of messages inside this context.

        Afterwards each message is edited once, to the latest state.

        Do not wait for the bot to settle inside the context.
        """
        over = asyncio.Event()

        def holding(request: Callable[..., Any]) -> Callable[..., Any]:
            async def held(route: Any, *rest: Any, **how: Any) -> Any:
                if route.method == "PATCH":
                    await over.wait()
                return await request(route, *rest, **how)

            return held

        public, private = self.bot.http, self.env._webhook_adapter
        before = public.request, private.request
        public.request, private.request = holding(public.request), holding(private.request)  # type: ignore[method-assign]
        try:
            yield
        finally:
            public.request, private.request = before  # type: ignore[method-assign]
            over.set()

    async def play_hand(self, table: Table, wish: Callable[[View], Action | None] = plain_action) -> None:
        """Play the hand to its end, every person like a house player.

        Actions are sent without clicks. Without house delay, boards are edited once, at the end.
        """
        with nullcontext() if self.settings.house_delay_seconds else self.edits_held():
            while (name := self.current_player(table)) is not None:
                await self._act(self.people[name].id, table, wish)
        await self.settle()
        assert table.stage in ("between", "over")

    async def pick(self, name: str, shown: InteractionResult, *cards: str) -> InteractionResult:
        """Select exactly these cards in a private hand."""
        assert shown.response is not None
        message, left, result = shown.response.message, Counter(valued(cards)), shown
        if not ParsedMessage.of(message).cards:
            return await self._choose(name, shown, "pick", cards)
        if any(":name" in address for address, _ in ParsedMessage.of(message).buttons.values()):
            return await self._pick_to_name(name, shown, card(cards[0]))
        for address, (held, blue) in card_buttons(message, await self._pack(message)).items():
            left[held] -= 1
            if blue != (left[held] >= 0):
                result = await self._click(name, message, address)
        assert max(left.values()) <= 0, f"{cards} are not all in this hand"
        return result

    async def _pick_to_name(self, name: str, shown: InteractionResult, wanted: Card) -> InteractionResult:
        """Tap the suit of a card, if suits are offered first, then the card."""
        assert shown.response is not None
        suit = plain_label(card_symbols.SUITS.get(wanted.suit, ""))
        if suit in ParsedMessage.of(shown.response.message).buttons:
            shown = await self.press_on(name, shown, suit)
        assert shown.response is not None
        message = shown.response.message
        there = {
            held: (address, blue) for address, (held, blue) in card_buttons(message, await self._pack(message)).items()
        }
        address, blue = there[wanted]
        return shown if blue else await self._click(name, message, address)

    async def _pack(self, message: discord.Message) -> Cards:
        """The pack of the game that a private hand belongs to."""
        address = ParsedMessage.of(message).cards[0]
        return (await self.parts.tables.get(Press.read(address).table)).scene(None).terms.rules.pack

    async def pick_play(self, name: str, shown: InteractionResult, cards: str) -> InteractionResult:
        """Select one of the plays listed in the menu of a private hand."""
        return await self._choose(name, await self.press_on(name, shown, DOTS), "play", [cards])

    async def _click(self, name: str, message: discord.Message, address: str) -> InteractionResult:
        result = await self.people[name].click(message, custom_id=address)
        await self.settle()
        return result

    async def _choose(self, name: str, shown: InteractionResult, verb: str, values: Sequence[str]) -> InteractionResult:
        assert shown.response is not None
        message = shown.response.message
        offered = (
            (each, [option_value(there, value) for value in values])
            for each, there in ParsedMessage.of(message).selects.items()
        )
        target, chosen = next((each, chosen) for each, chosen in offered if f":{verb}" in each and None not in chosen)
        result = await self.people[name].select(message, chosen, custom_id=target)
        await self.settle()
        return result

    # What there is to see

    def channel_handle(self, channel: Channel) -> WorldChannel:
        """The handle of a channel or thread of the simulated Discord."""
        return WorldChannel(self.env, self.guild, channel)

    def channel_of(self, table: Table) -> WorldChannel:
        """The channel or thread a table is played in."""
        return self.channel_handle(self.env.backend.channels[table.row.home])

    def board(self, table: Table) -> discord.Message:
        """The board of a table, as it stands in its channel."""
        assert table.row.message
        return to_discord_message(self.env, self.env.backend.get_message(table.row.home, table.row.message))

    async def reload(self, table: Table) -> Table:
        """The table at present, reloaded after an eviction."""
        with self.env._bot_scope():  # its timers go by the time there
            return await self.parts.tables.get(table.id)

    def read_board(self, table: Table) -> ParsedMessage:
        """The content of the board."""
        return ParsedMessage.of(self.board(table))

    def channel_texts(self, table: Table) -> list[str]:
        """The public texts of a channel beside the board: pings and news, oldest first."""
        return [each.content for each in self.channel_of(table).history() if each.content and not each.flags.ephemeral]

    def requests(self, method: str, path: str) -> int:
        """Number of requests of this kind so far. path: a pattern such as /channels/*/messages."""
        return sum(each.method == method and fnmatch(each.path, path) for each in self.env.http_requests)

    def current_player(self, table: Table) -> str | None:
        """The name of the awaited person, if any."""
        scene = table.scene(None)
        if scene.stage != "playing":
            return None
        for name, person in self.people.items():
            seat = table.scene(person.id).seat
            if seat is not None and seat in scene.wait.awaited and not table.row.chairs[seat].house:
                return name
        return None


ON_A_SERVER = os.environ.get("BIGGER_TEST_STORE") == "server"  # whether these bots keep their games on a server


@asynccontextmanager
async def world(
    folder: Path,
    *,
    threads: bool = False,
    locale: str = "en-US",
    deal: str = ANN_LEADS,
    check_errors: bool = True,
    stakes: bool = True,
    pictures: bool = False,
    watch: MetricsRecorder | None = None,
    thinkers: MovePool | None = None,
    **changes: Any,
) -> AsyncIterator[World]:
    """Give a server with the bot on it.

    threads, pictures: whether the bot may open threads, and attach pictures; without, a board says all in text.
    locale: of the server; stakes: whether its owner has turned them on. watch: who counts what happens.
    thinkers: the processes that think for house players; without, threads do.
    """
    settings = replace(
        Settings(),
        database=borrow_database() if ON_A_SERVER else folder / "bigger.db",
        card_emoji=False,
        **{"house_delay_seconds": 0, "live_reserve_seconds": 0} | changes,
    )
    if not ON_A_SERVER:
        create_blank_database(settings.copied)
    clock = SimulatedClock()
    pulse = InputTimer()
    bot = Bigger(Launch(settings=settings, now=clock, seed=lambda: made.deal, pulse=pulse, watch=watch))
    env = Env(bot, check_errors=check_errors, shard_count=1, settle_timeout=SETTLE_TIMEOUT)
    clock.env = env
    guild = WorldServer(env, env.create_guild(name="The Deck", preferred_locale=locale)._guild)
    await start_inline(env.start(), bot, thinkers)
    try:
        bot_may: dict[Any, discord.PermissionOverwrite] = {
            UserHandle(env, env.backend.bot_user): discord.PermissionOverwrite(
                create_public_threads=threads, create_private_threads=threads, attach_files=pictures
            )
        }
        channel = guild.create_text_channel("cards", overwrites=bot_may)
        made = World(env, clock, settings, guild, channel, deal, pulse=pulse, threads=threads)
        if stakes:
            await made.parts.servers.change(guild.id, made.owner, "stakes", True)
        for name in NAMES:
            made.arrive(name)
        carry_locales(env, lambda user: made.locales.get(made.name_of(user), "en-US"))
        with short_searches():
            yield made
        assert not leaked_replies(env.backend), "others than who asked could read an answer"
        assert not removed_selects(env.backend), "a menu that its owner may have open has gone"
    finally:
        if thinkers is not None:
            await thinkers.close()  # simcord cancels what the loop would hear of their end while it shuts down
        await env.shutdown()
        if isinstance(env.bot, Bigger):
            await env.bot.shut_down()
        if isinstance(settings.database, Database):
            return_database(settings.database)
