"""Values that all parts of the bot share, such as ids, chairs, pace and results. Pure."""
