"""Matches that are over: results, replays, reviews, exports, annulment."""
