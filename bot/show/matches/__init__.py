"""Ended matches: replay, review, and moments to share."""
