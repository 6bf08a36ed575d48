"""Benchmarks of the bot, mostly as ratios: ``make bench``."""
