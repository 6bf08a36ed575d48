"""The bot killed at random moments of running matches, and what Discord and the disk do to it on a bad day."""
