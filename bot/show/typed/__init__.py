"""Parsing of what people type: cards, dates, durations, cities, games."""
