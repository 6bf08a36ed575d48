"""What playing costs somebody with a phone: python -m tests.bench.taps, or the whole of it with --full, --narrow

One person among house players on the sandbox's page in a real browser. Counted are the taps from an open lobby to the
first card, those to a match of five hands, and those of each play where the play is prescribed: it is what a house
player would choose, offered or not.
Measured are how high messages are, how long it takes from a tap until the page has changed, and which buttons move
meanwhile. With --narrow the phone has 360 pixels. What is neither a play nor a pass goes to the table without the page.
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
from tests.browser.phone import HEIGHT, NARROW, WIDTH, Control, Phone
from tests.moments.arrival import arrive
from tests.moments.moments import ANN, MOMENTS

Result = TypeVar("Result")

FULL, FEW = 40, 5  # plays of each game: with --full, and without
TIME = 42.0  # seconds after which no other play is begun without --full
HANDS, SEED = 30, "7"
DELAY = 0.01  # seconds that house players wait, so that no tap waits for what they do
PATIENCE, POLL = 60.0, 0.02  # seconds until the page shows that it is one's turn, and between two looks
LISTED = 3  # taps on the dots, on the menu of plays and on one of them
CHOOSING, FIVE_HANDS = 2, 1  # taps on a menu and on a choice; the place of five hands in the menu of lengths
NEAR = 4.0  # pixels by which a button may move
SCREENS = ("lobby", "board", "hand", "end", "replay")
GOAL_FIRST, GOAL_MATCH, GOAL_PLAY, GOAL_MOST, GOAL_MS = 3, 3, 1, 5, 150


@dataclass
class Figures:
    """What was measured in a game. first: the taps to the first card; asked: the answers before it; match: the taps to
    a match of five hands; plays: those of each play; took: milliseconds.

    moved: buttons that stood elsewhere after a tap of the same turn, seen from the top and from the bottom of their
    message, of all that were looked at. strays: which of them moved after which tap, counted.
    """

    first: int = 0
    asked: int = 0
    match: int = 0
    plays: list[int] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    heights: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    moved: Counter[str] = field(default_factory=Counter)
    strays: Counter[str] = field(default_factory=Counter)

    def compare(self, tapped: Verb, before: Sequence[Control], after: Sequence[Control]) -> None:
        """Note which of these buttons have moved after a tap."""
        was = {control.which: control for control in before}
        for control in after:
            if (there := was.get(control.which)) is not None:
                aside = abs(control.left - there.left) > NEAR
                self.moved["looked at"] += 1
                self.moved["from the top"] += aside or abs(control.top - there.top) > NEAR
                self.moved["from the bottom"] += aside or abs(control.bottom - there.bottom) > NEAR
                if aside or abs(control.top - there.top) > NEAR:
                    self.strays[_stray(tapped, there, control)] += 1


class Player:
    """Ann, who plays at a table by the page alone, as a house player would."""

    def __init__(self, phone: Phone, here: Sandbox, table: Table) -> None:
        self.phone, self.here, self.table = phone, here, table
        self.figures = Figures()

    @property
    def match(self) -> Match:
        """The match that is played."""
        assert self.table.match is not None
        return self.table.match

    async def choose_length(self) -> None:
        """Choose a match of five hands behind the dots of the lobby; note what has moved by that."""
        await self._press((await until(partial(self.phone.of, self.table.id, Verb.MENU), self.phone))[0])
        menu = await until(self._menu, self.phone)
        await self.phone.choose_at(menu[0].message, FIVE_HANDS)
        assert self.table.ruleset.rules.hands == 5
        self.figures.compare(Verb.LENGTH, menu, await until(self._menu, self.phone))
        self.figures.match = 1 + CHOOSING

    async def _menu(self) -> Sequence[Control]:
        """Return the menu of the lobby, if the page shows it."""
        return [it for it in await self.phone.of(self.table.id) if it.mine]

    async def begin(self) -> None:
        """Fill the lobby up and start."""
        lobby = (await until(self._lobby, self.phone))[0]
        self.figures.heights["lobby"].append(lobby.height)
        await self._press(lobby)
        self.figures.first = 1

    async def _lobby(self) -> Sequence[Control]:
        """Return what starts the match, if the page shows the present terms."""
        there = await self.phone.of(self.table.id, Verb.PLAY_NOW)
        return [it for it in there if it.press.at == self.table.row.edition]

    async def play(self, plays: int, late: float) -> None:
        """Play up to so many counted plays, or the end of the match, or a deadline."""
        while len(self.figures.plays) < plays and monotonic() < late:
            await until(self._awaited, self.phone)
            if self.match.over:
                return
            await self._act()

    async def _awaited(self) -> bool:
        return self.match.game.result is not None or ANN in self.match.awaited

    async def _act(self) -> None:
        """Do what a house player would do: on the page where it is a play or a pass."""
        view = self.match.view(ANN)
        action = Ready() if self.match.game.result else choose_action(view) or timeout_action(view)
        if not isinstance(action, Play | Pass):
            self.figures.asked += not self.figures.plays and not isinstance(action, Ready)
            with suppress(Illegal):  # a draw may have gone on meanwhile
                await self.here.do(self.table.do(Act(self.here.ann, action)))
            return
        hand = await until(self._hand, self.phone)
        await self._measure(hand)
        if isinstance(action, Pass):
            await self._press(_for(hand, Verb.PASS))
        else:
            await self._put(hand, view, action.cards)

    async def _hand(self) -> Sequence[Control]:
        """Return the private hand, if the page shows its current state."""
        mine = [it for it in await self.phone.of(self.table.id) if it.mine]
        now = [it.message for it in mine if it.press.verb in DECISION_VERBS and it.press.at == self.match.moment]
        return [it for it in mine if it.message == now[-1]] if now else []

    async def _measure(self, hand: Sequence[Control]) -> None:
        """Note how high the messages are."""
        self.figures.heights["hand"].append(hand[0].height)
        self.figures.heights["board"] += [it.height for it in await self.phone.of(self.table.id, Verb.HAND)]

    async def _put(self, hand: Sequence[Control], view: View, cards: Cards) -> None:
        """Play these cards with the fewest taps there are; where they are offered, after a look at the hint."""
        moment, places, listed = self.match.moment, _places(hand, view, cards), _listed(view, cards)
        if (ready := _offer(hand, view, cards)) is not None:
            hand, taps = await self._pick(hand, (Verb.HINT, 0)), 1
            await self._press(next(it for it in hand if it.which == ready.which))
        elif listed is not None and len(places) > LISTED:
            await self._press(_for(hand, Verb.MORE))
            await self.phone.choose_at(hand[0].message, listed)
            await self._press(_for(await until(self._hand, self.phone), Verb.PLAY))
            taps = LISTED + 1
        else:
            for place in places:
                hand = await self._pick(hand, (Verb.CARD, place))
            await self._press(_for(hand, Verb.PLAY))
            taps = len(places) + 1
        if self.match.moment != moment:
            self.figures.first += 0 if self.figures.plays else taps
            self.figures.plays.append(taps)

    async def _pick(self, hand: Sequence[Control], which: tuple[Verb, int]) -> Sequence[Control]:
        """Tap a card button; note moved elements and return the hand."""
        await self._press(next(it for it in hand if it.which == which))
        after = await until(self._hand, self.phone)
        self.figures.compare(which[0], hand, after)
        return after

    async def _press(self, control: Control) -> None:
        self.figures.took.append(await self.phone.tap(control))


def _stray(tapped: Verb, before: Control, after: Control) -> str:
    """Write which button moved after which tap, and from where to where."""
    was, now = (f"({it.left:.0f}, {it.top:.0f})" for it in (before, after))
    return f"after {tapped.name}: {after.press.verb.name} from {was} to {now}"


async def until(there: Callable[[], Awaitable[Result]], phone: Phone) -> Result:
    """Wait until something is there, and return it."""
    deadline = monotonic() + PATIENCE
    while not (found := await there()):
        assert monotonic() < deadline, f"the page does not show what is waited for: {await phone.notice()}"
        await asyncio.sleep(POLL)
    return found


def _for(controls: Iterable[Control], verb: Verb) -> Control:
    """Return the lowest control that is for this."""
    return [it for it in controls if it.press.verb == verb][-1]


def _offer(hand: Iterable[Control], view: View, cards: Cards) -> Control | None:
    """Return the button to play these cards at once, if present."""
    fits = [place for place, play in enumerate(view.plays.ready(OFFERS)) if Counter(play.cards) == Counter(cards)]
    return next((it for place in fits for it in hand if it.which == (Verb.OFFER, place)), None)


def _listed(view: View, cards: Cards) -> int | None:
    """Return the place of a play in the menu behind the dots, if there is that menu."""
    plays = [Counter(play.cards) for play in view.plays.first(FEW_PLAYS + 1)]
    return plays.index(Counter(cards)) if Counter(cards) in plays and len(plays) <= FEW_PLAYS else None


def _places(hand: Iterable[Control], view: View, cards: Cards) -> Sequence[int]:
    """Return the places in the pack of the cards to tap, so that these are picked and no others."""
    wanted, taps = Counter(cards), []
    for it in sorted((it for it in hand if it.press.verb == Verb.CARD), key=lambda it: not it.picked):
        card = view.rules.pack[it.press.part]
        needed = wanted[card] > 0
        wanted[card] -= needed
        if needed != it.picked:
            taps.append(it.press.part)
    return taps


class Sandbox:
    """A sandbox that is open. Its simulated Discord is available only in the bot's process."""

    def __init__(self, bot: Bigger, world: World) -> None:
        self.bot, self.world, self._inside = bot, world, copy_context()
        self.ann = UserId(world.people[ANN].id)

    async def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Let something be done that is no tap."""
        return await asyncio.create_task(work, context=self._inside)

    async def deal(self, code: str) -> Table:
        """Let Ann open a table by this rule code."""
        await self.do(self.world.people[ANN].slash(self.world.channel, "deal", rules=code, hands=HANDS))
        return await self.bot.parts.tables.get(max(await self.bot.parts.store.tables.open_tables()))

    async def clear(self) -> None:
        """Let Ann, the server's owner, delete the messages: a long page is slow."""
        for message in self.world.channel.history(viewer=self.world.people[ANN]):
            await self.do(self.world.people[ANN].delete(message))


@asynccontextmanager
async def sandbox(folder: str) -> AsyncIterator[tuple[str, Sandbox]]:
    """Open a sandbox; give the address of its page too."""
    settings = Settings(database=Path(folder) / "games.db", house_delay_seconds=DELAY)
    bots, there = list[Bigger](), list[Sandbox]()

    def build(now: Callable[[], datetime]) -> Bigger:
        bots.append(Bigger(Launch(settings=settings, now=now, seed=lambda: SEED)))
        return bots[0]

    async def before(world: World) -> None:
        there.append(Sandbox(bots[0], world))

    async with served(lambda say: serve(build, port=0, announce=say, before=before)) as address:
        yield address, there[0]


async def measured(phone: Phone, here: Sandbox, code: str, plays: int, until: float) -> Figures:
    """Play by this rule code and return what was measured. until: when to stop, by the monotonic clock."""
    player = Player(phone, here, await here.deal(code))
    await player.choose_length()
    await here.do(player.table.do(ChangeRules(here.ann, lambda rules: rules.with_wishes(hands=HANDS))))
    await player.begin()
    await player.play(plays, until)
    if player.table.stage != "over":
        await here.do(player.table.do(Leave(here.ann)))
    await here.do(here.bot.parts.delivery.settled())
    await here.clear()
    return player.figures


async def end(phone: Phone, here: Sandbox, code: str) -> Sequence[float]:
    """Return how high the board and the replay of a match are that is over.

    It is one of Ben's, for Ann may not open so many tables.
    """
    others = here.world._replace(people=here.world.people[1:])
    table = await here.do(arrive(here.bot, others, MOMENTS["end-of-match"], code, 1))
    over = await until(partial(phone.of, table.id, Verb.REMATCH), phone)
    await phone.tap((await phone.of(table.id, Verb.WATCH))[-1])
    return over[0].height, await phone.lowest()


def told(title: str, figures: Figures) -> str:
    """Write what was measured in a game on a line."""
    plays, high, moved = figures.plays, figures.heights, figures.moved
    within = sum(taps <= GOAL_MOST for taps in plays) / max(len(plays), 1)
    heights = "".join(f"{max(high[screen], default=0):7.0f}" for screen in SCREENS)
    return (
        f"{title:25}{figures.first:6}{figures.asked:7}{figures.match:7}"
        f"{len(plays):7}{median(plays or [0]):8.1f}{within:10.0%}{heights}"
        f"{median(figures.took):7.0f}{moved['from the top']:6}{moved['from the bottom']:8}{moved['looked at']:7}"
    )


def together(all_games: Sequence[Figures]) -> Figures:
    """Return the figures of all games as those of one."""
    whole = Figures(*(max(getattr(each, name) for each in all_games) for name in ("first", "asked", "match")))
    for figures in all_games:
        whole.plays += figures.plays
        whole.took += figures.took
        whole.moved += figures.moved
        whole.strays += figures.strays
        for screen, heights in figures.heights.items():
            whole.heights[screen] += heights
    return whole


HEAD = (
    f"{'':25}{'first':>6}{'asked':>7}{'match':>7}{'plays':>7}{'median':>8}{'within 5':>10}"
    + "".join(f"{screen:>7}" for screen in SCREENS) + f"{'ms':>7}{'top':>6}{'bottom':>8}{'of':>7}"
)  # fmt: skip
MEANT = f"""first: taps from the lobby to the first card, answers before it apart; goal {GOAL_FIRST}
asked: answers before that card, such as bids, each of which takes a tap or a few
match: taps from an open lobby to a match of five hands; goal {GOAL_MATCH}
plays: how many, with the taps of each at the median (goal {GOAL_PLAY}) and how many within 5 (goal 98%)
lobby, board, hand, end, replay: the greatest height in pixels
ms: from a tap to the changed page, at the median; goal {GOAL_MS}
top, bottom, of: buttons that moved by more than {NEAR:.0f} pixels within a turn, from the top and the bottom of their
message, of all that stayed; goal 0
"""


async def main(*, full: bool, width: int) -> None:
    """Measure every game and print the figures. width: of the phone, in pixels."""
    begun, all_games = monotonic(), list[Figures]()
    with TemporaryDirectory() as folder:
        async with browsing() as browser, sandbox(folder) as (address, here):
            phone = await Phone.look(browser, address, width)
            for done, game in enumerate(GAMES.values()):
                code, now = Ruleset.of(game, next(iter(game.presets))).code, monotonic()
                late = float("inf") if full else now + (begun + TIME - now) / (len(GAMES) - done)
                figures = await measured(phone, here, code, FULL if full else FEW, late)
                if full or not all_games:
                    for screen, high in zip(("end", "replay"), await end(phone, here, code), strict=True):
                        figures.heights[screen].append(high)
                all_games.append(figures)
    lines = (told(game.title, figures) for game, figures in zip(GAMES.values(), all_games, strict=True))
    whole = together(all_games)
    strays = (f"{count:5} times {stray}" for stray, count in whole.strays.most_common())
    phone_size = f"On a phone of {width} x {HEIGHT} pixels"
    print("\n".join((MEANT, phone_size, HEAD, *lines, told("All", whole), *strays)))


if __name__ == "__main__":
    try:
        asyncio.run(main(full="--full" in sys.argv, width=NARROW if "--narrow" in sys.argv else WIDTH))
    except NoBrowser as error:
        print(f"Nothing is measured: {error}")
