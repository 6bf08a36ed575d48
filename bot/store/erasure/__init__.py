"""Deletion of people, servers and leftovers, and the export of a person's own data."""
