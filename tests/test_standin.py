"""The stand-in of Discord, tested with a small bot on unmodified discord.py in its own process."""

import asyncio
import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from tests.standin import BotProcess, Channel, Interaction, Message, User, World, limits, openapi
from tests.standin.components import walk
from tests.standin.faults import MAX_BODIES, Log, LoggedRequest
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
needs_document = pytest.mark.skipif(not openapi.available(), reason="Discord's document is not here")


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    async with World() as world:
        yield world


@pytest_asyncio.fixture
async def bot(world: World) -> AsyncIterator[BotProcess]:
    async with BotProcess(world, "tests.standin.demo_bot") as bot:
        yield bot


@pytest.fixture
def den(world: World) -> Channel:
    return world.add_channel("den")


@pytest.fixture
def ann(world: World) -> User:
    return world.add_user("ann")


async def hand_of(world: World, user: User, where: Channel) -> tuple[Interaction, Message]:
    played = await world.slash(user, where, "play", game="big_two")
    await world.until(lambda: played.settled)
    assert played.ephemeral
    return played, played.ephemeral


@pytest.mark.asyncio
async def test_a_button_works_after_kill_9_and_every_request_matches_the_document(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    played, hand = await hand_of(world, ann, den)
    assert played.is_acknowledged
    assert (hand.text, hand.is_visible_to(ann), hand.is_visible_to(world.add_user("ben"))) == ("your hand", True, False)
    [board] = den.seen_by(None)
    assert board.text == "board of big_two"

    assert (await world.click(ann, hand, "Count 0")).is_acknowledged
    await world.until(lambda: board.text == "board 1")
    assert world.log.matching("PATCH", f"/channels/{den.id}/messages/{board.id}", generation=1)

    await bot.kill9()
    failed = await world.click(ann, hand, "Count 1")
    assert (failed.is_acknowledged, failed.error) == (False, "This interaction failed")

    await bot.start()
    pressed = await world.click(ann, hand, "Count 1")
    assert (pressed.is_acknowledged, pressed.message) == (True, hand)
    assert hand.control("Count 2")
    await world.until(lambda: board.text == "board 2")
    assert world.log.matching("PATCH", generation=2)

    assert [emoji["name"] for emoji in world.emojis.values()] == ["ace"]
    assert limits.complaints_of_all(world.log.triples()) == []
    assert world.complaints() == []


@needs_document
@pytest.mark.asyncio
async def test_the_answers_of_the_stand_in_match_the_document(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    _, hand = await hand_of(world, ann, den)
    await world.click(ann, hand, "Count 0")
    await world.slash(ann, den, "picture")
    await world.until(
        lambda: world.log.matching("POST", "/channels/.*")[-1].answer["channel_id"] == str(world.dm(ann).id)
    )
    for entry in world.log:
        assert openapi.answer_complaints(entry.method, entry.path, entry.status or 0, entry.answer) == [], entry


@pytest.mark.asyncio
async def test_the_bot_retries_after_injected_faults(world: World, den: Channel, ann: User, bot: BotProcess) -> None:
    _, hand = await hand_of(world, ann, den)
    [board] = den.seen_by(None)
    edits = rf"/channels/{den.id}/messages/{board.id}"

    world.faults.limit("PATCH", edits, retry_after=0.2)
    await world.click(ann, hand, "Count 0")
    await world.until(lambda: board.text == "board 1")
    assert [entry.status for entry in world.log.matching("PATCH", edits)] == [429, 200]

    world.faults.fail("PATCH", edits, status=500)
    await world.click(ann, hand, "Count 1")
    await world.until(lambda: board.text == "board 2")
    assert [entry.status for entry in world.log.matching("PATCH", edits)] == [429, 200, 500, 200]

    world.faults.drop("PATCH", edits, after=True)
    await world.click(ann, hand, "Count 2")
    await world.until(lambda: board.text == "board 3")
    assert world.log.matching("PATCH", edits)[-1].status == 0

    missing = world.faults.fail("PATCH", edits, status=403, code=50001, times=None)
    await world.click(ann, hand, "Count 3")
    await world.until(lambda: missing.hits)
    missing.end()
    assert board.text == "board 3"
    assert hand.control("Count 4")


@pytest.mark.asyncio
async def test_the_bot_resumes_its_gateway_session_after_a_disconnect(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    await world.gateway.disconnect(4000)
    await world.until(lambda: world.gateway.resumed and world.gateway.live(world.guild.id))
    _, hand = await hand_of(world, ann, den)
    assert hand.text == "your hand"


@pytest.mark.asyncio
async def test_modals_autocompletion_threads_uploads_and_closed_direct_messages(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    typed = await world.autocomplete(ann, den, "play", "game", "big_t")
    assert [choice["value"] for choice in typed.choices] == ["big_two"]
    with pytest.raises(LookupError):
        await world.slash(ann, den, "play")

    shown = await world.slash(ann, den, "ask")
    with pytest.raises(ValueError, match="11 characters"):
        await world.submit_modal(ann, shown, {"Your word": "x" * 11})
    said = await world.submit_modal(ann, shown, {"Your word": "two"})
    assert said.ephemeral
    assert said.ephemeral.text == "You said two."

    ann.dms_open = False
    await world.slash(ann, den, "picture")
    await world.until(lambda: "refused 50007" in bot.output)
    [thread] = [channel for channel in world.channels.values() if channel.is_thread]
    assert thread.is_visible_to(ann)
    assert not thread.is_visible_to(world.add_user("ben"))
    [letter] = thread.seen_by(ann)
    assert letter.attachments[0]["url"] in world.message_writer.files
    assert letter.components[0]["items"][0]["media"]["url"] == letter.attachments[0]["url"]
    assert (
        openapi.complaints(
            "POST",
            f"/channels/{thread.id}/messages",
            world.log.matching("POST", f"/channels/{thread.id}/messages")[0].json,
        )
        == []
    )


COMPONENT_PATH = "components.0.components.1.components.0"  # path of the component in messages of the demo bot


@pytest.mark.asyncio
async def test_unknown_emoji_on_components_are_refused(world: World, den: Channel, ann: User, bot: BotProcess) -> None:
    said = await send_emoji(world, den, ann, bot, 4711)
    places = [f"{way}{COMPONENT_PATH}{part}.emoji.id" for part in ("", ".options.0") for way in ("", "", "data.")]
    refusals = [f"refused 400 50035 Invalid Form Body In {place}: Invalid emoji" for place in places]
    assert said == ["taken", *refusals], "the file is accepted"
    refused = world.log.matching("POST", "/interactions/.*/callback")[0]
    assert "BUTTON_COMPONENT_INVALID_EMOJI" in str(refused.answer)


@pytest.mark.asyncio
async def test_valid_emoji_and_files_are_refused_on_demand(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    await world.until(lambda: bool(world.emojis))
    (known,) = world.emojis
    world.faults.refuse_emoji("PATCH")
    world.faults.refuse_files()
    file, edit, *others = await send_emoji(world, den, ann, bot, known)
    assert edit.endswith(".emoji.id: Invalid emoji")
    assert set(others) == {"taken", "answered before"}
    assert file == "refused 413 40005 Request entity too large"


async def send_emoji(world: World, den: Channel, ann: User, bot: BotProcess, emoji: int) -> list[str]:
    """Let the demo bot send a file, and an emoji in six ways; return its seven log lines."""
    asked = asyncio.create_task(world.slash(ann, den, "ace", number=str(emoji)))

    def said() -> list[str]:
        return [line for line in bot.output.splitlines() if line.startswith(("refused", "taken", "answered"))]

    await world.until(lambda: len(said()) == 7)
    world.fail_unanswered()
    await asked
    return said()


@pytest.mark.asyncio
async def test_late_answers_and_invalid_components_are_refused(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    world.answer_within = 0.2
    late = await world.slash(ann, den, "slow")
    assert (late.is_acknowledged, late.error) == (False, "This interaction failed")
    await world.until(lambda: "refused 10062" in bot.output)

    world.answer_within = WAIT_LIMIT
    asked = asyncio.create_task(world.slash(ann, den, "wrong"))
    await world.until(lambda: "refused 50035" in bot.output)
    world.fail_unanswered()
    assert (await asked).error
    refused = world.log.matching("POST", "/interactions/.*")[-1]
    assert refused.status == 400
    assert "button label of 81 characters, not 0 to 80" in limits.complaints("POST", refused.path, refused.json)


@pytest.mark.asyncio
async def test_an_ephemeral_message_is_accessible_only_with_its_token(
    world: World, den: Channel, ann: User, bot: BotProcess
) -> None:
    played, hand = await hand_of(world, ann, den)
    with pytest.raises(LookupError, match="ben does not see"):
        await world.click(world.add_user("ben"), hand, "Count")
    original = f"/webhooks/{world.application_id}/{played.token}/messages/@original"
    callback = f"/interactions/{played.id}/{played.token}/callback"
    known = {"Authorization": f"Bot {world.token}"}
    async with ClientSession(f"{world.address}/g0/api/v10/", headers=known) as discord:

        async def code(method: str, path: str, **sent: Any) -> int:
            async with discord.request(method, path[1:], **sent) as answer:
                return int((await answer.json()).get("code", answer.status))

        assert await code("PATCH", f"/channels/{den.id}/messages/{hand.id}", json={"content": "x"}) == 10008
        assert await code("PATCH", original, json={"content": "x"}) == 50035, "a V2 message has no content"
        assert await code("PATCH", original, json=layout(text("new"))) == 200
        assert await code("POST", callback, json={"type": 5}) == 40060
        assert await code("POST", callback.replace("/callback", "x/callback"), json={"type": 5}) == 10062
        assert await code("PATCH", original, json=layout(row(select(custom_id="menu")))) == 200
        assert world.removed_menus == []
        assert await code("PATCH", original, json=layout(text("new"))) == 200
        assert world.removed_menus == [f"{hand.id}: menu may be open and has gone"]
        world.expire_tokens()
        assert await code("PATCH", original, json=layout(text("newer"))) == 50027
        assert await code("GET", "/users/@me", headers={"Authorization": "Bot other"}) == 0
    assert hand.text == "new"
    assert (await world.click(ann, (await hand_of(world, ann, den))[1], "Count")).is_acknowledged, (
        "a click creates a new token"
    )


def button(name: str, label: str = "Pass") -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": label, "custom_id": name}


def layout(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"flags": limits.IS_COMPONENTS_V2, "components": [{"type": 17, "components": list(parts)}], **more}


def row(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(parts)}


def text(words: str) -> dict[str, Any]:
    return {"type": 10, "content": words}


def select(count: int = 3, **more: Any) -> dict[str, Any]:
    options = [{"label": f"card {n}", "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "cards", "options": options, "max_values": min(count, 25), **more}


DUPLICATE_VALUES = [{"label": "a", "value": "same"}, {"label": "b", "value": "same"}]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (layout(row(button("a", "y" * 81))), "button label of 81"),
        (layout(row(button("a" * 101))), "custom_id of 101"),
        (layout(row(button("a"), button("a"))), "occurs 2 times"),
        (layout(row(button("a"), select())), "alone in its row"),
        (layout(row(*(button(f"{n}") for n in range(6)))), "6 buttons"),
        (layout(row(select(26))), "26 options"),
        (layout(row(select(2, max_values=3))), "more than the 2 options"),
        (layout(row(select(options=DUPLICATE_VALUES, max_values=1))), "not unique"),
        (layout(row(select(min_values=3, max_values=2))), "do not fit"),
        (layout(*(text("x") for _ in range(40))), "41 components"),
        (layout(text("x" * 2001), text("y" * 2000)), "4001 characters"),
        (layout(text("x"), content="y"), "content may not go"),
        (layout(text("x"), embeds=[{"title": "y"}]), "embeds may not go"),
        (layout(layout()["components"][0]), "component type 17 in a container"),
        (layout(), "empty container"),
        ({**layout(text("x")), "flags": 0}, "without the flag"),
        (layout({"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}), "was not uploaded"),
        ({"content": "x" * 2001}, "2001"),
        ({}, "empty message"),
    ],
)
def test_the_limits_refuse_invalid_messages(body: dict[str, Any], complaint: str) -> None:
    for method, path, sent in (
        ("POST", "/channels/1/messages", body),
        ("POST", "/interactions/1/token/callback?with_response=1", {"type": 4, "data": body}),
        ("POST", "/webhooks/1/token", body),
    ):
        assert complaint in "; ".join(limits.complaints(method, path, sent))


def test_the_limits_accept_a_message_of_maximum_size() -> None:
    rows = [row(*(button(f"{r}.{n}") for n in range(5))) for r in range(5)]
    body = layout(text("x" * 4000), *rows, row(select(25)), row(button("last")))
    assert len(walk(body["components"])) == 36
    assert limits.complaints("POST", "/channels/1/messages", body) == []
    assert (
        limits.complaints("PATCH", "/webhooks/1/token/messages/@original", {**body, "content": None, "embeds": []})
        == []
    )


@needs_document
def test_the_document_refuses_long_labels_and_unknown_paths() -> None:
    good = layout(text("x"), row(button("a")), row(select()))
    assert openapi.complaints("POST", "/channels/1/messages", good) == []
    bad = copy.deepcopy(good)
    bad["components"][0]["components"][1]["components"][0]["label"] = "y" * 81
    assert any(
        "label" in line and "too long" in line
        for line in openapi.document_complaints("POST", "/channels/1/messages", bad)
    )
    callback = {"type": 4, "data": bad}
    assert any(
        "too long" in line for line in openapi.document_complaints("POST", "/interactions/1/t/callback", callback)
    )
    assert openapi.document_complaints("POST", "/channels/1/letters", {}) == [
        "POST /channels/1/letters is not in Discord's API"
    ]


def test_a_long_log_keeps_only_the_bodies_of_the_latest_requests() -> None:
    log = Log()
    for number in range(MAX_BODIES + 5):
        log.append(LoggedRequest("POST", f"/{number}", {"number": number}, 0.0, 1))
    assert len(log) == MAX_BODIES + 5
    assert (log[4].forgotten, log[4].json, log[4].path) == (True, None, "/4")
    assert (log[5].forgotten, log[5].json) == (False, {"number": 5})
