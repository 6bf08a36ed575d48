"""The sandbox with a small bot: boards, private hands, and edits by the bot itself."""

from __future__ import annotations

import asyncio
import io
import logging
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Self, TypeVar

import discord
import pytest
from discord import app_commands, ui
from discord.ext import commands
from PIL import Image

from bot.sandbox import CannotServe, serve
from bot.sandbox.errors import tell_errors
from bot.sandbox.live import LiveEnv, WallClock, World, settle_in
from bot.sandbox.page import LivePreview
from tests.browser.conftest import Build, Open

Sandbox = Callable[[Build], Awaitable[str]]
Test = TypeVar("Test", bound=Callable[..., object])

HALF_AN_HOUR = 1800.0  # seconds


def in_browser(test: Test) -> Test:
    """Mark a test that uses the page."""
    for mark in (pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(600)):
        test = mark(test)
    return test


class Press(ui.DynamicItem[ui.Button[Any]], template=r"p:(?P<act>\w+)"):
    """A button of the board: "later" edits the board after a while, "hand" shows a private message."""

    def __init__(self, act: str) -> None:
        super().__init__(ui.Button(label=act, custom_id=f"p:{act}"))
        self.act = act

    @classmethod
    async def from_custom_id(cls, _i: Any, _item: Any, match: re.Match[str], /) -> Self:
        return cls(match["act"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await getattr(self, self.act)(interaction, interaction.client)

    async def later(self, interaction: discord.Interaction[Any], bot: SmallBot) -> None:
        await interaction.response.defer()
        bot.tasks = [asyncio.create_task(bot.redraw(interaction.message, bot.wait))]

    async def hand(self, interaction: discord.Interaction[Any], bot: SmallBot) -> None:
        await interaction.response.send_message(view=bot.hand([]), ephemeral=True)

    async def paint(self, interaction: discord.Interaction[Any], bot: SmallBot) -> None:
        bot.painted += 1
        name, picture = f"{bot.painted}.png", io.BytesIO()
        Image.new("RGB", (560, 400), (bot.painted * 40 % 256, 90, 90)).save(picture, "PNG")
        file = discord.File(io.BytesIO(picture.getvalue()), name)
        await interaction.response.defer()
        assert interaction.message is not None
        await interaction.message.edit(view=bot.pictured(name), attachments=[file])

    async def tongue(self, interaction: discord.Interaction[Any], _bot: SmallBot) -> None:
        await interaction.response.send_message(str(interaction.locale), ephemeral=True)

    async def fail(self, interaction: discord.Interaction[Any], bot: SmallBot) -> None:
        await interaction.response.defer()
        bot.tasks = [asyncio.create_task(bot.stumble())]


class Choose(ui.DynamicItem[ui.Select[Any]], template=r"cards"):
    def __init__(self, chosen: list[str]) -> None:
        options = [discord.SelectOption(label=card, value=card, default=card in chosen) for card in ("3d", "4c", "5h")]
        super().__init__(ui.Select(custom_id="cards", placeholder="Cards", options=options, min_values=0, max_values=3))

    @classmethod
    async def from_custom_id(cls, _i: Any, _item: Any, _match: re.Match[str], /) -> Self:
        return cls([])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=interaction.client.hand(interaction.data["values"]))  # type: ignore[index,typeddict-item]


class SmallBot(commands.AutoShardedBot):
    def __init__(self, clock: Callable[[], datetime]) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True), help_command=None)
        self.clock = clock
        self.closed = False
        self.painted = 0
        self.wait = HALF_AN_HOUR
        self.tasks: list[asyncio.Task[None]] = []
        self.shown: discord.Message | None = None
        self.emoji: discord.Emoji

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press, Choose)
        picture = io.BytesIO()
        Image.new("RGBA", (64, 64), "red").save(picture, "PNG")
        self.emoji = await self.create_application_emoji(name="red", image=picture.getvalue())
        command: Any = app_commands.command(name="open", description="Open a board")(_open)
        command.autocomplete("game")(_games)
        self.tree.add_command(command)
        await self.tree.sync()

    def board(self, text: str, acts: Sequence[str] = ("later", "hand", "fail", "tongue", "paint")) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        row: ui.ActionRow[Any] = ui.ActionRow(*map(Press, acts))
        view.add_item(ui.Container(ui.TextDisplay(f"{self.emoji} {text}"), row))
        view.stop()
        return view

    def pictured(self, name: str) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        row: ui.ActionRow[Any] = ui.ActionRow(Press("paint"))
        gallery: ui.MediaGallery[Any] = ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}"))
        view.add_item(ui.Container(ui.TextDisplay(f"{self.emoji} {name}"), gallery, row))
        view.stop()
        return view

    def hand(self, chosen: list[str]) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(f"Chosen: {' '.join(sorted(chosen)) or 'none'}")).add_item(
            ui.ActionRow(Choose(chosen))
        )
        view.stop()
        return view

    async def redraw(self, board: discord.Message | None, seconds: float = 0.0) -> None:
        assert board is not None
        await asyncio.sleep(seconds)
        shown = self.get_partial_messageable(board.channel.id).get_partial_message(board.id)
        await shown.edit(view=self.board("changed by itself"))

    async def branch(self, board: discord.Message | None) -> None:
        assert board is not None
        thread = await board.create_thread(name="aside")
        await thread.send("here")

    async def stumble(self) -> None:
        await asyncio.sleep(0)
        raise RuntimeError("stumbled in the dark")

    async def close(self) -> None:
        self.closed = True
        await super().close()


async def _open(interaction: discord.Interaction[SmallBot], game: str, seats: int = 4) -> None:
    """Open a board."""
    await interaction.response.send_message(view=interaction.client.board(f"{game} for {seats}"))
    interaction.client.shown = await interaction.original_response()


def build_and_collect(bots: list[SmallBot], now: Callable[[], datetime]) -> SmallBot:
    """Create a bot, and append it to ``bots``."""
    bots.append(SmallBot(now))
    return bots[-1]


async def _games(_interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=game, value=game) for game in ("hong kong", "manila") if typed in game]


@in_browser
async def test_two_viewers_use_two_tabs_and_the_bot_edits_by_itself(sandbox: Sandbox, look: Open) -> None:
    bots = list[SmallBot]()
    address = await sandbox(partial(build_and_collect, bots))
    ann, ben = await look(address, "Ann"), await look(address, "Ben")
    await ann.slash("open", game="manila", seats=3)
    assert await ann.public_texts() == [":red: manila for 3"]
    await ben.see("manila for 3")
    await ben.click("hand")
    await ben.choose("Cards", "3d", "5h")
    await ben.choose("Cards", "4c", "5h")
    assert await ben.ephemeral_texts() == ["Chosen: 4c 5h"]
    assert await ann.ephemeral_texts() == []
    await ann.type_slash("open", game="hong")
    await bots[0].redraw(bots[0].shown)
    for tab in (ben, ann):
        await tab.see("changed by itself")
    await ann.send()
    assert await ann.see("hong for 4"), "the half-typed command is kept"
    await ben.view_as("Cleo")
    assert await ben.ephemeral_texts() == []


@in_browser
async def test_the_viewer_chooses_the_language_of_private_answers(sandbox: Sandbox, look: Open) -> None:
    ann = await look(await sandbox(SmallBot), locale="zh-CN")
    await ann.page.wait_for_function("() => document.querySelector('#language-picker').value === 'zh-CN'")
    await ann.slash("open", game="manila")
    await ann.click("tongue")
    await ann.speak("繁體中文")
    await ann.click("tongue")
    assert await ann.ephemeral_texts() == ["zh-CN", "zh-TW"], "the language of the browser by default"
    await ann.view_as("Ben")
    await ann.click("tongue")
    assert await ann.ephemeral_texts() == ["zh-TW"], "the language belongs to the tab, not to the person"


@in_browser
async def test_the_viewer_chooses_channel_and_time(sandbox: Sandbox, look: Open) -> None:
    bots = list[SmallBot]()
    ann = await look(await sandbox(partial(build_and_collect, bots)))
    assert await ann.places() == ["#big-two", "#with-threads", "@Bigger"]
    await ann.go("@Bigger")
    await ann.slash("open", game="manila")
    assert await ann.public_texts() == [":red: manila for 4"]
    await ann.click("later")
    await ann.go("#with-threads")
    assert await ann.public_texts() == []
    await ann.slash("open", game="hong kong")
    await bots[0].branch(bots[0].shown)
    await ann.later("An hour later")
    assert await ann.page.get_by_label("Time", exact=True).input_value() == "now"
    assert await ann.places() == ["#big-two", "#with-threads", "↳ aside •", "@Bigger"]
    await ann.go("↳ aside •")
    assert await ann.public_texts() == ["here"]
    await ann.go("@Bigger")
    assert await ann.public_texts() == [":red: changed by itself"]
    await ann.view_as("Ben")
    assert await ann.public_texts() == [], "the direct messages of the other person"
    assert await ann.places() == ["#big-two", "#with-threads", "↳ aside", "@Bigger"]


WATCH_PICTURES_JS = """
() => {
  const message = document.querySelector("article.channel-message");
  window.seen = [];
  const note = () => {
    const drawn = [...message.querySelectorAll("img")].filter((it) => it.naturalWidth && it.checkVisibility());
    const label = message.querySelector(".text-display").textContent.trim();
    window.seen.push([label, Math.round(message.getBoundingClientRect().height), drawn.length]);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}
"""


@in_browser
async def test_a_picture_stays_until_the_next_one_is_loaded(sandbox: Sandbox, look: Open) -> None:
    ann = await look(await sandbox(SmallBot))
    await ann.slash("open", game="manila")
    await ann.click("paint")
    await ann.page.evaluate(WATCH_PICTURES_JS)
    for number in range(2, 5):
        await ann.click("paint")
        await ann.page.wait_for_function("(label) => window.seen.at(-1)?.[0] === label", arg=f"{number}.png")
    seen = await ann.page.evaluate("() => window.seen")
    assert {label for label, _, _ in seen} == {"1.png", "2.png", "3.png", "4.png"}
    assert {(height, drawn) for _, height, drawn in seen} == {(seen[0][1], 2)}, (
        "the height and the number of pictures stay the same"
    )
    assert (await ann.status())["diagnostics"] == []


async def _world_ids() -> tuple[int, ...]:
    time = WallClock()
    env = LiveEnv(SmallBot(time.now), time)
    world = settle_in(env)
    people = (person.id for person in world.people)
    return (env.backend.application_id, env.backend.bot_user.id, env.guild.id, world.channel.id, *people)


async def test_ids_are_the_same_at_every_start() -> None:
    ids = [id_ - 1456074443980800000 for id_ in await _world_ids()]
    assert ids == [0, 1, 6, 8, 2, 3, 4, 5], "stores of earlier sandboxes refer to these ids"
    assert await _world_ids() == await _world_ids()


async def test_time_is_real_and_the_bot_cannot_open_threads() -> None:
    async with sandbox_without_page() as (_, world, bot):
        channel = bot.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        assert not channel.permissions_for(channel.guild.me).create_public_threads
        assert channel.permissions_for(channel.guild.me).send_messages
        result = await world.people[0].slash(world.channel, "open", game="manila")
        assert result.response is not None
        assert abs(datetime.now(UTC) - discord.utils.snowflake_time(result.response.id)) < timedelta(hours=1)


async def test_a_click_that_crosses_an_edit_counts_only_for_the_same_button() -> None:
    async with sandbox_without_page() as (env, world, bot), LivePreview.of(env, world, 0) as preview:
        ann, ben = world.people[:2]
        board = (await ann.slash(world.channel, "open", game="manila"))._interaction.message_id
        assert board is not None
        page = preview._open_page(ben.id)
        message = bot.get_partial_messageable(world.channel.id).get_partial_message(board)

        async def press(revision: int) -> bool:
            """Click "hand" as on the page of that revision; tell whether it was accepted."""
            receipt = await preview._action(
                page.id,
                {
                    "protocol_version": 3,
                    "kind": "click",
                    "request_id": str(page.last_sequence),
                    "generation": 1,
                    "bot_generation": 1,
                    "sequence": page.last_sequence + 1,
                    "published_revision": revision,
                    "target_id": str(board),
                    "control_key": f"message:{board}:component:5",
                },
            )
            return not receipt["rejected"]

        def hands() -> int:
            """Tell how often Ben has been shown his hand."""
            messages = env.backend.messages[world.channel.id].values()
            return sum(message.visible_to(ben.id) and not message.visible_to(ann.id) for message in messages)

        seen = page.revision
        assert await press(seen)
        assert page.revision > seen, "Ben's own hand has appeared"
        assert await press(seen)
        await message.edit(view=bot.board("somebody has joined"))
        assert await press(seen), "another text, the same buttons"
        await message.edit(view=bot.board("with another button before it", ["paint", "later", "hand"]))
        assert await press(seen)
        assert hands() == 4
        await message.edit(view=bot.board("over", ["later", "paint"]))
        assert not await press(seen), "another button has this place now"
        assert hands() == 4


@asynccontextmanager
async def sandbox_without_page() -> AsyncIterator[tuple[LiveEnv, World, SmallBot]]:
    """Run a sandbox without a page."""
    time = WallClock()
    bot = SmallBot(time.now)
    env = LiveEnv(bot, time)
    world = settle_in(env)
    env.go_live()
    await env.start()
    try:
        yield env, world, bot
    finally:
        await bot.close()
        await env.shutdown()


async def test_private_messages_vanish_after_their_token_expired() -> None:
    async with sandbox_without_page() as (env, world, _):
        board = (await world.people[0].slash(world.channel, "open", game="manila")).response
        assert board is not None
        hands = [(await world.people[0].click(board, label="hand")).response for _ in range(2)]
        assert hands[0] is not None
        messages = env.backend.messages[world.channel.id]
        messages[hands[0].id].timestamp = messages[board.id].timestamp = (env.now() - timedelta(minutes=16)).isoformat()
        env.forget()
        assert list(messages) == [board.id, *(hand.id for hand in hands[1:] if hand)]


async def test_delayed_work_is_done_in_time_when_time_is_advanced() -> None:
    async with sandbox_without_page() as (env, world, bot):
        board = await click_before_edit(world, bot, seconds=120.0)
        clicked = env.now()
        await env.move_on(timedelta(hours=1))
        edited = env.backend.get_message(world.channel.id, board).edited_timestamp
        assert edited is not None
        assert datetime.fromisoformat(edited) - clicked < timedelta(minutes=3)


async def test_no_action_waits_for_delayed_work() -> None:
    """SimCord itself would wait for work due within five seconds."""
    async with sandbox_without_page() as (env, world, bot):
        board = await click_before_edit(world, bot, seconds=4.9)
        assert env.backend.get_message(world.channel.id, board).edited_timestamp is None


async def click_before_edit(world: World, bot: SmallBot, *, seconds: float) -> int:
    """Click on a message that the bot edits after so many seconds; return the id of the message."""
    bot.wait = seconds
    board = (await world.people[0].slash(world.channel, "open", game="manila")).response
    assert board is not None
    await world.people[0].click(board, label="later")
    return int(board.id)


@pytest.mark.timeout(120)
async def test_an_error_in_a_task_of_the_bot_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with sandbox_without_page() as (env, world, _):
        logged, reporting = asyncio.Event(), asyncio.create_task(tell_errors(env))
        caplog.handler.addFilter(lambda record: not (record.exc_info and logged.set()))  # type: ignore[func-returns-value]
        board = (await world.people[0].slash(world.channel, "open", game="manila")).response
        assert board is not None
        await world.people[0].click(board, label="fail")
        async with asyncio.timeout(60):
            await logged.wait()
        reporting.cancel()
    assert "stumbled in the dark" in caplog.text
    assert [record.levelno for record in caplog.records if record.exc_info] == [logging.ERROR]


async def test_a_sandbox_drops_old_files_interactions_and_messages() -> None:
    async with sandbox_without_page() as (env, world, bot):
        board = (await world.people[0].slash(world.channel, "open", game="manila")).response
        assert board is not None
        shown = bot.get_partial_messageable(world.channel.id).get_partial_message(board.id)
        for name in ("first.png", "second.png"):
            file = discord.File(io.BytesIO(b"a picture"), name)
            await shown.edit(view=bot.pictured(name), attachments=[file])
        env.forget()
        assert [url.rpartition("/")[2] for url in env.backend.cdn._blobs] == ["second.png"]
        assert len(env.backend.interactions) == len(env.backend.interaction_tokens) == 1
        env.time.leap(env.time.elapsed + 16 * 60)
        env.forget()
        assert not env.backend.interactions
        assert not env.backend.interaction_tokens
        assert not env.backend._reserved_ids
        assert list(env.backend.messages[world.channel.id]) == [board.id]


async def test_a_port_in_use_is_reported_in_one_sentence_and_starts_no_bot() -> None:
    built: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Port {port} on 127.0.0.1 is taken"):
            await serve(built.append, port=port, announce=print)  # type: ignore[arg-type]
    assert built == []


async def test_the_sandbox_is_reachable_only_locally() -> None:
    with pytest.raises(CannotServe, match="only this machine"):
        await serve(SmallBot, host="0.0.0.0", port=0, announce=print)


async def test_the_bot_is_closed_at_the_end_of_the_sandbox() -> None:
    bots, lines = list[SmallBot](), asyncio.Queue[str]()
    serving = asyncio.create_task(serve(partial(build_and_collect, bots), port=0, announce=lines.put_nowait))
    assert "http://127.0.0.1:" in await lines.get()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    assert serving.cancelled()
    assert bots[0].closed
