"""Values that all parts of the bot share: ids, chairs, pace, deadlines, preferences, results. Pure."""
