"""What tests stand on: a server with the bot and people, scenes, databases, clocks, and the plugins of pytest."""
