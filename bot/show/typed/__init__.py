"""What people type: cards, dates, durations, cities, games."""
