"""Moments of finished matches: looked for, jumped to, seen from a seat, shown to a channel, opened by their code."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.domain.ids import TableId
from bot.show.matches.moment_codes import MomentCode
from tests.people.test_presence import create_hidden_channel, set_roles
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_HANDS, World, world

DEAL = SHORT_HANDS  # whose cards do not matter


async def open_match_directly(here: World, name: str, typed: str) -> InteractionResult:
    """Open a match or a moment directly by command."""
    result = await here.people[name].slash(here.channel, "matches list", table=typed)
    await here.settle()
    return result


async def choose_in_replay(here: World, playback: InteractionResult, kind: str, value: str) -> ParsedMessage:
    """Select an entry of a replay menu as Dev."""
    ((target, values),) = private_reply(playback).selects.items()
    assert playback.response
    assert f"{kind}{value}" in values
    await here.people["dev"].select(playback.response.message, [f"{kind}{value}"], custom_id=target)
    await here.settle()
    return private_reply(playback)


async def test_matches_are_found_and_autocompleted_by_person_game_month_and_table(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await here.play_hand(table)
    month = here.env.now().strftime("%Y-%m")
    dev = here.people["dev"]
    for options in ({"person": here.ann.user}, {"game": "big_two"}, {"month": month}):
        said = private_reply(await dev.slash(here.channel, "matches list", **options))
        assert "table 1" in said.text, options
        assert "Show all" in said.buttons
    for options in ({"person": here.people["dev"].user}, {"game": "big_a"}, {"month": "2020-01"}):
        said = private_reply(await dev.slash(here.channel, "matches list", **options))
        assert "Try fewer filters, or show all" in said.text, options
        assert list(said.buttons) == ["Show all"]
    assert "Write it like this" in private_reply(await dev.slash(here.channel, "matches list", month="soon")).text
    assert private_reply(await open_match_directly(here, "dev", "2")).text == "There's no such finished match here."

    async def offered(typed: str) -> list[tuple[str, str]]:
        found = await dev.autocomplete(here.channel, "matches list", "table", typed)
        return [(each["name"], each["value"]) for each in found]

    code = str(MomentCode(table.id, 1))
    ((name, value),) = await offered("")
    assert (name.startswith("Big Two, table 1 · "), value) == (True, "1")
    assert await offered("1") == await offered("big") == [(name, value)]
    assert await offered("2") == await offered("nobody") == []
    assert await offered(code.lower()) == [(f"{code} · {name}", code)]
    assert await offered(code[:-1]) == await offered(str(MomentCode(TableId(table.id + 9), 1))) == []


async def test_a_replay_opens_at_the_viewers_or_the_winners_seat_and_can_switch_seats(
    here: World,
) -> None:
    table = await here.start_table("ben", hands=1)
    await here.play_hand(table)
    assert table.match
    winner = table.match.score.places.index(1)
    for name, seat in (("ann", 0), ("ben", 1), ("dev", winner)):
        playback = await open_match_directly(here, name, "1")
        assert private_reply(playback).buttons["Move ▶"][0] == f"bv:replay:{table.id}:1:on:{seat}:"
    former = await here.forge(
        here.people["dev"], await open_match_directly(here, "dev", "1"), f"bv:replay:{table.id}:3:on:"
    )
    assert private_reply(former).buttons["Move ▶"][0] == f"bv:replay:{table.id}:4:on:all:", (
        "as that button of an earlier release"
    )
    (values,) = private_reply(playback).selects.values()
    step = [value[1:] for value in values if value.startswith("m")][2]
    await choose_in_replay(here, playback, "v", "all")
    shown = await choose_in_replay(here, playback, "m", step)
    assert f"move {step} of" in shown.text
    assert "trick 2" in shown.text
    seen = await choose_in_replay(here, playback, "v", "1")
    assert f"move {step} of" in seen.text
    assert len(seen.text) < len(shown.text), "only one hand is open"
    on = private_reply(await here.press_on("dev", playback, "Trick ▶"))
    assert "trick 3" in on.text
    assert on.buttons["◀"][0].endswith(":1:"), "still from that seat"


async def test_a_shared_moment_is_public_and_opens_by_its_code(tmp_path: Path) -> None:
    async with world(tmp_path, pictures=True) as here:
        table = await here.start_table("ben", hands=1)
        await here.play_hand(table)
        playback = await open_match_directly(here, "dev", "1")
        await here.press_on("dev", playback, "Move ▶")
        before = len(here.channel.history())
        asked = private_reply(await here.press_in_menu("dev", playback, "Share…"))
        assert list(asked.buttons) == ["Post in this channel", "Only for me", "Back"]
        assert len(here.channel.history()) == before, "nobody else sees anything yet"
        given = private_reply(await here.press_on("dev", playback, "Post in this channel"))
        assert "Everyone here can see it now" in given.text
        code = str(MomentCode(table.id, 1))
        posted = next(each for each in here.channel.history() if "shared a moment of" in ParsedMessage.of(each).text)
        assert len(here.channel.history()) > before
        assert code in ParsedMessage.of(posted).text
        assert (
            "move 1 of"
            in private_reply(
                await here.people["cleo"].click(
                    posted, custom_id=ParsedMessage.of(posted).buttons["Replay from here"][0]
                )
            ).text
        )
        assert "move 1 of" in private_reply(await open_match_directly(here, "cleo", code.lower())).text
        wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
        assert (
            "isn't a table number or the code of a"
            in private_reply(await open_match_directly(here, "cleo", wrong)).text
        )
        foreign = str(MomentCode(TableId(table.id + 9), 1))
        assert (
            "Its match was on another server, was deleted"
            in private_reply(await open_match_directly(here, "cleo", foreign)).text
        )


async def test_2_8_guessed_codes_open_only_public_matches_and_start_no_replay(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[int]()
    openings = here.parts.store.records.openings

    async def asked(table: TableId) -> str | None:
        begun.append(table)
        return await openings(table)

    monkeypatch.setattr(here.parts.store.records, "openings", asked)  # what is read first to replay a match
    role = here.guild.create_role("insiders")
    for name in ("ann", "ben"):
        set_roles(here, name, role)
    backroom = create_hidden_channel(here, role)
    open_match = await here.start_table("ben", hands=1)
    await here.play_hand(open_match)
    secret = await here.open_table("ann", backroom, seats=2, hands=1)
    await here.press("ben", secret, "Join")
    await here.press("ann", secret, "Start")
    await here.play_hand(secret)
    await here.ann.slash(here.channel, "learn daily")
    running, lobby = await here.start_table("ben"), await here.open_table("cleo")
    last = max(await here.parts.store.tables.open_tables())
    assert {secret.id, running.id, lobby.id} < set(range(1, last + 1))
    opened = list[int]()
    for number in range(1, last + 3):
        said = private_reply(await open_match_directly(here, "dev", str(MomentCode(TableId(number), 1)))).text
        opened += [number] if "move 1 of" in said else []
        assert ("Its match was on another server, was deleted" in said) == (number != open_match.id), said
        found = await here.people["dev"].autocomplete(
            here.channel, "matches list", "table", str(MomentCode(TableId(number), 1))
        )
        assert bool(found) == (number == open_match.id)
    assert opened == [open_match.id]
    assert set(begun) == {open_match.id}, "nobody has the bot replay what they may not watch"
