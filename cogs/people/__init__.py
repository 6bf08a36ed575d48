"""What belongs to one person: preferences, hours, data, profile."""
