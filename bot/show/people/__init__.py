"""The screens of one person: preferences, hours, profile, data."""
