"""A small bot with boards, private hands, modals and uploads, to test the stand-in with unmodified discord.py."""

import asyncio
import os
import re
from collections.abc import Coroutine
from typing import Any, Self

import discord
from discord import app_commands


def screen(text: str, *buttons: discord.ui.Item[Any]) -> discord.ui.LayoutView:
    """Return a text with a row of buttons, stopped so that discord.py does not store the view."""
    view = discord.ui.LayoutView(timeout=None)
    row: list[discord.ui.Item[Any]] = [discord.ui.ActionRow(*buttons)] if buttons else []
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(text), *row))
    view.stop()
    return view


class Count(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"count:(?P<value>\d+):(?P<board>\d+)"):
    """A button that counts in its own custom_id and edits the public board by the channel endpoint."""

    def __init__(self, value: int, board: int) -> None:
        super().__init__(discord.ui.Button(label=f"Count {value}", custom_id=f"count:{value}:{board}"))
        self.value, self.board = value, board

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction, __: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        return cls(int(match["value"]), int(match["board"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=screen("your hand", Count(self.value + 1, self.board)))
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        await channel.get_partial_message(self.board).edit(view=screen(f"board {self.value + 1}"))


class Ask(discord.ui.Modal):
    """A modal with one text input."""

    word: discord.ui.Label[Any] = discord.ui.Label(text="Your word", component=discord.ui.TextInput(max_length=10))

    def __init__(self) -> None:
        super().__init__(title="A word", timeout=60)

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        assert isinstance(self.word.component, discord.ui.TextInput)
        await interaction.response.send_message(f"You said {self.word.component.value}.", ephemeral=True)


class Demo(discord.Client):
    """The demo bot."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.02)
        self.tree = app_commands.CommandTree(self)
        commands: tuple[app_commands.Command[Any, ..., Any], ...] = (play, ask, slow, wrong, picture, ace)
        for command in commands:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Count)
        await self.tree.sync()
        if not await self.fetch_application_emojis():
            await self.create_application_emoji(name="ace", image=b"\x89PNG\r\n\x1a\n" + b"\0" * 20)


@app_commands.command(description="Opens a board and a hand")
@app_commands.describe(game="Which game")
async def play(interaction: discord.Interaction[Any], game: str) -> None:
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    await interaction.response.defer(ephemeral=True)
    board = await channel.send(view=screen(f"board of {game}"))
    await interaction.edit_original_response(view=screen("your hand", Count(0, board.id)))


@play.autocomplete("game")
async def games(_: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    names = ["big_two", "big_a"]
    return [app_commands.Choice(name=name, value=name) for name in names if name.startswith(current)]


@app_commands.command(description="Shows a modal")
async def ask(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_modal(Ask())


@app_commands.command(description="Answers too late")
async def slow(interaction: discord.Interaction[Any]) -> None:
    await asyncio.sleep(0.4)
    try:
        await interaction.response.send_message("late")
    except discord.NotFound as error:
        print("refused", error.code)


@app_commands.command(description="Sends a label that is too long")
async def wrong(interaction: discord.Interaction[Any]) -> None:
    button: discord.ui.Button[Any] = discord.ui.Button(label="y" * 81, custom_id="b")
    try:
        await interaction.response.send_message(view=screen("wrong", button))
    except discord.HTTPException as error:
        print("refused", error.code)


@app_commands.command(description="Sends a picture in a private thread and by direct message")
async def picture(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message("look", ephemeral=True)
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="your hand")
    await thread.add_user(interaction.user)
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://hand.png")))
    await thread.send(view=view, file=discord.File(__file__, "hand.png"))
    try:
        await interaction.user.send("your hand")
    except discord.Forbidden as error:
        print("refused", error.code)


@app_commands.command(description="Sends an emoji on a button and in a select, and a file, in every way")
async def ace(interaction: discord.Interaction[Any], number: str) -> None:
    emoji = discord.PartialEmoji(name="ace", id=int(number))
    select: discord.ui.Select[Any] = discord.ui.Select(options=[discord.SelectOption(label="x", emoji=emoji)])
    button: discord.ui.Button[Any] = discord.ui.Button(emoji=emoji, custom_id="b")
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    await print_result(channel.send(file=discord.File(__file__, "ace.png")))
    there = await channel.send(view=screen("nothing"))
    for item in (button, select):
        for sending in (there.edit, channel.send, interaction.response.send_message):
            await print_result(sending(view=screen("ace", item)))


async def print_result(sending: Coroutine[Any, Any, object]) -> None:
    """Await a request and print its result: taken, answered before, or refused with the error."""
    try:
        await sending
    except discord.HTTPException as error:
        print("refused", error.status, error.code, error.text.replace("\n", " "))
    except discord.InteractionResponded:
        print("answered before")
    else:
        print("taken")


if __name__ == "__main__":
    Demo().run(os.environ["DISCORD_TOKEN"], log_handler=None)
