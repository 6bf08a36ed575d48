"""Tests that look at the bot as a person does: the sandbox's page in a real browser."""
