"""A Discord on 127.0.0.1 with real HTTP and WebSocket, for tests that kill the bot or inject network faults.

The state (channels, messages, users, interactions) is in the test process; the bot runs in its own process.
"""

from tests.standin.bot_process import BotProcess
from tests.standin.interactions import Interaction
from tests.standin.models import Channel, Guild, Message, User
from tests.standin.world import World

__all__ = ["BotProcess", "Channel", "Guild", "Interaction", "Message", "User", "World"]
