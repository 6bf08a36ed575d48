"""The sandbox at a given moment of a match: `python -m tests.moments b2 end-of-hand`, or `make try`."""
