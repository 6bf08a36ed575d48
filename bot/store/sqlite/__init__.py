"""A database in a file."""
