"""Writes to Discord: effects, the outbox, and one queue within Discord's rate limits."""
