"""The bot is killed at random moments of running matches, and suffers failures of network, Discord and disk."""
