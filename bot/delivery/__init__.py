"""Keeps Discord's messages up to date: a board per table, notifications of awaited players, open private hands."""
