"""Values that all parts of the bot share.

Ids, chairs, pace, deadlines, preferences, results. Pure.
"""
