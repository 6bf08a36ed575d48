"""The sandbox at a moment of a match: `python -m tests.moments b2 end-of-hand`, or `make try`."""
