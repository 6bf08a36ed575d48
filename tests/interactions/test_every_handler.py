"""Whatever answers a click: quick or slow, on the board, on a private message, in a direct one: no hand gets out.

Also without the bot on the server, for users who installed the bot for themselves. Covers every registered handler,
including future ones.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.domain.contests import monday
from bot.domain.ids import UserId
from bot.interactions import dispatcher as doors
from bot.interactions.answers import DONE, Reply
from bot.interactions.visit import Handler, Key, Visit
from bot.show.contests import daily_deal, lesson, practice, puzzles
from bot.show.hand import desk
from bot.show.kit.custom_ids import DECISION_VERBS, Browse, Press, Verb
from bot.show.lobby import options as menus
from bot.show.lobby.cut import CUTTING, WORD
from bot.show.matches import replay, replay_menu
from bot.show.people import own_data, preferences, profile, working_hours
from bot.show.rulebook import pages
from bot.show.rulebook.house_rules import OPEN as HOUSE_RULES
from bot.show.server import about, debts, reports, settings, standings, welcome
from bot.show.server.about import POLICY
from bot.show.table import achievements, duplicates, match_list, outside, paces
from bot.table.table import Table
from tests.interactions.clicks import send_click, send_form
from tests.interactions.slow_answers import delay_handlers
from tests.secrecy.request_watch import Watch
from tests.support.strict_discord import leaked_replies
from tests.support.user_installs import PlaceWithoutBot, server_without_bot
from tests.support.world import World, world

FILLED = {
    menus.VALUE: "5",
    menus.CODE: "B2:hk",
    menus.NAME: "ours",
    menus.SCOPE: "me",
    pages.WORDS: "flush",
    pages.FIRST: "3d",
    pages.SECOND: "4d",
    settings.WHERE: "Taipei",
    WORD: "river",
}
DEAL = "kept behind the door 4"  # Ann leads
BOOK = ("big_two", "0")
WAYS = (  # two in each turn, one of them answered at once
    "quick public",
    "quick private",
    "slow public",
    "slow private",
    "slow abroad",
    "slow direct",
    "quick abroad",
    "quick direct",
)


@dataclass
class Door:
    """A table at which it is Ann's turn, and the kinds of messages she may click on."""

    here: World
    table: Table
    elsewhere: PlaceWithoutBot
    messages: dict[str, tuple[MemberActor | UserHandle, discord.Message]] = field(default_factory=dict)

    @classmethod
    async def at(cls, here: World) -> Door:
        """Start a match, and open something of Ann's own on the server and in her direct messages."""
        table = await here.start_table("ben")
        opened = await here.ann.slash(here.channel, "desk")
        alone = UserHandle(here.env, here.env.backend.users[here.ann.id])
        direct = await alone.slash("desk")
        elsewhere = server_without_bot(here, "ann", manage_messages=True, manage_guild=True)
        abroad = await elsewhere.desk()
        assert opened.response
        assert direct.response
        assert abroad.response
        return cls(
            here,
            table,
            elsewhere,
            {
                "public": (here.ann, here.board(table)),
                "private": (here.ann, opened.response.message),
                "direct": (alone, direct.response.message),
                "abroad": (elsewhere.who, abroad.response.message),
            },
        )

    @property
    def good(self) -> bool:
        """Whether it is still Ann's turn, and none of her messages has made room for another hand of hers."""
        there = (
            message.id in self.here.env.backend.messages[message.channel.id] for _, message in self.messages.values()
        )
        return self.here.current_player(self.table) == "ann" and all(there)


PICKING = (Verb.PICK, Verb.PLAYS, Verb.CARD, Verb.SUIT)


def address(key: Key, table: Table, user: UserId) -> tuple[str, list[str] | None]:
    """Return a click's custom id and values for this handler."""
    kind, verb = key
    view = table.scene(user).view
    assert view
    held = view.hand[0]
    if kind is Press:
        at = table.state.ply if verb in DECISION_VERBS else table.scene(None).tally.hand if verb in PICKING else None
        ben, card = ["1:ben"], [str(held)]
        offered = {
            Verb.SEATS: ben,
            Verb.EXPEL: ben,
            Verb.QUEUED_ANSWERS: ["silent"],
            Verb.PICK: card,
            Verb.PLAYS: card,
            Verb.NEXT_LEVEL: ["good"],
            Verb.LENGTH: ["five"],
            Verb.PACE: ["relaxed"],
        }
        return str(Press(table.id, Verb(verb), at=at)), offered.get(Verb(verb))
    args, chosen = browsed(table)[verb]
    return str(Browse.to(verb, *args)), chosen


def browsed(table: Table) -> dict[str, tuple[tuple[Any, ...], list[str] | None]]:
    """Return a click for everything that is not about a running table."""
    game, week = "big_little_a", monday(table.row.created.date())  # whose cards nobody holds here
    return {
        working_hours.ZONE: ((), ["Asia/Manila"]),
        working_hours.BED: ((), ["22"]),
        working_hours.UP: ((), ["8"]),
        working_hours.OFF: ((), ["6"]),
        working_hours.SHARE: ((1,), None),
        working_hours.NOTICE: ((), ["both"]),
        working_hours.CITY: ((), None),
        working_hours.AWAY: ((), None),
        working_hours.BACK: ((), None),
        working_hours.SLEEP: ((23, 8), None),
        working_hours.NOTHING: ((), None),
        paces.PACE: ((table.id,), ["daily"]),
        paces.GIVE_AWAY: ((table.id,), ["daily seat2d"]),
        paces.GIVE_HINTS: ((table.id,), ["daily hints"]),
        paces.GIVE_REACTIONS: ((table.id,), ["daily noreact"]),
        paces.OTHER: ((table.id,), None),
        CUTTING: ((table.id,), None),
        menus.MENU: ((table.id,), None),
        menus.FURTHER: ((table.id,), None),
        menus.DONE: ((table.id,), None),
        menus.GROUP: ((table.id,), ["match"]),
        menus.OPTION: ((table.id,), ["stake"]),
        menus.SET: ((table.id, "stake"), ["5"]),
        menus.PLAIN: ((table.id,), None),
        menus.PRESET: ((table.id,), ["hk"]),
        menus.TYPE: ((table.id, "stake"), None),
        menus.CODE: ((table.id,), None),
        menus.SAVE: ((table.id,), None),
        pages.WHY: ((*BOOK, "6-2"), None),
        lesson.HOW: ((game, "0", "0", "1"), None),
        pages.ARTICLE: ((*BOOK, "4-2"), None),
        pages.TURN: ((*BOOK, "4-2"), None),
        pages.SECTION: (BOOK, ["4-2"]),
        pages.SEARCH: (BOOK, None),
        pages.HIGHER: (BOOK, None),
        match_list.HISTORY: ((0,), None),
        match_list.OPEN: ((), [str(table.id)]),
        standings.PAGE: (("wins", standings.ALL, 0, standings.ALL), None),
        standings.BY: ((standings.ALL, standings.ALL), ["points"]),
        standings.GAME: (("wins", standings.ALL), ["big_two"]),
        standings.SEASON: (("wins", "big_two"), [standings.ALL]),
        standings.POST: (("wins", standings.ALL, 0, standings.ALL), None),
        profile.PROFILE: (("1",), ["big_two"]),
        profile.VERSUS: (("1", "big_two"), ["2"]),
        profile.CARD: (("1", "big_two"), None),
        profile.BACK: (("1", "big_two"), None),
        profile.POST: (("big_two",), None),
        achievements.MEDALS: (("1", "big_two"), None),
        debts.SAY: ((1, 2, 3), None),
        debts.AGREE: ((1,), None),
        debts.TAKE_BACK: ((1,), None),
        replay.REPLAY: ((table.id, 0, "on"), None),
        replay.DEAL: ((table.id,), ["0"]),
        replay.GO: ((table.id, 0, "1", "p0"), ["h0"]),
        replay.REPLAY_MENU: ((table.id, 0, "1", "p0"), None),
        replay_menu.VERIFY: ((table.id, 0), None),
        replay_menu.JUDGE: ((table.id, 1), None),
        replay_menu.FILE: ((table.id,), None),
        replay.WHOSE: ((table.id, 0), [replay.EVERY]),
        replay_menu.SHARE: ((table.id, 0, "1", "p0"), None),
        replay_menu.POST: ((table.id, 0), None),
        replay_menu.KEEP: ((table.id, 0), None),
        replay.MOMENT: ((table.id, 0), None),
        replay_menu.PLAY_ON: ((table.id, 0, ""), None),
        replay.LOOK_BACK: ((table.id,), None),
        replay.MORE: ((table.id, 1), None),
        replay.CLOSELY: ((table.id,), ["1"]),
        replay.LOOK_CLOSELY: ((table.id, 1), None),
        HOUSE_RULES: (("me",), ["ours"]),
        preferences.CHOOSE: ((preferences.UNINVITED, 1), None),
        preferences.CHANGE_BLOCKS: ((), ["1"]),
        own_data.SHOW: ((), None),
        own_data.ASK: ((), None),
        own_data.DELETE: ((), None),
        POLICY: (("TERMS",), None),
        own_data.MATCHES: ((), None),
        settings.SET: (("slow",), ["no"]),
        settings.ZONE: ((), None),
        settings.END_SEASON: ((), None),
        reports.PAIRS: ((), None),
        welcome.OPEN: (("big_two",), None),
        outside.NEW_TABLE: (("big_two",), None),
        outside.TELL: ((outside.ANY,), None),
        welcome.DO_NOT_TELL: ((), None),
        desk.DESK: ((), None),
        daily_deal.DAY_DEAL: ((), None),
        daily_deal.BEGIN: ((), None),
        duplicates.ASK: ((table.id,), None),
        duplicates.MAKE: ((table.id,), None),
        duplicates.PLAY: ((1,), None),
        duplicates.SCORESHEET: ((1,), None),
        duplicates.OF_TABLE: ((table.id,), None),
        puzzles.PUZZLES: ((game,), None),
        puzzles.PUZZLE: ((game, week, 0), None),
        puzzles.SOLVE: ((game, week, 0, 0), None),
        puzzles.AGAIN: ((game, week), ["0"]),
        practice.ANOTHER: ((table.id,), None),
        practice.LESSON: (("big_two",), None),
        duplicates.SEVERAL: ((table.id,), None),
        duplicates.TABLE: ((1,), None),
        duplicates.DEAL: ((1,), ["1"]),
        about.HELP: ((), None),
        about.GAME: (("big_two",), None),
        about.TOPIC: ((about.CARD,), None),
    }


async def every_answer(here: World, watch: Watch, where: str) -> AsyncIterator[tuple[str, InteractionResult]]:
    """Return a click for each handler, and each form; the next hand replaces the current one."""
    door = await Door.at(here)
    for key in here.parts.dispatcher.handlers:
        door = door if door.good else await Door.at(here)
        who, message = door.messages[where]
        yield str(key), await send_click(here, who, message, *address(key, door.table, here.ann.id))
        assert (watch.leaks, leaked_replies(here.env.backend), door.elsewhere.trespasses) == ([], [], []), key
    for verb in here.parts.dispatcher.forms:
        door = door if door.good else await Door.at(here)
        who, message = door.messages[where]
        form = str(Browse.to(verb, *browsed(door.table)[verb][0]))
        yield verb, await send_form(here, who, message, form, FILLED)
        assert (watch.leaks, leaked_replies(here.env.backend), door.elsewhere.trespasses) == ([], [], []), verb


@pytest.mark.rotates(4)
@pytest.mark.parametrize("way", WAYS)
async def test_no_answer_shows_a_hand_to_others(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    how, where = way.split()
    async with world(tmp_path, deal=DEAL) as here:
        watch = Watch(here)
        if how == "slow":
            delay_handlers(here, monkeypatch)
        hands = 0
        async for what, result in every_answer(here, watch, where):
            assert result.acknowledged, what
            said = [each for each in (result.response, *result.followups) if each]
            shown = [each for each in said if ":card:" in str(each.components)]
            assert all(each.ephemeral for each in shown) or where == "direct", what
            hands += len(shown)
        assert hands > 5, "hands were shown"
        assert not here.bot._connection._view_store._views
        assert not here.bot._connection._view_store._dynamic_items
        assert not here.bot._connection._view_store._modals


async def nothing(_visit: Visit) -> Reply:
    return DONE


def test_a_handler_cannot_be_registered_twice() -> None:
    door = doors.Dispatcher()
    for address in (Press, Browse):
        door.register(address, Verb.RULES, Handler(nothing))
        with pytest.raises(ValueError, match=f"two handlers for {address.__name__} rules"):
            door.register(address, Verb.RULES, Handler(nothing))
    door.register_form("search", nothing)
    with pytest.raises(ValueError, match="two handlers for the form search"):
        door.register_form("search", nothing)
