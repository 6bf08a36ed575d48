"""Writes to Discord: effects, the outbox, and one paced queue within Discord's rate limits."""
