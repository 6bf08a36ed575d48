"""What belongs to one person: preferences, hours, profile, data."""
