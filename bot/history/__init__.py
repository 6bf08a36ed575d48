"""Finished matches: replays, reviews, exports and the packing of old records."""
