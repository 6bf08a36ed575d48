"""What tests stand on.

A server with the bot and people, scenes, databases, clocks, and the plugins of pytest.
"""
