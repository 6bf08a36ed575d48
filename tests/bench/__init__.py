"""How fast the bot is, as ratios wherever that can be: ``make bench``."""
