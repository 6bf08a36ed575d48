"""Hands of Big Two as small integers, for house players that try a hand out thousands of times before they answer."""
