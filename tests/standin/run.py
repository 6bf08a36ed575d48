"""``python -m tests.standin.run <module> [arguments]``: the module as the main program, its Discord being the stand-in.

Knows the two addresses discord.py has to be told, out of the environment. Changes nothing else of the bot.
"""

import os
import runpy
import sys

import discord
import yarl


def main() -> None:
    """Point discord.py at the stand-in, then become the program."""
    discord.http.Route.BASE = os.environ["STANDIN_API"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_GATEWAY"])
    discord.asset.Asset.BASE = os.environ["STANDIN_CDN"]
    module, sys.argv = sys.argv[1], sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
