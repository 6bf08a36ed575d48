"""Writes to Discord: effects, the outbox, and one paced queue within the limits of Discord."""
