"""Late clicks, systematically: every component that was once on a screen, pressed too late.

While matches of every game are played, all buttons and menus are written down that stand on the board, on the hands of
two people, behind their dots and on the questions that these lead to. Each is pressed twice later, by its owner and by
another user: the click may only cause effects of the user's present screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

import pytest
from discord import ui

from bot.ai.plain import plain_action, timeout_action
from bot.domain.preferences import Preferences
from bot.interactions.dispatcher import BROKEN
from bot.rules.core.asks import Action, Choose, Play, PlayAsk, Ready
from bot.rules.core.cards import Cards
from bot.rules.core.premoves import trick_fingerprint
from bot.scene import Scene
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.show.kit.custom_ids import InvalidCustomId, Press, Verb
from bot.show.kit.words import words
from bot.show.lobby.menu import lobby_menu
from bot.show.table import notices, votes
from bot.show.table.board import board
from bot.show.table.rule_card import terms
from bot.table.table import Table
from tests.interactions.clicks import send_click
from tests.support.message_text import ParsedMessage
from tests.support.world import World, world

Click: TypeAlias = tuple[str, str | None]  # an address, and what is chosen there
W, PEOPLE = words("en-US"), ("ann", "ben")
CODES = {"B2:std": (), "TL:south": (), "BA:std": ("cleo",), "AB:std": (), "LA:std": ()}
PRESSES = 60  # a match
ALWAYS = ("playing", "between")


class Held(NamedTuple):
    """The components of a person's screens after this many actions."""

    name: str
    ply: int
    clicks: frozenset[Click]


def clicks(view: ui.LayoutView) -> Iterator[Click]:
    """Yield everything that can be clicked in a view."""
    for part in view.walk_children():
        if isinstance(part, ui.Button) and part.custom_id and not part.disabled:
            yield part.custom_id, None
        elif isinstance(part, ui.Select):
            yield from ((part.custom_id, option.value) for option in part.options)


def picks(scene: Scene) -> list[Cards]:
    """Return what may be picked on a hand: nothing, the first play, the last card."""
    view = scene.view
    if view is None or not view.hand:
        return [()]
    plays = [play.cards for play in view.plays.first(1)] if isinstance(view.ask, PlayAsk) else []
    return [(), *plays, (view.hand[-1],)]


def private_views(scene: Scene) -> Iterator[ui.LayoutView]:
    """Yield the private screens a player can have open."""
    if scene.stage == "lobby":
        yield terms(scene, W).secret
        yield lobby_menu(scene, W, level=Preferences().level).secret
        return
    for chosen in picks(scene):
        yield hand(scene, W, where="here", chosen=chosen, preferences=Preferences()).secret
        yield hand(scene, W, where="here", chosen=chosen, preferences=Preferences(confirm=True)).secret
        if scene.stage == "playing":
            yield hand_menu(scene, W, chosen=chosen, level=Preferences().level).secret
    if scene.stage in ALWAYS:
        yield notices.leaving(scene, W).secret
        yield notices.stopping(scene, W).secret
        yield votes.which_pace(scene, W).secret
        for vote in votes.KINDS:
            if vote != "end":
                yield votes.question(scene, vote, W).secret


def held(here: World, table: Table, name: str) -> Held:
    """Return what a player can click now."""
    scene, seen = table.scene(here.people[name].id), {*clicks(board(table.scene(None), W))}
    for view in private_views(scene):
        seen |= {*clicks(view)}
    return Held(name, table.state.ply, frozenset(seen))


def state(table: Table) -> Any:
    """Return a table's state that a click can change, except the board's position and the time left."""
    return replace(table.row, message=None, deadline=None, times=(), premove_at=None)


def is_late(click: Click, table: Table, scene: Scene) -> bool:
    """Tell whether a click is about the table, and meant for a state that is over.

    An order for the trick that is being played counts in time also once its owner is asked, and so does the wish to end
    a match between two hands, after others have got ready. *Pass until I can play* is for the whole deal: where one can
    play, it does nothing.
    """
    address, value = click
    try:
        press = Press.read(address)
    except InvalidCustomId:
        return False
    trick = trick_fingerprint(scene.view) if scene.view else None
    in_time = trick in (press.within, int(value.split()[-1]) if value and value.split()[-1].isdigit() else None)
    if press.verb is Verb.STOP_NOW and table.match and scene.stage == "between":
        return (press.at or 0) < table.match.moment - len(table.match.ready)
    return press.verb is not Verb.PASS_ON and not in_time


async def on(here: World, table: Table) -> None:
    """Act for an awaited seat; house players act alone."""
    match = table.match
    assert match is not None
    for seat in sorted(match.awaited):
        chair = table.row.chairs[seat]
        if chair.user is not None and not chair.house:
            view = match.view(seat)
            action: Action | None = Ready() if table.stage == "between" else plain_action(view)
            wished = action if isinstance(action, Play | Choose | Ready) else action or timeout_action(view)
            await here.act_directly(chair.user, table, wished)
            break


@pytest.mark.rotates(2)
@pytest.mark.parametrize("code", CODES)
async def test_2_4_an_old_component_does_only_what_a_present_screen_offers(tmp_path: Path, code: str) -> None:
    dice, late = Random(code), 0
    async with world(tmp_path, deal=f"late clicks {code}") as here:
        table = await here.open_table(rules=code, pace="none")
        before = [held(here, table, name) for name in PEOPLE]
        for name in ("ben", *CODES[code]):
            await here.press(name, table, "Join")
        await here.fill_up("ann", table)
        before += [held(here, table, name) for name in PEOPLE]
        await here.press("ann", table, "Start")
        shown = (await here.ann.slash(here.channel, "bigger help")).response
        theirs = {name: (await here.people[name].slash(here.channel, "bigger help")).response for name in PEOPLE}
        assert shown
        while late < PRESSES and table.stage in ALWAYS and table.state.ply < 200:
            before += [held(here, table, name) for name in PEOPLE]
            await on(here, table)
            for name in PEOPLE:
                now = held(here, table, name).clicks
                scene = table.scene(here.people[name].id)
                gone = {click for each in before for click in each.clicks} - now
                old = sorted((click for click in gone if is_late(click, table, scene)), key=str)
                for click in dice.sample(old, min(2, len(old))):
                    known, where = state(table), theirs[name]
                    assert where
                    here.pulse.at += 5
                    for _ in range(2):
                        address, value = click
                        result = await send_click(
                            here, here.people[name], where.message, address, None if value is None else [value]
                        )
                        assert state(table) == known, (name, click, table.state.ply)
                        said = [each for each in (result.response, *result.followups) if each]
                        assert BROKEN not in "\n".join(ParsedMessage.of(each.message).text for each in said), click
                    late += 1
    assert late >= PRESSES
