"""Slow, plain second readings of the games' rules, sharing no code with the bot, for the tests to compare against."""
