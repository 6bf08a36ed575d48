"""Matches that are over: replay, review, and moments to share."""
