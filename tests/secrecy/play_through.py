"""People who play whole matches and press everything there is on the way, in whatever language they read.

Addresses components by custom_id like Discord, so labels are unimportant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.ai.plain import plain_action
from bot.rules.big_a.declarations import NOTHING, SILENT
from bot.rules.big_little_a.groups import JOKER
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, Name, NameAsk, Play
from bot.rules.core.cards import write
from bot.rules.core.game import View
from bot.show.kit.card_codes import values
from bot.show.kit.custom_ids import InvalidCustomId, Press, Verb
from bot.table.table import Table
from tests.secrecy.request_watch import Watch
from tests.support.message_text import ParsedMessage, option_value, walk_components
from tests.support.world import World

CHANGING_VERBS = frozenset(
    {
        Verb.PASS,
        Verb.PLAY,
        Verb.GIVE,
        Verb.READY,
        Verb.STOP_NOW,
        Verb.LEAVE_NOW,
        Verb.REMATCH,
        Verb.START,
        Verb.CANCEL,
        Verb.CLOSE_NOW,
        Verb.CHOOSE,
        Verb.NAME,
        Verb.OFFER,
        Verb.SURE,
        Verb.PASS_ON,
        Verb.GRANT,
        Verb.QUEUE_PREMOVE,
        Verb.PREMOVE_MENU,
        Verb.WITHDRAW_PREMOVE,
        Verb.OFFER_SEAT,
        Verb.SIT_IN,
        Verb.LIVE_PLAY,
        Verb.OWN_PACE,
        Verb.PROPOSE_NOW,
        Verb.AYE,
        Verb.NAY,
        Verb.RETURN_FROM_BREAK,
        Verb.CUT,
    }
)
# From what is behind the dots of a hand: to the cards, which they redraw, or to what stands in their place.
LEADING_AWAY = (Verb.SETTINGS, Verb.RULES, Verb.SETTINGS, Verb.LEAVE, Verb.SETTINGS, Verb.REFRESH)
PREFERRED_VERBS = (
    Verb.MIRROR,
    Verb.BY_SUIT,
    Verb.FOUR_COLOURS,
    Verb.LARGE,
    Verb.BY_RANK,
    Verb.TEXT_ONLY,
)  # how one likes one's cards, at times
MOST_IN_SELECT = 25  # cards; more are in several selects
TYPED = ("3d 4d 5d 6d 8d", "nonsense", "2s 2h", "3d3c", "As", "", "1s 15d 10h")
TYPED_NUMBERS = ("1 2", "nonsense", "4 J 5", "12 13", "A 1", "", "a A")  # together they are nothing in any round
DONE_BY = {Play: Verb.PLAY, Give: Verb.GIVE, Name: Verb.NAME}
PASSING = "pass"  # the answer for which the button on the board is enough
UNCALLED = "As"  # a card that nobody may ever call for


PING_SECONDS = 10.0  # seconds after which every player is called who is to be called


@dataclass(frozen=True)
class Plan:
    """One table as it is played.

    people: who sits besides Ann. locales: private ones; server: the public one. pause: seconds between two plays.
    curious: before every so many plays a player presses everything. hands: after so many a player ends an open match.
    deal: the seed, empty for one that the name gives. tick: seconds that pass after a question to every player.
    wish: the wishes of the players, None to act like house players. number: of the seed that is tried first where the
    match is to be special and at most short actions long.
    """

    name: str
    people: tuple[str, ...] = ()
    server: str = "en-US"
    locales: dict[str, str] = field(default_factory=dict)
    emoji: bool = False
    threads: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    tables: int = 1
    pause: float = 0.0
    curious: int = 1
    hands: int = 1
    deal: str = ""
    tick: float = 0.0
    wish: Callable[[View], Action | None] = plain_action
    number: int = 0
    short: int = 60


@dataclass
class Players:
    """The people at one table, and a person who only looks on.

    noise: public traces of an answer in an open window, with a watch. open: the latest window. looks: how often
    a player has been curious.
    """

    here: World
    table: Table
    plan: Plan
    turn: int = 0
    watch: Watch | None = None
    noise: list[str] = field(default_factory=list)
    open: tuple[int, int] | None = None
    looks: int = 0

    async def to_the_end(self) -> None:
        """Play until the match is over, a player being curious before a play."""
        while self.table.stage != "over":
            if not self.turn % self.plan.curious:
                await self.look_around(list(self.here.people)[self.turn // self.plan.curious % len(self.here.people)])
            await self.step()
            await self.here.env.advance_time(self.plan.tick if self._window else self.plan.pause)
            self.turn += 1

    async def step(self) -> None:
        """Go on, and listen to whether an answer in an open window makes any noise."""
        await self._called()
        window, public = self._window, self._public
        await self.go_on()
        await self.here.settle()
        if window and window == self._window and public != self._public:
            self.noise.append(f"something was sent to everybody after an answer in {window}")

    async def _called(self) -> None:
        """Wait for the pings of a new window, which come regardless of answers."""
        window, before, self.open = self._window, self.open, self._window
        if window and window != before and not self.table.scene(None).wait.ticking:
            await self.here.env.advance_time(PING_SECONDS)
            await self.here.settle()

    async def go_on(self) -> None:
        """Play for a willing or awaited player, or continue or end the match between hands."""
        if self.table.stage == "between":
            await self._after_hand()
            return
        if self._window:
            await self._answer(
                next(name for name in self._sitting() if self.here.people[name].id in self.table.state.missing)
            )
            return
        asked = self.here.current_player(self.table)
        assert asked is not None, "the house players should have played"
        eager = (name for name in self._sitting() if name != asked and self._wish(name))
        await self._play(next(eager, asked))

    async def _after_hand(self) -> None:
        match = self.table.match
        assert match is not None
        ending = match.endless and match.number >= self.plan.hands
        for name in self._sitting():
            if self.table.stage == "between" and ending:
                question = await self.press(name, self.board, Verb.STOP)
                await self.press(name, self._message(question), Verb.STOP_NOW)
            elif self.table.stage == "between":
                await self.press(name, self.board, Verb.READY)

    def _wish(self, name: str) -> Action | None:
        """Return the action of a planned player, None for nothing."""
        view = self.table.scene(self.here.people[name].id).view
        return self.plan.wish(view) if view is not None and view.ask is not None else None

    async def _play(self, name: str) -> None:
        """Play, give, name, answer or pass for a player in one of several ways."""
        match self._wish(name):
            case Play() | Give() as action if self.turn % 2 or len(self._view_of(name).hand) > MOST_IN_SELECT:
                await self.command(name, "turn", move=write(action.cards), table=self.table.id)
            case Play() | Give() as action:
                await self._play_in_hand(name, action)
            case Name(card=named) if self.turn % 2:
                await self.command(name, "turn", move=str(named), table=self.table.id)
            case Name() as action:
                await self._play_in_hand(name, action)
            case Choose() as action if action.codes != (PASSING,):
                await self._answer_in_hand(name, action)
            case _:
                await self.press(name, self.board, Verb.PASS)

    async def _play_in_hand(self, name: str, action: Play | Give | Name) -> None:
        """Tap the cards of the private hand; one to be named is in the first select that has it."""
        shown = await self.press(name, self.board, Verb.HAND)
        wanted = [str(action.card)] if isinstance(action, Name) else values(action.cards)
        await self.here.pick(name, shown, *wanted)
        await self.press(name, self._message(shown), DONE_BY[type(action)])

    # Answering

    @property
    def _window(self) -> tuple[int, int] | None:
        """The open simultaneous question, if any."""
        scene = self.table.scene(None)
        return (scene.tally.hand, scene.moment) if scene.together else None

    @property
    def _public(self) -> int:
        """How often something public was sent."""
        return self.watch.public if self.watch else 0

    async def _answer(self, name: str) -> None:
        """Answer for a player in one of several ways, after withdrawing another answer if possible."""
        wish = self._wish(name)
        assert isinstance(wish, Choose)
        first = len(self.table.state.missing) > 1 and self.turn % 5
        if first == 1:
            await self._order(name, [SILENT])
            await self._order(name, [])
        elif first == 2:
            await self.press(name, self.board, Verb.CHOOSE)
        if self.turn % 2:
            await self.command(name, "turn", move=wish.codes[0], table=self.table.id)
        elif wish.codes == (NOTHING,) and self.turn % 4:
            await self.press(name, self.board, Verb.CHOOSE)
        else:
            await self._answer_in_hand(name, wish)

    async def _order(self, name: str, codes: list[str]) -> None:
        shown = await self.press(name, self.board, Verb.HAND)
        if self._ask_of(name).orders:
            behind = await self.press(name, self._message(shown), Verb.MORE)
            orders = self._pick(behind, Verb.QUEUED_ANSWERS)
            there = ParsedMessage.of(self._message(behind)).selects[orders]
            chosen = [option_value(there, code) for code in codes]
            await self.here.people[name].select(self._message(behind), chosen, custom_id=orders)

    async def _answer_in_hand(self, name: str, wish: Choose) -> None:
        shown = await self.press(name, self.board, Verb.HAND)
        place = next(each.place for each in self._ask_of(name).answers if each.code == wish.codes[0])
        presses = self._presses(self._message(shown))
        address = next(text for text, press in presses if (press.verb, press.part) == (Verb.CHOOSE, place))
        await self.here.people[name].click(self._message(shown), custom_id=address)

    def _ask_of(self, name: str) -> ChooseAsk:
        ask = self._view_of(name).ask
        assert isinstance(ask, ChooseAsk)
        return ask

    def _view_of(self, name: str) -> View:
        view = self.table.scene(self.here.people[name].id).view
        assert view is not None
        return view

    # Being curious

    async def look_around(self, name: str) -> None:
        """Press and ask everything that changes no game; each look leaves what is behind the dots in another way."""
        if self.table.stage == "lobby":
            return
        await self._try_everything(name, self.board)  # first, for a hand that it opens takes the former one away
        for message in self._messages(await self._open_hand(name)):
            await self._try_everything(name, message)
            await self._look_behind(name, message, LEADING_AWAY[(self.looks + self.looks // 4) % len(LEADING_AWAY)])
        await self.check(name)
        await self._read_direct(name)
        await self._ask(name)
        self.looks += 1

    async def _look_behind(self, name: str, message: discord.Message, verb: Verb) -> None:
        """Open what is behind the dots of a hand, leave it by a button with this verb, and come back to the cards."""
        if Verb.MORE not in self._verbs(message):
            return
        await self.press(name, message, Verb.MORE)
        await self._try_everything(name, message)
        like = PREFERRED_VERBS[self.looks // 2 % len(PREFERRED_VERBS)]
        for leading in (verb, *([like] if verb is Verb.SETTINGS else []), Verb.REFRESH):
            if leading in self._verbs(message):
                await self.press(name, message, leading)

    async def _try_everything(self, name: str, message: discord.Message) -> None:
        """Press every button of a message that changes no game, one of each kind, and choose in every select."""
        for verb in dict.fromkeys((Verb.HINT, *self._verbs(message))):
            stays = message.id == self.board.id or verb not in (Verb.MORE, *LEADING_AWAY)
            harmless = stays and (verb not in CHANGING_VERBS or self._harmless(name, verb))
            if harmless and verb in self._verbs(message):
                await self.press(name, message, verb)
        await self._try_selects(name, message)

    async def check(self, name: str) -> None:
        """Check the deals by way of the rules."""
        where = await self._where_all_is(name)
        await self.press(name, self._message(await self.press(name, where, Verb.RULES)), Verb.CHECK)

    async def _where_all_is(self, name: str) -> discord.Message:
        """Return the board, or its menu in picture mode, with the last trick."""
        if Verb.RULES in self._verbs(self.board):
            return self.board
        behind = self._message(await self.press(name, self.board, Verb.MENU))
        if Verb.LAST in self._verbs(behind):
            await self.press(name, behind, Verb.LAST)
        return self._message(await self.press(name, self.board, Verb.MENU))

    async def _read_direct(self, name: str) -> None:
        """Press what does no harm in a hand that came by direct message, where one lies."""
        user = self.here.people[name].user
        for message in user.dm_channel.history():
            for address, press in list(self._presses(message)):
                if press.verb in (Verb.HINT, Verb.REFRESH):
                    await user.click(message, custom_id=address)

    def _harmless(self, name: str, verb: Verb) -> bool:
        """Whether the table will refuse: a pass out of turn."""
        return verb is Verb.PASS and self.here.current_player(self.table) != name and self.table.stage == "playing"

    async def _open_hand(self, name: str) -> InteractionResult:
        return await self.command(name, "hand", table=self.table.id)

    async def _try_selects(self, name: str, message: discord.Message) -> None:
        """Choose everything, the first and nothing in the private hand."""
        for component in list(walk_components(message.components)):
            if isinstance(component, discord.SelectMenu) and self._is_harmless(component.custom_id):
                all_of_it = [option.value for option in component.options]
                most, least = component.max_values, component.min_values
                for chosen in (all_of_it[:most], all_of_it[:1], all_of_it[:least]):
                    now = self._reread(message)
                    if component.custom_id in {
                        getattr(each, "custom_id", None) for each in walk_components(now.components)
                    }:
                        await self.here.people[name].select(now, chosen, custom_id=component.custom_id)

    @staticmethod
    def _is_harmless(address: str) -> bool:
        """Whether a selection in this select has no immediate effect."""
        return address.startswith("bg:") and Press.read(address).verb is not Verb.QUEUED_ANSWERS

    async def _ask(self, name: str) -> None:
        """Use commands with different arguments each time, to meet every refusal."""
        person, where, table = self.here.people[name], self.here.channel_of(self.table), self.table.id
        typed = self._typed[self.turn % len(self._typed)]
        await person.autocomplete(where, "turn", "move", typed, table=table)
        await person.autocomplete(where, "turn", "move", "", table=table)
        await person.autocomplete(where, "hand", "table", "")
        if self.here.current_player(self.table) != name:
            await self.command(name, "turn", move=typed or "3s", table=table)
            await self.command(name, "turn", move="pass", table=table)
        else:
            naming = isinstance(self._view_of(name).ask, NameAsk)
            wrong = UNCALLED if naming else "2d 2s 2h 2c 3c" if typed == "As" else typed
            await self.command(name, "turn", move=wrong, table=table)
        commands: tuple[tuple[str, dict[str, Any]], ...] = (
            ("desk", {}),
            ("matches list", {}),
            ("standings", {}),
            ("learn rules", {"article": "4.10"}),
        )
        command, options = commands[self.turn % len(commands)]
        await self.command(name, command, **options)

    @property
    def _typed(self) -> tuple[str, ...]:
        """What a player types who is curious: never what can be played."""
        return TYPED_NUMBERS if JOKER in self.table.ruleset.rules.pack else TYPED

    async def step_through(self, name: str, history: InteractionResult) -> None:
        """Open the latest finished match and go on to its end in some steps."""
        message = self._message(history)
        (opening,) = (each for each in walk_components(message.components) if isinstance(each, discord.SelectMenu))
        playback = await self.here.people[name].select(message, [opening.options[0].value], custom_id=opening.custom_id)
        for which in (*[2] * 6, 3):
            message = self._reread(self._message(playback))
            step = [each for each in walk_components(message.components) if isinstance(each, discord.Button)][which]
            if not step.disabled:  # there is nothing to go on to in a match that was won at once
                await self.here.people[name].click(message, custom_id=step.custom_id)

    # What people do

    async def command(self, name: str, command: str, **options: Any) -> InteractionResult:
        """Type a command."""
        return await self.here.people[name].slash(self.here.channel_of(self.table), command, **options)

    async def press(self, name: str, message: discord.Message, verb: Verb) -> InteractionResult:
        """Press the button of a message that has this verb."""
        message = self._reread(message)
        address = next(address for address, press in self._presses(message) if press.verb is verb)
        return await self.here.people[name].click(message, custom_id=address)

    # What there is to press

    @property
    def board(self) -> discord.Message:
        """The board as it stands."""
        return self.here.board(self.table)

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.table.row.chairs) == self.table.row.seats

    def _sitting(self) -> list[str]:
        users = {chair.user for chair in self.table.row.chairs if not chair.house}
        return [name for name, person in self.here.people.items() if person.id in users]

    def _messages(self, shown: InteractionResult) -> Iterator[discord.Message]:
        if shown.response is not None and shown.response.components:
            yield shown.response.message

    def _message(self, shown: InteractionResult) -> discord.Message:
        assert shown.response is not None
        return shown.response.message

    def _reread(self, message: discord.Message) -> discord.Message:
        """Return a message, private ones too, in its present form."""
        stored = self.here.env.backend.messages[message.channel.id].get(message.id)
        return message if stored is None else ResponseMessage(self.here.env, stored).message

    def _verbs(self, message: discord.Message) -> list[Verb]:
        return [press.verb for _, press in self._presses(self._reread(message))]

    def _presses(self, message: discord.Message) -> Iterator[tuple[str, Press]]:
        for component in walk_components(message.components):
            if isinstance(component, discord.Button) and component.custom_id and not component.disabled:
                try:
                    yield component.custom_id, Press.read(component.custom_id)
                except InvalidCustomId:
                    continue

    def _pick(self, shown: InteractionResult, verb: Verb, wanted: Sequence[str] = ()) -> str:
        selects = (
            each for each in walk_components(self._message(shown).components) if isinstance(each, discord.SelectMenu)
        )
        for select in selects:
            offered = {each.value for each in select.options}
            if Press.read(select.custom_id).verb is verb and offered >= set(wanted):
                return select.custom_id
        raise LookupError(verb)


async def open_planned_table(here: World, plan: Plan, channel: ChannelHandle | None = None) -> Table:
    """Open a table in the plan's way, with people and house players, look at it, and start it."""
    table = await here.open_table(channel=channel, **plan.options)
    players = Players(here, table, plan)
    for name in plan.people:
        await players.press(name, players.board, Verb.JOIN)
        await here.settle()
    await players.press("dev", players.board, Verb.START if players.full else Verb.PLAY_NOW)  # refused: not the host
    behind = players._message(await players.press("ann", players.board, Verb.MENU))
    while not players.full:
        await players.press("ann", behind, Verb.ADD)
        await here.settle()
    for verb in (Verb.CHANGE, Verb.REMOVE):  # each takes the place of the menu
        behind = players._message(await players.press("ann", players.board, Verb.MENU))
        await players.press("ann", behind, verb)
    await players.press("ann", players.board, Verb.START)
    await here.settle()
    return table
