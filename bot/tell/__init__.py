"""Telling: Discord as what comes out. One living board a table, pings to those awaited, open private hands."""
