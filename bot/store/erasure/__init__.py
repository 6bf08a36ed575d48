"""Deletion of people, servers and leftovers, and what a person may read of their own data."""
