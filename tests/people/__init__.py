"""Tests of people on Discord and their screens: the real bot and store against a simulated Discord."""
