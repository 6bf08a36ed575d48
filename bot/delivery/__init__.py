"""Keeps Discord as it should be: one living board a table, notifications to the players awaited, open private hands."""
