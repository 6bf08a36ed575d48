"""A Discord on 127.0.0.1 with real HTTP and WebSocket, for tests that kill the bot or spoil its network.

The world (channels, messages, people, interactions) lives in the test's process; the bot is a process of its own.
Nothing in here knows the bot.
"""

from tests.standin.bot_process import BotProcess
from tests.standin.interactions import Interaction
from tests.standin.models import Channel, Guild, Message, User
from tests.standin.world import World

__all__ = ["BotProcess", "Channel", "Guild", "Interaction", "Message", "User", "World"]
