"""Tests of what a table decides: pure states, in microseconds."""
