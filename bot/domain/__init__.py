"""Values that every part names: ids, chairs, pace, deadlines, preferences, results. Pure."""
