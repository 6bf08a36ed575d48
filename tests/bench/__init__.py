"""How fast the bot is, mostly as ratios: ``make bench``."""
