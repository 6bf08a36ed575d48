"""How many taps playing needs on a phone: python -m tests.bench.taps [--full] [--narrow]

One person with house players on the sandbox's page in a real browser. Counted are the taps from an open lobby to the
first card, those to a match of five hands, and those of each play, which is the choice of a house player, offered or
not. Measured are the heights of messages, the milliseconds from a tap until the page has changed, and the buttons that
move. With --narrow the phone has 360 pixels. Answers other than plays and passes are sent to the table directly.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, TypeVar

from bot.ai.plain import timeout_action
from bot.ai_pool.moves import choose_action
from bot.client import Bigger
from bot.domain.ids import UserId
from bot.games import GAMES
from bot.launch import Launch
from bot.rules.core.asks import Pass, Play, Ready
from bot.rules.core.cards import Cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.variants.ruleset import Ruleset
from bot.sandbox import serve
from bot.sandbox.live import World
from bot.settings import Settings
from bot.show.hand.offered_plays import MAX_OFFERS as OFFERS
from bot.show.hand.panel import MAX_PLAYS_LISTED as FEW_PLAYS
from bot.show.kit.custom_ids import DECISION_VERBS, Verb
from bot.table.core.commands import Act, ChangeRules, Leave
from bot.table.table import Table
from tests.browser.opening import NoBrowser, browsing, served
from tests.browser.phone import HEIGHT, NARROW_WIDTH, WIDTH, Control, Phone
from tests.moments.arrival import bring_to_moment
from tests.moments.moments import ANN, MOMENTS

Result = TypeVar("Result")

FULL_PLAYS, SHORT_PLAYS = 40, 5  # plays per game, with --full and without
MAX_SECONDS = 42.0  # seconds without --full
HANDS, SEED = 30, "7"
HOUSE_DELAY = 0.01  # seconds, so short that no tap waits for house players
PAGE_TIMEOUT, POLL_INTERVAL = 60.0, 0.02  # seconds until the page shows Ann's turn, and between two checks
LISTED_PLAY_TAPS = 3  # dots, menu, play
MENU_TAPS, FIVE_HANDS_INDEX = 2, 1  # menu and choice; index in the menu of lengths
MAX_SHIFT = 4.0  # pixels
SCREENS = ("lobby", "board", "hand", "end", "replay")
GOAL_FIRST, GOAL_MATCH, GOAL_PLAY, GOAL_MOST, GOAL_MS = 3, 3, 1, 5, 150


@dataclass
class TapResult:
    """Results of a game.

    first: taps to the first card; asked: answers before; match: taps to a match of five hands; plays: taps of each
    play; took: milliseconds. moved: buttons that moved after a tap in the same turn, relative to the top and the bottom
    of the message, of all compared ones. shifted_buttons: counts of which button moved after which tap.
    """

    first: int = 0
    asked: int = 0
    match: int = 0
    plays: list[int] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    heights: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    moved: Counter[str] = field(default_factory=Counter)
    shifted_buttons: Counter[str] = field(default_factory=Counter)

    def compare(self, tapped: Verb, before: Sequence[Control], after: Sequence[Control]) -> None:
        """Record which buttons have moved after a tap."""
        was = {control.identity: control for control in before}
        for control in after:
            if (there := was.get(control.identity)) is not None:
                aside = abs(control.left - there.left) > MAX_SHIFT
                self.moved["looked at"] += 1
                self.moved["from the top"] += aside or abs(control.top - there.top) > MAX_SHIFT
                self.moved["from the bottom"] += aside or abs(control.bottom - there.bottom) > MAX_SHIFT
                if aside or abs(control.top - there.top) > MAX_SHIFT:
                    self.shifted_buttons[_shift(tapped, there, control)] += 1


class PhonePlayer:
    """Ann, who plays at a table by the page alone, as a house player would."""

    def __init__(self, phone: Phone, here: Sandbox, table: Table) -> None:
        self.phone, self.here, self.table = phone, here, table
        self.result = TapResult()

    @property
    def match(self) -> Match:
        """The match of the table."""
        assert self.table.match is not None
        return self.table.match

    async def choose_length(self) -> None:
        """Choose five hands in the menu behind the dots of the lobby; record moved buttons."""
        await self._press((await until(partial(self.phone.controls_of, self.table.id, Verb.MENU), self.phone))[0])
        menu = await until(self._menu, self.phone)
        await self.phone.choose_at(menu[0].message, FIVE_HANDS_INDEX)
        assert self.table.ruleset.rules.hands == 5
        self.result.compare(Verb.LENGTH, menu, await until(self._menu, self.phone))
        self.result.match = 1 + MENU_TAPS

    async def _menu(self) -> Sequence[Control]:
        """Return the menu of the lobby, if shown."""
        return [it for it in await self.phone.controls_of(self.table.id) if it.mine]

    async def begin(self) -> None:
        """Fill the lobby and start."""
        lobby = (await until(self._lobby, self.phone))[0]
        self.result.heights["lobby"].append(lobby.height)
        await self._press(lobby)
        self.result.first = 1

    async def _lobby(self) -> Sequence[Control]:
        """Return the start button, if the page shows the present terms."""
        there = await self.phone.controls_of(self.table.id, Verb.PLAY_NOW)
        return [it for it in there if it.press.at == self.table.row.edition]

    async def play(self, plays: int, late: float) -> None:
        """Play until so many counted plays, the end of the match, or this time."""
        while len(self.result.plays) < plays and monotonic() < late:
            await until(self._awaited, self.phone)
            if self.match.over:
                return
            await self._act()

    async def _awaited(self) -> bool:
        return self.match.game.result is not None or ANN in self.match.awaited

    async def _act(self) -> None:
        """Act as a house player would: plays and passes on the page."""
        view = self.match.view(ANN)
        action = Ready() if self.match.game.result else choose_action(view) or timeout_action(view)
        if not isinstance(action, Play | Pass):
            self.result.asked += not self.result.plays and not isinstance(action, Ready)
            with suppress(Illegal):  # a draw may have continued
                await self.here.do(self.table.do(Act(self.here.ann, action)))
            return
        hand = await until(self._hand, self.phone)
        await self._measure(hand)
        if isinstance(action, Pass):
            await self._press(_controls_for(hand, Verb.PASS))
        else:
            await self._play_cards(hand, view, action.cards)

    async def _hand(self) -> Sequence[Control]:
        """Return the private hand, if the page shows its present state."""
        mine = [it for it in await self.phone.controls_of(self.table.id) if it.mine]
        now = [it.message for it in mine if it.press.verb in DECISION_VERBS and it.press.at == self.match.moment]
        return [it for it in mine if it.message == now[-1]] if now else []

    async def _measure(self, hand: Sequence[Control]) -> None:
        """Record the heights of the messages."""
        self.result.heights["hand"].append(hand[0].height)
        self.result.heights["board"] += [it.height for it in await self.phone.controls_of(self.table.id, Verb.HAND)]

    async def _play_cards(self, hand: Sequence[Control], view: View, cards: Cards) -> None:
        """Play these cards with the fewest taps; offered plays are found by the hint."""
        moment, places, listed = self.match.moment, _pack_indexes(hand, view, cards), _menu_index(view, cards)
        if (ready := _offered_button(hand, view, cards)) is not None:
            hand, taps = await self._tap_card(hand, (Verb.HINT, 0)), 1
            await self._press(next(it for it in hand if it.identity == ready.identity))
        elif listed is not None and len(places) > LISTED_PLAY_TAPS:
            await self._press(_controls_for(hand, Verb.MORE))
            await self.phone.choose_at(hand[0].message, listed)
            await self._press(_controls_for(await until(self._hand, self.phone), Verb.PLAY))
            taps = LISTED_PLAY_TAPS + 1
        else:
            for place in places:
                hand = await self._tap_card(hand, (Verb.CARD, place))
            await self._press(_controls_for(hand, Verb.PLAY))
            taps = len(places) + 1
        if self.match.moment != moment:
            self.result.first += 0 if self.result.plays else taps
            self.result.plays.append(taps)

    async def _tap_card(self, hand: Sequence[Control], which: tuple[Verb, int]) -> Sequence[Control]:
        """Tap a card; record moved buttons and return the hand."""
        await self._press(next(it for it in hand if it.identity == which))
        after = await until(self._hand, self.phone)
        self.result.compare(which[0], hand, after)
        return after

    async def _press(self, control: Control) -> None:
        self.result.took.append(await self.phone.tap(control))


def _shift(tapped: Verb, before: Control, after: Control) -> str:
    """Describe which button moved after which tap, and how far."""
    was, now = (f"({it.left:.0f}, {it.top:.0f})" for it in (before, after))
    return f"after {tapped.name}: {after.press.verb.name} from {was} to {now}"


async def until(there: Callable[[], Awaitable[Result]], phone: Phone) -> Result:
    """Wait until a function returns a value, and return it."""
    deadline = monotonic() + PAGE_TIMEOUT
    while not (found := await there()):
        assert monotonic() < deadline, f"the page does not show what is waited for: {await phone.notice()}"
        await asyncio.sleep(POLL_INTERVAL)
    return found


def _controls_for(controls: Iterable[Control], verb: Verb) -> Control:
    """Return the lowest control with this verb."""
    return [it for it in controls if it.press.verb == verb][-1]


def _offered_button(hand: Iterable[Control], view: View, cards: Cards) -> Control | None:
    """Return the button that plays these cards at once, if offered."""
    fits = [place for place, play in enumerate(view.plays.ready(OFFERS)) if Counter(play.cards) == Counter(cards)]
    return next((it for place in fits for it in hand if it.identity == (Verb.OFFER, place)), None)


def _menu_index(view: View, cards: Cards) -> int | None:
    """Return the index of a play in the menu behind the dots, if there is such a menu."""
    plays = [Counter(play.cards) for play in view.plays.first(FEW_PLAYS + 1)]
    return plays.index(Counter(cards)) if Counter(cards) in plays and len(plays) <= FEW_PLAYS else None


def _pack_indexes(hand: Iterable[Control], view: View, cards: Cards) -> Sequence[int]:
    """Return the pack indexes of the cards to tap, so that exactly these cards are selected."""
    wanted, taps = Counter(cards), []
    for it in sorted((it for it in hand if it.press.verb == Verb.CARD), key=lambda it: not it.picked):
        card = view.rules.pack[it.press.part]
        needed = wanted[card] > 0
        wanted[card] -= needed
        if needed != it.picked:
            taps.append(it.press.part)
    return taps


class Sandbox:
    """An open sandbox, whose simulated Discord is accessible only in the bot's process."""

    def __init__(self, bot: Bigger, world: World) -> None:
        self.bot, self.world, self._inside = bot, world, copy_context()
        self.ann = UserId(world.people[ANN].id)

    async def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do something in the bot's process."""
        return await asyncio.create_task(work, context=self._inside)

    async def deal(self, code: str) -> Table:
        """Open a table by this rule code as Ann."""
        await self.do(self.world.people[ANN].slash(self.world.channel, "deal", rules=code, hands=HANDS))
        return await self.bot.parts.tables.get(max(await self.bot.parts.store.tables.open_tables()))

    async def clear(self) -> None:
        """Delete all messages as Ann, the owner of the server: long pages are slow."""
        for message in self.world.channel.history(viewer=self.world.people[ANN]):
            await self.do(self.world.people[ANN].delete(message))


@asynccontextmanager
async def open_sandbox(folder: str) -> AsyncIterator[tuple[str, Sandbox]]:
    """Open a sandbox; yield it with the address of its page."""
    settings = Settings(database=Path(folder) / "games.db", house_delay_seconds=HOUSE_DELAY)
    bots, there = list[Bigger](), list[Sandbox]()

    def build(now: Callable[[], datetime]) -> Bigger:
        bots.append(Bigger(Launch(settings=settings, now=now, seed=lambda: SEED)))
        return bots[0]

    async def before(world: World) -> None:
        there.append(Sandbox(bots[0], world))

    async with served(lambda say: serve(build, port=0, announce=say, before=before)) as address:
        yield address, there[0]


async def measure_game(phone: Phone, here: Sandbox, code: str, plays: int, until: float) -> TapResult:
    """Play by this rule code and return the result. until: monotonic time of the end."""
    player = PhonePlayer(phone, here, await here.deal(code))
    await player.choose_length()
    await here.do(player.table.do(ChangeRules(here.ann, lambda rules: rules.with_wishes(hands=HANDS))))
    await player.begin()
    await player.play(plays, until)
    if player.table.stage != "over":
        await here.do(player.table.do(Leave(here.ann)))
    await here.do(here.bot.parts.delivery.settled())
    await here.clear()
    return player.result


async def end_heights(phone: Phone, here: Sandbox, code: str) -> Sequence[float]:
    """Return the heights of board and replay of a finished match.

    Ben hosts the table, because Ann may not open so many.
    """
    others = here.world._replace(people=here.world.people[1:])
    table = await here.do(bring_to_moment(here.bot, others, MOMENTS["end-of-match"], code, 1))
    over = await until(partial(phone.controls_of, table.id, Verb.REMATCH), phone)
    await phone.tap((await phone.controls_of(table.id, Verb.WATCH))[-1])
    return over[0].height, await phone.lowest_height()


def describe(title: str, result: TapResult) -> str:
    """Format the results of a game in one line."""
    plays, high, moved = result.plays, result.heights, result.moved
    within = sum(taps <= GOAL_MOST for taps in plays) / max(len(plays), 1)
    heights = "".join(f"{max(high[screen], default=0):7.0f}" for screen in SCREENS)
    return (
        f"{title:25}{result.first:6}{result.asked:7}{result.match:7}"
        f"{len(plays):7}{median(plays or [0]):8.1f}{within:10.0%}{heights}"
        f"{median(result.took):7.0f}{moved['from the top']:6}{moved['from the bottom']:8}{moved['looked at']:7}"
    )


def sum_of_games(all_games: Sequence[TapResult]) -> TapResult:
    """Return the sum of the results of all games."""
    whole = TapResult(*(max(getattr(each, name) for each in all_games) for name in ("first", "asked", "match")))
    for result in all_games:
        whole.plays += result.plays
        whole.took += result.took
        whole.moved += result.moved
        whole.shifted_buttons += result.shifted_buttons
        for screen, heights in result.heights.items():
            whole.heights[screen] += heights
    return whole


TABLE_HEAD = (
    f"{'':25}{'first':>6}{'asked':>7}{'match':>7}{'plays':>7}{'median':>8}{'within 5':>10}"
    + "".join(f"{screen:>7}" for screen in SCREENS) + f"{'ms':>7}{'top':>6}{'bottom':>8}{'of':>7}"
)  # fmt: skip
EXPLANATION = f"""first: taps from the lobby to the first card, answers before it apart; goal {GOAL_FIRST}
asked: answers before that card, such as bids, each of which takes a tap or a few
match: taps from an open lobby to a match of five hands; goal {GOAL_MATCH}
plays: how many, with the taps of each at the median (goal {GOAL_PLAY}) and how many within 5 (goal 98%)
lobby, board, hand, end, replay: the greatest height in pixels
ms: from a tap to the changed page, at the median; goal {GOAL_MS}
top, bottom, of: buttons that moved by more than {MAX_SHIFT:.0f} pixels within a turn, from the top and the bottom of
their message, of all that stayed; goal 0
"""


async def main(*, full: bool, width: int) -> None:
    """Measure every game and print the results. width: of the phone, in pixels."""
    begun, all_games = monotonic(), list[TapResult]()
    with TemporaryDirectory() as folder:
        async with browsing() as browser, open_sandbox(folder) as (address, here):
            phone = await Phone.open_as_first_viewer(browser, address, width)
            for done, game in enumerate(GAMES.values()):
                code, now = Ruleset.of(game, next(iter(game.presets))).code, monotonic()
                late = float("inf") if full else now + (begun + MAX_SECONDS - now) / (len(GAMES) - done)
                result = await measure_game(phone, here, code, FULL_PLAYS if full else SHORT_PLAYS, late)
                if full or not all_games:
                    for screen, high in zip(("end", "replay"), await end_heights(phone, here, code), strict=True):
                        result.heights[screen].append(high)
                all_games.append(result)
    lines = (describe(game.title, result) for game, result in zip(GAMES.values(), all_games, strict=True))
    whole = sum_of_games(all_games)
    shifted_buttons = (f"{count:5} times {stray}" for stray, count in whole.shifted_buttons.most_common())
    phone_size = f"On a phone of {width} x {HEIGHT} pixels"
    print("\n".join((EXPLANATION, phone_size, TABLE_HEAD, *lines, describe("All", whole), *shifted_buttons)))


if __name__ == "__main__":
    try:
        asyncio.run(main(full="--full" in sys.argv, width=NARROW_WIDTH if "--narrow" in sys.argv else WIDTH))
    except NoBrowser as error:
        print(f"Nothing is measured: {error}")
